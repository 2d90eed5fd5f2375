from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgap.index import retrieval
from chunkgap.index.exact import ExactIndex
from chunkgap.index.hnsw import HnswIndex
from chunkgap.index.retrieval import Wanted, distinct_vectors, retrieve
from chunkgap.ranking import Ranking

from .vectors import clustered, unit


@dataclass(frozen=True)
class Table:
    """The columns of a chunk table that retrieval reads."""

    document: np.ndarray
    tokens: np.ndarray


def table(*documents: int, tokens: int = 10) -> Table:
    return Table(np.array(documents, dtype=np.int32), np.full(len(documents), tokens, dtype=np.int32))


def fan(*angles: float) -> np.ndarray:
    """Unit vectors at these angles, in degrees, from the query `EAST`."""
    radians = np.deg2rad(angles)
    return unit(np.stack([np.cos(radians), np.sin(radians)], axis=1))


EAST = fan(0)


def searched(
    vectors: np.ndarray,
    chunks: Table,
    queries: np.ndarray = EAST,
    *,
    own: list[int] | None = None,
    depth: int,
    documents: int = 0,
    budgets: tuple[int, ...] = (),
) -> Ranking:
    distinct, expansion = distinct_vectors(vectors)
    barred = None if own is None else np.array(own)
    return retrieve(
        ExactIndex(distinct), queries, expansion, chunks, Wanted(depth, documents, budgets), own=barred
    )


# -- identical vectors


def test_each_vector_is_kept_once_in_the_order_of_its_first_chunk() -> None:
    vectors, expansion = distinct_vectors(fan(30, 10, 30, 20, 10))
    assert vectors.tolist() == fan(30, 10, 20).tolist()
    assert expansion.tolist() == [0, 1, 0, 2, 1]


def test_no_vectors_have_no_distinct_ones() -> None:
    vectors, expansion = distinct_vectors(np.empty((0, 3), np.float32))
    assert (vectors.shape, expansion.shape) == ((0, 3), (0,))


def test_identical_vectors_come_back_as_all_their_chunks_in_row_order() -> None:
    found = searched(fan(30, 10, 30, 20, 10), table(0, 0, 1, 2, 3), depth=5)
    assert found.chunk.tolist() == [[1, 4, 3, 0, 2]]
    assert found.document.tolist() == [[0, 3, 2, 0, 1]]
    assert found.tokens.tolist() == [[10] * 5]


def test_the_list_is_cut_to_depth_inside_identical_vectors() -> None:
    assert searched(fan(30, 10, 30, 20, 10), table(0, 0, 1, 2, 3), depth=4).chunk.tolist() == [[1, 4, 3, 0]]


def test_vectors_that_tie_after_rounding_mix_by_chunk_row() -> None:
    # 10 degrees and a millionth more are different vectors with one rounded score
    vectors = fan(10, 10.0001, 10, 10.0001)
    vectors[1] = vectors[3] = vectors[0] + np.array([0, 1e-7], np.float32)
    assert len(distinct_vectors(vectors)[0]) == 2
    assert searched(vectors, table(0, 1, 2, 3), depth=3).chunk.tolist() == [[0, 1, 2]]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([10, 20, 30, 40]), min_size=1, max_size=15), st.integers(1, 20))
def test_a_list_is_the_full_order_cut_to_depth(angles: list[int], depth: int) -> None:
    found = searched(fan(*angles), table(*range(len(angles))), depth=depth)
    expected = sorted(range(len(angles)), key=lambda row: (angles[row], row))[:depth]
    assert found.chunk.tolist() == [expected]


# -- growth


def test_past_depth_a_list_goes_on_with_the_best_chunk_of_each_further_document() -> None:
    angles = [*range(11), *range(12, 17), 11, 17, 18, 19]  # document 1 stands between chunks of document 0
    found = searched(fan(*angles), table(*[0] * 16, 1, 2, 3, 4), depth=2, documents=3)
    assert found.chunk.tolist() == [[0, 1, 16, 17]]
    assert found.document.tolist() == [[0, 0, 1, 2]]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), min_size=1, max_size=40),
    st.integers(1, 12),
    st.integers(0, 9),
    st.integers(-1, 6),
)
def test_a_list_is_the_full_order_thinned_out_past_depth(
    chunks: list[tuple[int, int]], depth: int, documents: int, own: int
) -> None:
    chunks = sorted(chunks)
    angles = [10 * angle for _, angle in chunks]
    vectors = fan(*angles)
    vectors[np.array(angles) == 90] = 0  # some chunks have no vector, and come last
    table_ = table(*[document for document, _ in chunks])
    found = searched(
        vectors, table_, np.concatenate([EAST, EAST * 0]), own=[own, -1], depth=depth, documents=documents
    )
    undefined = {row for row, angle in enumerate(angles) if angle == 90}
    orders = [
        sorted(range(len(chunks)), key=lambda row: (row in undefined, angles[row], row)),
        list(range(len(chunks))),  # without a vector of its own, a query finds all chunks tied
    ]
    for row, (full, barred) in enumerate(zip(orders, (own, -1), strict=True)):
        allowed = [chunk for chunk in full if chunks[chunk][0] != barred]
        expected = allowed[:depth]
        for chunk in allowed[depth:]:
            seen = {chunks[other][0] for other in expected}
            if chunks[chunk][0] not in seen and len(seen) < documents:
                expected.append(chunk)
        assert [chunk for chunk in found.chunk[row].tolist() if chunk >= 0] == expected


