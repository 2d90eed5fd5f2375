"""Where the evidence of one query is first touched, and how much of it the cutoff takes."""

import numpy as np

from chunkgap.explaining.explanation import EvidencePlace
from chunkgap.explaining.lists import QueryLists
from chunkgap.measures.evidence import Evidence
from chunkgap.measures.retrieved import Retrieved
from chunkgap.ranking import Cutoff, within
from chunkgap.records import Query


def find_evidence(lists: QueryLists, scale: str, cutoff: Cutoff) -> EvidencePlace | None:
    """The first chunk of a scale that touches evidence, None without spans or without places of chunks."""
    places = lists.places.get(scale)
    if not lists.spans or places is None:
        return None
    ranking = lists.rankings[scale]
    present, inside = ranking.chunk >= 0, within(ranking, cutoff)
    start, end = places[None, :, 0], places[None, :, 1]
    evidence = Evidence.of([Query("", "", spans=tuple(lists.spans))], lists.doc_ids)
    touched = np.flatnonzero(evidence.touched(Retrieved(ranking.document, start, end, present))[0])
    coverage = evidence.coverage(Retrieved(ranking.document, start, end, inside))
    first = int(touched[0]) if len(touched) else None
    return EvidencePlace(
        rank=None if first is None else first + 1,
        doc_id=None if first is None else lists.doc_ids[ranking.document[0, first]],
        score=None if first is None else float(ranking.score[0, first]),
        above=lists.counted(ranking.document[0, :first].tolist()),
        inside=first is not None and bool(inside[0, first]),
        required=int(coverage.required[0]),
        covered=None if _is_cut(lists, scale, cutoff) else int(coverage.covered[0]),
    )


def _is_cut(lists: QueryLists, scale: str, cutoff: Cutoff) -> bool:
    """Whether the first chunk is larger than a token budget."""
    tokens = lists.rankings[scale].tokens[0]
    return cutoff.unit == "tokens" and len(tokens) > 0 and int(tokens[0]) > cutoff.amount
