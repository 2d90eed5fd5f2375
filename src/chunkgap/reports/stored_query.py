"""A query's ranked chunks, read back from the files of a measurement, with what text and evidence is left."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis import main_fusion
from chunkgap.chunking import content_digest
from chunkgap.explaining import Explanation, QueryLists, explain, find_query
from chunkgap.fusion import Fusion, Reach
from chunkgap.ranking import Ranking
from chunkgap.records import Chunk, Document, ScoredChunk, Span
from chunkgap.reports.artifacts import read_results
from chunkgap.reports.hits import Hit, read_hits
from chunkgap.reports.query_hits import (
    CHUNKS_PER_SCALE,
    EXCERPT,
    QueryHits,
    ShownChunk,
    shown_chunk,
    widest_queries,
)
from chunkgap.rereading import Reread, read_relevant, read_settings, reread
from chunkgap.results import Results


@dataclass(frozen=True, slots=True)
class StoredQuery:
    """One query explained, and its first chunks by scale.

    Attributes:
        remarks: What is gone or has changed since the measurement.
    """

    explanation: Explanation
    chunks: QueryHits
    remarks: tuple[str, ...]


def explain_stored(
    out: Path,
    query: str,
    *,
    corpus: Path | None = None,
    queries: Path | None = None,
    top: int,
    excerpt: int | None = EXCERPT,
) -> StoredQuery:
    """Explain one query of a measurement, from its files, the corpus and the queries.

    Args:
        out: The folder of the measurement.
        query: The query's id, or a part of its text.
        corpus: Where the corpus lies now; None: where it lay.
        queries: Where the queries lie now; None: where they lay.
        top: Chunks of each scale, and documents of the fusion, to show.
        excerpt: Code points of a chunk to show; None: all.

    Raises:
        ResultsError: The folder cannot be read.
        InputError: No query, or more than one, is meant; or `corpus` or `queries` cannot be read.
    """
    results = read_results(out)
    row = find_query(results, query)
    stored = _Stored.open(out, results, corpus, queries)
    query_id = results.per_query.query_ids[row]
    hits = read_hits(out, [query_id])[query_id]
    lists = stored.lists(query_id, hits)
    explanation = explain(results, row, lists, top=top)
    chunks = stored.shown(query_id, hits, lists, top=top, excerpt=excerpt)
    return StoredQuery(explanation, chunks, (*stored.again.remarks, *stored.remarks(query_id, hits)))


def stored_query_hits(
    out: Path, results: Results, *, corpus: Path | None = None, queries: Path | None = None
) -> tuple[Mapping[str, QueryHits], Sequence[str]]:
    """The first chunks of the queries that readers of `report.html` want to open; none without the corpus.

    Args:
        out: The folder of the measurement.
        results: What stands in it.
        corpus: Where the corpus lies now; None: where it lay.
        queries: Where the queries lie now; None: where they lay.

    Returns:
        The chunks by query, and what is gone or has changed since the measurement.

    Raises:
        ResultsError: A file of the folder cannot be read.
        InputError: `corpus` or `queries` cannot be read.
    """
    stored = _Stored.open(out, results, corpus, queries)
    if not stored.again.documents:
        return {}, stored.again.remarks
    return dict(_widest(out, results, stored)), stored.again.remarks


def _widest(out: Path, results: Results, stored: "_Stored") -> Iterator[tuple[str, QueryHits]]:
    for query_id, hits in read_hits(out, widest_queries(results)).items():
        lists = stored.lists(query_id, hits)
        yield query_id, stored.shown(query_id, hits, lists, top=CHUNKS_PER_SCALE, excerpt=EXCERPT)


@dataclass(frozen=True)
class _Stored:
    """What all queries of a measurement are explained from."""

    scales: Sequence[str]
    again: Reread
    relevant: Mapping[str, Sequence[str]]
    rule: Fusion
    reach: Reach

    @classmethod
    def open(cls, out: Path, results: Results, corpus: Path | None, queries: Path | None) -> "_Stored":
        """Read what does not depend on the query."""
        settings = read_settings(out)
        return cls(
            scales=[scale.name for scale in results.scales],
            again=reread(results, settings, out=out, corpus=corpus, queries=queries),
            relevant=read_relevant(out),
            rule=main_fusion(settings),
            reach=settings.reach(),
        )

    def lists(self, query_id: str, hits: Sequence[Hit]) -> QueryLists:
        """The rankings of one query, whose documents are numbered in the order that breaks ties."""
        relevant = self.relevant.get(query_id, ())
        doc_ids = sorted({*relevant, *(hit.doc_id for hit in hits)})
        row_of = {doc_id: row for row, doc_id in enumerate(doc_ids)}
        of_scale = {name: _of_scale(hits, name) for name in self.scales}
        return QueryLists(
            rankings={name: _ranking(found, row_of) for name, found in of_scale.items()},
            doc_ids=doc_ids,
            relevant=relevant,
            rule=self.rule,
            reach=self.reach,
            spans=() if self._moved(query_id, hits) else self._spans(query_id),
            places=dict(_places(of_scale)),
        )

    def remarks(self, query_id: str, hits: Sequence[Hit]) -> tuple[str, ...]:
        """What cannot be told of one query."""
        if not self._moved(query_id, hits):
            return ()
        return (
            "Where its evidence lay cannot be told, for chunks of the same documents are gone or have changed.",
        )

    def shown(
        self, query_id: str, hits: Sequence[Hit], lists: QueryLists, *, top: int, excerpt: int | None
    ) -> QueryHits:
        """The first chunks of one query at every scale."""
        spans, documents = self._spans(query_id), self.again.documents
        return QueryHits(
            {
                name: tuple(
                    _shown(hit, documents, spans, lists, excerpt) for hit in _of_scale(hits, name)[:top]
                )
                for name in self.scales
            }
        )

    def _spans(self, query_id: str) -> tuple[Span, ...]:
        asked = self.again.queries.get(query_id)
        return asked.spans if asked else ()

    def _moved(self, query_id: str, hits: Sequence[Hit]) -> bool:
        """Whether spans may lie elsewhere than they lay, since a chunk of one of their documents does."""
        evident = {span.doc_id for span in self._spans(query_id)}
        documents = self.again.documents
        return any(
            hit.start is not None and _found(hit, documents) is None for hit in hits if hit.doc_id in evident
        )


def _of_scale(hits: Sequence[Hit], scale: str) -> list[Hit]:
    return sorted((hit for hit in hits if hit.scale == scale), key=lambda hit: hit.rank)


def _ranking(hits: Sequence[Hit], row_of: Mapping[str, int]) -> Ranking:
    return Ranking(
        chunk=np.arange(len(hits), dtype=np.int32)[None],
        document=np.array([[row_of[hit.doc_id] for hit in hits]], dtype=np.int32),
        score=np.array([[hit.score for hit in hits]], dtype=np.float64),
        tokens=np.array([[hit.tokens or 0 for hit in hits]], dtype=np.int32),
    )


def _places(of_scale: Mapping[str, Sequence[Hit]]) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """The range of every chunk, by scale; none where runs came without text."""
    for name, hits in of_scale.items():
        ranges = [(hit.start, hit.end) for hit in hits]
        if all(start is not None and end is not None for start, end in ranges):
            yield name, np.array(ranges, dtype=np.int64).reshape(-1, 2)


def _shown(
    hit: Hit,
    documents: Mapping[str, Document],
    spans: Sequence[Span],
    lists: QueryLists,
    excerpt: int | None,
) -> ShownChunk:
    """The chunk with as much of its text as is to be shown, without any where that is gone or has changed."""
    relevant, fused_rank = hit.doc_id in lists.relevant, lists.fused_ranks.get(hit.doc_id)
    found = _found(hit, documents)
    if found is None:
        return ShownChunk(
            hit.doc_id, hit.rank, hit.score, hit.start, hit.end, "", relevant=relevant, fused_rank=fused_rank
        )
    return shown_chunk(
        found,
        spans=[(span.start, span.end) for span in spans if span.doc_id == hit.doc_id],
        relevant=relevant,
        fused_rank=fused_rank,
        limit=len(found.chunk.text) if excerpt is None else excerpt,
    )


def _found(hit: Hit, documents: Mapping[str, Document]) -> ScoredChunk | None:
    """The chunk with its text, None where runs came without text, or its document is gone or no longer holds it."""
    document = documents.get(hit.doc_id)
    if document is None or hit.chunk_id is None or hit.start is None or hit.end is None:
        return None
    text = document.text[hit.start : hit.end]
    if content_digest(text) != hit.digest:
        return None
    chunk = Chunk(hit.chunk_id, hit.doc_id, hit.start, hit.end, tokens=hit.tokens or 0, text=text)
    return ScoredChunk(chunk, hit.rank, hit.score)
