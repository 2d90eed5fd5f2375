"""What the gap at an endpoint is held against: its bracket, luck like for like, and what a router reaches."""

from chunkgap.formatting import MISSING, interval, number, numbers_apart
from chunkgap.reports.table import Cell, Table
from chunkgap.reports.wording import gain_text, gap_name, scales_word
from chunkgap.results import CROSS_FITTED, Comparison, Headroom, Results


def bracket_texts(found: Headroom, *, decimals: int = 4) -> tuple[str, str]:
    """The bracket between the two estimates, and from the lower end of one interval to the upper of the other."""
    between = found.bracket
    if between is None:
        return MISSING, MISSING
    estimates = (between.reproducible.estimate, between.raw.estimate)
    inner, outer = (
        ", ".join(number(end, decimals=decimals) for end in ends)
        for ends in (estimates, (between.low, between.high))
    )
    return f"[{inner}]", f"[{outer}]"


def bracket_sentence(results: Results) -> str:
    """What a perfect choice of the scale could win at the primary endpoint; empty for one scale."""
    found = results.primary
    if len(results.scales) < 2:
        return ""  # one scale has no gap, by definition
    raw, reproducible = interval(found.gap, decimals=3), interval(found.reproducible, decimals=3)
    if not found.corrected:
        return f"The oracle gap is uncorrected: {raw}; one phase does not tell size from luck."
    estimated, surely = bracket_texts(found, decimals=3)
    return (
        f"What a perfect choice of size could win at {found.name} lies between the reproducible gap, "
        f"{reproducible}, and the raw gap, {raw}: bracket {estimated}, at {level(results)} {surely}."
    )


def level(results: Results) -> str:
    """The confidence of every interval, as `95%`."""
    return f"{results.confidence * 100:g}%"


def mean_placebo(found: Headroom) -> float | None:
    """The mean of the placebo gaps over scales, None without a second phase."""
    gaps = found.placebo.values()
    return sum(gaps) / len(gaps) if gaps else None


def luck(results: Results, found: Headroom) -> tuple[int, float] | None:
    """The largest number of indexes that a placebo was measured with, and its gap; None without a placebo.

    As many as there are scales where phases were matched, else as many as there are phases.
    """
    if found.matched_placebo is not None:
        return len(results.scales), found.matched_placebo
    gap = mean_placebo(found)
    return None if gap is None else (results.phases, gap)


def luck_sentence(results: Results) -> str:
    """Placebo gaps beside the gaps over as many scales; empty where there are none to compare."""
    found, word = results.primary, scales_word(results)
    pairs = []
    if found.like_for_like is not None and found.placebo:
        pairs.append((results.phases, mean_placebo(found), found.like_for_like))
    if found.matched_placebo is not None:
        pairs.append((len(results.scales), found.matched_placebo, found.gap.estimate))
    told = [
        f"an oracle over {members} phases of one {word[:-1]} gains {number(placebo, decimals=3)}, "
        f"over {members} {word} {number(gap, decimals=3)}"
        for members, placebo, gap in pairs
    ]
    return f"Luck, like for like: {'; '.join(told)}." if told else ""


def luck_table(results: Results) -> Table:
    """What an oracle gains by luck, each above what it gains over as many scales; empty without a second phase."""
    found, word, phases = results.primary, scales_word(results), results.phases
    if not found.placebo:
        return Table("", (), ())
    placebo, both = "placebo: luck", "luck and size"
    rows = [(f"{phases} phases of {name}", gap, placebo) for name, gap in found.placebo.items()]
    scales = len(results.scales)
    if len(found.placebo) > 1:
        rows.append((f"{phases} phases of one {word[:-1]}, mean", mean_placebo(found) or 0.0, placebo))
    if found.like_for_like is not None and phases != scales:
        rows.append((f"{phases} {word}, mean over all sets of {phases}", found.like_for_like, both))
    if found.matched_placebo is not None:
        matched = f"{scales} phases of the best fixed {word[:-1]}"
        rows.append((matched, found.matched_placebo, f"matched {placebo}"))
    if scales > 1:
        rows.append((f"{scales} {word}", found.gap.estimate, f"{gap_name(found)}: {both}"))
    return Table(
        f"Luck beside the gap, like for like, at {found.name}",
        ("an oracle over", "gains", "which is"),
        tuple((Cell(name), Cell(number(gap)), Cell(kind)) for name, gap, kind in rows),
        marked=frozenset(place for place, row in enumerate(rows) if row[2].endswith(both)),
        texts=frozenset({0, 2}),
    )


def router_sentence(results: Results) -> str:
    """Whether choosing the scale from the query alone beats the best fixed scale; empty without a router."""
    measure, cutoff = results.endpoint.measure, results.endpoint.cutoff
    routers = [
        row
        for row in results.rows
        if row.kind == "router" and row.value is not None and (row.measure, row.cutoff) == (measure, cutoff)
    ]
    fixed = results.row("best fixed", CROSS_FITTED, measure, cutoff)
    if not routers or fixed is None or fixed.value is None:
        return ""
    best = max(routers, key=lambda row: row.value or 0.0)
    against = f"the best fixed {scales_word(results)[:-1]}"
    if best.value is None or best.value <= fixed.value:
        which = "the better one" if len(routers) == 2 else best.name
        return (
            f"No router beats {against}: {which} reaches {number(best.value)} against {number(fixed.value)}."
        )
    reached = f"reaches {' against '.join(numbers_apart(best.value, fixed.value))}"
    return f"The router {best.name} {reached} of {against}{_surely(results.comparison(best.name))}."


def _surely(compared: Comparison | None) -> str:
    """The interval of a gain, and whether it tells the gain from none."""
    if compared is None:
        return ""
    told = "" if compared.difference.low > 0 else "; the interval includes 0"
    return f": {gain_text(compared.difference)}{told}"
