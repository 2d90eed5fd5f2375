"""From the name of a measure to its scores."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from chunkgap.measures.complete_evidence import complete_evidence
from chunkgap.measures.evidence import Coverage
from chunkgap.measures.evidence_iou import evidence_iou, evidence_iou_sum
from chunkgap.measures.evidence_precision import evidence_precision, evidence_precision_sum
from chunkgap.measures.evidence_recall import evidence_recall
from chunkgap.measures.first_evidence import first_evidence
from chunkgap.measures.judgements import Judgements
from chunkgap.measures.ndcg import ndcg
from chunkgap.measures.recall import recall
from chunkgap.measures.retrieved import reached
from chunkgap.measures.rr import rr
from chunkgap.measures.success import success
from chunkgap.ranking import Cutoff

_OF_GRADES: Mapping[str, Callable[[NDArray[np.float64], NDArray[np.int64]], NDArray[np.float64]]] = {
    "recall": recall,
    "success": success,
    "rr": rr,
}
_OF_COVERAGE: Mapping[str, Callable[[Coverage], NDArray[np.float64]]] = {
    "evidence_recall": evidence_recall,
    "evidence_precision": evidence_precision,
    "evidence_precision_sum": evidence_precision_sum,
    "evidence_iou": evidence_iou,
    "evidence_iou_sum": evidence_iou_sum,
    "complete_evidence": complete_evidence,
    "first_evidence": first_evidence,
}


def score_documents(
    name: str, document: NDArray[np.int32], inside: NDArray[np.bool_], judgements: Judgements, cutoff: Cutoff
) -> NDArray[np.float64]:
    """A document measure of every query, shape (Q,).

    `ndcg` is held against the best ranking of as many documents as the cutoff could hold at most: 5 for `5`
    and for `5c`, where five chunks may come from five documents. A token budget promises no number of
    documents, so there it is all relevant ones: a best ranking that shrank with the run would reward
    retrieving little. Ranks count the documents inside the cutoff: one that a token budget passes over has
    none.

    Args:
        name: One of `DOCUMENT_MEASURES`.
        document: Corpus rows in rank order, shape (Q, M), padded with -1.
        inside: Which of them the cutoff takes, shape (Q, M).
        judgements: Of the same queries.
        cutoff: The cutoff behind `inside`.
    """
    grades = _grades_by_rank(document, inside, judgements)
    if name == "ndcg":
        ideal_cut = None if cutoff.unit == "tokens" else cutoff.amount
        return ndcg(grades, judgements.ideal, ideal_cut=ideal_cut)
    return _OF_GRADES[name](grades, judgements.relevant)


def score_evidence(name: str, coverage: Coverage) -> NDArray[np.float64]:
    """An evidence measure, one of `EVIDENCE_MEASURES`, of every query, shape (Q,)."""
    return _OF_COVERAGE[name](coverage)


def _grades_by_rank(
    document: NDArray[np.int32], inside: NDArray[np.bool_], judgements: Judgements
) -> NDArray[np.float64]:
    """Grades of the documents inside the cutoff, moved together, 0 behind the last."""
    width = reached(inside)
    document, inside = document[:, :width], inside[:, :width]
    grades = np.where(inside, judgements.grades(document), 0.0)
    return np.take_along_axis(grades, np.argsort(~inside, axis=1, kind="stable"), axis=1)
