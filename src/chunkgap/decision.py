"""The verdict on a multi-scale index and on headroom, with the rule and the sentences printed with them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chunkgap.formatting import as_given, decimals_apart, number, numbers_apart, signed
from chunkgap.formatting import interval as interval_text
from chunkgap.records import Interval

Outcome = Literal["go", "no-go", "cannot decide"]

_TIMES_DECIMALS = 3

_OUT_OF_REACH = 100  # times as many queries: no team will label them for one decision


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether to pay for a multi-scale index.

    Attributes:
        outcome: `go`, `no-go` or `cannot decide`.
        reason: What led to it, one sentence.
        rule: The whole rule, its numbers filled in.
        queries_needed: Queries that would decide if the estimate stood; None where the outcome is decided, or
            no realistic number of queries would.
    """

    outcome: Outcome
    reason: str
    rule: str
    queries_needed: int | None = None


@dataclass(frozen=True, slots=True)
class QueryDependence:
    """Whether it depends on the query what a size is worth here.

    Attributes:
        dependent: True, False (no sign of it), or None where the measurement cannot tell.
        sentence: The same for a reader, with the interval it rests on.
    """

    dependent: bool | None
    sentence: str


def decide(
    gain: Interval,
    *,
    storage: float | None,
    queries: int,
    clusters: int,
    min_gain: float = 0.02,
    max_storage: float = 5.0,
    confidence: float = 0.95,
    blocking: Sequence[str] = (),
) -> Verdict:
    """The verdict on fusion at the primary endpoint.

    `go`: the interval lies above 0, the estimate is at least `min_gain`, storage at most `max_storage`.
    `no-go`: the interval lies below `min_gain`, or storage is above `max_storage`. Otherwise, and whenever
    something blocks: `cannot decide`. Unrounded values are compared. Where all clusters gain exactly the same, the
    interval is that of `allowing_for_unseen`.

    Args:
        gain: Fusion minus the cross-fitted best fixed scale. Ends that are NaN (one cluster) decide nothing.
        storage: Vectors of the multi-scale index / vectors of the best fixed scale's; None where the vectors
            are not known, and storage decides nothing.
        queries: Queries evaluated.
        clusters: Clusters that they fall into.
        min_gain: The smallest gain worth paying for, at least 0.
        max_storage: The most storage worth paying, in the unit of `storage`.
        confidence: Of the interval.
        blocking: Warnings under which no verdict is given: a truncated scale, say.
    """
    seen, gain = gain, allowing_for_unseen(gain, clusters, confidence=confidence)
    rule = _rule(gain, storage, min_gain, max_storage)
    if blocking:
        return Verdict("cannot decide", f"No verdict is given: {'; '.join(blocking)}.", rule)
    if storage is not None and storage > max_storage:
        told = f"Storage is {_times(storage, max_storage)}, above {as_given(max_storage)}."
        return Verdict("no-go", told, rule)
    if math.isnan(gain.low) or math.isnan(gain.high):
        return Verdict("cannot decide", "The gain has no interval: all queries share one cluster.", rule)
    if gain.low > 0 and gain.estimate >= min_gain:
        told = signed(gain.estimate, decimals=gain_decimals(gain, min_gain))
        return Verdict("go", f"Fusion gains {told}, and its interval lies above 0.", rule)
    if gain.high < min_gain:
        told = signed(gain.high, decimals=gain_decimals(gain, min_gain))
        return Verdict("no-go", f"The gain is below {as_given(min_gain)}: at most {told}.", rule)
    if seen != gain:
        return _unseen(gain, queries, clusters, min_gain, confidence, rule)
    return _undecided(gain, queries, min_gain, rule)


