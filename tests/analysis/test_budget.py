"""Fusion under a token budget, by hand: one character is one token."""

import numpy as np
import pytest

from chunkgap.analysis.budget import pack, score_packed
from chunkgap.analysis.runs import Labels
from chunkgap.ranking import Cutoff, DocumentRanking
from chunkgap.records import Query, Span

from .made_up_retrieval import retrieval_of, text_of, text_run

TEXTS = ["aaaabbbbcccc", "ddddeeee"]
SMALL = text_of(TEXTS, 4)  # rows 0 1 2 in the first document, 3 4 in the second
LARGE = text_of(TEXTS, 8)  # rows 0 [0:8], 1 [8:12], and 2 [0:8] in the second

RUNS = [
    text_run(SMALL, [[(0, 0.9), (1, 0.8), (3, 0.7)]]),
    text_run(LARGE, [[(2, 0.95), (0, 0.5)]]),
]
FUSED = DocumentRanking(np.array([[0, 1]]), np.array([[-1, -1]]), np.array([[2.0, 1.0]]))


def given(budget: int) -> list[tuple[int, int, int]]:
    packed = pack(RUNS, FUSED, budget)
    return [
        (int(packed.document[0, place]), int(packed.start[0, place]), int(packed.end[0, place]))
        for place in np.flatnonzero(packed.inside[0])
    ]


def test_each_document_gives_its_best_chunk_in_fused_order_then_its_second_best() -> None:
    # best of 0: [0:4] (0.9); best of 1: [0:8] of the large size (0.95); second best of 0: [4:8] (0.8)
    assert given(16) == [(0, 0, 4), (1, 0, 8), (0, 4, 8)]


def test_a_chunk_that_does_not_fit_is_passed_over() -> None:
    # 4 tokens for [0:4] leave 4: [0:8] does not fit; [4:8] does
    assert given(8) == [(0, 0, 4), (0, 4, 8)]


def test_text_that_a_document_has_given_is_not_given_again() -> None:
    # [0:8] of the large size overlaps [0:4], and [0:4] of the second document overlaps its [0:8]
    assert given(100) == [(0, 0, 4), (1, 0, 8), (0, 4, 8)]


def test_a_first_chunk_larger_than_the_budget_is_cut_at_it() -> None:
    assert given(3) == [(0, 0, 3)]


def test_measures_count_what_the_budget_holds() -> None:
    query = Query("q", "?", {"d1": 1.0}, (Span("d1", 0, 4),))
    labels = Labels.of([query], ["d0", "d1"], TEXTS)
    for budget, recall, evidence in ((8, 0.0, 0.0), (12, 1.0, 1.0)):
        packed, cutoff = pack(RUNS, FUSED, budget), Cutoff(budget, "tokens")
        assert score_packed("recall", cutoff, packed, labels).tolist() == [recall]
        assert score_packed("evidence_recall", cutoff, packed, labels).tolist() == [evidence]


def test_runs_without_text_cannot_fill_a_budget() -> None:
    runs = retrieval_of([[[1]]]).first
    with pytest.raises(ValueError, match="names documents only"):
        pack(runs, FUSED, 10)
