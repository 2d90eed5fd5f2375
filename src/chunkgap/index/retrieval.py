"""From an index to ranked chunks: identical vectors expanded, lists grown until a cutoff can be counted."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chunkgap.index import Index
from chunkgap.ranking import Ranking, first_of_document, rank_chunks

_HITS_AT_ONCE = 4_000_000


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
    rows: dict[bytes, int] = {}
    expansion = np.array([rows.setdefault(vector.tobytes(), len(rows)) for vector in vectors], dtype=np.int64)
    if len(rows) == len(vectors):
        return vectors, expansion
    _, first = np.unique(expansion, return_index=True)
    return vectors[first], expansion


def retrieve(
    index: Index,
    queries: NDArray[np.float32],
    expansion: NDArray[np.integer],
    table: Chunks,
    *,
    depth: int,
    documents_wanted: int = 0,
    tokens_wanted: int = 0,
) -> Ranking:
    """Rank the chunks of every query.

    A list holds the first `depth` chunks. Where these have too few distinct documents or tokens, it goes on
    to the place at which there are enough, or to the last chunk.

    Args:
        index: Over the distinct vectors, in the order of their first chunk, as `distinct_vectors` gives them.
        queries: (Q, d) unit vectors, zero where undefined.
        expansion: (chunks,) row of each chunk's vector in the index.
        table: The chunks.
        depth: At least 1.
        documents_wanted: Distinct documents to be seen, or all that have chunks; ask for one more than the
            largest cutoff to see ties across it.
        tokens_wanted: Tokens to be seen, of all chunks of a list together.
    """
    members = _Members.of(expansion, len(index))
    documents_wanted = min(documents_wanted, len(np.unique(table.document)))
    hits, pending, reach = [_NO_HITS], np.arange(len(queries)), depth
    while len(pending):
        at_once = max(1, _HITS_AT_ONCE // reach)
        short = []
        for start in range(0, len(pending), at_once):
            batch = pending[start : start + at_once]
            ranking = _search(index, queries[batch], members, table, reach)
            places = np.maximum(_places_needed(ranking, documents_wanted, tokens_wanted), depth)
            complete = (places <= reach) | (reach >= len(expansion))
            hits.append(_hits(ranking, np.where(complete, places, 0), batch))
            short.append(batch[~complete])
        pending, reach = np.concatenate(short), 2 * reach
    query, chunk, score = (np.concatenate(column) for column in zip(*hits, strict=True))
    return rank_chunks(
        query, chunk, score, queries=len(queries), document=table.document, tokens=table.tokens
    )


_Hits = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
_NO_HITS: _Hits = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


@dataclass(frozen=True, eq=False)
class _Members:
    """The chunks behind every vector: `chunk[start[v]:start[v] + count[v]]`, ascending."""

    chunk: NDArray[np.int64]
    start: NDArray[np.int64]
    count: NDArray[np.int64]

    @classmethod
    def of(cls, expansion: NDArray[np.integer], vectors: int) -> "_Members":
        count = np.bincount(expansion, minlength=vectors)
        return cls(np.argsort(expansion, kind="stable"), np.cumsum(count) - count, count)


def _search(
    index: Index, queries: NDArray[np.float32], members: _Members, table: Chunks, depth: int
) -> Ranking:
    """The first `depth` chunks.

    The first `depth` vectors hold them all: vectors are in the order of their first chunk, so each vector
    before another has a chunk before all of the other's.
    """
    rows, scores = index.search(queries, depth)
    count = np.minimum(members.count[rows], depth).ravel()
    within_vector = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    chunk = members.chunk[np.repeat(members.start[rows].ravel(), count) + within_vector]
    return rank_chunks(
        np.repeat(np.repeat(np.arange(len(queries)), rows.shape[1]), count),
        chunk,
        np.repeat(scores.ravel(), count),
        queries=len(queries),
        document=table.document,
        tokens=table.tokens,
        depth=depth,
    )


def _places_needed(ranking: Ranking, documents: int, tokens: int) -> NDArray[np.int64]:
    """Places (Q,) a list must have to show so many documents and tokens; past any list where it does not."""
    seen = np.cumsum(first_of_document(ranking.document), axis=1)
    enough = (seen >= documents) & (np.cumsum(ranking.tokens, axis=1, dtype=np.int64) >= tokens)
    short: NDArray[np.int64] = (~enough).sum(axis=1)  # places with enough follow those without
    return short + 1


def _hits(ranking: Ranking, places: NDArray[np.int64], queries: NDArray[np.int64]) -> _Hits:
    """The first `places` (Q,) hits of each list, loose."""
    listed = (ranking.chunk >= 0) & (np.arange(ranking.chunk.shape[1]) < places[:, None])
    query, place = np.nonzero(listed)
    return queries[query], ranking.chunk[query, place].astype(np.int64), ranking.score[query, place]
