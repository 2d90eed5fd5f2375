from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgap.reports.query_hits import EXCERPT, ShownChunk, query_gaps, shown_chunk, widest_queries
from chunkgap.results import QueryScores, Results
from tests.reports.results_builder import build_results, build_scored


def cut(
    text: str, *, start: int = 0, spans: list[tuple[int, int]] | None = None, limit: int = EXCERPT
) -> ShownChunk:
    return shown_chunk(build_scored(text, start=start), spans=spans or [], limit=limit)


def with_scores(*scales: tuple[float | None, ...]) -> Results:
    """Results at sizes 50 and 100, 50 being the best fixed one, with these per-query values."""
    results = build_results(scales=("50", "100"), queries=len(scales[0]))
    scores = {results.endpoint.name: QueryScores(scales, ())}
    headroom = tuple(replace(found, best_fixed="50") for found in results.headroom)
    return replace(results, headroom=headroom, per_query=replace(results.per_query, scores=scores))


def test_evidence_is_found_at_its_place_in_the_excerpt() -> None:
    found = cut("The fee is nine euros.", start=1000, spans=[(1011, 1021)])
    ((low, high),) = found.evidence
    assert found.text[low:high] == "nine euros"


def test_evidence_outside_the_chunk_and_touching_it_is_none() -> None:
    assert cut("abc", start=10, spans=[(5, 10), (13, 20), (0, 3)]).evidence == ()


def test_overlapping_and_touching_spans_are_one() -> None:
    assert cut("abcdefgh", spans=[(4, 6), (0, 3), (2, 4)]).evidence == ((0, 6),)


def test_long_chunk_is_cut_so_that_late_evidence_is_in_sight() -> None:
    text = "x" * 900 + "answer" + "y" * 94
    found = cut(text, spans=[(900, 906)])
    ((low, high),) = found.evidence
    assert found.text[low:high] == "answer"
    assert (len(found.text), found.cut_before, found.cut_after) == (300, True, False)
    assert (found.start, found.end) == (0, 1000)


def test_short_chunk_is_whole() -> None:
    found = cut("short")
    assert (found.text, found.cut_before, found.cut_after) == ("short", False, False)


@given(
    st.text(max_size=80), st.integers(0, 50), st.lists(st.tuples(st.integers(0, 140), st.integers(0, 140))),
    st.integers(1, 40),
)  # fmt: skip
@settings(max_examples=60)
def test_ranges_are_ascending_apart_and_hold_only_evidence(
    text: str, start: int, spans: list[tuple[int, int]], limit: int
) -> None:
    found = cut(text, start=start, spans=spans, limit=limit)
    assert len(found.text) <= limit
    assert found.text in text
    ends = [place for pair in found.evidence for place in pair]
    assert ends == sorted(set(ends))
    assert all(0 <= place <= len(found.text) for place in ends)
    if not found.cut_before:
        marked = {place for low, high in found.evidence for place in range(low, high)}
        covered = {place - start for low, high in spans for place in range(low, high)}
        assert marked == covered & set(range(len(found.text)))


def test_gap_of_a_query_is_its_best_scale_minus_the_best_fixed_one() -> None:
    results = with_scores((0.5, 1.0, 0.0), (1.0, 0.5, 0.0))
    assert query_gaps(results) == [1.0 - 0.5, 1.0 - 1.0, 0.0]


def test_gap_of_a_query_without_a_value_does_not_exist() -> None:
    assert query_gaps(with_scores((None, 1.0), (None, 0.0))) == [None, 0.0]


def test_widest_gaps_come_first_and_ties_in_file_order() -> None:
    results = with_scores((1.0, 0.5, 0.0, None), (1.0, 1.0, 1.0, None))
    assert widest_queries(results, limit=3) == ("q0002", "q0001", "q0000")


@pytest.mark.parametrize("limit", [0, 1, 500])
def test_widest_queries_are_at_most_the_limit(limit: int) -> None:
    assert len(widest_queries(build_results(), limit=limit)) == min(limit, 60)
