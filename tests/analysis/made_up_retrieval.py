"""Retrievals made of ranks: where each query's one relevant document stands at every scale and phase."""

from collections.abc import Sequence

import numpy as np

from chunkgap.analysis.endpoints import Endpoint, score_endpoint, score_fused_rows
from chunkgap.analysis.fusions import Fused, fuse_scales
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.runs import Labels, Run, Text
from chunkgap.chunking import chunk_corpus
from chunkgap.fusion import PRESETS, Reach
from chunkgap.ranking import rank_chunks
from chunkgap.records import Document, Query, Scale
from chunkgap.results import PhaseFacts, ScaleFacts
from chunkgap.statistics import Draws, query_clusters

LENGTH = 10


def retrieval_of(
    ranks: Sequence[Sequence[Sequence[int]]],
    *,
    documents: int = 1000,
    queries: Sequence[Query] | None = None,
    vectors: Sequence[int] | None = None,
) -> Retrieval:
    """Runs without text over `documents` documents.

    Args:
        ranks: `[scale][phase][query]`, rank of document q for query q, from 1; 0 where it is not among the ten.
        queries: Own queries in place of one per document with a tag `half`.
        vectors: Per scale; 10, 20, 30 by default.
    """
    count = len(ranks[0][0])
    asked = queries or [
        Query(f"q{row}", f"question {row}", {f"d{row:04d}": 1.0}, tags={"half": str(2 * row // count)})
        for row in range(count)
    ]
    doc_ids = [f"d{row:04d}" for row in range(documents)]
    names = [str(50 * 2**row) for row in range(len(ranks))]
    runs = tuple(
        tuple(run_of(name, places, documents) for places in phases)
        for name, phases in zip(names, ranks, strict=True)
    )
    sizes = vectors or [10 * (row + 1) for row in range(len(ranks))]
    scales = tuple(
        ScaleFacts(
            name,
            int(name),
            0,
            size * 4,
            None,
            False,
            tuple(facts(phase, size) for phase in range(len(ranks[0]))),
        )
        for name, size in zip(names, sizes, strict=True)
    )
    return Retrieval(scales, runs, Labels.of(asked, doc_ids), doc_ids)


def run_of(name: str, places: Sequence[int], documents: int) -> Run:
    """Ten documents per query: its own at the given rank, others elsewhere."""
    query, row, score = [], [], []
    for q, place in enumerate(places):
        fillers = (doc for doc in range(documents) if doc != q)
        for rank in range(1, min(LENGTH, documents) + 1):
            query.append(q)
            row.append(q if rank == place else next(fillers, q))
            score.append(1 / rank)
    own = np.arange(documents)
    ranking = rank_chunks(
        np.array(query),
        np.array(row),
        np.array(score),
        queries=len(places),
        document=own,
        tokens=np.ones_like(own),
    )
    return Run(name, ranking)


def facts(phase: int, vectors: int, **changed: object) -> PhaseFacts:
    values = {
        "phase": phase, "chunks": vectors, "vectors": vectors, "mean_tokens": 1.0, "blank": 0, "single": 0,
        "long": 0.0, "unread": 0.0, "ef": None, "found": 1.0, "flipped": 0, "tied": 0,
    }  # fmt: skip
    return PhaseFacts(**(values | changed))


def endpoint_of(retrieval: Retrieval, measure: str = "recall", cutoff: str = "1") -> Endpoint:
    clusters = query_clusters([sorted(query.relevant) for query in retrieval.labels.queries])
    draws = Draws(clusters, resamples=200)
    endpoint = score_endpoint(measure, cutoff, retrieval, draws)
    return score_fused_rows(endpoint, fused_of(retrieval), (), retrieval.labels)


def fused_of(retrieval: Retrieval) -> tuple[Fused, ...]:
    return fuse_scales(retrieval, PRESETS["rrf60"], Reach(LENGTH))


def text_of(documents: Sequence[str], size: int, name: str | None = None) -> Text:
    """One character is one token."""
    offsets = [np.arange(len(text) + 1) for text in documents]
    scale = Scale(name or str(size), size)
    return Text(
        chunk_corpus([Document(f"d{row}", text) for row, text in enumerate(documents)], offsets, scale),
        offsets,
    )


def text_run(text: Text, hits: Sequence[Sequence[tuple[int, float]]]) -> Run:
    """A run over the chunks of `text`: per query, chunk rows with their scores."""
    flat = [(q, row, score) for q, found in enumerate(hits) for row, score in found]
    query, row, score = (np.array(column) for column in zip(*flat, strict=True))
    table = text.table
    ranking = rank_chunks(query, row, score, queries=len(hits), document=table.document, tokens=table.tokens)
    return Run(table.scale.name, ranking, text)
