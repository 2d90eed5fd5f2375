"""What was found over all queries: means, headroom, payoff, the verdict, and what to be careful of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from chunkgap.records import Interval

RowKind = Literal["scale", "best fixed", "fusion", "oracle", "control", "router"]

CROSS_FITTED = "cross-fitted"
"""Name of the row of the best fixed scale that is chosen on other queries than it is scored on."""

FILLED = f"{CROSS_FITTED}, filled as fusion is"
"""The same under a token budget that is filled by fusion's rule: what fusion is held against there."""


@dataclass(frozen=True)
class Row:
    """One line of the table of means: a scale, the best fixed scale, a fusion, a control, a router or the oracle.

    Attributes:
        value: Mean over the evaluated queries, None where the measure is undefined for this row.
        interval: Of the mean, by cluster bootstrap.
        primary: Whether this is the declared endpoint; every other row is exploratory.
        vectors: Vectors of all indexes that the row searches; None where that is not one thing (the oracle, a router).
    """

    kind: RowKind
    name: str
    measure: str
    cutoff: str
    value: float | None
    interval: Interval | None
    primary: bool
    vectors: int | None = None


@dataclass(frozen=True)
class Bracket:
    """Between what reproduces and what a maximum over noise shows lies what a perfect selector could win."""

    reproducible: Interval
    raw: Interval

    @property
    def low(self) -> float:
        """The lower end of the reproducible gap's interval."""
        return self.reproducible.low

    @property
    def high(self) -> float:
        """The upper end of the raw gap's interval."""
        return self.raw.high


@dataclass(frozen=True)
class Headroom:
    """What one fixed size costs at one measure and cutoff, and how much of that is luck (docs/statistics.md).

    Without a second phase only `gap` exists and `corrected` is False. Matrices are in scale order.

    Attributes:
        placebo: Placebo gap by scale: the oracle gap over phases of that one size.
        like_for_like: Mean gap over all sets of as many scales as there are phases.
        matched_placebo: Gap over as many phases of the best fixed size as there are scales, when asked for.
        pair_same: Oracle over two placements of one size.
        pair_different: Oracle over two different sizes, one placement each.
        excess: `pair_different - pair_same`: what size is worth.
        excess_matrix: The excess of each pair of scales, None on the diagonal.
    """

    measure: str
    cutoff: str
    best_fixed: str
    best_fixed_value: float
    cross_fitted_value: float
    oracle: float
    gap: Interval
    corrected: bool
    placebo: Mapping[str, float] = field(default_factory=dict)
    like_for_like: float | None = None
    matched_placebo: float | None = None
    pair_same: float | None = None
    pair_different: float | None = None
    excess: Interval | None = None
    interaction: Interval | None = None
    reproducible: Interval | None = None
    excess_matrix: tuple[tuple[Interval | None, ...], ...] = ()
    share_closed: float | None = None

    @property
    def name(self) -> str:
        """The measure with its cutoff, as `recall@5`."""
        return f"{self.measure}@{self.cutoff}"

    @property
    def bracket(self) -> Bracket | None:
        """Between the reproducible and the raw gap; None where nothing tells what reproduces."""
        return None if self.reproducible is None else Bracket(self.reproducible, self.gap)


@dataclass(frozen=True)
class Comparison:
    """One paired difference at the primary endpoint: `row` minus `against`.

    Attributes:
        difference: Estimate and interval of the mean difference.
        p: Two-sided p-value of the sign-flip test over clusters; `p_holm` after Holm over all comparisons reported.
        detectable: Smallest difference that this query set finds in 80% of cases at 5%, None where nothing varies.
        queries_needed: Queries that would make `min_gain` detectable, None when it cannot be said.
    """

    row: str
    against: str
    difference: Interval
    p: float
    p_holm: float
    detectable: float | None
    queries_needed: int | None


@dataclass(frozen=True)
class VerdictFacts:
    """The verdict `go`, `no-go` or `cannot decide` with its rule, numbers filled in.

    Attributes:
        gain: The main fusion minus the cross-fitted best fixed scale; None where fusion has no form.
        storage: Vectors of all scales / vectors of the best fixed scale; None for `score`, which knows no vectors.
    """

    word: Literal["go", "no-go", "cannot decide"]
    rule: str
    reasons: tuple[str, ...]
    gain: Interval | None
    storage: float | None
    min_gain: float
    max_storage: float
    queries_needed: int | None


@dataclass(frozen=True)
class HeadroomVerdict:
    """Whether it depends on the query what a size is worth here, with the sentence that tells luck from effect.

    Attributes:
        dependent: Whether the interaction's interval lies above 0; None where nothing can be said.
        sentence: The same in words, and whether the best size depends on the query, too.
        headline: What two sizes are worth beyond two copies of one; empty with one phase or one scale.
    """

    dependent: bool | None
    sentence: str
    headline: str


@dataclass(frozen=True)
class ScaleSet:
    """One subset of the scales, fused: its score at the primary endpoint and its price.

    Attributes:
        pareto: Whether no other set beats it on both.
        recommended: Whether it is the cheapest within one standard error of the best.
    """

    scales: tuple[str, ...]
    value: float
    vectors: int
    vector_bytes: int
    pareto: bool
    recommended: bool

    @property
    def marks(self) -> tuple[str, ...]:
        """What a report remarks on it."""
        marks = ("pareto", self.pareto), ("recommended", self.recommended)
        return tuple(mark for mark, holds in marks if holds)


@dataclass(frozen=True)
class Notice:
    """One warning: a stable `code`, a sentence, and whether it forbids a verdict."""

    code: str
    message: str
    blocking: bool = False
