"""Fusion under a token budget, by hand: one character is one token."""

import numpy as np
import pytest

from chunkgap.analysis import budget as budget_module
from chunkgap.analysis.budget import pack, score_packed
from chunkgap.analysis.offers import Offers
from chunkgap.analysis.runs import Labels, Run
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
    packed = pack(Offers(RUNS), FUSED, budget)
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
        packed, cutoff = pack(Offers(RUNS), FUSED, budget), Cutoff(budget, "tokens")
        assert score_packed("recall", cutoff, packed, labels).tolist() == [recall]
        assert score_packed("evidence_recall", cutoff, packed, labels).tolist() == [evidence]


def test_runs_without_text_cannot_fill_a_budget() -> None:
    runs = retrieval_of([[[1]]]).first
    with pytest.raises(ValueError, match="names documents only"):
        pack(Offers(runs), FUSED, 10)


def plainly(runs: list[Run], documents: list[int], query: int, budget: int) -> list[tuple[int, int, int]]:
    """The rule of the module's docstring for one query, one offer after the other; one character is one token."""
    offers: dict[int, list[tuple[float, int, int, int, int]]] = {}
    for number, run in enumerate(runs):
        assert run.text is not None
        table = run.text.table
        for chunk, score in zip(run.ranking.chunk[query], run.ranking.score[query], strict=True):
            if chunk >= 0:
                start, end = int(table.start[chunk]), int(table.end[chunk])
                of_document = offers.setdefault(int(table.document[chunk]), [])
                of_document.append((-float(score), end - start, start, number, end))
    turns = [sorted(offers.get(document, [])) for document in documents]
    given: list[tuple[int, int, int]] = []
    left = budget
    for turn in range(max(map(len, turns), default=0)):
        for document, best in zip(documents, turns, strict=True):
            if turn < len(best):
                _, tokens, start, _, end = best[turn]
                if not given and tokens > budget:
                    return [(document, start, start + budget)]
                held = [(s, e) for d, s, e in given if d == document]
                if tokens <= left and all(end <= s or e <= start for s, e in held):
                    given.append((document, start, end))
                    left -= tokens
    return given


@pytest.mark.parametrize("places", [32, 2])  # looked at once: all, and a few
@pytest.mark.parametrize("seed", range(30))
def test_every_query_is_given_what_the_rule_gives_it(
    seed: int, places: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget_module, "_PLACES_AT_ONCE", places)
    random = np.random.default_rng(seed)
    texts = ["x" * int(length) for length in random.integers(1, 40, 5)]
    runs = []
    for size in (3, 7, 12):
        text = text_of(texts, size)
        lists = []
        for _ in range(4):  # four queries with lists of unequal length and many equal scores
            chunks = random.permutation(len(text.table))[: random.integers(0, 12)]
            lists.append([(int(chunk), float(random.integers(0, 4)) / 4) for chunk in chunks])
        runs.append(text_run(text, lists))
    document = np.stack([random.permutation(5) for _ in range(4)])
    document[random.random((4, 5)) < 0.2] = -1
    fused = DocumentRanking(document, np.full((4, 5), -1), np.ones((4, 5)))
    for budget in (1, 4, 15, 60, 1000):
        packed = pack(Offers(runs), fused, budget)
        for query in range(4):
            inside = packed.inside[query]
            columns = (packed.document[query, inside], packed.start[query, inside], packed.end[query, inside])
            found = list(zip(*(column.tolist() for column in columns), strict=True))
            ranked = [int(row) for row in document[query] if row >= 0]
            assert found == plainly(runs, ranked, query, budget)
