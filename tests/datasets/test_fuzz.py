"""Files that somebody broke: each reader ends in a result or in an error of ours, never in anything else."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkgap.datasets.corpus import read_corpus
from chunkgap.datasets.queries import read_queries
from chunkgap.datasets.trec import read_qrels, read_run
from chunkgap.datasets.validation import validate
from chunkgap.errors import ChunkgapError
from chunkgap.records import Document
from chunkgap.run_files import read_run_file

CORPUS = {"a": Document("a", "Kites need wind."), "b": Document("b", "T\nBoats.", "T", 2)}
JSONL = b"".join(
    json.dumps(record).encode() + b"\n"
    for record in (
        {"id": "a", "text": "Kites need wind.", "title": "Kites", "relevant": {"a": 1, "b": 0.5}},
        {"id": 7, "text": "\U0001f600", "relevant": ["b"], "spans": [{"doc": "a", "start": 0, "end": 5}]},
        {
            "id": "c",
            "text": "x",
            "spans": [{"doc": "a", "text": "wind"}],
            "answers": ["y"],
            "tags": {"t": "u"},
        },
    )
)
CSV = (
    'id;text;relevant;spans;tags\na;"Kites; ""wind""\r\n'
    '";a|b;"[{""doc"": ""a"", ""start"": 0, ""end"": 5}]";t=u\n'
)
CHROMA = (
    "question,references,corpus_id\n"
    'wind,"[{""content"": ""Kites"", ""start_index"": 0, ""end_index"": 5}]",a\n'
)
SQUAD = {
    "data": [
        {
            "title": "a",
            "paragraphs": [
                {
                    "context": "Kites need wind.",
                    "qas": [
                        {"id": "q", "question": "wind", "answers": [{"text": "wind", "answer_start": 11}]}
                    ],
                }
            ],
        }
    ]
}
HTML = "<html><head><title>T</title></head><body><p>a &amp; b<pre> c </pre><script>x</script><td>d</body>"
RUN = b"q1 Q0 a 1 0.5 mine\nq1\tQ0\tb\t2\t  0.25\tmine\n"


def parquet() -> bytes:
    buffer = pa.BufferOutputStream()
    pq.write_table(pa.table({"id": ["a", "7"], "text": ["wind", None], "relevant": [["a"], []]}), buffer)
    return bytes(buffer.getvalue())


def documents(name: str) -> None:
    read_corpus(Path(name))


def queries(name: str) -> None:
    validate(dict.fromkeys(CORPUS, True), read_queries(Path(name), CORPUS))


CASES: list[tuple[str, bytes, Callable[[str], object]]] = [
    ("a.jsonl", JSONL, documents),
    ("a.jsonl", JSONL, queries),
    ("a.jsonl.gz", gzip.compress(JSONL, mtime=0), documents),
    ("a.jsonl.zst", zstandard.ZstdCompressor().compress(JSONL), documents),
    ("a.csv", CSV.encode(), documents),
    ("a.csv", CSV.encode(), queries),
    ("a.csv", CHROMA.encode(), queries),
    ("a.parquet", parquet(), documents),
    ("a.parquet", parquet(), queries),
    ("a.json", json.dumps(SQUAD).encode(), documents),
    ("a.json", json.dumps(SQUAD).encode(), queries),
    ("a.json", b'{"queries": [{"id": "q", "text": "wind", "relevant_docs": ["a"]}]}', queries),
    ("a.html", HTML.encode(), documents),
    ("a.txt", "Kites need 北 wind.".encode(), documents),
    ("a.txt", b"q1 0 a 1\r\nq1\t0\tb\t0.5\n", lambda name: read_qrels(Path(name))),
    ("a.run", RUN, lambda name: list(read_run(Path(name)))),
]

QRELS = b"query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t0.5\n"


def beir(name: str) -> None:
    """A BEIR folder of which one part is broken: `corpus`, `queries` or `qrels`."""
    parts = {
        "corpus.jsonl": b'{"_id": "a", "title": "Kites", "text": "wind"}\n',
        "queries.jsonl": b'{"_id": "q1", "text": "wind?"}\n',
        "qrels/test.tsv": QRELS,
    }
    for part, content in parts.items():
        path = Path("beir") / part
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(Path(name).read_bytes() if path.stem == Path(name).stem else content)
    validate(read_corpus(Path("beir")), read_queries(Path("beir"), read_corpus(Path("beir"))))


MORE_CASES: list[tuple[str, bytes, Callable[[str], object]]] = [
    ("corpus", JSONL, beir),
    ("queries", JSONL, beir),
    ("test", QRELS, beir),
    ("a.tsv", CSV.replace(";", "\t").encode(), documents),
    ("a.tsv", CSV.replace(";", "\t").encode(), queries),
    ("a.txt.gz", gzip.compress(QRELS, mtime=0), lambda name: read_qrels(Path(name))),
    ("a.run.gz", gzip.compress(RUN, mtime=0), lambda name: read_run_file("s", Path(name))),
    ("a.run", RUN, lambda name: read_run_file("s", Path(name), separator="#")),
]

PIECES = st.one_of(
    st.binary(max_size=4),
    st.sampled_from(
        [b"", b"\0", b"\n", b"\r", b'"', b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\\ud83d"]
    ),
    st.sampled_from([b"null", b"NaN", b"1e999", b"[", b"{}", b"-1", b"9" * 5000, b"true", b"\t", b";", b"a"]),
)
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), PIECES), min_size=1, max_size=4)


@pytest.mark.parametrize(("name", "content", "read"), CASES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=EDITS)
def test_a_broken_file_ends_in_a_result_or_an_error_line(
    name: str, content: bytes, read: Callable[[str], object], edits: list[tuple[float, int, bytes]]
) -> None:
    read_broken(name, content, read, edits)


@pytest.mark.parametrize(("name", "content", "read"), MORE_CASES)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=EDITS)
def test_so_does_a_broken_part_of_a_folder_and_a_broken_archive(
    name: str, content: bytes, read: Callable[[str], object], edits: list[tuple[float, int, bytes]]
) -> None:
    read_broken(name, content, read, edits)


def read_broken(
    name: str, content: bytes, read: Callable[[str], object], edits: list[tuple[float, int, bytes]]
) -> None:
    for place, removed, added in edits:
        start = int(place * len(content))
        content = content[:start] + added + content[start + removed :]
    Path(name).write_bytes(content)
    try:
        read(name)
    except ChunkgapError as error:
        assert all(problem and problem.isprintable() for problem in error.problems)
