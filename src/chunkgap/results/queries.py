"""What was found query by query, and by groups of queries: scores, wins, losses, slices."""

from collections.abc import Mapping
from dataclasses import dataclass

from chunkgap.formatting import NOISE
from chunkgap.records import Interval


@dataclass(frozen=True)
class QueryScores:
    """Per query values of one measure at one cutoff, in the order of `PerQuery.query_ids`.

    Attributes:
        scales: One list per scale, phase 0. None where the measure is undefined for the query.
        fusion: Of the primary preset; empty for chunk cutoffs, which fusion does not have.
    """

    scales: tuple[tuple[float | None, ...], ...]
    fusion: tuple[float | None, ...]


@dataclass(frozen=True)
class PerQuery:
    """The evaluated queries, one entry each in every list, in file order.

    Attributes:
        scores: By measure and cutoff, as `recall@5`.
        ranks: Rank of the first relevant document, from 1, one list per scale (phase 0), None when not retrieved.
        fused_ranks: The same in the primary fusion.
        relevant: Number of relevant documents.
    """

    query_ids: tuple[str, ...]
    texts: tuple[str, ...]
    tags: tuple[Mapping[str, str], ...]
    clusters: tuple[int, ...]
    relevant: tuple[int, ...]
    scores: Mapping[str, QueryScores]
    ranks: tuple[tuple[int | None, ...], ...]
    fused_ranks: tuple[int | None, ...]


@dataclass(frozen=True)
class Wins:
    """For how many queries a scale alone has the highest measure; `tied` share it, `none` are 0 everywhere."""

    alone: Mapping[str, int]
    tied: int
    none: int

    @property
    def queries(self) -> int:
        """How many queries the primary measure is defined for."""
        return sum(self.alone.values()) + self.tied + self.none


@dataclass(frozen=True)
class Loss:
    """A query that the best fixed scale loses to another; ranks, from 1, are of the first relevant document."""

    query_id: str
    text: str
    best_fixed_value: float
    best_fixed_rank: int | None
    scale: str
    value: float
    rank: int | None


@dataclass(frozen=True)
class Slice:
    """The primary endpoint on the queries of one tag value; `small` when there are too few to say anything.

    Of scales with the same best mean, `best` is the one with fewest vectors, then the earlier.
    """

    tag: str
    value: str
    queries: int
    small: bool
    means: Mapping[str, float]
    best: str
    reproducible: float | None
    gap: float
    gain: Interval | None
    p_holm: float | None

    @property
    def best_scales(self) -> tuple[str, ...]:
        """The scales that share the best mean, in their order; several are a tie."""
        highest = max(self.means.values(), default=0.0)
        return tuple(name for name, mean in self.means.items() if highest - mean < NOISE)


@dataclass(frozen=True)
class WinTable:
    """Neighbouring scales on the same queries: how often each has the higher measure; `tag` None means all queries."""

    tag: str | None
    value: str | None
    left: str
    right: str
    left_wins: int
    right_wins: int
    ties: int
    missing: int


@dataclass(frozen=True)
class Diagnosis:
    """What explains a winner: per scale, means over queries inside the primary cutoff."""

    scale: str
    values: Mapping[str, float | None]
