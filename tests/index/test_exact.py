import numpy as np
import pytest

from chunkgap.index import exact
from chunkgap.index.exact import ExactIndex
from chunkgap.index.scoring import UNDEFINED

from .vectors import clustered, unit


def test_the_nearest_vectors_come_first() -> None:
    rows, scores = ExactIndex(unit([[0, 1], [1, 0], [3, 4]])).search(unit([[1, 0], [0, 2]]), 2)
    assert rows.tolist() == [[1, 2], [0, 2]]
    assert scores.tolist() == [[1, 0.6], [1, 0.8]]


def test_it_agrees_with_a_full_sort() -> None:
    vectors, queries = clustered(500), clustered(30, seed=1)
    cosines = np.round(queries.astype(np.float64) @ vectors.T.astype(np.float64), 6)
    expected = np.argsort(-cosines, axis=1, kind="stable")[:, :20]
    rows, scores = ExactIndex(vectors).search(queries, 20)
    assert rows.tolist() == expected.tolist()
    assert scores.tolist() == np.take_along_axis(cosines, expected, axis=1).tolist()


def test_vectors_tied_at_the_cut_are_taken_by_row() -> None:
    nearly_equal = unit([*([1, 1e-7 * row, 0] for row in reversed(range(50))), [1, 0, 1]])
    rows, scores = ExactIndex(nearly_equal).search(unit([[1, 0, 0]]), 5)
    assert rows.tolist() == [[0, 1, 2, 3, 4]]
    assert scores.tolist() == [[1, 1, 1, 1, 1]]


def test_depth_above_the_number_of_vectors_gives_them_all() -> None:
    rows, _ = ExactIndex(unit([[0, 1], [1, 0]])).search(unit([[1, 0]]), 10)
    assert rows.tolist() == [[1, 0]]


def test_results_do_not_depend_on_blocks_or_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, queries = clustered(300), clustered(40, seed=1)
    rows, scores = ExactIndex(vectors).search(queries, 25)
    monkeypatch.setattr(exact, "_BLOCK_BYTES", 4 * 300 * 7)
    for again in (ExactIndex(vectors).search(queries, 25), _one_by_one(ExactIndex(vectors), queries, 25)):
        assert again[0].tolist() == rows.tolist()
        assert again[1].tolist() == scores.tolist()


def test_a_zero_vector_comes_after_opposite_ones() -> None:
    rows, scores = ExactIndex(unit([[0, 0], [-1, 0], [1, 0]])).search(unit([[1, 0]]), 3)
    assert rows.tolist() == [[2, 1, 0]]
    assert scores.tolist() == [[1, -1, UNDEFINED]]


def test_a_zero_vector_does_not_push_out_a_defined_one() -> None:
    rows, _ = ExactIndex(unit([[0, 0], [0, 0], [-1, 0]])).search(unit([[1, 0]]), 1)
    assert rows.tolist() == [[2]]


def test_a_zero_query_finds_the_rows_in_order() -> None:
    rows, scores = ExactIndex(unit([[0, 1], [1, 0], [1, 1]])).search(unit([[0, 0], [1, 0]]), 2)
    assert rows.tolist() == [[0, 1], [1, 2]]
    assert scores[0].tolist() == [UNDEFINED, UNDEFINED]


def test_an_empty_index_and_no_queries_give_nothing() -> None:
    assert ExactIndex(np.empty((0, 2), np.float32)).search(unit([[1, 0]]), 5)[0].shape == (1, 0)
    assert ExactIndex(unit([[1, 0]])).search(np.empty((0, 2), np.float32), 5)[0].shape == (0, 1)


def _one_by_one(index: ExactIndex, queries: np.ndarray, depth: int) -> tuple[np.ndarray, np.ndarray]:
    found = [index.search(query[None], depth) for query in queries]
    return np.concatenate([rows for rows, _ in found]), np.concatenate([scores for _, scores in found])
