import gzip
import json
from pathlib import Path

import pytest

from chunkgap.datasets.corpus import Corpus, read_corpus
from chunkgap.datasets.queries import QuerySet, read_queries
from chunkgap.records import Query, Span

from .inputs import problems, write, write_jsonl


@pytest.fixture
def corpus() -> Corpus:
    return read_corpus(
        write_jsonl("corpus.jsonl", {"id": "a", "text": "Kites need wind."}, {"id": "b", "text": "Sea."})
    )


def test_a_query_holds_text_labels_spans_answers_and_tags(corpus: Corpus) -> None:
    path = write_jsonl(
        "queries.jsonl",
        {
            "_id": "q1",
            "text": "what do kites need",
            "relevant": {"a": 2, "b": 0},
            "spans": [{"doc": "a", "start": 0, "end": 5}, {"doc": "a", "text": "wind"}],
            "answers": ["wind"],
            "tags": {"type": "fact"},
            "notes": "unknown keys are let be",
        },
    )
    assert read_queries(path, corpus).queries == (
        Query(
            "q1",
            "what do kites need",
            {"a": 2.0, "b": 0.0},
            (Span("a", 0, 5), Span("a", 11, 15)),
            ("wind",),
            {"type": "fact"},
        ),
    )


def test_tables_hold_the_same_in_cells(corpus: Corpus) -> None:
    spans = json.dumps([{"doc": "a", "text": "wind"}]).replace('"', '""')
    path = write(
        "queries.csv",
        "query_id;question;relevant;spans;answers;tags;tag:lang\n"
        f'01;what do kites need;a|b;"{spans}";wind, of course;type=fact;en\n'
        "1;what of the sea;b;;;;\n",
    )
    assert read_queries(path, corpus).queries == (
        Query(
            "01",
            "what do kites need",
            {"a": 1.0, "b": 1.0},
            (Span("a", 11, 15),),
            ("wind, of course",),
            {"type": "fact", "lang": "en"},
        ),
        Query("1", "what of the sea", {"b": 1.0}),
    )


def test_columns_may_be_named_and_ids_left_out(corpus: Corpus) -> None:
    path = write("qa.csv", b"\xef\xbb\xbfFrage,Dokument\nwind?, a\nsea?,b\n")
    queries = read_queries(path, corpus, fields={"text": "Frage", "relevant": "Dokument"})
    assert [(query.query_id, dict(query.relevant)) for query in queries.queries] == [
        ("1", {"a": 1.0}),
        ("2", {"b": 1.0}),
    ]
    assert queries.warnings == ("qa.csv: the queries have no ids and are numbered from 1 in file order",)


@pytest.mark.parametrize("wrapped", [True, False])
def test_json_may_list_queries(corpus: Corpus, wrapped: bool) -> None:
    listed = [{"id": "q1", "text": "wind", "relevant_docs": ["a"], "notes": "x"}]
    path = write("queries.json", json.dumps({"queries": listed} if wrapped else listed))
    assert read_queries(path, corpus).queries == (Query("q1", "wind", {"a": 1.0}),)


def test_json_of_another_shape_is_named(corpus: Corpus) -> None:
    path = write("queries.json", '{"questions": []}')
    assert problems(lambda: read_queries(path, corpus)) == [
        'queries.json: expected SQuAD JSON, {"queries": [...]} or an array of queries, got an object. '
        "Write one of them, or .jsonl."
    ]
    path = write("queries.json", '{"queries": [1, {"id": "q", "text": ""}]}')
    assert problems(lambda: read_queries(path, corpus)) == [
        "queries.json:queries[0]: expected a query, got 1. Write an object.",
        'queries.json:queries[1]: expected the text of the query "q", got "". '
        "Write the question, or remove it.",
    ]


def test_a_column_that_is_missing_is_named_with_the_key_that_names_another(corpus: Corpus) -> None:
    path = write("queries.csv", "nr,asked\n1,wind\n")
    assert problems(lambda: read_queries(path, corpus)) == [
        'queries.csv:1: expected a column "text" (or query, question), got "nr", "asked". '
        "Name the column with query_fields: {text: ...}, or set the delimiter."
    ]


