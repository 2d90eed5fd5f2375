"""Quotients over queries, undefined (not an error) where there is nothing to divide by."""

import numpy as np
from numpy.typing import NDArray


def ratio(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float64]:
    """`part / whole` of each query, NaN where `whole` is 0.

    Args:
        part: Counts, shape (Q,).
        whole: Counts, shape (Q,).

    >>> ratio(np.array([1, 0]), np.array([4, 0])).tolist()
    [0.25, nan]
    """
    quotient = np.full(len(whole), np.nan)
    np.divide(part, whole, out=quotient, where=whole > 0)
    return quotient
