import warnings
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgap.fusion import (
    PRESETS,
    Fusion,
    Vote,
    Votes,
    comb_sum,
    complete,
    fuse,
    pooled_best,
    reciprocal_rank_fusion,
    vote_table,
    votes_of,
)
from chunkgap.ranking import DocumentRanking, Ranking, rank_chunks, to_documents, truncate

DOCUMENTS = 8
RULES = [*PRESETS.values(), Fusion("best chunk", 60, "best_chunk")]


def lists(*queries: list[int], scores: list[list[float]] | None = None) -> Ranking:
    """One list of documents per query, best first; a document named twice has two chunks there."""
    query = np.repeat(np.arange(len(queries)), [len(found) for found in queries])
    document = np.array(list(chain.from_iterable(queries)), dtype=int)
    place = np.array([place for found in queries for place in range(len(found))], dtype=int)
    score = 1 - place / 100 if scores is None else np.array(list(chain.from_iterable(scores)))
    return rank_chunks(
        query,
        document * 100 + place,  # a hundred chunks per document, so that every hit is another chunk
        score,
        queries=len(queries),
        document=np.arange(DOCUMENTS * 100) // 100,
        tokens=np.ones(DOCUMENTS * 100, dtype=int),
    )


def first(ranking: DocumentRanking) -> dict[int, float]:
    """Score by document of the first query, in order."""
    found = ranking.document[0] >= 0
    return dict(zip(ranking.document[0][found].tolist(), ranking.score[0][found].tolist(), strict=True))


some_lists = st.lists(st.lists(st.integers(0, DOCUMENTS - 1), max_size=12), min_size=3, max_size=3).map(
    lambda queries: lists(*queries)
)


# -- reciprocal rank fusion


def test_every_retrieved_chunk_votes() -> None:
    fused = reciprocal_rank_fusion([lists([4, 4, 2]), lists([2, 4])], rrf_k=1, votes="all")
    assert first(fused) == pytest.approx(
        {
            4: 1 / (1 + 1) + 1 / (2 + 1) + 1 / (2 + 1),
            2: 1 / (3 + 1) + 1 / (1 + 1),
        }
    )
    assert list(first(fused)) == [4, 2]


def test_a_document_votes_once_per_scale_at_its_place_among_documents() -> None:
    fused = reciprocal_rank_fusion([lists([1, 1, 1, 2]), lists([2, 3])], rrf_k=60, votes="best")
    # the second document of the first list has rank 2, though its chunk is the fourth
    assert first(fused) == pytest.approx({2: 1 / 62 + 1 / 61, 1: 1 / 61, 3: 1 / 62})
    assert list(first(fused)) == [2, 1, 3]


def test_a_document_may_vote_once_per_scale_at_the_place_of_its_best_chunk() -> None:
    fused = reciprocal_rank_fusion([lists([1, 1, 1, 2]), lists([2, 3])], rrf_k=60, votes="best_chunk")
    # the second document of the first list has rank 4, that of its chunk
    assert first(fused) == pytest.approx({2: 1 / 64 + 1 / 61, 1: 1 / 61, 3: 1 / 62})
    assert list(first(fused)) == [2, 1, 3]


def test_a_document_that_all_lists_agree_on_beats_single_firsts() -> None:
    fused = reciprocal_rank_fusion(
        [lists([0, 1, 2, 7]), lists([3, 4, 7]), lists([5, 7])], rrf_k=60, votes="best"
    )
    assert first(fused)[7] == pytest.approx(1 / 64 + 1 / 63 + 1 / 62)
    assert list(first(fused)) == [7, 0, 3, 5, 1, 4, 2]  # equal scores by document


def test_ranks_from_zero_are_rrf_k_zero() -> None:
    fused = reciprocal_rank_fusion([lists([3, 3, 5])], rrf_k=0, votes="all")
    assert first(fused) == pytest.approx({3: 1 / 1 + 1 / 2, 5: 1 / 3})


