"""Unions of ranges: how much text overlapping ranges hold, for all queries and documents in one sweep."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Ranges:
    """Half-open ranges `[start, end)` of code points in any order, four columns of shape (n,).

    Attributes:
        query: Row of the query that a range belongs to.
        document: Row of the document that it lies in.
        start: First code point.
        end: Past the last code point; a range that ends where it starts is empty and counts for nothing.
    """

    query: NDArray[np.int64]
    document: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]

    def __add__(self, other: "Ranges") -> "Ranges":
        """All ranges of both."""
        return Ranges(
            np.concatenate([self.query, other.query]),
            np.concatenate([self.document, other.document]),
            np.concatenate([self.start, other.start]),
            np.concatenate([self.end, other.end]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Unions:
    """The union of the ranges of each query.

    Attributes:
        length: Code points that lie in at least one range, shape (Q,).
        regions: Pieces without a hole that the union consists of, shape (Q,); ranges that touch are one
            piece.
    """

    length: NDArray[np.int64]
    regions: NDArray[np.int64]


def lengths(ranges: Ranges, *, queries: int) -> NDArray[np.int64]:
    """Code points of the ranges of each query, those in two ranges counted twice, shape (Q,)."""
    return _sum_by_query(ranges.query, ranges.end - ranges.start, queries)


def unions(ranges: Ranges, *, queries: int) -> Unions:
    """The union of each query's ranges, document by document.

    The documents of all queries are laid end to end on one line, a gap of one code point between them; then,
    from left to right, each range adds what reaches beyond all earlier ones.

    Args:
        ranges: Ranges of all queries, in any order.
        queries: Q; a query without ranges has length 0 and 0 regions.

    >>> zeros = np.zeros(3, np.int64)
    >>> found = unions(Ranges(zeros, zeros, np.array([0, 3, 9]), np.array([5, 7, 10])), queries=2)
    >>> found.length.tolist(), found.regions.tolist()
    ([8, 0], [2, 0])
    """
    query, start, end = _on_one_line(ranges)
    reach = np.maximum.accumulate(np.concatenate([[-1], end]))
    before = reach[:-1]
    return Unions(
        length=_sum_by_query(query, np.maximum(end - np.maximum(start, before), 0), queries),
        regions=np.bincount(query[start > before], minlength=queries),
    )


def _on_one_line(ranges: Ranges) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Query, start and end of the ranges that hold anything, sorted by their place on the line."""
    kept = np.flatnonzero(ranges.end > ranges.start)
    pair = ranges.query[kept] * (ranges.document.max(initial=0) + 1) + ranges.document[kept]
    order = np.lexsort((ranges.start[kept], pair))
    kept, pair = kept[order], pair[order]
    # Pairs are numbered from 0 before they are spread out, which keeps the line far from the end of 64 bits.
    number = np.cumsum(np.diff(pair, prepend=pair[:1]) != 0)
    offset = number * (ranges.end.max(initial=0) + 1)
    return ranges.query[kept], offset + ranges.start[kept], offset + ranges.end[kept]


def _sum_by_query(query: NDArray[np.int64], amount: NDArray[np.int64], queries: int) -> NDArray[np.int64]:
    return np.bincount(query, weights=amount, minlength=queries).astype(np.int64)
