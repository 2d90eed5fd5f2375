"""Nearest chunks by cosine: exact search, HNSW, and the way from vectors to ranked chunks.

An index holds distinct vectors, in the order of their first chunk; `retrieval` expands what it finds to
chunks again.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Hits = tuple[NDArray[np.int32], NDArray[np.float64]]
"""What a search gives: rows and scores, both (Q, k)."""


class Index(Protocol):
    """Vectors of one scale that can be searched."""

    @property
    def vectors(self) -> NDArray[np.float32]:
        """What it holds: (n, d) distinct unit vectors, or zero vectors where undefined."""
        ...

    def __len__(self) -> int:
        """How many vectors it holds."""
        ...

    def search(self, queries: NDArray[np.float32], depth: int) -> Hits:
        """Find the nearest vectors of each query.

        Args:
            queries: (Q, d) unit vectors, or a zero vector where a query has none.
            depth: At least 1.

        Returns:
            Rows int32 (Q, k) and rounded cosines float64 (Q, k), k = min(depth, len(self)), in the one order:
            cosine descending, then row ascending. A cosine with a zero vector is `scoring.UNDEFINED`.
        """
        ...