def allowing_for_unseen(value: Interval, clusters: int, *, confidence: float = 0.95) -> Interval:
    """Widen an interval without width: where all clusters agree, others may not.

    A bootstrap of equal values has no spread, however few there are. But of all clusters a share of up to
    1 - (1 - confidence)^(1 / clusters) may differ and none of those seen (about 3 / clusters at 95%: the rule of
    three, Hanley and Lippman-Hand, JAMA 1983), at worst by all that lies between the value and -1 or 1.

    Args:
        value: The mean of a difference, in [-1, 1].
        clusters: Clusters it rests on, at least 1.
        confidence: Of the interval, in (0, 1).

    Returns:
        The interval as it was, unless both its ends are equal.

    >>> allowing_for_unseen(Interval(0.0, 0.0, 0.0), clusters=30)
    Interval(estimate=0.0, low=-0.095, high=0.095)
    """
    if value.low != value.high:
        return value
    share = 1 - (1 - confidence) ** (1 / clusters)
    low, high = value.estimate - share * (1 + value.estimate), value.estimate + share * (1 - value.estimate)
    return Interval(value.estimate, round(low, 4), round(high, 4))


def queries_to_decide(gain: Interval, queries: int, *, min_gain: float = 0.02) -> int | None:
    """How many queries would decide, if the estimate stood and the interval shrank as one over their root.

    An estimate of `min_gain` or more needs its lower end above 0, a smaller one its upper end below
    `min_gain`.

    Args:
        gain: An undecided gain.
        queries: Queries that gave it.
        min_gain: The smallest gain worth paying for, at least 0.

    Returns:
        The number; None beyond a hundred times `queries`, where an estimate of 0 is held against a
        `min_gain` of 0, or where the interval has no ends.

    >>> queries_to_decide(Interval(0.03, -0.03, 0.09), 100)  # half as wide would touch 0: four times as many
    401
    >>> queries_to_decide(Interval(0.0, -0.04, 0.04), 100)
    401
    """
    if gain.estimate >= min_gain:
        width, room = gain.estimate - gain.low, gain.estimate
    else:
        width, room = gain.high - gain.estimate, min_gain - gain.estimate
    if room <= 0 or math.isnan(width) or (times := (width / room) ** 2) > _OUT_OF_REACH:
        return None
    return math.floor(round(queries * times, 6)) + 1


def gain_decimals(gain: Interval, min_gain: float) -> int:
    """As many as tell the estimate and the ends from what they are held against; 0 looks like nothing else.

    >>> gain_decimals(Interval(0.01, 0.001, 0.03), 0.02), gain_decimals(Interval(0.01, 0.001, 0.019999), 0.02)
    (4, 6)
    """
    return max(decimals_apart(value, min_gain) for value in (gain.estimate, gain.low, gain.high))


def judge_headroom(
    interaction: Interval | None,
    excess: Interval | None,
    *,
    gap: Interval,
    reproducible: Interval | None,
    clusters: int,
    confidence: float = 0.95,
    blocking: Sequence[str] = (),
) -> QueryDependence:
    """Whether size is query-dependent here: whether the interaction's interval lies above 0.

    Where it does, one size may still be the best for every query, and merely better by more for some. That choosing
    per query would win something is certain only where the reproducible gap's interval lies above 0, and ruled out
    where the raw gap is 0.

    Args:
        interaction: None with one phase or one scale, where nothing tells size from luck.
        excess: The size excess, from the same queries.
        gap: The raw oracle gap, likewise.
        reproducible: The reproducible gap, likewise; None with one phase.
        clusters: Clusters that these fall into.
        confidence: Of their intervals.
        blocking: Warnings under which nothing is claimed: a truncated scale, say.
    """
    if blocking:
        return QueryDependence(None, f"Cannot tell: {'; '.join(blocking)}.")
    if interaction is None or excess is None:
        return QueryDependence(
            None, "Uncorrected: it takes two sizes and two phases to tell what size is worth from luck."
        )
    if math.isnan(interaction.low):
        return QueryDependence(None, "Cannot tell: all queries share one cluster, so there is no interval.")
    interaction, excess = (
        allowing_for_unseen(value, clusters, confidence=confidence) for value in (interaction, excess)
    )
    found = interval_text(interaction, decimals=3)
    if interaction.low > 0:
        if reproducible is not None:
            reproducible = allowing_for_unseen(reproducible, clusters, confidence=confidence)
        return QueryDependence(True, _dependence(found, gap, reproducible))
    return QueryDependence(
        False,
        f"No sign that the best size depends on the query: interaction {found}; "
        f"the largest size excess this leaves open is {number(max(excess.high, 0.0), decimals=3)}.",
    )


