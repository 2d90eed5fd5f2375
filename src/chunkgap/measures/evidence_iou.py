"""`evidence_iou`: how nearly the retrieved text is the evidence and nothing else, in two forms."""

import numpy as np
from numpy.typing import NDArray

from chunkgap.measures.evidence import Coverage
from chunkgap.measures.ratio import ratio


def evidence_iou(coverage: Coverage) -> NDArray[np.float64]:
    """Intersection over union, or Jaccard index, of the retrieved text and the evidence.

    covered / (retrieved + required - covered), with the retrieved chunks united.

    Returns:
        Shape (Q,), in [0, 1], 0 without results; NaN for a query without spans.

    >>> one = np.array([1])
    >>> evidence_iou(Coverage(one * 30, one * 100, one * 120, one * 30, one)).tolist()
    [0.3]
    """
    return _iou(coverage, coverage.retrieved)


def evidence_iou_sum(coverage: Coverage) -> NDArray[np.float64]:
    """The same with the chunks' lengths added up: covered / (summed + required - covered).

    Never above the union form. Source: the IoU of Smith and Troynikov, "Evaluating Chunking Strategies for
    Retrieval", Chroma (2024), whose denominator counts repeated text each time.

    Returns:
        Shape (Q,), in [0, 1], 0 without results; NaN for a query without spans.

    >>> one = np.array([1])
    >>> evidence_iou_sum(Coverage(one * 30, one * 100, one * 120, one * 30, one)).tolist()
    [0.25]
    """
    return _iou(coverage, coverage.summed)


def _iou(coverage: Coverage, text: NDArray[np.int64]) -> NDArray[np.float64]:
    missed = coverage.required - coverage.covered
    return np.where(coverage.judged, ratio(coverage.covered, text + missed), np.nan)
