"""The chunks behind the queries that differ most, taken from the runs of a measurement, for `report.html`."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from chunkgap.analysis.fusions import Fused
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.runs import Run
from chunkgap.records import Document, Query, ScoredChunk
from chunkgap.reports.query_hits import CHUNKS_PER_SCALE, QueryHits, ShownChunk, shown_chunk, widest_queries
from chunkgap.results import Results


def query_hits(
    results: Results, retrieval: Retrieval, fused: Fused, documents: Sequence[Document]
) -> Mapping[str, QueryHits]:
    """The first chunks at every scale of the queries that a reader will want to open; none without text."""
    if not documents:
        return {}
    rows = {query.query_id: row for row, query in enumerate(retrieval.labels.queries)}
    found = {}
    for query_id in widest_queries(results):
        row = rows[query_id]
        query = retrieval.labels.queries[row]
        places = {int(doc): place + 1 for place, doc in enumerate(fused.ranking.document[row]) if doc >= 0}
        found[query_id] = QueryHits(
            {run.scale: tuple(_chunks(run, row, query, places, documents)) for run in retrieval.first}
        )
    return found


def _chunks(
    run: Run, row: int, query: Query, places: Mapping[int, int], documents: Sequence[Document]
) -> Iterator[ShownChunk]:
    if run.text is None:
        return
    for place in np.flatnonzero(run.ranking.chunk[row, :CHUNKS_PER_SCALE] >= 0).tolist():
        chunk = run.text.table.chunk(int(run.ranking.chunk[row, place]), documents)
        yield shown_chunk(
            ScoredChunk(chunk, rank=place + 1, score=float(run.ranking.score[row, place])),
            spans=[(span.start, span.end) for span in query.spans if span.doc_id == chunk.doc_id],
            relevant=query.relevant.get(chunk.doc_id, 0) > 0,
            fused_rank=places.get(int(run.ranking.document[row, place])),
        )
