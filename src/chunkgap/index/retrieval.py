"""From an index to ranked chunks: identical vectors expanded, lists grown until a cutoff can be counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chunkgap.index import Hits, Index
from chunkgap.index.further import NO_HITS, LooseHits, further_documents
from chunkgap.ranking import Cutoff, Ranking, rank_chunks, within, without

_HITS_AT_ONCE = 1_000_000


class Chunks(Protocol):
    """What retrieval has to know of a chunk table."""

    @property
    def document(self) -> NDArray[np.int32]:
        """Document row of each chunk (chunks,)."""
        ...

    @property
    def tokens(self) -> NDArray[np.int32]:
        """Tokens of each chunk (chunks,)."""
        ...


def distinct_vectors(vectors: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Keep each vector once, in the order of its first chunk: many equal vectors hide others in HNSW.

    Args:
        vectors: (chunks, d).

    Returns:
        The distinct vectors (n, d), and the row (chunks,) of each chunk's vector among them.
    """
    vectors = np.ascontiguousarray(vectors, dtype=np.float32)
    alike = _alike(vectors)
    if not len(alike):
        return vectors, np.arange(len(vectors))
    seen: dict[bytes, int] = {}
    first = np.arange(len(vectors))
    first[alike] = [seen.setdefault(vectors[row].tobytes(), row) for row in alike.tolist()]
    kept, expansion = np.unique(first, return_inverse=True)
    return vectors[kept], expansion


def _alike(vectors: NDArray[np.float32]) -> NDArray[np.intp]:
    """Rows that may equal another: those whose weighted sum of bits, modulo 2**64, occurs twice."""
    weights = np.random.default_rng(0).integers(2**64, size=vectors.shape[1], dtype=np.uint64)
    sums = np.einsum("nd,d->n", vectors.view(np.uint32), weights, dtype=np.uint64)
    _, first, count = np.unique(sums, return_inverse=True, return_counts=True)
    return np.flatnonzero(count[first] > 1)


@dataclass(frozen=True, slots=True)
class Wanted:
    """How far a list goes.

    Attributes:
        depth: Chunks that it holds at least, 1 or more.
        documents: Distinct documents that it shows, or all there are; ask for one more than the largest cutoff to see
            ties across it.
        budgets: Token budgets that it can fill, so that no chunk further on would still fit.
    """

    depth: int
    documents: int = 0
    budgets: tuple[int, ...] = ()