def test_qrels_beside_the_queries_replace_their_labels(corpus: Corpus) -> None:
    path = write_jsonl(
        "queries.jsonl", {"id": "q1", "text": "wind", "relevant": ["b"]}, {"id": "q2", "text": "sea"}
    )
    qrels = write("qrels.txt", "q1 0 a 1\nq1 0 b 0\nq9 0 a 1\n")
    queries = read_queries(path, corpus, qrels=qrels)
    assert [dict(query.relevant) for query in queries.queries] == [{"a": 1.0, "b": 0.0}, {}]
    assert queries.unasked == {"q9": {"a": 1.0}}
    assert queries.warnings == ("the qrels file replaces the relevant documents that the queries name",)


def test_ids_are_composed_on_both_sides() -> None:
    corpus = read_corpus(write_jsonl("corpus.jsonl", {"id": "re\u0301sume\u0301", "text": "wind"}))
    path = write_jsonl("q.jsonl", {"id": "q\u0301", "text": "wind", "relevant": ["r\u00e9sum\u00e9"]})
    qrels = write("qrels.txt", "q\u0301 0 re\u0301sume\u0301 1\n")
    for queries in (read_queries(path, corpus), read_queries(path, corpus, qrels=qrels)):
        assert set(queries.queries[0].relevant) == set(corpus.by_id)


def test_a_span_makes_its_document_relevant(corpus: Corpus) -> None:
    span = {"doc": "a", "text": "wind"}
    path = write_jsonl(
        "queries.jsonl",
        {"id": "q1", "text": "wind", "spans": [span]},
        {"id": "q2", "text": "wind", "spans": [span], "relevant": ["b"]},
    )
    queries = read_queries(path, corpus)
    assert [dict(query.relevant) for query in queries.queries] == [{"a": 1.0}, {"a": 1.0, "b": 1.0}]
    assert queries.warnings == ('queries.jsonl:2: query "q2": a holds a span, so it is counted as relevant',)


def test_all_problems_of_all_queries_are_named_at_once(corpus: Corpus) -> None:
    path = write(
        "queries.jsonl",
        '{"id": "q1", "text": "wind", "relevant": ["a"]}\n'
        '{"id": "q2", "text": "  "}\n\n'
        '{"id": "q1", "text": "other"}\n'
        '{"text": "no id"}\n'
        '{"id": "q3", "text": "x", "relevant": {"a": 0}, "spans": [{"doc": "a", "start": 0, "end": 5}]}\n'
        '{"id": "q4", "text": "x", "relevant": {"a": "?"}, "spans": [{"doc": "c", "text": '
        '"x"}, 1], "tags": 1}\n',
    )
    shape = 'Write {"doc": ..., "start": ..., "end": ...} or {"doc": ..., "text": ...}.'
    assert problems(lambda: read_queries(path, corpus)) == [
        'queries.jsonl:2: expected the text of the query "q2", got "  ". Write the question, or remove it.',
        'queries.jsonl:4: expected each query id once, got "q1" again (first at queries.jsonl:1). '
        "Rename or remove one.",
        "queries.jsonl:5: expected an id, got null. Write it as text.",
        'queries.jsonl:6: query "q3": expected spans in relevant documents, got one in "a", of grade 0. '
        "Mend the grade, or leave the span out.",
        'queries.jsonl:7: query "q4": expected a span in a document of the corpus, got "c". Mend the id.',
        f'queries.jsonl:7: query "q4": expected a span, got 1. {shape}',
        'queries.jsonl:7: query "q4": expected a grade, got "?". Write a number, above 0 for relevant.',
        'queries.jsonl:7: query "q4": expected tags as an object, got 1. Write {"type": "fact"}.',
    ]


