"""Sets of scales: which to try, which no other beats on both score and price, the smallest good one."""

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from chunkgap.oracle import TIE_DECIMALS, Floats, Rows
from chunkgap.statistics.power import standard_error

ScaleSet = tuple[int, ...]
"""Rows of scales, ascending, at least one."""

ALL_UP_TO = 6
"""Up to so many scales every set is tried (63 of six); beyond it the greedy path."""


def candidate_sets(scales: int, score: Callable[[ScaleSet], float]) -> list[ScaleSet]:
    """The sets of scales to compare.

    Args:
        scales: Number of scales, at least 1.
        score: The fused measure of a set. Only called beyond six scales, where sets are grown greedily: from
            the best single scale, each step adds the scale that helps most (ties: the earlier row).

    Returns:
        Every set, the smaller first, for up to six scales; beyond it every single scale and the sets on the
        greedy path, up to all of them.

    >>> candidate_sets(2, score=lambda rows: 0.0)
    [(0,), (1,), (0, 1)]
    """
    if scales <= ALL_UP_TO:
        return [rows for members in range(1, scales + 1) for rows in combinations(range(scales), members)]
    singles: list[ScaleSet] = [(row,) for row in range(scales)]
    path = [max(singles, key=score)]
    while len(path[-1]) < scales:
        grown = [tuple(sorted((*path[-1], row))) for row in range(scales) if row not in path[-1]]
        path.append(max(grown, key=score))
    return singles + path[1:]


def pareto_front(scores: Sequence[float], vectors: Sequence[int]) -> NDArray[np.bool_]:
    """Which sets no other set beats on both score and price.

    Args:
        scores: Fused measure of each set.
        vectors: Vectors of each set.

    Returns:
        True for a set unless another has at least its score for at most its vectors, and differs in one of
        them. Equal sets are on the front together.

    >>> pareto_front([0.7, 0.8, 0.75], vectors=[10, 20, 30]).tolist()
    [True, True, False]
    """
    score, price = np.round(np.asarray(scores), TIE_DECIMALS), np.asarray(vectors)
    as_good = (score[:, None] >= score) & (price[:, None] <= price)
    better = (score[:, None] > score) | (price[:, None] < price)
    return np.asarray(~np.any(as_good & better, axis=0))


def smallest_within_error(runs: Floats, vectors: Sequence[int], clusters: Rows) -> int:
    """The cheapest set that is within one standard error of the best.

    The error is that of the paired difference to the best set, clusters accounted for: an unpaired one would
    be far wider, and would let every set pass.

    Args:
        runs: Fused measure of every query for each set, `(sets, queries)`.
        vectors: Vectors of each set. The best set of equal mean is the one with fewer.
        clusters: Cluster of each query. With one cluster there is no error, and the best set itself is
            returned.

    Returns:
        The row of the set; ties in vectors go to the better mean, then the earlier row.
    """
    means = np.round(runs.mean(axis=1), TIE_DECIMALS)
    by_mean = sorted(range(len(runs)), key=lambda row: (-means[row], vectors[row], row))
    best = by_mean[0]

    def is_close(row: int) -> bool:
        return bool(means[best] - means[row] <= standard_error(runs[best] - runs[row], clusters))

    return min((row for row in by_mean if row == best or is_close(row)), key=lambda row: vectors[row])
