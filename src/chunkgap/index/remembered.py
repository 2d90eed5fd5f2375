"""An index that has been asked once already, and does not have to search for the same answer again."""

import numpy as np
from numpy.typing import NDArray

from chunkgap.index import Hits, Index


class Remembered:
    """Answers one known question from memory and searches for all others.

    Args:
        index: What is searched.
        queries: (Q, d) the queries of the known question.
        depth: Its depth.
        hits: What `index` answered.
    """

    def __init__(self, index: Index, queries: NDArray[np.float32], depth: int, hits: Hits) -> None:
        self._index = index
        self._queries = queries
        self._depth = depth
        self._hits = hits

    @property
    def vectors(self) -> NDArray[np.float32]:
        """What it holds."""
        return self._index.vectors

    def __len__(self) -> int:
        """How many vectors it holds."""
        return len(self._index)

    def search(self, queries: NDArray[np.float32], depth: int) -> Hits:
        """Find the nearest vectors of each query; see `Index.search`."""
        if depth == self._depth and np.array_equal(queries, self._queries):
            return self._hits
        return self._index.search(queries, depth)
