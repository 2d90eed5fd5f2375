"""Size excess: what an oracle over two sizes gains over an oracle over two placements of one size.

Nothing is selected here, so that both statistics are 0 in expectation when scales are exchangeable, for any
number of queries. All work on `scores`, `(scales, phases, queries)`, with at least two scales and two phases;
more than two phases are averaged over their pairs. Where `mean` is a resampling's, results gain a leading
axis (see `oracle`).
"""

from itertools import permutations

import numpy as np

from chunkgap.oracle import ALL_QUERIES, Averaging, Floats


def pair_oracles(scores: Floats, over: Averaging = ALL_QUERIES) -> Floats:
    """Mean of an oracle over two indexes, for every pair of scales.

    Args:
        scores: `(scales, phases, queries)`.
        over: The queries, or the resamples of them, to average over.

    Returns:
        `(..., scales, scales)`, symmetric: mean over q of max(s[w, 0, q], s[v, 1, q]), both orders averaged.
        On the diagonal stand two placements of one size.
    """
    pairs = _phase_pairs(scores)
    upper = np.triu_indices(len(scores))
    best = sum(np.maximum(scores[upper[0], j], scores[upper[1], k]) for j, k in pairs)
    means = over.mean(np.asarray(best) / len(pairs))
    square = np.empty((*means.shape[:-1], len(scores), len(scores)))
    square[..., *upper] = square[..., *upper[::-1]] = means
    return square


def same_size(pairs: Floats) -> Floats:
    """The mean over sizes of a pair statistic within one size: the diagonal of `(..., scales, scales)`."""
    return np.asarray(np.diagonal(pairs, axis1=-2, axis2=-1).mean(axis=-1))


def different_sizes(pairs: Floats) -> Floats:
    """The mean over different sizes of a pair statistic: all of `(..., scales, scales)` but the diagonal."""
    apart = ~np.eye(pairs.shape[-1], dtype=bool)
    return np.asarray(pairs[..., apart].mean(axis=-1))


def size_excess(pairs: Floats) -> Floats:
    """What a second size is worth beyond a second placement of the same size.

    excess = mean over q of ( mean over w != v of max(s[w,0], s[v,1]) - mean over w of max(s[w,0], s[w,1]) ).
    For a measure of 0 and 1 it is half the mean squared difference of the scales' success probabilities. It
    rises both when size matters more for some queries than for others and when one size is better for all alike;
    `interaction` tells them apart.

    Args:
        pairs: What `pair_oracles` returned, `(..., scales, scales)`.

    >>> scores = np.array([[[1.0, 0], [1, 0]], [[0, 1], [0, 1]]])  # each size finds its own query
    >>> float(size_excess(pair_oracles(scores)))  # 1 - 1/2
    0.5
    """
    return different_sizes(pairs) - same_size(pairs)


def excess_matrix(pairs: Floats) -> Floats:
    """The size excess of each pair of scales: which sizes truly differ, and which are copies of one another.

    Args:
        pairs: What `pair_oracles` returned, `(..., scales, scales)`.

    Returns:
        `(..., scales, scales)`, symmetric, 0 on the diagonal. The mean off the diagonal is the size excess.
    """
    own = np.diagonal(pairs, axis1=-2, axis2=-1)
    return pairs - (own[..., :, None] + own[..., None, :]) / 2


def interaction(scores: Floats, over: Averaging = ALL_QUERIES) -> Floats:
    """How far it depends on the query what a size is worth: the size excess without what it gains on all alike.

    The covariance over queries of one scale's two phases (mean over scales) minus that of two different
    scales' phases (mean over w != v), scores centred per scale and phase, divided by the number of queries. It is
    above 0 also where one size is best for every query, for some by more than for others.

    Args:
        scores: `(scales, phases, queries)`.
        over: The queries, or the resamples of them, to average over.

    >>> better = np.array([[[1.0, 1], [1, 1]], [[0, 0], [0, 0]]])  # one size is better for every query
    >>> float(size_excess(pair_oracles(better))), float(interaction(better))
    (0.5, 0.0)
    >>> sometimes = np.array([[[1.0, 1], [1, 1]], [[0, 1], [0, 1]]])  # it is better for the first, and never worse
    >>> float(interaction(sometimes))  # 1/2 (0 + 1/4) - 0
    0.125
    """
    pairs = _phase_pairs(scores)
    means = over.mean(scores)
    covariance = np.zeros(means.shape[:-2])
    for j, k in pairs:
        products = scores[:, None, j] * scores[None, :, k]
        expected = means[..., :, None, j] * means[..., None, :, k]
        per_query = _within_minus_between(np.moveaxis(products, -1, 0))
        covariance = covariance + over.mean(per_query) - _within_minus_between(expected)
    return covariance / len(pairs)


def _within_minus_between(pairs: Floats) -> Floats:
    """A pair statistic within sizes minus between them, `(..., scales, scales)` to `(...)`."""
    return same_size(pairs) - different_sizes(pairs)


def _phase_pairs(scores: Floats) -> list[tuple[int, int]]:
    """Every ordered pair of different phases."""
    scales, phases = scores.shape[:2]
    if scales < 2 or phases < 2:
        raise ValueError(f"size excess: expected at least 2 scales and 2 phases, got {scales} and {phases}")
    return list(permutations(range(phases), 2))
