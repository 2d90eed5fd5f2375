"""`success`: whether any relevant document was found."""

import numpy as np
from numpy.typing import NDArray


def success(grades: NDArray[np.float64], relevant: NDArray[np.int64]) -> NDArray[np.float64]:
    """1 when a relevant document lies inside the cutoff, else 0; equal to trec_eval's `success`.

    The literal question of AI21, "Chunk size is query-dependent" (2026); others call it hit rate.

    Args:
        grades: Grade of the document at each rank, 0 outside the cutoff, shape (Q, M).
        relevant: Relevant documents of each query, shape (Q,).

    Returns:
        Shape (Q,), 0 or 1; NaN for a query without a relevant document.

    >>> success(np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([4, 1])).tolist()
    [1.0, 0.0]
    """
    return np.where(relevant > 0, (grades > 0).any(axis=1), np.nan)
