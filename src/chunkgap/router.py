"""Routers: what choosing the scale from the query alone would win, cross-validated.

A router sees the query's vector and learns, from the other folds, which scales score well on such queries
(Mix-of-Granularity, Zhong et al. 2025, arXiv 2406.00456). It answers each query at the one scale it picks.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from chunkgap.oracle import Floats, Rows, choose

NEIGHBOURS = 15
_MOST_ITERATIONS = 1000

Predictor = Callable[[NDArray[np.float32], Floats, NDArray[np.float32]], Floats]
"""From training queries, their scores `(scales, queries)` and new queries, to a preference `(new,
scales)`."""


def nearest_neighbours(
    queries: NDArray[np.float32], scores: Floats, folds: Rows, vectors: Sequence[int]
) -> Floats:
    """Route by the mean scores of the most similar queries of the other folds.

    Args:
        queries: Query vectors, `(queries, dimension)`.
        scores: `(scales, queries)`, the soft targets: a query counts for every scale that serves it.
        folds: Fold of each query, of whole clusters; at least two folds, or every query gets the tie rule.
        vectors: Vectors per scale. Ties go to the scale with the better mean on the other folds, then to
            fewer vectors, then to the earlier row.

    Returns:
        Per query, the score of the scale the router picked, `(queries,)`.
    """
    return _routed(queries, scores, folds, vectors, _neighbour_means)


def logistic_regression(
    queries: NDArray[np.float32], scores: Floats, folds: Rows, vectors: Sequence[int]
) -> Floats:
    """Route by a multinomial logistic regression on the query vectors.

    Each training query stands once for every scale, weighted with that scale's share of its scores. Queries
    that no scale serves teach nothing and are left out.

    Args:
        queries: Query vectors, `(queries, dimension)`.
        scores: `(scales, queries)`, the soft targets.
        folds: Fold of each query, of whole clusters; at least two folds, or every query gets the tie rule.
        vectors: Vectors per scale; ties as for `nearest_neighbours`.

    Returns:
        Per query, the score of the scale the router picked, `(queries,)`.
    """
    return _routed(queries, scores, folds, vectors, _logistic_probabilities)


def _routed(
    queries: NDArray[np.float32], scores: Floats, folds: Rows, vectors: Sequence[int], predict: Predictor
) -> Floats:
    routed = np.empty(scores.shape[1])
    for fold in np.unique(folds):
        held_out, train = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        picked = np.full(len(held_out), choose(np.zeros(len(scores)), vectors))
        if len(train):
            preference = predict(queries[train], scores[:, train], queries[held_out])
            picked = _pick(preference, scores[:, train].mean(axis=1), vectors)
        routed[held_out] = scores[picked, held_out]
    return routed


def _pick(preference: Floats, means: Floats, vectors: Sequence[int]) -> Rows:
    """The preferred scale of each query, `(queries,)`; ties by the better mean, then as `choose` has it."""
    tied = np.round(preference, 9) == np.round(preference, 9).max(axis=1, keepdims=True)
    return choose(np.where(tied, means, -1.0), vectors)


def _neighbour_means(train: NDArray[np.float32], scores: Floats, queries: NDArray[np.float32]) -> Floats:
    from sklearn.neighbors import KNeighborsRegressor

    model = KNeighborsRegressor(
        n_neighbors=min(NEIGHBOURS, len(train)), metric="cosine", algorithm="brute", n_jobs=1
    )
    predicted = model.fit(train, scores.T).predict(queries)
    return np.asarray(predicted, dtype=np.float64).reshape(len(queries), len(scores))


def _logistic_probabilities(
    train: NDArray[np.float32], scores: Floats, queries: NDArray[np.float32]
) -> Floats:
    from sklearn.linear_model import LogisticRegression

    scale, query = np.nonzero(scores)
    preference = np.zeros((len(queries), len(scores)))
    served = np.unique(scale)
    if len(served) < 2:
        preference[:, served] = 1.0
        return preference
    weights = scores[scale, query] / scores.sum(axis=0)[query]
    model = LogisticRegression(max_iter=_MOST_ITERATIONS).fit(train[query], scale, sample_weight=weights)
    preference[:, model.classes_] = model.predict_proba(queries)
    return preference