def test_lone_surrogates_are_replaced_with_a_warning(corpus: Corpus) -> None:
    queries = read_queries(write("q.jsonl", '{"id": "q1", "text": "x\\ud83d", "relevant": ["a"]}'), corpus)
    assert queries.queries[0].text == "x\ufffd"
    assert queries.warnings == ("q.jsonl:1: a lone surrogate in the query q1 was replaced by U+FFFD",)


def test_a_file_without_queries_is_an_error(corpus: Corpus) -> None:
    assert problems(lambda: read_queries(write("q.jsonl", "\n"), corpus)) == [
        "q.jsonl: expected labelled queries, got none. Give each an id, a text and relevant documents."
    ]


def test_compressed_queries_are_read(corpus: Corpus) -> None:
    path = write("q.jsonl.gz", gzip.compress(b'{"id": "q1", "text": "wind", "relevant": ["a"]}'))
    assert read_queries(path, corpus).queries[0].query_id == "q1"


def test_the_digest_depends_on_everything_in_a_query(corpus: Corpus) -> None:
    base = {"id": "q1", "text": "wind", "relevant": ["a"], "spans": [], "answers": [], "tags": {}}
    changes: list[dict[str, object]] = [
        {},
        {"id": "q2"},
        {"text": "sea"},
        {"relevant": {"a": 2}},
        {"spans": [{"doc": "a", "text": "wind"}]},
        {"answers": ["x"]},
        {"tags": {"type": "fact"}},
    ]

    def digest(change: dict[str, object]) -> str:
        queries: QuerySet = read_queries(write_jsonl("q.jsonl", {**base, **change}), corpus)
        return queries.digest

    assert len({digest(change) for change in changes}) == len(changes)
    assert digest({}) == digest({"notes": "not read"})


def test_without_a_corpus_labels_are_read_unchecked() -> None:
    path = write_jsonl("q.jsonl", {"id": "q1", "text": "wind", "spans": [{"doc": "x", "start": 0, "end": 9}]})
    assert read_queries(Path(path)).queries[0].spans == (Span("x", 0, 9),)


def test_a_tag_in_its_own_column_and_among_the_tags_is_refused(corpus: Corpus) -> None:
    path = write("q.csv", "text,relevant,tags,tag:type\nwind,a,type=fact,procedure\nsea,b,lang=en,fact\n")
    assert problems(lambda: read_queries(path, corpus)) == [
        "q.csv:2: expected each tag once, got type in tags and in tag:type. Remove one."
    ]


def test_a_judgement_given_twice_is_refused_wherever_it_stands(corpus: Corpus) -> None:
    expected = 'expected each key once, got "a" again. Remove one.'
    lines = write("q.jsonl", '{"id": "q", "text": "wind", "relevant": {"a": 0, "a": 1}}\n')
    table = write("q.csv", 'text;relevant\nwind;"{""a"": 0, ""a"": 1}"\n')
    whole = write("q.json", '[{"id": "q", "text": "wind", "relevant": {"a": 0, "a": 1}}]')
    assert problems(lambda: read_queries(lines, corpus)) == [f"q.jsonl:1: {expected}"]
    assert problems(lambda: read_queries(table, corpus)) == [f"q.csv:2: {expected}"]
    assert problems(lambda: read_queries(whole, corpus)) == [f"q.json:[0].relevant: {expected}"]


def test_two_spellings_of_a_judged_document_are_named_with_line_and_query(corpus: Corpus) -> None:
    path = write_jsonl("q.jsonl", {"id": "q1", "text": "wind", "relevant": {"e\u0301": 0, "\u00e9": 1}})
    assert problems(lambda: read_queries(path, corpus)) == [
        'q.jsonl:1: query "q1": expected one spelling of each id, got "\u00e9" '
        r"as 'e\u0301' and as '\xe9'. Keep one."
    ]


def test_a_misspelt_label_is_told() -> None:
    queries = read_queries(write("q.jsonl", '{"_id": "q1", "text": "wind?", "relevnt": ["a"]}\n'), None)
    assert queries.warnings == ('q.jsonl:1: "relevnt" is not read. Did you mean "relevant"?',)
