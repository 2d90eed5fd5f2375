"""What two measurements differ in, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass

from chunkgap.formatting import NOISE
from chunkgap.records import Interval

Pair = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class Change:
    """One number in both measurements.

    Attributes:
        name: A scale's name, or `best fixed`, `fusion`, `oracle gap`, `reproducible gap`, `size excess`.
        a: In A, over the paired queries; the reproducible gap and the size excess are those that each
            measurement gave.
        b: In B.
        difference: B minus A, paired by query; None where only the points are known.
        p: Two-sided, sign flips over clusters; None where no query has a difference of its own.
        p_holm: After Holm over the changes at this endpoint.
        better: Queries that are higher in B, None as `p`.
        worse: Queries that are lower in B.
    """

    name: str
    a: float | None
    b: float | None
    difference: Interval | None
    p: float | None = None
    p_holm: float | None = None
    better: int | None = None
    worse: int | None = None

    @property
    def equal(self) -> bool:
        """Whether nothing changed: neither the number nor, where queries have one, that of any query."""
        if self.better or self.worse:
            return False
        return self.a == self.b or (
            self.a is not None and self.b is not None and abs(self.b - self.a) < NOISE
        )


@dataclass(frozen=True, slots=True)
class EndpointChanges:
    """All changes at one measure and cutoff that both measurements have.

    Attributes:
        primary: Whether this is the declared endpoint; every other is exploratory.
        queries: Paired queries that the measure is defined for in both.
        best_fixed: The best fixed scale of A and of B over these queries.
        changes: Scales first, then best fixed, fusion and the gaps.
    """

    measure: str
    cutoff: str
    primary: bool
    queries: int
    best_fixed: tuple[str, str]
    changes: tuple[Change, ...]

    @property
    def name(self) -> str:
        """The measure with its cutoff, as `recall@5`."""
        return f"{self.measure}@{self.cutoff}"

    @property
    def equal(self) -> bool:
        """Whether nothing changed at this endpoint."""
        return all(change.equal for change in self.changes)


@dataclass(frozen=True, slots=True)
class Moved:
    """One query whose values at the primary endpoint changed, A first in every pair."""

    query_id: str
    text: str
    best_fixed: Pair
    fusion: Pair
    scales: Mapping[str, Pair]


@dataclass(frozen=True, slots=True)
class Setting:
    """Something that was set, or was there, differently; None where one of the two does not have it."""

    key: str
    a: str | None
    b: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed from measurement A to measurement B.

    Attributes:
        endpoint: The primary endpoint of the comparison.
        queries: Queries that both evaluated, over which everything is paired.
        only_a, only_b: Queries that only one of the two evaluated.
        scales_only_a, scales_only_b: Scales that only one of the two has.
        verdicts: Of A and of B.
        endpoints: The primary one first.
        moved: The queries that moved most: by the larger change of best fixed and fusion, then by the sum of
            changes over the scales, then by id.
        moved_queries: How many moved at all.
        settings: What differs in how the two were made.
        warnings: What was allowed to differ.
    """

    endpoint: str
    confidence: float
    queries: int
    only_a: int
    only_b: int
    scales_only_a: tuple[str, ...]
    scales_only_b: tuple[str, ...]
    verdicts: tuple[str, str]
    endpoints: tuple[EndpointChanges, ...]
    moved: tuple[Moved, ...]
    moved_queries: int
    settings: tuple[Setting, ...]
    warnings: tuple[str, ...]
    format_version: int = 1

    @property
    def equal(self) -> bool:
        """Whether nothing changed at any endpoint."""
        return all(endpoint.equal for endpoint in self.endpoints)
