import numpy as np

from chunkgap.index.scoring import UNDEFINED, best_of, pair_scores

from .vectors import clustered, unit


def test_a_pair_scores_its_cosine() -> None:
    queries, vectors = unit([[1, 0], [3, 4]]), unit([[1, 0], [-2, 0], [0, 5]])
    scores = pair_scores(queries, vectors, np.array([0, 0, 0, 1, 1]), np.array([0, 1, 2, 0, 2]))
    assert scores.tolist() == [1, -1, 0, 0.6, 0.8]


def test_a_pair_with_a_zero_vector_is_undefined() -> None:
    queries, vectors = unit([[1, 0], [0, 0]]), unit([[0, 0], [0, 1]])
    scores = pair_scores(queries, vectors, np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    assert scores.tolist() == [UNDEFINED, 0, UNDEFINED, UNDEFINED]


def test_a_score_does_not_depend_on_the_batch() -> None:
    queries, vectors = clustered(40, dimension=384), clustered(200, dimension=384, seed=1)
    query, row = (pairs.ravel() for pairs in np.meshgrid(np.arange(40), np.arange(200), indexing="ij"))
    together = pair_scores(queries, vectors, query, row)
    alone = [
        pair_scores(queries[q : q + 1], vectors, np.zeros(1, int), np.array([r]))[0]
        for q, r in zip(query[::97], row[::97], strict=True)
    ]
    assert together[::97].tolist() == alone


def test_the_best_are_in_the_one_order() -> None:
    rows, scores = best_of(
        np.array([1, 0, 0, 1, 0]),
        np.array([7, 5, 3, 2, 9]),
        np.array([0.2, 0.5, 0.5, 0.2, 0.9]),
        queries=2,
        depth=2,
    )
    assert rows.tolist() == [[9, 3], [2, 7]]
    assert scores.tolist() == [[0.9, 0.5], [0.2, 0.2]]
