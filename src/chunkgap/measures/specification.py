"""The names of the measures, and which cutoffs each accepts."""

from chunkgap.ranking import Cutoff

DOCUMENT_MEASURES = ("recall", "success", "ndcg", "rr")
EVIDENCE_MEASURES = (
    "evidence_recall",
    "evidence_precision",
    "evidence_precision_sum",
    "evidence_iou",
    "evidence_iou_sum",
    "complete_evidence",
    "first_evidence",
)
ANSWER_MEASURES = ("answer_recall",)
MEASURES = DOCUMENT_MEASURES + EVIDENCE_MEASURES + ANSWER_MEASURES


def accepts(name: str, cutoff: Cutoff) -> bool:
    """Whether a measure is defined at a cutoff.

    Document measures are, at all of them. Evidence and answer measures judge the text that was read; "the
    first 5 documents" does not say how much of each was, so they take chunks and tokens alone.
    """
    return name in DOCUMENT_MEASURES or cutoff.unit != "documents"
