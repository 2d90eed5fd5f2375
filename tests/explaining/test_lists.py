from dataclasses import replace

import numpy as np
import pytest

from chunkgap.explaining import QueryLists
from chunkgap.explaining.lists import find_miss, find_relevant, first_fused
from chunkgap.fusion import PRESETS, Reach
from chunkgap.ranking import Cutoff, Ranking

DOC_IDS = ("a", "b", "c", "d")


def ranking(documents: str, *, tokens: int = 10) -> Ranking:
    """One chunk for each letter, with falling scores."""
    count = len(documents)
    return Ranking(
        chunk=np.arange(count, dtype=np.int32)[None],
        document=np.array([[DOC_IDS.index(name) for name in documents]], dtype=np.int32),
        score=np.round(0.9 - np.arange(count) / 10, 6)[None],
        tokens=np.full((1, count), tokens, dtype=np.int32),
    )


def lists(*relevant: str, preset: str = "ai21", depth: int = 100, **scales: str) -> QueryLists:
    return QueryLists(
        {name: ranking(chunks) for name, chunks in scales.items()},
        DOC_IDS,
        relevant,
        PRESETS[preset],
        Reach(depth),
    )


def test_a_document_past_the_cutoff_is_missed_and_what_stood_above_is_counted() -> None:
    miss = find_miss(lists("c", small="aabacd"), "small", Cutoff.parse("2"))
    assert miss is not None
    assert (miss.doc_id, miss.rank, miss.chunk_rank, miss.score) == ("c", 3, 5, 0.5)
    assert list(miss.above.items()) == [("a", 3), ("b", 1)]


def test_a_document_inside_the_cutoff_is_not_missed() -> None:
    assert find_miss(lists("b", small="aabacd"), "small", Cutoff.parse("2")) is None


@pytest.mark.parametrize(("cutoff", "missed"), [("2", False), ("2c", True), ("3c", False), ("20t", True)])
def test_the_cutoff_counts_in_its_own_unit(cutoff: str, missed: bool) -> None:
    assert (find_miss(lists("b", small="aab"), "small", Cutoff.parse(cutoff)) is not None) is missed


def test_of_several_the_nearest_outside_is_told() -> None:
    miss = find_miss(lists("d", "c", "a", small="abcd"), "small", Cutoff.parse("1"))
    assert miss is not None
    assert miss.doc_id == "c"


def test_a_document_that_was_not_retrieved_has_everything_above_it() -> None:
    miss = find_miss(lists("d", small="aba"), "small", Cutoff.parse("1"))
    assert miss is not None
    assert (miss.rank, miss.chunk_rank, miss.score, dict(miss.above)) == (None, None, None, {"a": 2, "b": 1})


def test_every_vote_of_a_document_is_told_and_they_add_up_to_its_fused_score() -> None:
    query = lists("b", small="abab", large="ba")
    found = find_relevant(query, "b")
    assert found.ranks == {"small": 2, "large": 1}
    assert [vote.rank for vote in found.votes["small"]] == [2, 4]
    assert [vote.rank for vote in found.votes["large"]] == [1]
    assert found.fused_score == pytest.approx(1 / (2 + 1) + 1 / (4 + 1) + 1 / (1 + 1))
    # a: 1/2 + 1/4 + 1/3 = 1.0833; b: 1/3 + 1/5 + 1/2 = 1.0333
    assert found.fused_rank == 2
    assert [(document.doc_id, document.relevant) for document in first_fused(query, 9)] == [
        ("a", False),
        ("b", True),
    ]
    assert first_fused(query, 9)[1].score == pytest.approx(found.fused_score)


def test_the_classic_rule_gives_a_document_one_vote_for_each_scale() -> None:
    found = find_relevant(lists("b", preset="rrf60", small="aabb", large="ba"), "b")
    assert [vote.rank for vote in found.votes["small"]] == [2]
    assert found.fused_score == pytest.approx(1 / 62 + 1 / 61)


def test_chunks_beyond_the_depth_do_not_vote_but_have_their_rank() -> None:
    found = find_relevant(lists("b", depth=2, small="aab", large="aa"), "b")
    assert found.ranks == {"small": 2, "large": None}
    assert found.votes == {"small": (), "large": ()}
    assert found.fused_rank is None
    assert found.fused_score == 0


def test_a_document_without_a_vote_has_its_fused_rank_where_a_cutoff_counts_it() -> None:
    query = replace(lists("b", depth=2, small="aab", large="aa"), reach=Reach(2, documents=2))
    found = find_relevant(query, "b")
    assert (found.fused_rank, found.fused_score) == (2, 0)
    assert [document.doc_id for document in first_fused(query, 5)] == ["a", "b"]


def test_a_scale_that_found_nothing_is_no_trouble() -> None:
    query = lists("b", small="", large="ab")
    assert find_relevant(query, "b").fused_rank == 2
    miss = find_miss(query, "small", Cutoff.parse("1"))
    assert miss is not None
    assert dict(miss.above) == {}
