"""How long things are, in tokens: percentiles and a histogram."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_FIRST_EDGE = 16  # shorter pieces are all equally short


@dataclass(frozen=True, slots=True)
class Bin:
    """So many lengths in the half-open range `[low, high)`."""

    low: int
    high: int
    count: int


@dataclass(frozen=True, slots=True)
class Lengths:
    """The distribution of lengths in tokens.

    Attributes:
        count: How many there are, at least 1.
        total: Their sum.
        histogram: Bins that double in width, from the first to the last that holds anything.
    """

    count: int
    total: int
    mean: float
    shortest: int
    p10: float
    p25: float
    median: float
    p75: float
    p90: float
    p99: float
    longest: int
    histogram: tuple[Bin, ...]


def describe(tokens: NDArray[np.int64]) -> Lengths:
    """Describe lengths, at least one.

    >>> found = describe(np.array([3, 20, 40, 40]))
    >>> found.median, [(bin.low, bin.high, bin.count) for bin in found.histogram]
    (30.0, [(0, 16, 1), (16, 32, 1), (32, 64, 2)])
    """
    p10, p25, median, p75, p90, p99 = np.percentile(tokens, [10, 25, 50, 75, 90, 99]).tolist()
    return Lengths(
        count=len(tokens),
        total=int(tokens.sum()),
        mean=float(tokens.mean()),
        shortest=int(tokens.min()),
        p10=p10,
        p25=p25,
        median=median,
        p75=p75,
        p90=p90,
        p99=p99,
        longest=int(tokens.max()),
        histogram=_histogram(tokens),
    )


def _histogram(tokens: NDArray[np.int64]) -> tuple[Bin, ...]:
    edges = [0, _FIRST_EDGE]
    while edges[-1] <= tokens.max():
        edges.append(2 * edges[-1])
    counts = np.histogram(tokens, bins=np.array(edges) - 0.5)[0]  # whole numbers: each bin half-open
    filled = np.flatnonzero(counts)
    return tuple(
        Bin(edges[place], edges[place + 1], int(counts[place])) for place in range(filled[0], filled[-1] + 1)
    )
