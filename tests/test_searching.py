"""Searching one placement: HNSW beside exact search, lists long enough for every cutoff."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chunkgap.analysis.runs import Labels, Run
from chunkgap.config import load_settings
from chunkgap.index import retrieval
from chunkgap.index.exact import ExactIndex
from chunkgap.index.hnsw import HnswIndex
from chunkgap.index.retrieval import Wanted
from chunkgap.prices import count_flips, count_ties
from chunkgap.ranking import Cutoff
from chunkgap.records import Query
from chunkgap.searching import Placement, Searched, lists_wanted, search_deeper, search_placement

from .analysis.made_up_retrieval import text_of

TEXTS = ["ab" * 20 for _ in range(30)]


def placement(seed: int = 0, size: int = 4) -> Placement:
    text = text_of(TEXTS, size)
    vectors = np.random.default_rng(seed).standard_normal((len(text.table), 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Placement(text, vectors, np.arange(len(vectors)))


def searched(index: str, *, cutoffs: str = "1,5", depth: int = 10, cache: Path | None = None) -> Searched:
    settings = load_settings(
        None,
        {
            "retrieval.index": index,
            "cutoffs": cutoffs,
            "retrieval.depth": depth,
            "primary": "recall@" + cutoffs.split(",")[0],
        },
    )
    found = placement()
    return search_placement(
        found, found.vectors[:12], settings.retrieval, lists_wanted(settings), seed=13, cache=cache
    )


def test_depths_come_from_the_largest_cutoff_of_each_unit() -> None:
    settings = load_settings(
        None, {"cutoffs": "1,7,30c,500t,2000t", "retrieval.depth": 20, "primary": "recall@7"}
    )
    assert lists_wanted(settings) == Wanted(depth=31, documents=8, budgets=(500, 2000))


def test_lists_that_are_not_to_grow_end_at_the_depth() -> None:
    settings = load_settings(
        None, {"cutoffs": "7,2000t", "retrieval.depth": 20, "primary": "recall@7", "retrieval.grow": False}
    )
    assert lists_wanted(settings) == Wanted(depth=20)


def test_hnsw_and_exact_search_give_the_same_run_here() -> None:
    hnsw, exact = searched("hnsw"), searched("exact")
    assert hnsw.run.ranking.chunk.tolist() == exact.run.ranking.chunk.tolist()
    assert hnsw.agreement is not None
    assert hnsw.agreement.share_found == 1
    assert hnsw.index_bytes is not None
    assert exact.agreement is None
    assert exact.run is exact.exact


def test_lists_grow_until_enough_documents_and_tokens_are_seen() -> None:
    plain = searched("exact", cutoffs="1", depth=2).run
    assert (plain.ranking.chunk >= 0).sum(axis=1).min() == 2
    documents = searched("exact", cutoffs="20", depth=2).run
    assert (documents.documents.document >= 0).sum(axis=1).min() >= 21
    tokens = searched("exact", cutoffs="100t", depth=2).run
    assert tokens.ranking.tokens.sum(axis=1).min() >= 100


def test_an_index_from_the_cache_gives_the_same_run_and_no_build_time(tmp_path: Path) -> None:
    cold, warm = searched("hnsw", cache=tmp_path), searched("hnsw", cache=tmp_path)
    assert cold.build_seconds is not None
    assert warm.build_seconds == cold.build_seconds  # what it took when it was built
    assert warm.run.ranking.chunk.tolist() == cold.run.ranking.chunk.tolist()
    assert warm.agreement == cold.agreement


@pytest.mark.parametrize("at_once", [1_000_000, 45])  # all queries in one batch, and in many
def test_a_search_that_was_done_before_is_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(retrieval, "_HITS_AT_ONCE", at_once)
    cutoffs = "5,400t"  # which lists of ten chunks do not fill
    first = {kind: searched(kind, cutoffs=cutoffs, cache=tmp_path) for kind in ("hnsw", "exact")}
    queries = placement().vectors[:12]
    deeper = {kind: search_deeper(found, queries, Wanted(40)).ranking for kind, found in first.items()}

    def refuse(*_: object) -> None:
        raise AssertionError("it searched again")

    monkeypatch.setattr(ExactIndex, "search", refuse)
    monkeypatch.setattr(HnswIndex, "search", refuse)
    for kind, before in first.items():
        again = searched(kind, cutoffs=cutoffs, cache=tmp_path)
        for one, other in ((again.run, before.run), (again.exact, before.exact)):
            assert one.ranking.chunk.tolist() == other.ranking.chunk.tolist()
            assert one.ranking.score.tolist() == other.ranking.score.tolist()
        assert again.agreement == before.agreement
        assert getattr(again.index, "ef", None) == getattr(before.index, "ef", None)
        assert search_deeper(again, queries, Wanted(40)).ranking.chunk.tolist() == deeper[kind].chunk.tolist()


@pytest.mark.parametrize("changed", ["queries", "vectors", "depth", "m", "ef"])
def test_another_question_has_an_answer_of_its_own(tmp_path: Path, changed: str) -> None:
    def search(cache: Path | None, change: str = "") -> Searched:
        found = placement(seed=1 if change == "vectors" else 0)
        queries = placement().vectors[:12] if change != "queries" else placement(seed=2).vectors[:12]
        overrides: dict[str, object] = {"cutoffs": "1", "primary": "recall@1", "retrieval.depth": 10}
        overrides |= {
            "depth": {"retrieval.depth": 20},
            "m": {"retrieval.m": 4},
            "ef": {"retrieval.ef": 5},
        }.get(change, {})
        settings = load_settings(None, overrides)
        return search_placement(
            found, queries, settings.retrieval, lists_wanted(settings), seed=13, cache=cache
        )

    search(tmp_path)
    kept, fresh = search(tmp_path, changed), search(None, changed)
    assert kept.run.ranking.chunk.tolist() == fresh.run.ranking.chunk.tolist()
    assert kept.agreement == fresh.agreement


def test_an_index_that_was_let_go_is_not_searched_again() -> None:
    found = searched("hnsw").without_index()
    assert found.run.vectors == len(placement().rows)
    with pytest.raises(ValueError, match="still has its index"):
        search_deeper(found, placement().vectors[:12], Wanted(40))


def test_a_deeper_search_begins_with_the_same_chunks() -> None:
    found = searched("hnsw")
    queries = placement().vectors[:12]
    deeper = search_deeper(found, queries, Wanted(40)).ranking
    assert deeper.chunk.shape[1] == 40
    assert deeper.chunk[:, :10].tolist() == found.run.ranking.chunk[:, :10].tolist()


def test_flips_count_queries_that_exact_search_scores_otherwise() -> None:
    found = searched("hnsw")
    labels = Labels.of(
        [Query(str(row), "?", {f"d{row}": 1.0}) for row in range(12)], [f"d{row}" for row in range(30)]
    )
    assert count_flips(found, "recall", Cutoff(1, "documents"), labels) == 0
    other = replace(found, exact=searched_other_order(found))
    assert count_flips(other, "recall", Cutoff(1, "documents"), labels) > 0


def searched_other_order(found: Searched) -> Run:
    ranking = found.run.ranking
    reversed_rows = replace(ranking, document=ranking.document[:, ::-1], chunk=ranking.chunk[:, ::-1])
    return replace(found.run, ranking=reversed_rows)


@pytest.mark.parametrize(("cutoff", "tied"), [("1", 1), ("2", 0), ("1c", 1), ("10t", 0)])
def test_ties_are_counted_across_the_cut_alone(cutoff: str, tied: int) -> None:
    text = text_of(["aaaa", "bbbb", "cccc"], 4)
    vectors = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32)
    settings = load_settings(
        None, {"retrieval.index": "exact", "cutoffs": "1,2,1c,10t", "primary": "recall@1"}
    )
    query = np.array([[1, 0]], dtype=np.float32)
    placed = Placement(text, vectors, np.arange(3))
    found = search_placement(placed, query, settings.retrieval, lists_wanted(settings), seed=1, cache=None)
    assert count_ties(found.run, Cutoff.parse(cutoff)) == tied