def test_sums_that_are_equal_on_paper_tie() -> None:
    # document 3 has ranks 2, 6, 1 and document 4 has 1, 2, 6: equal sums on paper, not as floats
    assert (1 / 2 + 1 / 6) + 1 / 1 < (1 / 1 + 1 / 2) + 1 / 6
    fused = reciprocal_rank_fusion(
        [lists([4, 3]), lists([0, 4, 1, 2, 5, 3]), lists([3, 6, 7, 0, 1, 4])], rrf_k=0, votes="best"
    )
    assert list(first(fused))[:2] == [3, 4]
    assert first(fused)[3] == first(fused)[4]


def test_a_fused_ranking_knows_no_chunks() -> None:
    assert (reciprocal_rank_fusion([lists([3, 5])], rrf_k=1, votes="all").place == -1).all()


def test_a_query_without_hits_stays_empty() -> None:
    fused = reciprocal_rank_fusion([lists([], [3]), lists([], [3, 4])], rrf_k=1, votes="all")
    assert fused.document.tolist() == [[-1, -1], [3, 4]]


@settings(max_examples=50, deadline=None)
@given(some_lists, st.integers(0, 60), st.sampled_from(["best", "best_chunk"]))
def test_fusing_one_run_changes_nothing(ranking: Ranking, rrf_k: int, votes: Votes) -> None:
    fused = reciprocal_rank_fusion([ranking], rrf_k=rrf_k, votes=votes)
    assert fused.document.tolist() == to_documents(ranking).document.tolist()


@settings(max_examples=50, deadline=None)
@given(st.lists(some_lists, min_size=1, max_size=4), st.randoms(), st.sampled_from(RULES))
def test_the_order_of_the_scales_changes_nothing(rankings: list[Ranking], random, preset: Fusion) -> None:
    fused = reciprocal_rank_fusion(rankings, rrf_k=preset.rrf_k, votes=preset.votes)
    random.shuffle(rankings)
    again = reciprocal_rank_fusion(rankings, rrf_k=preset.rrf_k, votes=preset.votes)
    assert fused.document.tolist() == again.document.tolist()


@settings(max_examples=50, deadline=None)
@given(st.lists(some_lists, min_size=3, max_size=3), st.sampled_from(RULES))
def test_a_set_of_scales_from_the_table_is_their_fusion(rankings: list[Ranking], preset: Fusion) -> None:
    table = vote_table(rankings, rrf_k=preset.rrf_k, votes=preset.votes)
    for scales in ([0], [2], [0, 2], [0, 1, 2]):
        chosen = [rankings[scale] for scale in scales]
        alone = reciprocal_rank_fusion(chosen, rrf_k=preset.rrf_k, votes=preset.votes)
        assert fuse(table, scales).document.tolist() == alone.document.tolist()
        assert fuse(table, scales).score.tolist() == alone.score.tolist()


@settings(max_examples=50, deadline=None)
@given(st.lists(some_lists, min_size=1, max_size=3), st.sampled_from(RULES))
def test_the_votes_of_a_document_add_up_to_its_score(rankings: list[Ranking], preset: Fusion) -> None:
    fused = reciprocal_rank_fusion(rankings, rrf_k=preset.rrf_k, votes=preset.votes)
    for document, score in first(fused).items():
        votes = votes_of(rankings, 0, document, rrf_k=preset.rrf_k, votes=preset.votes)
        assert sum(vote.value for of_scale in votes for vote in of_scale) == pytest.approx(score)


def test_votes_are_told_per_scale() -> None:
    rankings = [lists([4, 2, 4]), lists([2]), lists([2, 4])]
    assert votes_of(rankings, 0, 4, rrf_k=1, votes="all") == [
        [Vote(1, 1 / 2), Vote(3, 1 / 4)],
        [],
        [Vote(2, 1 / 3)],
    ]
    assert votes_of(rankings, 0, 4, rrf_k=1, votes="best") == [[Vote(1, 1 / 2)], [], [Vote(2, 1 / 3)]]
    rankings[2] = lists([2, 2, 4])
    assert votes_of(rankings, 0, 4, rrf_k=1, votes="best_chunk") == [[Vote(1, 1 / 2)], [], [Vote(3, 1 / 4)]]


