from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from chunkgap.errors import ResultsError
from chunkgap.reports.hits import FILE_NAME, Hit, read_hits, write_hits

from .retrieval_builder import DOC_IDS, QUERY_IDS, build_documents, build_retrieval

PAGE = Path(__file__).parents[2] / "docs" / "files.md"


def write(folder: Path, *, text: bool = True) -> None:
    runs = build_retrieval().first
    runs = runs if text else tuple(replace(run, text=None) for run in runs)
    documents = build_documents()
    write_hits(folder / FILE_NAME, runs, query_ids=QUERY_IDS, doc_ids=DOC_IDS, documents=documents)


def test_every_hit_of_a_query_comes_back_in_rank_order(tmp_path: Path) -> None:
    write(tmp_path)
    runs, documents = build_retrieval().first, build_documents()
    expected = []
    for run in runs:
        assert run.text is not None
        digests = run.text.table.digests(documents)
        for place, row in enumerate(run.ranking.chunk[1].tolist()):
            chunk = run.text.table.chunk(row, documents)
            score = float(run.ranking.score[1, place])
            where = (chunk.start, chunk.end, chunk.tokens, digests[row])
            named = (chunk.chunk_id, chunk.doc_id)
            expected.append(Hit("q%201", run.scale, 0, place + 1, *named, score, *where))
    assert read_hits(tmp_path, ["q%201"]) == {"q%201": tuple(expected)}


def test_ids_are_kept_as_data(tmp_path: Path) -> None:
    write(tmp_path)
    found = read_hits(tmp_path, QUERY_IDS)
    assert {hit.query_id for hits in found.values() for hit in hits} == set(QUERY_IDS)


def test_an_unknown_query_has_no_hits(tmp_path: Path) -> None:
    write(tmp_path)
    assert read_hits(tmp_path, ["no such query"]) == {"no such query": ()}


def test_a_run_without_text_has_documents_alone(tmp_path: Path) -> None:
    write(tmp_path, text=False)
    hit = read_hits(tmp_path, ["007"])["007"][0]
    assert (hit.chunk_id, hit.start, hit.end, hit.tokens, hit.digest) == (None,) * 5
    assert hit.doc_id in DOC_IDS


def test_equal_hits_make_equal_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write(tmp_path / name)
    assert (tmp_path / "one" / FILE_NAME).read_bytes() == (tmp_path / "two" / FILE_NAME).read_bytes()


def test_columns_are_those_of_the_docs(tmp_path: Path) -> None:
    write(tmp_path)
    names = pq.read_schema(tmp_path / FILE_NAME).names
    section = PAGE.read_text("utf-8").split("## `hits.parquet`")[1].split("\n## ")[0]
    assert [name for name in names if f"`{name}`" not in section] == []


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ResultsError) as caught:
        read_hits(tmp_path, ["q"])
    expected = f"{tmp_path / FILE_NAME}: expected ranked chunks, got no file. Measure again."
    assert str(caught.value) == expected


def test_a_broken_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"not parquet")
    with pytest.raises(ResultsError, match=r"ranked chunks, got a fault: .*Measure again\.$") as caught:
        read_hits(tmp_path, ["q"])
    assert "\n" not in str(caught.value)
