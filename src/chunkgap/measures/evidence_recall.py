"""`evidence_recall`: how much of the evidence was retrieved."""

import numpy as np
from numpy.typing import NDArray

from chunkgap.measures.evidence import Coverage
from chunkgap.measures.ratio import ratio


def evidence_recall(coverage: Coverage) -> NDArray[np.float64]:
    """Characters of evidence inside the retrieved chunks / characters of evidence, both as unions.

    Source: Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma (2024), who count
    tokens in the paper and characters in the code, and do not unite overlapping spans.

    Returns:
        Shape (Q,), in [0, 1], 0 without results; NaN for a query without spans.

    >>> one = np.array([1])
    >>> evidence_recall(Coverage(one * 40, one * 100, one * 120, one * 30, one)).tolist()
    [0.75]
    """
    return ratio(coverage.covered, coverage.required)
