from dataclasses import replace

import pytest

from chunkgap.comparing import check_comparable
from chunkgap.errors import ConfigError, NotComparableError
from chunkgap.results import Results

from ..reports.results_builder import build_results


def digested(results: Results, *, evaluated: str = "a", labels: str = "b") -> Results:
    """The same measurement with digests of its evaluated queries, as every new file has them."""
    queries = replace(results.queries, evaluated_digest=evaluated * 64, labels_digest=labels * 64)
    return replace(results, queries=queries)


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
    results = digested(build_results(queries=5))
    edited = digested(other(results, "corpus"), evaluated="c")
    assert len(check_comparable(results, edited, ["corpus"])) == 1


def test_labels_that_changed_with_the_corpus_are_held_against_the_queries() -> None:
    results = digested(build_results(queries=5))
    relabelled = digested(other(results, "corpus"), evaluated="c", labels="d")
    with pytest.raises(NotComparableError) as caught:
        check_comparable(results, relabelled, ["corpus"])
    assert str(caught.value) == MESSAGES["queries"]


def test_evidence_that_changed_over_one_corpus_is_held_against_the_queries() -> None:
    results = digested(build_results(queries=5))
    with pytest.raises(NotComparableError, match="--allow queries"):
        check_comparable(results, digested(results, evaluated="c"), [])


def test_what_is_not_evaluated_may_differ() -> None:
    results = digested(build_results(queries=5))
    assert check_comparable(results, other(results, "queries"), []) == ()


def test_a_file_without_digests_of_its_evaluated_queries_is_compared_by_all_of_its_queries() -> None:
    old = build_results(queries=5)
    assert check_comparable(old, digested(old), []) == ()
    with pytest.raises(NotComparableError, match="--allow queries"):
        check_comparable(other(old, "queries"), digested(old), [])


def score_of(digest: str, documents: int = 240) -> Results:
    """A measurement of run files, whose corpus is known by ids alone."""
    results = build_results(queries=5, command="score")
    return replace(results, corpus=replace(results.corpus, digest=digest, documents=documents))


def test_run_files_that_name_other_documents_are_not_comparable() -> None:
    with pytest.raises(NotComparableError) as caught:
        check_comparable(score_of("e" * 64), score_of("f" * 64, 250), [])
    assert str(caught.value) == (
        "corpus: expected the same in both, got run files that name other documents, 240 and 250 with those "
        "judged. Pass --allow corpus to compare all the same."
    )
    assert check_comparable(score_of("e" * 64), score_of("e" * 64), []) == ()


def test_a_file_of_run_files_without_a_digest_says_nothing_of_its_corpus() -> None:
    assert check_comparable(score_of(""), score_of("f" * 64), []) == ()
    with pytest.raises(NotComparableError, match="two different ones"):
        check_comparable(score_of(""), build_results(queries=5), [])


def test_other_query_ids_are_counted() -> None:
    with pytest.raises(NotComparableError, match="got 5 and 7 evaluated queries, 5 of them in both"):
        check_comparable(build_results(queries=5), build_results(queries=7), [])


def test_other_scales_are_no_reason_to_refuse() -> None:
    assert (
        check_comparable(build_results(queries=5), build_results(queries=5, scales=("100", "300")), []) == ()
    )


def test_another_fusion_is_another_endpoint() -> None:
    results = build_results(queries=5)
    fused = replace(results, endpoint=replace(results.endpoint, fusion="rrf60"))
    with pytest.raises(NotComparableError) as caught:
        check_comparable(results, fused, [])
    assert str(caught.value) == (
        "endpoint: expected the same in both, got fusion by ai21 and by rrf60. "
        "Pass --allow endpoint to compare all the same."
    )
    assert check_comparable(results, fused, ["endpoint"]) == ("endpoint: fusion by ai21 and by rrf60",)


def test_a_fusion_that_the_endpoint_does_not_have_is_not_compared() -> None:
    results = build_results(queries=5, cutoffs=("5c",), primary="recall@5c")
    assert (
        check_comparable(results, replace(results, endpoint=replace(results.endpoint, fusion="rrf60")), [])
        == ()
    )


def test_leaving_out_the_query_itself_is_another_endpoint() -> None:
    kept, left_out = (replace(build_results(queries=5), exclude_same_id=own) for own in (False, True))
    with pytest.raises(NotComparableError) as caught:
        check_comparable(kept, left_out, [])
    assert str(caught.value) == (
        "endpoint: expected the same in both, got documents with the id of the query left out of one alone "
        "(exclude_same_id). Pass --allow endpoint to compare all the same."
    )
    assert check_comparable(build_results(queries=5), left_out, []) == ()  # an older file does not tell


def test_allowing_what_there_is_not_is_an_error() -> None:
    results = build_results(queries=5)
    with pytest.raises(ConfigError) as caught:
        check_comparable(results, results, ["corpora"])
    assert str(caught.value) == "allow: expected corpus, queries, endpoint, got corpora. Choose among these."
