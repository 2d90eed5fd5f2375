"""One scale in one phase: from chunk vectors to a run, with exact search beside the index that was chosen."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis.runs import Run, Text
from chunkgap.chunking import ChunkTable
from chunkgap.config import RetrievalSettings, Settings
from chunkgap.index import Index
from chunkgap.index.cache import cached_index
from chunkgap.index.exact import ExactIndex
from chunkgap.index.hnsw import EfReport, tune_ef
from chunkgap.index.remembered import Remembered
from chunkgap.index.retrieval import Wanted, distinct_vectors, retrieve


def lists_wanted(settings: Settings) -> Wanted:
    """What the cutoffs need of a list: beyond the largest, one document and one chunk more, so that ties are seen.

    Lists that are not to grow end at the depth.
    """
    if not settings.retrieval.grow:
        return Wanted(settings.fetch_depth())
    return Wanted(
        depth=max([settings.fetch_depth(), *(amount + 1 for amount in settings.amounts("chunks"))]),
        documents=settings.document_depth() + 1,
        budgets=settings.amounts("tokens"),
    )


@dataclass(frozen=True, eq=False)
class Placement:
    """The chunks of one scale and phase with their vectors.

    Attributes:
        text: Where the chunks lie.
        stored: float32 (m, d), vectors of the distinct texts of all placements.
        rows: (chunks,) row of each chunk's vector among them.
    """

    text: Text
    stored: NDArray[np.float32]
    rows: NDArray[np.int64]

    @property
    def vectors(self) -> NDArray[np.float32]:
        """The vector of each chunk (chunks, d): a copy."""
        return self.stored[self.rows]

    @property
    def table(self) -> ChunkTable:
        """The chunks."""
        return self.text.table


@dataclass(frozen=True, eq=False)
class Searched:
    """What came of searching one placement.

    Attributes:
        run: From the index that was chosen.
        exact: From exact search; the same object where that was chosen.
        index: Ready for more.
        rows: (chunks,) row of each chunk's vector in the index.
        agreement: Of HNSW with exact search, None where exact search was chosen.
        index_bytes: Of the HNSW file, None likewise.
        build_seconds: Wall clock of the build, now or when the cached index was built; None where nobody knows.
        warning: On the index cache, empty when all is well.
    """

    run: Run
    exact: Run
    index: Index
    rows: NDArray[np.int64]
    agreement: EfReport | None = None
    index_bytes: int | None = None
    build_seconds: float | None = None
    warning: str = ""


def search_placement(
    placement: Placement,
    queries: NDArray[np.float32],
    settings: RetrievalSettings,
    wanted: Wanted,
    *,
    seed: int,
    cache: Path | None,
    own: NDArray[np.intp] | None = None,
) -> Searched:
    """Index one placement and search it for all queries.

    Args:
        placement: Chunks and vectors.
        queries: (Q, d).
        settings: Which index, and how it is built.
        wanted: How far lists go.
        seed: Of the graph's levels.
        cache: Where HNSW indexes are kept; None keeps none.
        own: (Q,) corpus row of each query that is itself a document, -1 for others; they are not found. None: all are.
    """
    table = placement.table
    vectors, rows = distinct_vectors(placement.vectors)
    if len(rows) != len(table):
        raise ValueError(f"{len(rows)} vectors for {len(table)} chunks of scale {table.scale.name}")

    def run(index: Index) -> Run:
        ranking = retrieve(index, queries, rows, table, wanted, own=own)
        return Run(table.scale.name, ranking, placement.text, len(index))

    truth = ExactIndex(vectors)
    hits = truth.search(queries, wanted.depth)
    exact = run(Remembered(truth, queries, wanted.depth, hits))
    if settings.index == "exact":
        return Searched(exact, exact, truth, rows)
    found = cached_index(
        vectors, m=settings.m, ef_construction=settings.ef_construction, seed=seed, folder=cache
    )
    if len(found.index) != len(vectors):
        raise ValueError(
            f"an index of {len(found.index)} vectors, not {len(vectors)}, for scale {table.scale.name}"
        )
    agreement, hits = tune_ef(found.index, queries, hits[1], depth=wanted.depth, ef=settings.ef)
    approximate = run(Remembered(found.index, queries, wanted.depth, hits))
    size = found.index.size_bytes
    seconds = found.build_seconds
    return Searched(approximate, exact, found.index, rows, agreement, size, seconds, found.warning)


def search_deeper(
    searched: Searched, queries: NDArray[np.float32], wanted: Wanted, *, own: NDArray[np.intp] | None = None
) -> Run:
    """The same index again, for longer lists; `own` as in `search_placement`."""
    text = searched.run.text
    if text is None:
        raise ValueError("a searched placement has text")
    ranking = retrieve(searched.index, queries, searched.rows, text.table, wanted, own=own)
    return Run(text.table.scale.name, ranking, text, len(searched.index))
