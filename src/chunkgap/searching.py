"""One scale in one phase: from chunk vectors to a run, with exact search beside the index that was chosen."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis.runs import Run, Text
from chunkgap.chunking import ChunkTable
from chunkgap.config import RetrievalSettings, Settings
from chunkgap.index import Hits, Index
from chunkgap.index.answers import HITS, Answer, Answers, KeptIndex, hits_of
from chunkgap.index.cache import cached_index
from chunkgap.index.exact import ExactIndex
from chunkgap.index.files import digest_of
from chunkgap.index.hnsw import SHARE_WANTED, EfReport, HnswIndex, library_version, tune_ef
from chunkgap.index.retrieval import Wanted, distinct_vectors, retrieve
from chunkgap.progress import Advance


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
        rows: (chunks,) row of each chunk's vector in the index.
        index: Ready for more; None once it is let go.
        kept: The same, not searching twice for the same queries.
        agreement: Of HNSW with exact search, None where exact search was chosen.
        index_bytes: Of the HNSW file, None likewise.
        build_seconds: Wall clock of the build, now or when the cached index was built; None where nobody knows.
        warnings: On the caches of indexes and findings; a later search may add to them.
    """

    run: Run
    exact: Run
    rows: NDArray[np.int64]
    index: Index | None
    kept: KeptIndex | None
    agreement: EfReport | None = None
    index_bytes: int | None = None
    build_seconds: float | None = None
    warnings: Sequence[str] = ()

    def without_index(self) -> "Searched":
        """All but the index, whose vectors and graph are the most of a measurement's memory."""
        return replace(self, index=None, kept=None)


def search_placement(
    placement: Placement,
    queries: NDArray[np.float32],
    settings: RetrievalSettings,
    wanted: Wanted,
    *,
    seed: int,
    cache: Path | None,
    own: NDArray[np.intp] | None = None,
    advance: Advance = lambda _vectors: None,
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
        advance: Told of the vectors that were indexed, every thousand or so; what it raises ends the building.
    """
    table = placement.table
    vectors, rows = distinct_vectors(placement.vectors)
    if len(rows) != len(table):
        raise ValueError(f"{len(rows)} vectors for {len(table)} chunks of scale {table.scale.name}")

    def run(index: Index, hits: Hits) -> Run:
        ranking = retrieve(index, queries, rows, table, wanted, own=own, first=hits)
        return Run(table.scale.name, ranking, placement.text, len(index))

    digest = digest_of(vectors) if cache else ""
    answers = Answers(cache, (digest,))
    truth = ExactIndex(vectors)
    kept = KeptIndex(truth, answers.about("exact"))
    hits = kept.search(queries, wanted.depth)
    exact = run(kept, hits)
    if settings.index == "exact":
        return Searched(exact, exact, rows, truth, kept, warnings=answers.warnings)
    m, breadth = settings.m, settings.ef_construction
    found = cached_index(
        vectors, m=m, ef_construction=breadth, seed=seed, folder=cache, digest=digest, advance=advance
    )
    if len(found.index) != len(vectors):
        raise ValueError(
            f"an index of {len(found.index)} vectors, not {len(vectors)}, for scale {table.scale.name}"
        )
    if found.warning:
        answers.warnings.append(found.warning)
    answers = answers.about("hnsw", library_version(), m, breadth, seed)
    agreement, hits = _tune(found.index, queries, hits, wanted.depth, settings.ef, answers)
    kept = KeptIndex(found.index, answers.about(found.index.ef))
    return Searched(
        run(kept, hits),
        exact,
        rows,
        found.index,
        kept,
        agreement,
        index_bytes=found.index.size_bytes,
        build_seconds=found.build_seconds,
        warnings=answers.warnings,
    )


def search_deeper(
    searched: Searched, queries: NDArray[np.float32], wanted: Wanted, *, own: NDArray[np.intp] | None = None
) -> Run:
    """The same index again, for longer lists; `own` as in `search_placement`."""
    text, index = searched.run.text, searched.kept
    if text is None or index is None:
        raise ValueError("only a placement that still has its index is searched again")
    ranking = retrieve(index, queries, searched.rows, text.table, wanted, own=own)
    return Run(text.table.scale.name, ranking, text, len(index))


def _tune(
    index: HnswIndex, queries: NDArray[np.float32], exact: Hits, depth: int, ef: int | None, answers: Answers
) -> tuple[EfReport, Hits]:
    """`tune_ef`, now or when it was done before."""

    def tune() -> Answer:
        report, (rows, scores) = tune_ef(index, queries, exact[1], depth=depth, ef=ef)
        return {"rows": rows, "scores": scores, "report": np.array(astuple(report))}

    question = ("tune_ef", SHARE_WANTED, digest_of(queries), ef, depth)
    answer = answers.get(*question, names=HITS | {"report"}, ask=tune)
    breadth, share, missing, fallbacks = answer["report"].tolist()
    index.ef = int(breadth)
    return EfReport(int(breadth), share, int(missing), int(fallbacks)), hits_of(answer)
