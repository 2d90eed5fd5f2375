"""How long it took: the one block that differs between two equal measurements."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Latency:
    """Seconds per single query, warm.

    Attributes:
        searches: How many were timed; None in older files.
    """

    p50: float
    p95: float
    p99: float
    searches: int | None = None


@dataclass(frozen=True)
class ScaleTimings:
    """Seconds that one scale takes, at the model's speed and by its index's building, which caches keep.

    `embed` and `build` are None where vectors or index came from a cache that does not know.
    """

    scale: str
    embed: float | None
    build: float | None
    latency: Latency | None


@dataclass(frozen=True)
class Timings:
    """The one block that differs between two equal measurements: seconds of wall clock, and what the cache saved."""

    total: float
    steps: Mapping[str, float]
    scales: tuple[ScaleTimings, ...]
    multi_scale: Latency | None
    multi_scale_parallel: Latency | None
    texts_embedded: int
    texts_cached: int
