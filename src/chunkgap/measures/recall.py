"""`recall`: how many of the relevant documents were found."""

import numpy as np
from numpy.typing import NDArray

from chunkgap.measures.ratio import ratio


def recall(grades: NDArray[np.float64], relevant: NDArray[np.int64]) -> NDArray[np.float64]:
    """Relevant documents inside the cutoff / relevant documents; equal to trec_eval's `recall`.

    Not capped: with more relevant documents than the cutoff holds, 1 is out of reach.

    Args:
        grades: Grade of the document at each rank, 0 outside the cutoff, shape (Q, M).
        relevant: Relevant documents of each query, shape (Q,).

    Returns:
        Shape (Q,), in [0, 1]; NaN for a query without a relevant document.

    >>> recall(np.array([[0.0, 1.0, 2.0]]), np.array([4])).tolist()
    [0.5]
    """
    return ratio((grades > 0).sum(axis=1), relevant)
