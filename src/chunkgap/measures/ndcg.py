"""`ndcg`: whether the most relevant documents stand first."""

import numpy as np
from numpy.typing import NDArray


def ndcg(
    grades: NDArray[np.float64], ideal: NDArray[np.float64], *, ideal_cut: int | None
) -> NDArray[np.float64]:
    """Normalised discounted cumulative gain: sum of grade / log2(rank + 1), over that of the best ranking.

    Source: Järvelin and Kekäläinen, TOIS 2002, in trec_eval's form `ndcg_cut`: the gain is the grade itself,
    not `2 ** grade - 1`. A document earns its gain once, however many of its chunks were retrieved.

    Args:
        grades: Grade of the document at each rank, 0 outside the cutoff, shape (Q, M); ranks count from 1.
        ideal: Grades of all relevant documents, descending, padded with 0, shape (Q, X).
        ideal_cut: Documents that the best ranking may hold; None for all of them.

    Returns:
        Shape (Q,), in [0, 1]; NaN for a query without a relevant document.

    >>> ndcg(np.array([[0.0, 2.0]]), np.array([[2.0, 1.0]]), ideal_cut=1).round(4).tolist()
    [0.6309]
    """
    best = _discounted_gain(ideal[:, :ideal_cut])
    score = np.full(len(best), np.nan)
    np.divide(_discounted_gain(grades), best, out=score, where=best > 0)
    return score


def _discounted_gain(grades: NDArray[np.float64]) -> NDArray[np.float64]:
    if not grades.shape[1]:
        return np.zeros(len(grades))
    discounted = grades / np.log2(np.arange(2, grades.shape[1] + 2))
    # A running sum adds from the left whatever the width, so that the ideal ranking scores exactly 1.
    gain: NDArray[np.float64] = np.cumsum(discounted, axis=1)[:, -1]
    return gain