def retrieve(
    index: Index,
    queries: NDArray[np.float32],
    expansion: NDArray[np.integer],
    table: Chunks,
    wanted: Wanted,
    *,
    own: NDArray[np.integer] | None = None,
    first: Hits | None = None,
) -> Ranking:
    """Rank the chunks of every query.

    A list holds all chunks as far as depth and budgets need them. Where these show too few documents it goes on with
    the best chunk of each further document alone.

    Args:
        index: Over the distinct vectors, in the order of their first chunk, as `distinct_vectors` gives them.
        queries: (Q, d) unit vectors, zero where undefined.
        expansion: (chunks,) row of each chunk's vector in the index.
        table: The chunks.
        wanted: How far lists go.
        own: (Q,) corpus row of a document that the query must not find, -1 for none; None: every query may find all.
        first: What `index.search(queries, wanted.depth)` gives, where that is known already.
    """
    expanding = _Expanding(len(index), expansion, table, wanted)
    barred = np.full(len(queries), -1) if own is None else own
    hits, pending, reach = [NO_HITS], np.arange(len(queries)), wanted.depth
    while len(pending):
        at_once = max(1, _HITS_AT_ONCE // reach)
        short = []
        for start in range(0, len(pending), at_once):
            batch = pending[start : start + at_once]
            if first is None or reach > wanted.depth:
                rows, scores = index.search(queries[batch], reach)
            else:
                rows, scores = first[0][batch], first[1][batch]
            ranking, places, complete = expanding.lists(rows, scores, barred[batch], reach)
            hits.append(_hits(ranking, np.where(complete, places, 0), batch))
            short.append(batch[~complete])
        pending, reach = np.concatenate(short), 2 * reach
    ranking = _ranked(hits, len(queries), table)
    documents = np.unique(table.document)
    enough = np.minimum(wanted.documents, len(documents) - np.isin(barred, documents))
    further = further_documents(ranking, queries, index.vectors, expansion, table.document, enough, barred)
    return _ranked([*hits, further], len(queries), table) if len(further[0]) else ranking


def _ranked(hits: Sequence[LooseHits], queries: int, table: Chunks) -> Ranking:
    query, chunk, score = (np.concatenate(column) for column in zip(*hits, strict=True))
    return rank_chunks(query, chunk, score, queries=queries, document=table.document, tokens=table.tokens)


class _Expanding:
    """The chunks of each vector of one index, and what lists of them have to hold."""

    def __init__(self, vectors: int, expansion: NDArray[np.integer], table: Chunks, wanted: Wanted) -> None:
        self._table = table
        self._wanted = wanted
        # the chunks of vector v are _chunk[_start[v] : _start[v] + _count[v]], ascending
        self._count = np.bincount(expansion, minlength=vectors)
        self._start = np.cumsum(self._count) - self._count
        self._chunk = np.argsort(expansion, kind="stable")
        self._smallest = max(1, int(table.tokens.min())) if len(table.tokens) else 1

    def lists(
        self,
        rows: NDArray[np.int32],
        scores: NDArray[np.float64],
        own: NDArray[np.integer],
        reach: int,
    ) -> tuple[Ranking, NDArray[np.int64], NDArray[np.bool_]]:
        """The first `reach` chunks, how many of them a list holds (Q,), and which lists are complete (Q,).

        Args:
            rows: (Q, k) nearest vectors, k = min(reach, vectors).
            scores: (Q, k) theirs.
            own: (Q,) as `retrieve`.
            reach: Chunks.
        """
        ranking = self._expand(rows, scores, reach)
        if (own >= 0).any():
            ranking = without(ranking, own)
        places, filled = self._filled(ranking)
        complete = ((ranking.chunk >= 0).sum(axis=1) >= places) & filled
        return ranking, places, complete | (reach >= len(self._chunk))

    def _expand(self, rows: NDArray[np.int32], scores: NDArray[np.float64], depth: int) -> Ranking:
        """The first `depth` chunks.

        The first `depth` vectors hold them all: vectors are in the order of their first chunk, so each vector before
        another has a chunk before all of the other's.
        """
        count = np.minimum(self._count[rows], depth).ravel()
        within_vector = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        chunk = self._chunk[np.repeat(self._start[rows].ravel(), count) + within_vector]
        return rank_chunks(
            np.repeat(np.repeat(np.arange(len(rows)), rows.shape[1]), count),
            chunk,
            np.repeat(scores.ravel(), count),
            queries=len(rows),
            document=self._table.document,
            tokens=self._table.tokens,
            depth=depth,
        )

    def _filled(self, ranking: Ranking) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Places (Q,) that depth and budgets need of each list, and whether it fills all budgets (Q,)."""
        places = np.full(len(ranking.chunk), self._wanted.depth)
        filled = np.ones(len(ranking.chunk), dtype=bool)
        for budget in self._wanted.budgets:
            taken = within(ranking, Cutoff(budget, "tokens"))
            left = budget - np.where(taken, ranking.tokens, 0).sum(axis=1)
            filled &= left < self._smallest
            places = np.maximum(places, (taken * np.arange(1, taken.shape[1] + 1)).max(axis=1, initial=0))
        return places, filled


def _hits(ranking: Ranking, places: NDArray[np.int64], queries: NDArray[np.int64]) -> LooseHits:
    """The first `places` (Q,) hits of each list, loose."""
    listed = (ranking.chunk >= 0) & (np.arange(ranking.chunk.shape[1]) < places[:, None])
    query, place = np.nonzero(listed)
    return queries[query], ranking.chunk[query, place].astype(np.int64), ranking.score[query, place]
