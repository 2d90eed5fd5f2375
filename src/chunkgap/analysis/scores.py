"""From runs to `scores[scale, phase, query]`, and to the scores of fused rankings."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis.runs import Labels, Run
from chunkgap.measures.answer_recall import answer_recall
from chunkgap.measures.scoring import score_documents, score_evidence
from chunkgap.measures.specification import ANSWER_MEASURES, DOCUMENT_MEASURES
from chunkgap.ranking import Cutoff, DocumentRanking, documents_within

Floats = NDArray[np.float64]


def score_run(measure: str, cutoff: Cutoff, run: Run, labels: Labels) -> Floats:
    """One measure of one run, shape (Q,); NaN where it is not defined for a query."""
    if measure in DOCUMENT_MEASURES:
        inside = documents_within(run.ranking, run.documents, cutoff)
        return score_documents(measure, run.documents.document, inside, labels.judgements, cutoff)
    if measure in ANSWER_MEASURES:
        answers = [query.answers for query in labels.queries]
        return answer_recall(answers, run.retrieved(cutoff), labels.normalised)
    return score_evidence(measure, labels.evidence.coverage(run.retrieved(cutoff)))


def score_scales(measure: str, cutoff: Cutoff, runs: Sequence[Sequence[Run]], labels: Labels) -> Floats:
    """One measure of all runs, shape (W, R, Q)."""
    return np.stack(
        [np.stack([score_run(measure, cutoff, run, labels) for run in phases]) for phases in runs]
    )


def score_fused(measure: str, cutoff: Cutoff, fused: DocumentRanking, labels: Labels) -> Floats | None:
    """One measure of a fused document ranking, shape (Q,); None where fusion has no such form.

    A fused ranking holds documents: cutoffs in chunks and measures of text are not defined on it. Under a token budget
    see `budget`.
    """
    if cutoff.unit != "documents" or measure not in DOCUMENT_MEASURES:
        return None
    inside = documents_within(None, fused, cutoff)
    return score_documents(measure, fused.document, inside, labels.judgements, cutoff)


def first_relevant(document: NDArray[np.int32], labels: Labels) -> tuple[int | None, ...]:
    """Rank, from 1, of the first relevant document of each query; None where none was retrieved."""
    relevant = labels.judgements.grades(document) > 0
    place = relevant.argmax(axis=1) if relevant.shape[1] else np.zeros(len(relevant), dtype=np.intp)
    return tuple(int(p) + 1 if row[p : p + 1].any() else None for p, row in zip(place, relevant, strict=True))