def test_the_presets_are_those_of_the_design() -> None:
    assert {name: (preset.rrf_k, preset.votes) for name, preset in PRESETS.items()} == {
        "ai21": (1, "all"),
        "ai21-rank0": (0, "all"),
        "rrf60": (60, "best"),
    }


@pytest.mark.parametrize(
    ("rankings", "rrf_k"), [([], 1), ([lists([1]), lists([1], [2])], 1), ([lists([1])], -1)]
)
def test_what_cannot_be_fused_is_refused(rankings: list[Ranking], rrf_k: int) -> None:
    with pytest.raises(ValueError, match=r"queries|rrf_k"):
        reciprocal_rank_fusion(rankings, rrf_k=rrf_k, votes="all")


# -- fusion of scores


def test_comb_sum_adds_z_scores_and_gives_the_absent_the_lowest() -> None:
    # 0.9, 0.5, 0.1: mean 0.5, deviation d = sqrt(0.32 / 3), so z = 0.4/d, 0, -0.4/d
    # 0.6, 0.2: z = 1, -1
    fused = comb_sum([lists([1, 2, 3], scores=[[0.9, 0.5, 0.1]]), lists([2, 4], scores=[[0.6, 0.2]])])
    z = 0.4 / (0.32 / 3) ** 0.5
    assert first(fused) == pytest.approx({2: 0 + 1, 1: z - 1, 3: -z - 1, 4: -z - 1})
    assert list(first(fused)) == [2, 1, 3, 4]


@pytest.mark.parametrize("factor", [1e-9, 1e-300, 1e300])
def test_the_magnitude_of_scores_changes_no_fusion_of_them(factor: float) -> None:
    plain = [lists([4, 2, 3], scores=[[0.9, 0.5, 0.4]]), lists([2, 3], scores=[[0.8, 0.1]])]
    moved = [replace(ranking, score=ranking.score * factor) for ranking in plain]
    assert first(comb_sum(moved)) == pytest.approx(first(comb_sum(plain)))
    assert list(first(pooled_best(moved))) == list(first(pooled_best(plain)))


def test_comb_sum_of_equal_scores_is_zero() -> None:
    fused = comb_sum([lists([1, 2], [5], scores=[[0.7, 0.7], [0.3]])])
    assert fused.document.tolist() == [[1, 2], [5, -1]]
    assert fused.score.tolist() == [[0, 0], [0, -np.inf]]


def test_comb_sum_takes_the_best_chunk_of_a_document() -> None:
    once, twice = lists([1, 2], scores=[[0.9, 0.5]]), lists([1, 1, 2], scores=[[0.9, 0.8, 0.5]])
    assert first(comb_sum([once])) == first(comb_sum([twice])) == pytest.approx({1: 1, 2: -1})


def test_pooled_best_takes_the_best_score_of_any_scale() -> None:
    fused = pooled_best(
        [lists([1, 2, 2], scores=[[0.9, 0.5, 0.4]]), lists([2, 0, 3], scores=[[0.6, 0.6, 0.1]])]
    )
    assert first(fused) == {1: 0.9, 0: 0.6, 2: 0.6, 3: 0.1}
    assert list(first(fused)) == [1, 0, 2, 3]


@settings(max_examples=30, deadline=None)
@given(some_lists, st.sampled_from([comb_sum, pooled_best]))
def test_fusing_the_scores_of_one_run_changes_nothing(ranking: Ranking, fusion) -> None:
    assert fusion([ranking]).document.tolist() == to_documents(ranking).document.tolist()


# -- documents without a vote


def test_documents_without_a_vote_follow_where_too_few_have_one() -> None:
    whole = [lists([4, 4, 2, 6], [1, 2, 3]), lists([4, 6, 5], [3, 2, 1])]
    voting = [truncate(ranking, 1) for ranking in whole]
    fused = reciprocal_rank_fusion(voting, rrf_k=1, votes="all")
    completed = complete(fused, whole, 3)
    # document 4 has all votes; 6 stands third and second, 2 second alone, 5 third alone; every scale shows them
    assert list(first(completed)) == [4, 6, 2, 5]
    assert first(completed)[4] == first(fused)[4]
    assert np.diff(list(first(completed).values())).max() < 0
    assert completed.document[1].tolist() == [1, 3, 2, -1]


