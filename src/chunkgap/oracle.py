"""The oracle over scales: best fixed scale, oracle gap, placebo gap, reproducible gap.

All work on `scores`, the measure of every query at one cutoff: `(scales, phases, queries)`, or one phase of
it, `(scales, queries)`, values in [0, 1]. Every statistic is told what to average `over`. Over `ALL_QUERIES`
it is the estimate; over a `chunkgap.statistics.Resampling` it is the same statistic in every resample at
once, along a leading axis, with each choice of a scale made anew. A formula thus stands in one place.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

TIE_DECIMALS = 12
"""Means that agree to so many decimals are equal: what is left is the rounding of sums."""


class Averaging(Protocol):
    """Averages over queries, in one way or in many ways at once (`...` below stands for those)."""

    def mean(self, columns: Floats) -> Floats:
        """The mean of each column: `(n, queries)` to `(..., n)`, with any number of axes in place of n."""
        ...

    def mean_of_chosen(self, columns: Floats, chosen: Rows) -> Floats:
        """The mean of one of the columns, in each way of its own: `(n, queries)` and `(...)` to `(...)`."""
        ...


class AllQueries:
    """Averages every query once."""

    def mean(self, columns: Floats) -> Floats:
        """The plain mean over the last axis."""
        return np.asarray(columns.mean(axis=-1))

    def mean_of_chosen(self, columns: Floats, chosen: Rows) -> Floats:
        """The plain mean of the chosen column."""
        return self.mean(columns[chosen])


ALL_QUERIES = AllQueries()


def choose(means: Floats, vectors: Sequence[int]) -> Rows:
    """The best scale along the last axis of `means`.

    Args:
        means: `(..., scales)`.
        vectors: Vectors in the index of each scale. Ties go to the scale with fewer, then to the earlier row.

    Returns:
        Rows of scales, `(...)`.
    """
    return _best_first(means, vectors)[..., 0]


def best_fixed(scores: Floats, vectors: Sequence[int]) -> int:
    """The one scale with the best mean.

    The single best solver of Lindauer, van Rijn, Kotthoff 2019 (arXiv 1805.01214).

    Args:
        scores: `(scales, queries)`, at least one of each.
        vectors: Vectors per scale; ties go to the scale with fewer, then to the earlier row.

    Returns:
        The row of that scale.

    >>> best_fixed(np.array([[1.0, 0, 1, 0], [0, 1, 1, 0]]), vectors=[40, 10])
    1
    """
    return int(choose(ALL_QUERIES.mean(scores), vectors))


def best_fixed_mean(scores: Floats, over: Averaging = ALL_QUERIES) -> Floats:
    """The best mean among scales, in sample: max over w of mean over q of m(q, w)."""
    return np.asarray(over.mean(scores).max(axis=-1))


def oracle_mean(scores: Floats, over: Averaging = ALL_QUERIES) -> Floats:
    """The mean when every query is answered at its best scale: mean over q of max over w of m(q, w).

    AI21, "Chunk size is query-dependent" (2026); the virtual best solver of Lindauer, van Rijn, Kotthoff
    2019.
    """
    return over.mean(scores.max(axis=0))


def oracle_gap(scores: Floats, over: Averaging = ALL_QUERIES) -> Floats:
    """Oracle minus best fixed: the raw gap, positive even where scales are copies of one another.

    The mean of a maximum over noisy scores exceeds the maximum of their means (Cameron, Hoos, Leyton-Brown,
    IJCAI 2016; Smith and Winkler 2006), so a raw gap is read beside the placebo and the reproducible gap.

    Args:
        scores: `(scales, queries)`.
        over: The queries, or the resamples of them, to average over.

    Returns:
        The gap, 0 or more; exactly 0 for one scale.

    >>> float(oracle_gap(np.array([[1.0, 0, 1, 0], [0, 1, 1, 0]])))  # 3/4 - 2/4
    0.25
    """
    return _gap(scores, over)


def placebo_gaps(scores: Floats, over: Averaging = ALL_QUERIES) -> Floats:
    """Per scale, the oracle gap over its own phases: what luck alone looks like.

    Args:
        scores: `(scales, phases, queries)`.
        over: The queries, or the resamples of them, to average over.

    Returns:
        `(..., scales)`: mean over q of max over j of s[w, j, q], minus the best phase's mean.
    """
    return _gap(scores, over)


def mean_gap(scores: Floats, members: int, over: Averaging = ALL_QUERIES) -> Floats:
    """The mean oracle gap over all sets of `members` scales.

    The like for like of a placebo gap over as many phases.

    Args:
        scores: `(scales, queries)`.
        members: Scales in each set, at most as many as there are.
        over: The queries, or the resamples of them, to average over.

    Raises:
        ValueError: There are fewer scales than `members`.
    """
    sets = [list(rows) for rows in combinations(range(len(scores)), members)]
    if not sets:
        raise ValueError(f"mean_gap: expected at least {members} scales, got {len(scores)}")
    means = over.mean(scores)
    oracles = over.mean(np.stack([scores[rows].max(axis=0) for rows in sets]))
    bests = np.stack([means[..., rows].max(axis=-1) for rows in sets], axis=-1)
    return np.asarray((oracles - bests).mean(axis=-1))


def reproducible_gap(scores: Floats, vectors: Sequence[int], over: Averaging = ALL_QUERIES) -> Floats:
    """The oracle gap that survives choosing on one half of the phases and scoring on the other.

    For each query the scale is chosen on the even phases (ties: the scale with the better mean there, then
    fewer vectors) and scored on the odd ones; the best fixed scale likewise; the difference of the two means;
    then the other direction, and the mean of both. It is 0 in expectation when scales are exchangeable, and
    may be negative.

    Args:
        scores: `(scales, phases, queries)`, at least two phases.
        vectors: Vectors per scale.
        over: The queries, or the resamples of them, to average over.

    Raises:
        ValueError: There is one phase only.
    """
    if scores.shape[1] < 2:
        raise ValueError(f"reproducible_gap: expected at least 2 phases, got {scores.shape[1]}")
    even, odd = scores[:, 0::2].mean(axis=1), scores[:, 1::2].mean(axis=1)
    return (_gap_carried_over(even, odd, vectors, over) + _gap_carried_over(odd, even, vectors, over)) / 2


def cross_fitted(
    scores: Floats, folds: Rows, vectors: Sequence[int], over: Averaging = ALL_QUERIES
) -> Floats:
    """Mean at the scale chosen on the other folds: what choosing a fixed scale is worth on new queries.

    Args:
        scores: `(scales, queries)`.
        folds: Fold of each query, from 0; queries of one cluster share theirs.
        vectors: Vectors per scale; ties go to the scale with fewer. With one fold nothing is left to choose
            on, so that all scales tie.
        over: The queries, or the resamples of them, to average over.

    Returns:
        The mean of `cross_fitted_scores`, with the choices of every resample made in that resample.
    """
    by_fold = over.mean(_split(scores, folds))
    chosen = _choose_on_other_folds(by_fold, vectors)
    return np.asarray(np.take_along_axis(by_fold, chosen[..., None], axis=-1)[..., 0].sum(axis=-1))


def cross_fitted_scores(scores: Floats, folds: Rows, vectors: Sequence[int]) -> Floats:
    """Per query, the score at the scale that the other folds chose, `(queries,)`; see `cross_fitted`."""
    chosen = _choose_on_other_folds(ALL_QUERIES.mean(_split(scores, folds)), vectors)
    return scores[chosen[folds], np.arange(scores.shape[1])]


def chance_level(documents: int, cutoff: int) -> float:
    """Expected recall at `cutoff` documents of a random ranking of `documents`: K / N, at most 1.

    >>> chance_level(50, 5), chance_level(3, 5)
    (0.1, 1.0)
    """
    return min(1.0, cutoff / documents)


def _best_first(means: Floats, vectors: Sequence[int]) -> Rows:
    """Scales in order, `(..., scales)`: mean descending, then vectors ascending, then the row."""
    cheapest_first = np.argsort(np.asarray(vectors), kind="stable")
    ranked = -np.round(means[..., cheapest_first], TIE_DECIMALS)
    return np.asarray(cheapest_first[np.argsort(ranked, axis=-1, kind="stable")])


def _gap(scores: Floats, over: Averaging) -> Floats:
    """Mean of the maximum minus maximum of the means: `(..., alternatives, queries)` to `(...)`."""
    means = over.mean(np.concatenate([scores, scores.max(axis=-2, keepdims=True)], axis=-2))
    return np.asarray(means[..., -1] - means[..., :-1].max(axis=-1))


def _gap_carried_over(
    chosen_on: Floats, scored_on: Floats, vectors: Sequence[int], over: Averaging
) -> Floats:
    """Selector minus best fixed on `scored_on`, both chosen on `chosen_on`; both `(scales, queries)`."""
    order = _best_first(over.mean(chosen_on), vectors)
    fixed = over.mean_of_chosen(scored_on, order[..., 0])
    return _selector_mean(chosen_on, scored_on, order, over) - fixed


def _selector_mean(chosen_on: Floats, scored_on: Floats, order: Rows, over: Averaging) -> Floats:
    """Mean of `scored_on` at each query's best scale on `chosen_on`, ties to the first in `order`.

    Only ties depend on the order, and few orders occur: each distinct one is worked out once.
    """
    orders, which = np.unique(order.reshape(-1, order.shape[-1]), axis=0, return_inverse=True)
    rounded = np.round(chosen_on, TIE_DECIMALS)
    queries = np.arange(scored_on.shape[1])
    columns = [scored_on[row[np.argmax(rounded[row], axis=0)], queries] for row in orders]
    return over.mean_of_chosen(np.stack(columns), which.reshape(order.shape[:-1]))


def _split(scores: Floats, folds: Rows) -> Floats:
    """Scores by fold, 0 outside it: `(folds, scales, queries)`."""
    inside = folds == np.arange(folds.max() + 1)[:, None]
    return np.where(inside[:, None, :], scores, 0.0)


def _choose_on_other_folds(by_fold: Floats, vectors: Sequence[int]) -> Rows:
    """Per fold, the best scale by what all other folds add to the mean: `(..., folds)`."""
    others = by_fold.sum(axis=-2, keepdims=True) - by_fold
    return choose(others, vectors)
