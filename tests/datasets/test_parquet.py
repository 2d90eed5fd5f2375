from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from chunkgap.datasets.corpus import read_corpus
from chunkgap.datasets.queries import read_queries

from .inputs import problems, write


def parquet(name: str, **columns: list[object]) -> Path:
    pq.write_table(pa.table(columns), name)
    return Path(name)


def test_documents_are_read_with_whole_numbers_as_ids() -> None:
    path = parquet("a.parquet", id=[2, 10], body=["wind", "sea"], other=[b"\xff", b""])
    documents = read_corpus(path).documents
    assert [(document.doc_id, document.text) for document in documents] == [("10", "sea"), ("2", "wind")]


def test_a_null_text_is_empty_and_a_null_id_a_fault() -> None:
    assert read_corpus(parquet("a.parquet", id=["a"], text=[None])).documents[0].text == ""
    path = parquet("b.parquet", id=["a", None], text=["wind", "sea"])
    assert problems(lambda: read_corpus(path)) == [
        "b.parquet:row 2: expected an id, got null. Write it as text."
    ]


def test_fractions_are_no_ids() -> None:
    path = parquet("a.parquet", id=[1.0], text=["wind"])
    assert problems(lambda: read_corpus(path)) == [
        "a.parquet:row 1: expected an id, got 1.0. Write it as text."
    ]


def test_queries_hold_lists_and_spans() -> None:
    corpus = read_corpus(parquet("c.parquet", id=["a", "b"], text=["Kites need wind.", "Boats"]))
    path = parquet(
        "q.parquet",
        id=["q1"],
        question=["what do kites need"],
        relevant=[["a", "b"]],
        spans=[[{"doc": "a", "start": 11, "end": 15}]],
        **{"tag:type": ["fact"]},
    )
    (query,) = read_queries(path, corpus).queries
    assert query.relevant == {"a": 1.0, "b": 1.0}
    assert [(span.doc_id, span.start, span.end) for span in query.spans] == [("a", 11, 15)]
    assert query.tags == {"type": "fact"}


def test_a_missing_column_is_named() -> None:
    path = parquet("a.parquet", nr=["a"], text=["wind"])
    assert problems(lambda: read_corpus(path)) == [
        'a.parquet: expected a column "_id" (or id, doc_id, docid), got "nr", "text". '
        "Name the column with fields: {id: ...}."
    ]


def test_what_is_no_parquet_file_is_named() -> None:
    path = write("a.parquet", "id,text\n")
    (problem,) = problems(lambda: read_corpus(path))
    assert problem.startswith("a.parquet: expected a whole Parquet file, got a fault: ")
