"""`complete_evidence`: whether the whole evidence was retrieved."""

import numpy as np
from numpy.typing import NDArray

from chunkgap.measures.evidence import Coverage


def complete_evidence(coverage: Coverage) -> NDArray[np.float64]:
    """1 when the retrieved chunks together cover every span to its last character, else 0.

    Returns:
        Shape (Q,), 0 or 1; NaN for a query without spans.

    >>> one = np.array([1])
    >>> complete_evidence(Coverage(one * 40, one * 100, one * 120, one * 39, one)).tolist()
    [0.0]
    """
    return np.where(coverage.judged, coverage.covered == coverage.required, np.nan)
