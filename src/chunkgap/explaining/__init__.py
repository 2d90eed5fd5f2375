"""One query across the scales: where its relevant documents stand, who voted for them, what stood above."""

from chunkgap.explaining.evidence import find_evidence
from chunkgap.explaining.explanation import (
    EvidencePlace,
    ExplainedScale,
    Explanation,
    FusedDocument,
    MeasureValues,
    Miss,
    RelevantDocument,
)
from chunkgap.explaining.finding import find_query
from chunkgap.explaining.lists import QueryLists, find_miss, find_relevant, first_fused
from chunkgap.ranking import Cutoff
from chunkgap.results import Results

__all__ = [
    "EvidencePlace",
    "ExplainedScale",
    "Explanation",
    "FusedDocument",
    "MeasureValues",
    "Miss",
    "QueryLists",
    "RelevantDocument",
    "explain",
    "find_query",
]

TOP = 3


def explain(results: Results, row: int, lists: QueryLists, *, top: int = TOP) -> Explanation:
    """Explain one query from its ranked chunks.

    Args:
        results: The measurement.
        row: The query's row in `results.per_query`.
        lists: Its ranked chunks at every scale, phase 0.
        top: Documents of the fusion to name.
    """
    per_query, cutoff = results.per_query, Cutoff.parse(results.endpoint.cutoff)
    scores = per_query.scores[results.endpoint.name]
    relevant = [find_relevant(lists, doc_id) for doc_id in lists.relevant]
    return Explanation(
        query_id=per_query.query_ids[row],
        text=per_query.texts[row],
        tags=per_query.tags[row],
        endpoint=results.endpoint.name,
        fusion=lists.rule,
        fused_value=scores.fusion[row] if scores.fusion else None,
        fused=first_fused(lists, top),
        scales=tuple(
            ExplainedScale(
                name=scale.name,
                best_fixed=scale.name == results.primary.best_fixed,
                value=scores.scales[place][row],
                retrieved=lists.rankings[scale.name].document.shape[1],
                miss=find_miss(lists, scale.name, cutoff),
                evidence=find_evidence(lists, scale.name, cutoff),
            )
            for place, scale in enumerate(results.scales)
        ),
        relevant=tuple(sorted(relevant, key=lambda found: (found.fused_rank is None, found.fused_rank or 0))),
        measures=tuple(
            MeasureValues(
                name,
                tuple(column[row] for column in found.scales),
                found.fusion[row] if found.fusion else None,
            )
            for name, found in per_query.scores.items()
            if name != results.endpoint.name
        ),
    )
