"""How long it took: the one block that differs between two equal measurements."""

from collections.abc import Mapping
from dataclasses import dataclass

_TIMED_SHARE = 0.1  # with fewer, a few batches and their start would pass for the price of a whole size


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

    @property
    def has_earlier_speed(self) -> bool:
        """Whether seconds of embedding rest on a speed measured earlier, as too little was embedded this time."""
        known = any(scale.embed is not None for scale in self.scales)
        return known and not tells_speed(self.texts_embedded, self.texts_cached)


def tells_speed(embedded: int, cached: int) -> bool:
    """Whether enough texts were embedded, beside those that a cache held, to tell the speed of the model."""
    return embedded > 0 and embedded >= _TIMED_SHARE * (embedded + cached)
