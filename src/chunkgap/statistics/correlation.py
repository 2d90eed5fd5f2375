"""Rank correlation, in NumPy alone: scipy.stats takes longer to import than a whole analysis to compute."""

import numpy as np
from numpy.typing import NDArray

from chunkgap.oracle import Floats


def rank_correlation(first: NDArray[np.number], second: NDArray[np.number]) -> float | None:
    """Spearman's rank correlation: Pearson's correlation of the ranks (Spearman 1904), ties sharing their mean rank.

    Args:
        first: `(n,)`.
        second: `(n,)`.

    Returns:
        In [-1, 1]; None for fewer than three pairs, or where all values of one side are equal.

    >>> rank_correlation(np.array([1, 2, 3]), np.array([10, 30, 20]))  # ranks 1 2 3 and 1 3 2: 1 - 6 * 2 / (3 * 8)
    0.5
    """
    if len(first) < 3 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    correlation = np.corrcoef(_ranks(first), _ranks(second))[0, 1]
    return float(np.clip(correlation, -1, 1))


def _ranks(values: NDArray[np.number]) -> Floats:
    """Ranks from 1, `(n,)`; equal values share the mean of theirs."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return np.asarray((last - (count - 1) / 2)[place])
