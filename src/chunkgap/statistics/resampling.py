"""The paired bootstrap over clusters of queries, as weighted means: one resample is one row of weights."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from chunkgap.oracle import TIE_DECIMALS, Floats, Rows
from chunkgap.records import Interval
from chunkgap.statistics.distributions import NORMAL, standard_margin

Method = Literal["standard", "percentile", "bca"]

_BLOCK_DRAWN = 1 << 21  # clusters drawn at once; bounds the memory of the draw and does not change it
_BLOCK_WEIGHTS = 1 << 16  # weights multiplied at once: as floats they stay in the processor's cache,
_BLOCK_COLUMNS = 8  # and with so few columns at once one thread does it, without waiting for another


@dataclass(frozen=True, eq=False)
class Resampling:
    """Bootstrap resamples of clusters of queries (Sakai, SIGIR 2006; Smucker, Allan, Carterette, CIKM 2007).

    A statistic of `chunkgap.oracle` or `chunkgap.size_excess` averaged over a resampling comes back once for
    each row of weights, and `interval` reads the estimate and its interval from that. Everything that the
    statistic chooses is thereby chosen anew in every resample. Same clusters, same seed: same intervals, to
    the last bit.

    Attributes:
        clusters: Cluster of each query, `(queries,)`, numbered from 0.
        weights: How often each cluster was drawn, uint8 `(rows, clusters)`: a row of ones (the estimate), one row
            for each resample, and for the BCa interval one row without each cluster (the jackknife).
        resamples: Resamples drawn.
        confidence: Share of the distribution inside an interval.
        method: `standard`: the estimate plus and minus t times the resamples' standard deviation, with one
            degree of freedom less than there are clusters; `percentile`; or `bca`: bias-corrected and
            accelerated (Efron 1987).
    """

    clusters: NDArray[np.intp]
    weights: NDArray[np.uint8]
    resamples: int
    confidence: float
    method: Method

    @classmethod
    def draw(
        cls,
        clusters: NDArray[np.intp],
        *,
        resamples: int = 10_000,
        seed: int = 13,
        confidence: float = 0.95,
        method: Method = "standard",
    ) -> "Resampling":
        """Draw resamples of as many clusters as there are, with replacement.

        Args:
            clusters: Cluster of each query, `(queries,)`, any labels. With one cluster nothing can be
                resampled, and intervals have no ends.
            resamples: Resamples to draw.
            seed: Seed of the draw.
            confidence: Share of the distribution inside an interval, in (0, 1).
            method: Kind of interval.
        """
        names, numbered = np.unique(clusters, return_inverse=True)
        count = len(names)
        left_out = count if method == "bca" and count > 1 else 0
        weights = np.ones((1 + resamples + left_out, count), dtype=np.uint8)
        _draw_into(weights[1 : 1 + resamples], seed)
        np.fill_diagonal(weights[1 + resamples :], 0)
        return cls(numbered, weights, resamples, confidence, method)

    @property
    def count(self) -> int:
        """Number of clusters."""
        return int(self.weights.shape[1])

    def mean(self, columns: Floats) -> Floats:
        """Average over queries in every row of weights, `(..., queries)` to `(rows, ...)`."""
        sums = self._cluster_sums(columns.reshape(-1, columns.shape[-1]))
        means = self._weighted(sums) / self._queries[:, None]
        return means.reshape(len(self.weights), *columns.shape[:-1])

    def mean_of_chosen(self, columns: Floats, chosen: Rows) -> Floats:
        """In every row of weights, average the column that was chosen there, `(rows,)`."""
        sums, totals = self._cluster_sums(columns), np.empty(len(self.weights))
        for rows, weights in self._blocks():
            totals[rows] = np.einsum("rc,rc->r", weights, sums[chosen[rows]])
        return np.asarray(totals / self._queries)

    def interval(self, values: Floats, *, floor: float = -1.0, ceiling: float = 1.0) -> Interval:
        """The interval of a statistic.

        Args:
            values: `(rows,)`, the statistic in every row of weights.
            floor: The least value that the statistic can take; the interval is cut there.
            ceiling: The greatest.

        Returns:
            The estimate with its interval. Both ends are NaN when there is one cluster; both equal the
            estimate when no resample changes it.
        """
        estimate, drawn, left_out = self._parts(values)
        if self.count == 1:
            return Interval(estimate, math.nan, math.nan)
        if self.method == "standard":
            margin = standard_margin(self.count, self.confidence) * drawn.std(ddof=1)
            ends = estimate + margin * np.array([-1.0, 1.0])
        elif self.method == "percentile":
            ends = np.quantile(drawn, self._tails)
        else:
            ends = np.quantile(drawn, _corrected(self._tails, estimate, drawn, left_out))
        low, high = np.round(np.clip(ends, floor, ceiling), TIE_DECIMALS) + 0.0
        return Interval(estimate, float(low), float(high))

    def intervals(self, values: Floats, *, floor: float = -1.0, ceiling: float = 1.0) -> tuple[Interval, ...]:
        """The interval of each column of `(rows, n)`."""
        return tuple(self.interval(column, floor=floor, ceiling=ceiling) for column in values.T)

    def standard_error(self, values: Floats) -> float:
        """The standard deviation of a statistic over the resamples; NaN with one cluster."""
        return float(self._parts(values)[1].std(ddof=1)) if self.count > 1 else math.nan

    def _parts(self, values: Floats) -> tuple[float, Floats, Floats]:
        """The statistic over all queries, in the resamples, and without each cluster."""
        rounded = np.round(values, TIE_DECIMALS) + 0.0  # no rounding of sums, no minus zero
        estimate, drawn, left_out = np.split(rounded, [1, 1 + self.resamples])
        return float(estimate[0]), drawn, left_out

    @property
    def _tails(self) -> Floats:
        """The two tail probabilities."""
        return np.array([1 - self.confidence, 1 + self.confidence]) / 2

    @cached_property
    def _sizes(self) -> Floats:
        """Queries in each cluster."""
        return np.bincount(self.clusters).astype(np.float64)

    @cached_property
    def _queries(self) -> Floats:
        """Queries in each row of weights."""
        return self._weighted(self._sizes[None])[:, 0]

    def _weighted(self, sums: Floats) -> Floats:
        """Total in every row of weights, `(n, clusters)` to `(rows, n)`."""
        totals = np.empty((len(self.weights), len(sums)))
        for rows, weights in self._blocks():
            for first in range(0, len(sums), _BLOCK_COLUMNS):
                columns = slice(first, first + _BLOCK_COLUMNS)
                totals[rows, columns] = weights @ sums[columns].T
        return totals

    def _blocks(self) -> Iterator[tuple[slice, Floats]]:
        """Rows of weights that are multiplied at once, and these weights as floats."""
        at_once = max(1, _BLOCK_WEIGHTS // self.count)
        for start in range(0, len(self.weights), at_once):
            rows = slice(start, start + at_once)
            yield rows, self.weights[rows].astype(np.float64)

    def _cluster_sums(self, columns: Floats) -> Floats:
        """Sums over the queries of each cluster, `(n, queries)` to `(n, clusters)`."""
        by_cluster = np.argsort(self.clusters, kind="stable")
        starts = np.concatenate([[0], np.cumsum(self._sizes)[:-1]]).astype(np.intp)
        return np.asarray(np.add.reduceat(columns[:, by_cluster], starts, axis=1), dtype=np.float64)


def _draw_into(weights: NDArray[np.uint8], seed: int) -> None:
    """Write how often each cluster occurs in each resample into `(resamples, clusters)`; 256 times never happens."""
    generator = np.random.default_rng(seed)
    count = weights.shape[1]
    at_once = max(1, _BLOCK_DRAWN // count)
    for start in range(0, len(weights), at_once):
        block = weights[start : start + at_once]
        picks = generator.integers(0, count, block.shape) + count * np.arange(len(block))[:, None]
        block[:] = np.bincount(picks.ravel(), minlength=block.size).reshape(block.shape)


def _corrected(tails: Floats, estimate: float, drawn: Floats, left_out: Floats) -> Floats:
    """The tails of the BCa interval (Efron 1987, "Better bootstrap confidence intervals").

    Where all resamples lie on one side of the estimate the bias has no measure; half a resample then stands
    on the other side.
    """
    below = (np.sum(drawn < estimate) + np.sum(drawn <= estimate)) / (2 * len(drawn))
    bias = NORMAL.inv_cdf(float(np.clip(below, 0.5 / len(drawn), 1 - 0.5 / len(drawn))))
    deviation = left_out.mean() - left_out
    spread = np.sum(deviation**2)
    acceleration = np.sum(deviation**3) / (6 * spread**1.5) if spread > 0 else 0.0
    shifted = bias + np.array([NORMAL.inv_cdf(tail) for tail in tails.tolist()])
    corrected = bias + shifted / (1 - acceleration * shifted)
    return np.array([NORMAL.cdf(end) for end in corrected.tolist()])
