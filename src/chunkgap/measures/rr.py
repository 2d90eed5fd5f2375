"""`rr`: how far up the first relevant document stands."""

import numpy as np
from numpy.typing import NDArray


def rr(grades: NDArray[np.float64], relevant: NDArray[np.int64]) -> NDArray[np.float64]:
    """Reciprocal rank, `1 / rank` of the first relevant document inside the cutoff; its mean is known as MRR.

    Source: Voorhees, TREC-8 question answering track report (1999). Equal to trec_eval's `recip_rank` of the
    run cut at the cutoff.

    Args:
        grades: Grade of the document at each rank, 0 outside the cutoff, shape (Q, M); ranks count from 1.
        relevant: Relevant documents of each query, shape (Q,).

    Returns:
        Shape (Q,), in [0, 1], 0 when none is found; NaN for a query without a relevant document.

    >>> rr(np.array([[0.0, 0.0, 1.0, 2.0]]), np.array([2])).round(4).tolist()
    [0.3333]
    """
    ranks = np.arange(1, grades.shape[1] + 1)
    best = np.where(grades > 0, 1.0 / ranks, 0.0).max(axis=1, initial=0.0)
    return np.where(relevant > 0, best, np.nan)
