"""`first_evidence`: how far up the first chunk with any evidence stands."""

import numpy as np
from numpy.typing import NDArray

from chunkgap.measures.evidence import Coverage


def first_evidence(coverage: Coverage) -> NDArray[np.float64]:
    """Reciprocal rank of the first chunk inside the cutoff that shares a character with a span.

    Ranks count from 1 among the chunks inside the cutoff: one that a token budget passes over is not read,
    and has no rank.

    Returns:
        Shape (Q,), in [0, 1], 0 when no chunk does; NaN for a query without spans.

    >>> one = np.array([1])
    >>> first_evidence(Coverage(one * 40, one * 100, one * 120, one * 39, one * 4)).tolist()
    [0.25]
    """
    found = coverage.first > 0
    return np.where(coverage.judged, np.where(found, 1.0 / np.maximum(coverage.first, 1), 0.0), np.nan)
