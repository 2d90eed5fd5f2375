from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from chunkgap.datasets.corpus import read_corpus
from chunkgap.datasets.queries import read_queries
from chunkgap.records import Span

from .inputs import problems, write


def parquet(name: str, **columns: list[object] | pa.Array) -> Path:
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


def test_a_struct_lacks_the_keys_that_others_of_its_column_have() -> None:
    corpus = read_corpus(parquet("c.parquet", id=["a", "b"], text=["Kites need wind.", "Boats"]))
    path = parquet(
        "q.parquet",
        id=["q1", "q2"],
        text=["kites", "boats"],
        relevant=[{"a": 2.0}, {"b": 1.0}],
        spans=[[{"doc": "a", "text": "wind"}], [{"doc": "b", "start": 0, "end": 5}]],
        tags=[{"type": "fact"}, {"lang": "en"}],
    )
    first, second = read_queries(path, corpus).queries
    assert (first.relevant, second.relevant) == ({"a": 2.0}, {"b": 1.0})
    assert (first.spans, second.spans) == ((Span("a", 11, 15),), (Span("b", 0, 5),))
    assert (first.tags, second.tags) == ({"type": "fact"}, {"lang": "en"})


def maps(*rows: list[tuple[str, object]], of: pa.DataType) -> pa.Array:
    return pa.array(list(rows), pa.map_(pa.string(), of))


def test_a_map_is_an_object() -> None:
    relevant = maps([("a", 2.0), ("b", 0.0)], [("b", 1.0)], of=pa.float64())
    tags = maps([("type", "fact")], [], of=pa.string())
    path = parquet("q.parquet", id=["q1", "q2"], text=["kites", "boats"], relevant=relevant, tags=tags)
    first, second = read_queries(path).queries
    assert (first.relevant, second.relevant) == ({"a": 2.0, "b": 0.0}, {"b": 1.0})
    assert (first.tags, second.tags) == ({"type": "fact"}, {})


def test_a_map_with_a_key_twice_or_without_a_grade_is_a_fault() -> None:
    relevant = maps([("a", 0.0), ("a", 1.0)], [("b", None)], of=pa.float64())
    path = parquet("q.parquet", id=["q1", "q2"], text=["kites", "boats"], relevant=relevant)
    assert problems(lambda: read_queries(path)) == [
        'q.parquet:row 1: expected each key once, got "a" again. Remove one.',
        'q.parquet:row 2: query "q2": expected a grade, got null. Write a number, above 0 for relevant.',
    ]


def test_a_column_given_twice_is_named() -> None:
    pq.write_table(pa.table([["a"], ["wind"], ["sea"]], names=["id", "text", "text"]), "a.parquet")
    assert problems(lambda: read_corpus(Path("a.parquet"))) == [
        'a.parquet: expected each column once, got "text" twice. Rename one.'
    ]
