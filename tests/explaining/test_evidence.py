from collections.abc import Sequence

import numpy as np
import pytest

from chunkgap.explaining import EvidencePlace, QueryLists
from chunkgap.explaining.evidence import find_evidence
from chunkgap.fusion import PRESETS, Reach
from chunkgap.ranking import Cutoff
from chunkgap.records import Span

from .test_lists import DOC_IDS, ranking


def place(
    documents: str, places: Sequence[tuple[int, int]], *spans: Span, cutoff: str = "2c", tokens: int = 10
) -> EvidencePlace | None:
    """Evidence among chunks that lie at these places of these documents."""
    lists = QueryLists(
        {"small": ranking(documents, tokens=tokens)},
        DOC_IDS,
        ("a",),
        PRESETS["ai21"],
        Reach(100),
        spans=spans,
        places={"small": np.array(places, dtype=np.int64).reshape(-1, 2)},
    )
    return find_evidence(lists, "small", Cutoff.parse(cutoff))


def test_the_right_document_at_rank_1_without_its_evidence_is_a_miss() -> None:
    found = place("abba", [(0, 50), (0, 50), (50, 90), (50, 90)], Span("a", 60, 70))
    assert found == EvidencePlace(
        rank=4, doc_id="a", score=0.6, above={"a": 1, "b": 2}, inside=False, required=10, covered=0
    )


def test_evidence_inside_the_cutoff_is_counted_in_characters() -> None:
    found = place("ab", [(0, 50), (0, 50)], Span("a", 45, 60), Span("a", 40, 50))
    assert found is not None
    # the union is [40, 60), of which the first chunk holds [40, 50)
    assert (found.rank, found.inside, found.required, found.covered) == (1, True, 20, 10)


@pytest.mark.parametrize(("start", "end", "rank"), [(50, 60, None), (49, 60, 1), (0, 1, 1)])
def test_a_chunk_that_ends_where_a_span_starts_does_not_touch_it(
    start: int, end: int, rank: int | None
) -> None:
    found = place("a", [(0, 50)], Span("a", start, end))
    assert found is not None
    assert found.rank == rank


def test_without_a_touch_all_that_was_retrieved_stands_above() -> None:
    found = place("aba", [(0, 9)] * 3, Span("c", 0, 5))
    assert found == EvidencePlace(None, None, None, {"a": 2, "b": 1}, inside=False, required=5, covered=0)


def test_the_cutoff_counts_in_its_own_unit() -> None:
    at = [(0, 9), (0, 9), (20, 30)]
    for cutoff, inside in (("1", False), ("2", True), ("3c", True), ("25t", False), ("30t", True)):
        found = place("aab", at, Span("b", 25, 26), cutoff=cutoff)
        assert found is not None
        assert found.inside is inside


def test_how_much_a_first_chunk_holds_that_the_budget_cuts_is_not_known() -> None:
    found = place("a", [(0, 50)], Span("a", 40, 50), cutoff="9t")
    assert found is not None
    assert (found.rank, found.inside, found.covered) == (1, True, None)


def test_a_scale_that_found_nothing_touches_nothing() -> None:
    found = place("", [], Span("a", 0, 5))
    assert found == EvidencePlace(None, None, None, {}, inside=False, required=5, covered=0)


def test_without_spans_or_without_text_nothing_can_be_told() -> None:
    assert place("a", [(0, 9)]) is None
    bare = QueryLists(
        {"small": ranking("a")}, DOC_IDS, ("a",), PRESETS["ai21"], Reach(100), spans=(Span("a", 0, 5),)
    )
    assert find_evidence(bare, "small", Cutoff.parse("5")) is None
