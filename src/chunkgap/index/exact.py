"""Exact search: every query against every vector, in blocks of bounded memory."""

import numpy as np
from numpy.typing import NDArray

from chunkgap.index import Hits
from chunkgap.index.scoring import MARGIN, best_of, pair_scores, search_defined

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

    def search(self, queries: NDArray[np.float32], depth: int) -> Hits:
        """Find the nearest vectors of each query; see `Index.search`."""
        return search_defined(queries, min(depth, len(self)), self._search_defined)

    def _search_defined(self, queries: NDArray[np.float32], k: int) -> Hits:
        at_once = max(1, _BLOCK_BYTES // (4 * len(self)))
        blocks = [
            self._search_block(queries[start : start + at_once], k)
            for start in range(0, len(queries), at_once)
        ]
        return np.concatenate([rows for rows, _ in blocks]), np.concatenate([scores for _, scores in blocks])

    def _search_block(self, queries: NDArray[np.float32], k: int) -> Hits:
        """Propose by matrix product all that could be among the first k, then score and order them."""
        products = queries @ self.vectors.T
        products[:, self._undefined] = -np.inf
        last = np.partition(products, len(self) - k, axis=1)[:, len(self) - k]
        query, row = np.divmod(np.flatnonzero(products >= last[:, None] - MARGIN), len(self))
        scores = pair_scores(queries, self.vectors, query, row)
        return best_of(query, row, scores, queries=len(queries), depth=k)
