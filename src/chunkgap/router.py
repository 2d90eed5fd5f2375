"""Routers: what choosing the scale from the query alone would win, cross-validated.

A router sees the query's vector and learns, from the other folds, which scales score well on such queries
(Mix-of-Granularity, Zhong et al. 2025, arXiv 2406.00456). It answers each query at the one scale it picks.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from chunkgap.oracle import Floats, Rows, choose
from chunkgap.ranking import rounded

NEIGHBOURS = 15
_MOST_STEPS = 100
_FLAT = 1e-6  # a gradient below this is that of the minimum
_STILL = 1e-12  # a step below this moves no weight
_CLOSE = 1e-4  # share of the gradient, squared, that a step may leave

Predictor = Callable[[NDArray[np.float32], Floats, NDArray[np.float32]], Floats]
"""From training queries, their scores `(scales, queries)` and new queries, to a preference `(new,
scales)`."""


def nearest_neighbours(
    queries: NDArray[np.float32], scores: Floats, folds: Rows, vectors: Sequence[int]
) -> Floats:
    """Route by the mean scores of the most similar queries of the other folds.

    Args:
        queries: Query vectors of length 1, or 0 where undefined, `(queries, dimension)`.
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

    A training query's target is each scale's share of its scores. Queries that no scale serves teach nothing
    and are left out.

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
    """Mean scores of the nearest training queries, of all that are as near as the last of them."""
    similarity = rounded(
        queries.astype(np.float64) @ train.T
    )  # or the last bits of a product would tell copies apart
    count = min(NEIGHBOURS, len(train))
    last = np.partition(similarity, -count, axis=1)[:, -count]
    near = (similarity >= last[:, None]).astype(np.float64)
    return np.asarray(near @ scores.T / near.sum(axis=1, keepdims=True))


def _logistic_probabilities(
    train: NDArray[np.float32], scores: Floats, queries: NDArray[np.float32]
) -> Floats:
    """Probabilities of the scales that serve any query; 0 for the others."""
    served, taught = np.flatnonzero(scores.any(axis=1)), scores.any(axis=0)
    preference = np.zeros((len(queries), len(scores)))
    if len(served) < 2:
        preference[:, served] = 1.0
        return preference
    targets = (scores[served][:, taught] / scores[:, taught].sum(axis=0)).T
    weights = _fit(_with_intercept(train[taught]), targets)
    preference[:, served] = np.exp(_log_shares(_with_intercept(queries) @ weights))
    return preference


def _fit(inputs: Floats, targets: Floats) -> Floats:
    """Weights `(inputs, classes)` of least cross-entropy plus half their squares, the intercept's apart.

    scikit-learn's LogisticRegression has this minimum too, but no soft targets, and its import, like that of SciPy's
    optimiser, takes longer than all the rest of an analysis. The loss is convex: Newton's steps, halved until they go
    down, find its minimum.

    Args:
        inputs: `(queries, inputs)`, the intercept last.
        targets: Shares of the classes, `(queries, classes)`; each row adds up to 1.
    """
    penalty = np.append(np.ones(inputs.shape[1] - 1), 0.0)[:, None]

    def loss(weights: Floats) -> float:
        return float((penalty * weights**2).sum() / 2 - (targets * _log_shares(inputs @ weights)).sum())

    weights = np.zeros((inputs.shape[1], targets.shape[1]))
    for _ in range(_MOST_STEPS):
        shares = np.exp(_log_shares(inputs @ weights))
        gradient = inputs.T @ (shares - targets) + penalty * weights
        if np.abs(gradient).max() < _FLAT:
            break
        step, here = _newton_step(gradient, inputs, shares, penalty), loss(weights)
        while np.abs(step).max() > _STILL and loss(weights - step) > here:
            step /= 2
        weights -= step
    return weights


def _newton_step(gradient: Floats, inputs: Floats, shares: Floats, penalty: Floats) -> Floats:
    """The curvature's inverse times the gradient, nearly, by conjugate gradients (Hestenes, Stiefel 1952)."""
    step, left, direction = np.zeros_like(gradient), gradient, gradient
    enough = _CLOSE * np.vdot(gradient, gradient)
    for _ in range(_MOST_STEPS):
        if np.vdot(left, left) <= enough:
            break
        moved = inputs @ direction
        moved = shares * (moved - (shares * moved).sum(axis=1, keepdims=True))
        curved = inputs.T @ moved + penalty * direction
        length = np.vdot(left, left) / np.vdot(direction, curved)
        step = step + length * direction
        remaining = left - length * curved
        direction = remaining + np.vdot(remaining, remaining) / np.vdot(left, left) * direction
        left = remaining
    return step


def _log_shares(logits: Floats) -> Floats:
    """The logarithm of the softmax of each row."""
    below = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(below - np.log(np.exp(below).sum(axis=1, keepdims=True)))


def _with_intercept(queries: NDArray[np.float32]) -> Floats:
    return np.column_stack([queries, np.ones(len(queries))])
