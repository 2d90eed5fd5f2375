import pytest

from chunkgap.datasets import validation
from chunkgap.datasets.corpus import Corpus, read_corpus
from chunkgap.datasets.queries import QuerySet
from chunkgap.datasets.validation import near_ids, validate
from chunkgap.records import Query

from .inputs import problems, write_jsonl


@pytest.fixture
def corpus() -> Corpus:
    texts = {"a.txt": "wind", "b.txt": "sea", "c.txt": "", "d.txt": " \n"}
    return read_corpus(
        write_jsonl("corpus.jsonl", *({"id": name, "text": text} for name, text in texts.items()))
    )


def query_set(*labels: dict[str, float], unasked: dict[str, dict[str, float]] | None = None) -> QuerySet:
    queries = tuple(Query(f"q{number}", "text", grades) for number, grades in enumerate(labels, 1))
    return QuerySet(queries, "queries.jsonl", "", (), unasked or {})


EMPTY = "2 documents have no text (c.txt, d.txt)"


def test_queries_without_a_relevant_document_are_left_out_and_told_apart(corpus: Corpus) -> None:
    labelled = validate(corpus, query_set({"a.txt": 1}, {}, {"b.txt": 0, "a.txt": -1}, {}))
    assert [query.query_id for query in labelled.evaluated] == ["q1"]
    assert labelled.excluded == {
        "q2": "without a label",
        "q3": "without a relevant document",
        "q4": "without a label",
    }
    assert labelled.warnings == (
        "2 queries without a label, left out (q2, q4)",
        "1 query without a relevant document, left out (q3)",
        EMPTY,
    )


def test_a_relevant_document_that_is_missing_counts_and_is_named(corpus: Corpus) -> None:
    labelled = validate(corpus, query_set({"a.txt": 1, "ghost": 1}, {"b.txt": 1}))
    assert labelled.evaluated[0].relevant == {"a.txt": 1, "ghost": 1}
    assert labelled.warnings[0] == (
        "1 of 3 judged documents is not in the corpus (ghost, q1): counted as not found"
    )


def test_a_missing_document_of_grade_0_is_no_matter(corpus: Corpus) -> None:
    assert validate(corpus, query_set({"a.txt": 1, "ghost": 0})).warnings == (EMPTY,)


def test_a_missing_document_comes_with_a_near_one(corpus: Corpus) -> None:
    warning = validate(corpus, query_set({"a.txt": 1, "docs/B.md": 1})).warnings[0]
    assert warning == (
        "1 of 2 judged documents is not in the corpus (docs/B.md, q1, is it b.txt?): counted as not found"
    )


def test_judgements_of_queries_without_text_are_counted(corpus: Corpus) -> None:
    unasked = {"q9": {"a.txt": 1.0, "ghost": 1.0}, "q10": {"b.txt": 1.0}}
    assert validate(corpus, query_set({"a.txt": 1}, unasked=unasked)).warnings[:2] == (
        "2 judged queries have no text, left out (q9, q10)",
        "1 of 3 judged documents is not in the corpus (ghost, q9): counted as not found",
    )


def test_a_relevant_document_without_text_counts_and_is_named(corpus: Corpus) -> None:
    assert validate(corpus, query_set({"a.txt": 1}, {"c.txt": 1})).warnings == (
        EMPTY,
        "1 relevant document has no text (c.txt, q2): counted as not found",
    )


def test_a_query_that_is_a_document_is_told(corpus: Corpus) -> None:
    queries = QuerySet((Query("a.txt", "text", {"b.txt": 1.0}),), "queries.jsonl", "")
    assert validate(corpus, queries).warnings[0] == (
        "1 query id is also a document id (a.txt): such a document may be found; "
        "exclude_same_id: true leaves it out"
    )


def test_that_a_query_is_a_document_is_no_warning_once_the_user_has_chosen(corpus: Corpus) -> None:
    queries = QuerySet((Query("a.txt", "text", {"b.txt": 1.0}),), "queries.jsonl", "")
    assert validate(corpus, queries, exclude_same_id=True).warnings == (EMPTY,)


def test_a_label_that_exclude_same_id_takes_out_of_reach_is_told(corpus: Corpus) -> None:
    queries = QuerySet((Query("a.txt", "text", {"a.txt": 1.0, "b.txt": 1.0}),), "queries.jsonl", "")
    assert validate(corpus, queries, exclude_same_id=True).warnings == (
        "1 query has the document of the same id as relevant, which exclude_same_id leaves out of the results (a.txt): "
        "counted as not found",
        EMPTY,
    )
    graded_0 = QuerySet((Query("a.txt", "text", {"a.txt": 0.0, "b.txt": 1.0}),), "queries.jsonl", "")
    assert validate(corpus, graded_0, exclude_same_id=True).warnings == (EMPTY,)


def test_labels_for_another_corpus_are_an_error_with_both_sides(corpus: Corpus) -> None:
    assert problems(lambda: validate(corpus, query_set({"docs/a.txt": 1}, {"b": 1}, {"zebra": 1}))) == [
        "queries.jsonl: none of the 3 labelled document ids is in the corpus, expected ids such as "
        "a.txt, b.txt, c.txt, ..., got docs/a.txt, b, zebra. docs/a.txt is near a.txt; b is near b.txt. "
        "Write ids as the corpus has them: the id field, or in a folder the path from there, with the ending."
    ]


def test_no_labelled_queries_are_an_error(corpus: Corpus) -> None:
    assert problems(lambda: validate(corpus, query_set({}, {"a.txt": 0}))) == [
        "queries.jsonl: expected labelled queries, got no labelled queries among the 2 (1 without a label, "
        "1 without a relevant document). Name relevant documents (in a table: the column, with "
        "query_fields: {relevant: ...}), or give qrels."
    ]


def test_ids_alone_do_in_place_of_the_corpus() -> None:
    labelled = validate({"a": True, "b": False}, query_set({"a": 1}))
    assert labelled.warnings == ("1 document has no text (b)",)


def test_near_ids_share_a_name_or_are_spelt_alike() -> None:
    known = ["guide/setup.md", "doc4", "doc94", "onboarding"]
    assert near_ids("SETUP", known) == ["guide/setup.md"]
    assert near_ids("onbording", known) == ["onboarding"]
    assert near_ids("doc9", known) == []


def test_the_stem_of_an_id_is_found_only_where_it_can_be_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    stem = validation._stem
    monkeypatch.setattr(validation, "_stem", lambda doc_id: asked.append(doc_id) or stem(doc_id))
    assert near_ids("docs/Plan", [f"page{number}.md" for number in range(1000)] + ["a/plan.md"]) == [
        "a/plan.md"
    ]
    assert asked == ["docs/Plan", "a/plan.md"]
