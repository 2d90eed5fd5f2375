from dataclasses import replace

import pytest

from chunkgap.comparing import check_comparable
from chunkgap.errors import ConfigError, NotComparableError
from chunkgap.results import Results

from ..reports.results_builder import build_results


def other(results: Results, what: str) -> Results:
    """The same measurement with another corpus, other labels, or another endpoint."""
    if what == "corpus":
        return replace(results, corpus=replace(results.corpus, digest="e" * 64, documents=7))
    if what == "queries":
        return replace(results, queries=replace(results.queries, digest="e" * 64))
    return replace(results, endpoint=replace(results.endpoint, cutoff="10"))


MESSAGES = {
    "corpus": (
        "corpus: expected the same in both, got two different ones, of 240 and 7 documents. "
        "Pass --allow corpus to compare all the same."
    ),
    "queries": (
        "queries: expected the same in both, got other texts or labels under the same 5 ids. "
        "Pass --allow queries to compare all the same."
    ),
    "endpoint": (
        "endpoint: expected the same in both, got recall@5 and recall@10. "
        "Pass --allow endpoint to compare all the same."
    ),
}


@pytest.mark.parametrize("what", MESSAGES)
def test_what_differs_is_refused_unless_it_is_allowed(what: str) -> None:
    results = build_results(queries=5)
    with pytest.raises(NotComparableError) as caught:
        check_comparable(results, other(results, what), [])
    assert str(caught.value) == MESSAGES[what]
    assert caught.value.exit_code == 3
    assert len(check_comparable(results, other(results, what), [what])) == 1


def test_everything_that_differs_is_told_at_once() -> None:
    results = build_results(queries=5)
    changed = other(other(results, "corpus"), "endpoint")
    with pytest.raises(NotComparableError) as caught:
        check_comparable(results, changed, [])
    assert list(caught.value.problems) == [MESSAGES["corpus"], MESSAGES["endpoint"]]


def test_one_allowed_difference_does_not_allow_another() -> None:
    results = build_results(queries=5)
    with pytest.raises(NotComparableError, match="--allow endpoint"):
        check_comparable(results, other(other(results, "corpus"), "endpoint"), ["corpus"])


def test_spans_given_as_text_move_with_the_corpus_and_are_not_held_against_the_queries() -> None:
    results = build_results(queries=5)
    edited = other(other(results, "corpus"), "queries")
    assert len(check_comparable(results, edited, ["corpus"])) == 1
    relabelled = replace(edited, per_query=replace(edited.per_query, relevant=(2,) * 5))
    with pytest.raises(NotComparableError, match="--allow queries"):
        check_comparable(results, relabelled, ["corpus"])


def test_queries_without_spans_do_not_move_with_the_corpus() -> None:
    results = build_results(queries=5)
    plain = replace(results, queries=replace(results.queries, with_spans=0))
    with pytest.raises(NotComparableError, match="--allow queries"):
        check_comparable(plain, other(other(plain, "corpus"), "queries"), ["corpus"])


def test_other_query_ids_are_counted() -> None:
    with pytest.raises(NotComparableError, match="got 5 and 7 evaluated queries, 5 of them in both"):
        check_comparable(build_results(queries=5), build_results(queries=7), [])


def test_another_fusion_or_other_scales_are_no_reason_to_refuse() -> None:
    results = build_results(queries=5)
    fused = replace(results, endpoint=replace(results.endpoint, fusion="rrf60"))
    assert check_comparable(results, fused, []) == ()


def test_allowing_what_there_is_not_is_an_error() -> None:
    results = build_results(queries=5)
    with pytest.raises(ConfigError) as caught:
        check_comparable(results, results, ["corpora"])
    assert str(caught.value) == "allow: expected corpus, queries, endpoint, got corpora. Choose among these."
