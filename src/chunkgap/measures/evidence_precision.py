"""`evidence_precision`: how much of the retrieved text is evidence, in two forms."""

import numpy as np
from numpy.typing import NDArray

from chunkgap.measures.evidence import Coverage
from chunkgap.measures.ratio import ratio


def evidence_precision(coverage: Coverage) -> NDArray[np.float64]:
    """Characters of evidence retrieved / characters of the union of the retrieved chunks.

    Returns:
        Shape (Q,), in [0, 1], 0 without results; NaN for a query without spans.

    >>> one = np.array([1])
    >>> evidence_precision(Coverage(one * 40, one * 100, one * 120, one * 30, one)).tolist()
    [0.3]
    """
    return _precision(coverage, coverage.retrieved)


def evidence_precision_sum(coverage: Coverage) -> NDArray[np.float64]:
    """Characters of evidence retrieved / characters of the retrieved chunks added up.

    Text that overlapping chunks repeat is paid for each time, as a prompt pays for it; never above the union
    form. Source: the precision of Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma
    (2024).

    Returns:
        Shape (Q,), in [0, 1], 0 without results; NaN for a query without spans.

    >>> one = np.array([1])
    >>> evidence_precision_sum(Coverage(one * 40, one * 100, one * 120, one * 30, one)).tolist()
    [0.25]
    """
    return _precision(coverage, coverage.summed)


def _precision(coverage: Coverage, text: NDArray[np.int64]) -> NDArray[np.float64]:
    precision = np.nan_to_num(ratio(coverage.covered, text), nan=0.0)
    return np.where(coverage.judged, precision, np.nan)