def test_a_fused_ranking_that_holds_enough_stays_as_it_is() -> None:
    whole = [lists([4, 4, 2, 6], [1, 2, 3])]
    fused = reciprocal_rank_fusion([truncate(whole[0], 3)], rrf_k=1, votes="all")
    assert complete(fused, whole, 2) is fused
    assert complete(fused, whole, 3).document.tolist() == [[4, 2, 6], [1, 2, 3]]


@settings(max_examples=50, deadline=None)
@given(st.lists(some_lists, min_size=1, max_size=3), st.integers(1, 6), st.integers(0, 9))
def test_completing_adds_all_documents_of_the_lists_and_moves_none(
    rankings: list[Ranking], depth: int, wanted: int
) -> None:
    fused = reciprocal_rank_fusion([truncate(ranking, depth) for ranking in rankings], rrf_k=1, votes="all")
    completed = complete(fused, rankings, wanted)
    for query, row in enumerate(completed.document):
        before = [document for document in fused.document[query].tolist() if document >= 0]
        after = [document for document in row.tolist() if document >= 0]
        assert after[: len(before)] == before
        every = {document for ranking in rankings for document in ranking.document[query].tolist()} - {-1}
        assert set(after) == (every if len(before) < wanted else set(before))
        assert len(after) == len(set(after))


# -- against ranx


@pytest.fixture
def ranx(monkeypatch: pytest.MonkeyPatch):
    """The library, as plain Python: numba would take a minute to compile it."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with warnings.catch_warnings(action="ignore"):
        import ranx.fusion
        import ranx.normalization
    return ranx


def _random_rankings(random: np.random.Generator, length: int) -> list[Ranking]:
    """Three scales, ten queries, `length` chunks each, without tied scores."""
    rankings = []
    for _ in range(3):
        found = [random.choice(DOCUMENTS, length, replace=length > DOCUMENTS).tolist() for _ in range(10)]
        scores = [np.sort(random.permutation(999)[:length] / 1000)[::-1].tolist() for _ in range(10)]
        rankings.append(lists(*found, scores=scores))
    return rankings


def _by_id(ranking: Ranking) -> dict[str, dict[str, float]]:
    documents = to_documents(ranking)
    lists = zip(documents.document.tolist(), documents.score.tolist(), strict=True)
    return {
        f"q{query}": {f"d{row}": score for row, score in zip(rows, scores, strict=True) if row >= 0}
        for query, (rows, scores) in enumerate(lists)
    }


def _assert_equal(fused: DocumentRanking, theirs) -> None:
    for query in range(len(fused.document)):
        found = fused.document[query] >= 0
        ours = {
            f"d{document}": score
            for document, score in zip(fused.document[query][found], fused.score[query][found], strict=True)
        }
        assert dict(theirs[f"q{query}"]) == pytest.approx(ours)


@pytest.mark.filterwarnings("ignore")
def test_one_vote_per_scale_is_the_rrf_of_ranx(ranx) -> None:
    rankings = _random_rankings(np.random.default_rng(1), length=12)
    theirs = ranx.fusion.rrf([ranx.Run(_by_id(ranking)) for ranking in rankings], k=60)
    _assert_equal(reciprocal_rank_fusion(rankings, rrf_k=60, votes="best"), theirs.run)


@pytest.mark.filterwarnings("ignore")
def test_comb_sum_of_complete_lists_is_that_of_ranx(ranx) -> None:
    rankings = _random_rankings(np.random.default_rng(2), length=DOCUMENTS)  # so that nothing is absent
    normalised = [ranx.normalization.zmuv_norm(ranx.Run(_by_id(ranking))) for ranking in rankings]
    _assert_equal(comb_sum(rankings), ranx.fusion.comb_sum(normalised).run)
