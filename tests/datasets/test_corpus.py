import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from chunkgap.datasets.corpus import CorpusOptions, iter_documents, read_corpus
from chunkgap.datasets.findings import Findings
from chunkgap.records import Document

from .inputs import problems, write, write_jsonl


@pytest.mark.parametrize(
    ("ending", "pack"),
    [("", bytes), (".gz", gzip.compress), (".zst", lambda data: zstandard.ZstdCompressor().compress(data))],
)
def test_documents_are_sorted_by_id_as_text(ending: str, pack: Callable[[bytes], bytes]) -> None:
    lines = b'{"id": "b", "text": "sea"}\n{"_id": 10, "content": "air"}\n{"docid": "9", "contents": "wind"}\n'
    corpus = read_corpus(write(f"corpus.jsonl{ending}", pack(lines)))
    assert corpus.documents == (Document("10", "air"), Document("9", "wind"), Document("b", "sea"))
    assert corpus.by_id["9"].text == "wind"


def test_the_digest_is_that_of_lengths_ids_and_texts() -> None:
    corpus = read_corpus(write_jsonl("corpus.jsonl", {"id": "b", "text": "é"}, {"id": "a", "text": ""}))
    parts = (b"a", b"", b"b", "é".encode())
    expected = hashlib.sha256(b"".join(len(part).to_bytes(8, "little") + part for part in parts))
    assert corpus.digest == expected.hexdigest()


def test_the_digest_is_of_what_is_read_and_not_of_how() -> None:
    write("docs/a.txt", "wind")
    table = write("corpus.csv", "text,id\nwind,a.txt\n")
    assert read_corpus(Path("docs")).digest == read_corpus(table).digest
    moved = write_jsonl("c.jsonl", {"id": "a.txtw", "text": "ind"})
    assert read_corpus(moved).digest != read_corpus(table).digest


def test_ids_survive_as_text() -> None:
    path = write("corpus.csv", "id,text\n1,a\n01,b\n001,c\nNA,d\nnull,e\n1.0,f\n")
    assert [document.doc_id for document in read_corpus(path).documents] == [
        "001",
        "01",
        "1",
        "1.0",
        "NA",
        "null",
    ]


def test_every_repeated_id_is_an_error_with_both_places() -> None:
    write_jsonl("a.jsonl", {"id": 7, "text": "a"}, {"id": "7", "text": "b"})
    write_jsonl("b.jsonl", {"id": "7", "text": "c"})
    assert problems(lambda: read_corpus([Path("a.jsonl"), Path("b.jsonl")])) == [
        'a.jsonl:2: expected each document id once, got "7" again (first at a.jsonl:1). '
        "Rename or remove one.",
        'b.jsonl:1: expected each document id once, got "7" again (first at a.jsonl:1). '
        "Rename or remove one.",
    ]


def test_all_problems_of_a_file_are_named_at_once() -> None:
    path = write(
        "corpus.jsonl",
        '{"text": "no id"}\n{"id": "a"}\n\n{"id": "b", "text": 7}\n{"id": null, "text": ""}\n'
        '{"id": "c", "text": "to',
    )
    assert problems(lambda: read_corpus(path)) == [
        'corpus.jsonl:1: expected a field "_id" (or id, doc_id, docid), got none. '
        "Name it with fields: {id: ...}.",
        'corpus.jsonl:2: expected a field "text" (or content, body, contents), got none. '
        "Name it with fields: {text: ...}.",
        'corpus.jsonl:4: expected the text of the document "b", got 7. Write it as text.',
        "corpus.jsonl:5: expected an id, got null. Write it as text.",
        "corpus.jsonl:6: expected a JSON object, got broken JSON (unterminated string, column 21). "
        "Mend the line.",
    ]


def test_lone_surrogates_are_replaced_with_a_warning_and_pairs_are_left_alone() -> None:
    path = write("corpus.jsonl", '{"id": "a", "text": "x\\ud83dy"}\n{"id": "b", "text": "\\ud83d\\ude00"}\n')
    corpus = read_corpus(path)
    assert [document.text for document in corpus.documents] == ["x\ufffdy", "\U0001f600"]
    assert corpus.warnings == ("corpus.jsonl:1: a lone surrogate in the document a was replaced by U+FFFD",)


def test_columns_may_be_named() -> None:
    path = write("corpus.tsv", "Nr\tInhalt\ttitle\n1\twind\tKites\n")
    corpus = read_corpus(path, CorpusOptions(fields={"id": "Nr", "text": "Inhalt"}, title="join"))
    assert corpus.documents == (Document("1", "Kites\nwind", "Kites", body_start=6),)


@pytest.mark.parametrize(("title", "text"), [("auto", "wind"), ("join", "Kites\nwind"), ("ignore", "wind")])
def test_outside_a_beir_folder_a_title_is_joined_on_request_only(title: str, text: str) -> None:
    path = write_jsonl("corpus.jsonl", {"id": "a", "text": "wind", "title": "Kites"})
    (document,) = read_corpus(path, CorpusOptions(title=title)).documents  # type: ignore[arg-type]
    assert (document.text, document.title) == (text, "Kites")


def test_a_blank_title_joins_nothing() -> None:
    path = write_jsonl(
        "corpus.jsonl", {"id": "a", "text": "wind", "title": " "}, {"id": "b", "text": "c", "title": 7}
    )
    assert [document.text for document in read_corpus(path, CorpusOptions(title="join")).documents] == [
        "wind",
        "7\nc",
    ]


def test_documents_without_text_stay() -> None:
    path = write("corpus.jsonl", '{"id": "a", "text": null}\n{"id": "b", "text": " \\n"}\n')
    assert [document.text for document in read_corpus(path).documents] == ["", " \n"]


def test_an_empty_file_is_an_error() -> None:
    assert problems(lambda: read_corpus(write("corpus.jsonl", "\n"))) == [
        "corpus.jsonl: expected documents, got none. "
        "Give .jsonl, .csv or files of .docx, .htm, .html, .markdown, .md, .pdf, .txt."
    ]


def test_documents_are_streamed_in_file_order_before_problems_are_raised() -> None:
    path = write("corpus.jsonl", '{"id": "b", "text": ""}\n{\n{"id": "a", "text": ""}\n')
    stream = iter_documents(path, findings=Findings())
    assert [next(stream).doc_id, next(stream).doc_id] == ["b", "a"]
    assert len(problems(lambda: next(stream))) == 1


def test_no_id_becomes_a_path() -> None:
    names = ["../../escape", "/tmp/absolute", "..\\win", "CON", "x" * 300]  # noqa: S108
    path = write_jsonl("corpus.jsonl", *({"id": name, "text": "wind"} for name in names))
    assert {document.doc_id for document in read_corpus(path).documents} == set(names)
    assert [entry.name for entry in Path().iterdir()] == ["corpus.jsonl"]