def _dependence(interaction: str, gap: Interval, reproducible: Interval | None) -> str:
    worth = f"How much size matters depends on the query here: interaction {interaction}"
    if gap.estimate == 0:
        return f"{worth}; but no query is served better by another size than the best fixed one."
    if reproducible is None:
        return f"{worth}."
    found = f"reproducible gap {interval_text(reproducible, decimals=3)}"
    if reproducible.low > 0:
        return f"The best size depends on the query here: interaction {interaction}, {found}."
    return (
        f"{worth}. Whether the best size does too, so that choosing it per query would win, is open: {found}."
    )


def headroom_headline(same_size: float, different_sizes: float, gap: float, excess: Interval) -> str:
    """Headroom in one sentence.

    Args:
        same_size: Oracle over two placements of one size.
        different_sizes: Oracle over two different sizes.
        gap: The raw oracle gap.
        excess: The second oracle minus the first.

    >>> print(headroom_headline(0.9237, 0.9257, 0.0487, Interval(0.0019, -0.0033, 0.0081)))
    Two copies of one size reach 0.924, two different sizes 0.926: of the gap of 0.049, size is worth 0.002 \
[-0.003, 0.008].
    """
    same, different = numbers_apart(same_size, different_sizes, decimals=3)
    raw = number(gap, decimals=3)
    worth = interval_text(excess, decimals=3)
    told = f"Two copies of one size reach {same}, two different sizes {different}: "
    if gap < excess.estimate:
        return f"{told}a second size is worth {worth}, though the raw gap of all sizes is {raw}."
    return f"{told}of the gap of {raw}, size is worth {worth}."


def _undecided(gain: Interval, queries: int, min_gain: float, rule: str) -> Verdict:
    needed = queries_to_decide(gain, queries, min_gain=min_gain)
    advice = "no realistic number of queries would" if needed is None else f"about {needed:,} queries would"
    reason = f"The interval reaches from 0 or less to {as_given(min_gain)} or more"
    if gain.low > 0:
        reason = f"The gain is above 0, but not surely {as_given(min_gain)}"
    return Verdict("cannot decide", f"{reason}; {advice} decide, if the estimate stood.", rule, needed)


def _unseen(
    gain: Interval, queries: int, clusters: int, min_gain: float, confidence: float, rule: str
) -> Verdict:
    """The verdict where all clusters agree and are too few for that to be certain."""
    value = gain.estimate
    share = (min_gain - value) / (1 - value) if value < min_gain else value / (1 + value)
    needed = None
    if share > 0 and (enough := math.log(1 - confidence) / math.log1p(-share)) <= _OUT_OF_REACH * clusters:
        needed = math.floor(queries * enough / clusters) + 1
    advice = "no realistic number of queries would" if needed is None else f"about {needed:,} queries would"
    reason = f"Every cluster of queries gains the same, {signed(value)}, but {clusters} are too few to say so of others"
    return Verdict("cannot decide", f"{reason}; {advice} decide.", rule, needed)


def _rule(gain: Interval, storage: float | None, min_gain: float, max_storage: float) -> str:
    told = interval_text(gain, decimals=gain_decimals(gain, min_gain))
    least, most = as_given(min_gain), as_given(max_storage)
    if storage is None:
        return (
            f"go: interval above 0, gain at least {least}; no-go: interval below {least}; otherwise cannot decide; "
            f"storage is not known and decides nothing. Here: gain {told}."
        )
    return (
        f"go: interval above 0, gain at least {least}, storage at most {most} times the best "
        f"fixed scale's vectors; no-go: interval below {least}, or more storage; "
        f"otherwise cannot decide. "
        f"Here: gain {told}, storage {_times(storage, max_storage)}."
    )


def _times(storage: float, max_storage: float) -> str:
    """Storage as a multiple, told from the most that it may be."""
    decimals = decimals_apart(storage, max_storage, least=_TIMES_DECIMALS)
    return f"{as_given(round(storage, decimals))} times"
