"""The resamples and folds that endpoints share: one draw for each set of queries that a measure is defined for."""

import numpy as np
from numpy.typing import NDArray

from chunkgap.statistics.clusters import cluster_folds
from chunkgap.statistics.resampling import Method, Resampling


class Draws:
    """Draws, each made when it is first asked for, and kept: most endpoints are defined for the same queries.

    Args:
        clusters: Cluster of each query, `(Q,)`.
        resamples, seed, confidence, method: As for `Resampling.draw`.
        folds: Folds for cross-fitting.
    """

    def __init__(
        self,
        clusters: NDArray[np.intp],
        *,
        resamples: int = 10_000,
        seed: int = 13,
        confidence: float = 0.95,
        method: Method = "standard",
        folds: int = 5,
    ) -> None:
        self.clusters = clusters
        self.seed = seed
        self._resamples, self._confidence, self._method, self._folds = resamples, confidence, method, folds
        self._drawn: dict[bytes, Resampling] = {}

    def of(self, defined: NDArray[np.bool_]) -> Resampling:
        """Resamples of the clusters of the queries in a mask, `(Q,)`."""
        key = defined.tobytes()
        if key not in self._drawn:
            self._drawn[key] = Resampling.draw(
                self.clusters[defined],
                resamples=self._resamples,
                seed=self.seed,
                confidence=self._confidence,
                method=self._method,
            )
        return self._drawn[key]

    def folds(self, defined: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The folds of these queries."""
        return cluster_folds(self.clusters[defined], folds=self._folds, seed=self.seed)
