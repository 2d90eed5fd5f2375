"""Exact search: every query against every vector, in blocks of bounded memory."""

import numpy as np
from numpy.typing import NDArray

from chunkgap.index.scoring import MARGIN, best_of, pair_scores, undefined_hits

_BLOCK_BYTES = 64 << 20


class ExactIndex:
    """The truth that an approximate index is held against, and an index of its own right.

    Args:
        vectors: (n, d) distinct unit vectors, or zero vectors where undefined; n may be 0.

    Attributes:
        vectors: The same.
    """

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self.vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        self._undefined = np.flatnonzero(~self.vectors.any(axis=1))

    def __len__(self) -> int:
        """How many vectors it holds."""
        return len(self.vectors)

    def search(
        self, queries: NDArray[np.float32], depth: int
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Find the nearest vectors of each query; see `Index.search`."""
        k = min(depth, len(self))
        rows, scores = undefined_hits(len(queries), k)
        defined = np.flatnonzero(queries.any(axis=1)) if k else np.empty(0, dtype=np.intp)
        at_once = max(1, _BLOCK_BYTES // (4 * max(1, len(self))))
        for start in range(0, len(defined), at_once):
            block = defined[start : start + at_once]
            rows[block], scores[block] = self._search_block(queries[block], k)
        return rows, scores

    def _search_block(
        self, queries: NDArray[np.float32], k: int
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Propose by matrix product all that could be among the first k, then score and order them."""
        products = queries @ self.vectors.T
        products[:, self._undefined] = -np.inf
        last = np.partition(products, len(self) - k, axis=1)[:, len(self) - k]
        query, row = np.divmod(np.flatnonzero(products >= last[:, None] - MARGIN), len(self))
        scores = pair_scores(queries, self.vectors, query, row)
        return best_of(query, row, scores, queries=len(queries), depth=k)