def test_a_chunk_that_the_index_missed_does_not_come_back_as_a_further_one() -> None:
    class Missing(ExactIndex):
        """Finds all but the first row."""

        def search(self, queries: np.ndarray, depth: int) -> tuple[np.ndarray, np.ndarray]:
            rows, scores = super().search(queries, depth + 1)
            return rows[:, 1:], scores[:, 1:]

    distinct, expansion = distinct_vectors(fan(0, 50, 10, 20, 60))
    chunks = table(0, 0, 1, 1, 2)
    found = retrieve(Missing(distinct), EAST, expansion, chunks, Wanted(2, documents=3))
    # chunk 0 was missed; its document goes on with what it has below the list's end
    assert found.chunk.tolist() == [[2, 3, 1, 4]]


def test_only_the_queries_that_need_it_grow() -> None:
    vectors, chunks = fan(*range(0, 100, 10)), table(*[0] * 8, 1, 2)
    found = searched(vectors, chunks, np.concatenate([EAST, fan(95)]), depth=2, documents=2)
    assert found.document.tolist() == [[0, 0, 1], [2, 1, -1]]


def test_a_list_holds_what_a_budget_takes() -> None:
    chunks = table(*range(10), tokens=30)
    assert searched(fan(*range(10)), chunks, depth=1, budgets=(119,)).chunk.tolist() == [[0, 1, 2]]
    assert searched(fan(*range(10)), chunks, depth=1, budgets=(120, 60)).chunk.tolist() == [[0, 1, 2, 3]]


def test_a_list_goes_on_past_chunks_that_no_longer_fit() -> None:
    chunks = Table(np.arange(4, dtype=np.int32), np.array([50, 50, 50, 10], dtype=np.int32))
    # 100 of 115 tokens are spent, the third chunk does not fit, the fourth does
    assert searched(fan(*range(4)), chunks, depth=1, budgets=(115,)).chunk.tolist() == [[0, 1, 2, 3]]
    # the smaller budget is the one that needs the longer list
    assert searched(fan(*range(4)), chunks, depth=1, budgets=(65, 100)).chunk.tolist() == [[0, 1, 2, 3]]


def test_a_document_that_a_query_must_not_find_leaves_the_list_as_long_as_others() -> None:
    vectors, chunks = fan(*range(10)), table(*[0] * 5, *[1] * 3, 2, 3)
    assert searched(vectors, chunks, depth=3, own=[0]).chunk.tolist() == [[5, 6, 7]]
    assert searched(vectors, chunks, depth=3, documents=3, own=[0]).document.tolist() == [[1, 1, 1, 2, 3]]
    assert searched(vectors, chunks, depth=1, budgets=(40,), own=[0]).chunk.tolist() == [[5, 6, 7, 8]]
    assert searched(vectors, chunks, depth=3, documents=9, own=[-1]).document.tolist() == [[0, 0, 0, 1, 2, 3]]


def test_a_list_is_never_shorter_than_depth() -> None:
    found = searched(fan(*range(10)), table(*range(10)), depth=6, documents=2, budgets=(20,))
    assert found.chunk.tolist() == [[0, 1, 2, 3, 4, 5]]


def test_growth_ends_when_every_document_or_every_chunk_is_seen() -> None:
    vectors, chunks = fan(*range(10)), table(*[0] * 5, *[1] * 5)
    assert searched(vectors, chunks, depth=3, documents=9).chunk.tolist() == [[0, 1, 2, 5]]
    assert searched(vectors, chunks, depth=3, budgets=(999,)).chunk.tolist() == [list(range(10))]


def test_growth_looks_past_many_identical_vectors() -> None:
    found = searched(fan(*[5] * 40, 6, 7), table(*[0] * 40, 1, 2), depth=3, documents=2)
    assert found.chunk.tolist() == [[0, 1, 2, 40]]


def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, queries = clustered(200), clustered(30, seed=1)
    chunks = table(*np.repeat(np.arange(20), 10).tolist())
    together = searched(vectors, chunks, queries, depth=4, documents=6)
    monkeypatch.setattr(retrieval, "_HITS_AT_ONCE", 20)
    apart = searched(vectors, chunks, queries, depth=4, documents=6)
    assert apart.chunk.tolist() == together.chunk.tolist()
    assert apart.score.tolist() == together.score.tolist()


def test_an_index_without_vectors_or_no_queries_give_empty_lists() -> None:
    nothing = np.empty((0, 2), np.float32)
    assert searched(nothing, table(), depth=3, documents=2).chunk.shape == (1, 0)
    assert searched(EAST, table(0), nothing, depth=3).chunk.shape == (0, 0)


def test_hnsw_and_exact_give_the_same_lists() -> None:
    random = np.random.default_rng(3)
    vectors = clustered(800)[random.integers(0, 800, 1500)]
    chunks, queries = table(*np.repeat(np.arange(30), 50).tolist()), clustered(40, seed=1)
    distinct, expansion = distinct_vectors(vectors)
    graph = HnswIndex.build(distinct, m=16, ef_construction=200, seed=13)
    approximate, exact = (
        retrieve(index, queries, expansion, chunks, Wanted(20, documents=10))
        for index in (graph, ExactIndex(distinct))
    )
    assert approximate.chunk.tolist() == exact.chunk.tolist()
    assert approximate.score.tolist() == exact.score.tolist()
