"""Queries that repeat their evidence, by hand."""

from chunkgap.analysis.copied_queries import count_copied
from chunkgap.records import Query, Span

TEXT = "The ferry leaves at nine, from the northern pier. In winter it leaves at ten."
COPY = "ferry leaves at nine from the northern pier"
IDS = ["d0", "d1"]


def copied(text: str, relevant: dict[str, float], *spans: Span) -> bool:
    query = Query("q", text, relevant, spans)
    return count_copied([query], IDS, [TEXT, "something else altogether in five words"]) == 1


def test_most_runs_of_three_words_make_a_copy_whatever_case_and_punctuation_are() -> None:
    assert copied(COPY, {"d0": 1.0})
    assert copied("FERRY leaves (at nine) -- from the northern pier!", {"d0": 1.0})
    assert copied("so the ferry leaves at nine from the", {"d0": 1.0})  # 5 of 6 runs
    assert not copied("ferry leaves at nine from a southern", {"d0": 1.0})  # 3 of 5


def test_words_must_follow_one_another() -> None:
    assert not copied("nine northern ferry winter pier leaves", {"d0": 1.0})
    assert not copied("he ferry leaves at nin", {"d0": 1.0})  # parts of words are not words


def test_a_short_query_is_no_copy() -> None:
    assert not copied("leaves at nine from", {"d0": 1.0})
    assert copied("leaves at nine from the", {"d0": 1.0})


def test_only_the_evidence_counts_where_there_are_spans() -> None:
    assert copied(COPY, {"d0": 1.0}, Span("d0", 0, 49))
    assert not copied(COPY, {"d0": 1.0}, Span("d0", 50, 77))


def test_a_document_judged_not_relevant_is_no_evidence() -> None:
    assert not copied(COPY, {"d0": 0.0, "d1": 1.0})


def test_several_documents_make_up_the_evidence_together() -> None:
    texts = ["one two three four", "five six seven eight"]
    query = Query("q", "one two three four five six seven eight", {"d0": 1.0, "d1": 1.0})
    assert count_copied([query], IDS, texts) == 0  # 4 of 6 runs: not those across the two
    query = Query("q", "one two three four", {"d0": 1.0})
    assert count_copied([query, query], IDS, texts) == 0  # too short
