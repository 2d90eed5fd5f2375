"""Evidence against retrieved text: the counts of characters that every evidence measure is a quotient of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from chunkgap.measures.retrieved import Retrieved, reached
from chunkgap.measures.unions import Ranges, lengths, unions
from chunkgap.records import Query


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """How retrieved text and evidence overlap, in code points, one number per query, each of shape (Q,).

    Attributes:
        required: Union of the evidence spans; 0 for a query without spans.
        retrieved: Union of the chunks inside the cutoff.
        summed: The lengths of those chunks added up, text that two of them hold counted twice.
        covered: Evidence inside the chunks: the intersection of both unions.
        first: Rank, counted from 1 among the chunks inside the cutoff, of the first that overlaps a span; 0
            when none does.
    """

    required: NDArray[np.int64]
    retrieved: NDArray[np.int64]
    summed: NDArray[np.int64]
    covered: NDArray[np.int64]
    first: NDArray[np.int64]

    @property
    def judged(self) -> NDArray[np.bool_]:
        """Queries that have evidence, shape (Q,); the measures of all others are NaN."""
        return self.required > 0


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The evidence spans of all queries, prepared once and held against any number of runs.

    Spans may overlap: they are united before they are counted. A span in a document that the corpus lacks
    cannot be covered; it stays in `required`.

    Attributes:
        queries: Number of queries, Q.
        spans: All spans, in the order of the queries; missing documents have rows past the end of the corpus.
        required: Code points of the union of each query's spans, shape (Q,).
    """

    queries: int
    spans: Ranges
    required: NDArray[np.int64]

    @classmethod
    def of(cls, queries: Sequence[Query], doc_ids: Sequence[str]) -> Self:
        """Collects the spans of `queries` over the corpus whose rows are `doc_ids`."""
        row_of = {doc_id: row for row, doc_id in enumerate(doc_ids)}
        rows = [
            (row, row_of.setdefault(span.doc_id, len(row_of)), span.start, span.end)
            for row, query in enumerate(queries)
            for span in query.spans
        ]
        spans = Ranges(*np.array(rows, np.int64).reshape(-1, 4).T)
        return cls(len(queries), spans, unions(spans, queries=len(queries)).length)

    def coverage(self, retrieved: Retrieved) -> Coverage:
        """Counts what the chunks inside the cutoff cover.

        Uses |A and B| = |A| + |B| - |A or B|, so that unions are the only interval arithmetic there is.

        Raises:
            ValueError: `retrieved` is about another number of queries.
        """
        if len(retrieved) != self.queries:
            raise ValueError(f"evidence of {self.queries} queries held against chunks of {len(retrieved)}")
        chunks = retrieved.ranges()
        found = unions(chunks, queries=self.queries).length
        either = unions(chunks + self.spans, queries=self.queries).length
        return Coverage(
            required=self.required,
            retrieved=found,
            summed=lengths(chunks, queries=self.queries),
            covered=self.required + found - either,
            first=_first_rank(self.touched(retrieved), retrieved.inside),
        )

    def touched(self, retrieved: Retrieved) -> NDArray[np.bool_]:
        """Chunks inside the cutoff that share a character with a span of their query, shape (Q, D).

        Half-open: a chunk that ends where a span starts does not touch it.
        """
        query = self.spans.query
        depth = reached(retrieved.inside)
        overlap = (
            retrieved.inside[query, :depth]
            & (retrieved.document[query, :depth] == self.spans.document[:, None])
            & (retrieved.start[query, :depth] < self.spans.end[:, None])
            & (retrieved.end[query, :depth] > self.spans.start[:, None])
        )
        touched = np.zeros(retrieved.inside.shape, bool)
        span, place = np.nonzero(overlap)
        touched[query[span], place] = True
        return touched


def _first_rank(touched: NDArray[np.bool_], inside: NDArray[np.bool_]) -> NDArray[np.int64]:
    rank = np.cumsum(inside, axis=1)
    unreached = np.iinfo(np.int64).max
    first = np.where(touched, rank, unreached).min(axis=1, initial=unreached)
    return np.where(first == unreached, 0, first)
