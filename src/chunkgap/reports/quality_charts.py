"""Charts of what every row reaches, and of the gap beside what it is held against."""

import math
from collections.abc import Iterator, Sequence

from chunkgap.formatting import interval, number
from chunkgap.records import Interval
from chunkgap.reports.chart import (
    Band,
    Categories,
    Chart,
    Dash,
    Line,
    Mark,
    Numbers,
    Points,
    Region,
    Rows,
    label,
)
from chunkgap.reports.gaps import luck, mean_placebo
from chunkgap.reports.palette import BRACKET, FUSION, LUCK, MUTED, ORACLE, Colour, ramp, symbols
from chunkgap.reports.wording import gap_name, oracle_name, scales_word, unit_words
from chunkgap.results import Headroom, Results, Row


def means_chart(results: Results, measure: str, cutoffs: Sequence[str]) -> Chart:
    """One line per scale, fusion and oracle with intervals, the placebo as a band over the best fixed."""
    found = [
        headroom
        for headroom in results.headroom
        if headroom.measure == measure and headroom.cutoff in cutoffs
    ]
    fused = [results.row("fusion", results.endpoint.fusion, measure, cutoff) for cutoff in cutoffs]
    oracle = [results.row("oracle", "oracle", measure, cutoff) for cutoff in cutoffs]
    marks: list[Mark] = [*_placebo_band(results, found), *_scale_lines(results, measure, cutoffs)]
    if any(row and row.value is not None for row in fused):
        marks.append(_line(f"RRF {results.endpoint.fusion}", fused, FUSION, width=3, has_intervals=True))
    marks.append(_line(oracle_name(found[0]), oracle, ORACLE, dash="dash", has_intervals=True))
    return Chart(
        height=400,
        x=Categories(f"cutoff in {unit_words(cutoffs[0])}"),
        y=Numbers(f"mean {measure}", form=".2f"),
        marks=tuple(marks),
    )


def bracket_chart(results: Results) -> Chart:
    """The gap and its parts with their intervals, the bracket shaded: its estimates, and lighter its intervals."""
    found, shown = results.primary, list(_parts(results))
    points = [
        Points(
            x=(value.estimate,),
            y=(-place,),
            colour=colour,
            hover=(f"{name}: {interval(value) if value.low != value.high else number(value.estimate)}",),
            size=11,
            intervals=(value,),
            along="x",
        )
        for place, (name, value, colour) in enumerate(shown)
    ]
    return Chart(
        height=90 + 44 * len(shown),
        x=Numbers(f"difference in mean {found.name}", form="+.2f", has_zero_line=True),
        y=Rows(tuple(name for name, _, _ in shown)),
        marks=(*points, *(Region(ends, (-1.35, 0.35), BRACKET) for ends in _bracket_ends(found))),
    )


def _placebo_band(results: Results, found: Sequence[Headroom]) -> Iterator[Band]:
    """From the best fixed scale up by what luck gains, over as many indexes as a placebo was measured with."""
    banded = [(headroom, gained) for headroom in found if (gained := luck(results, headroom))]
    if banded:
        yield Band(
            x=tuple(headroom.cutoff for headroom, _ in banded),
            low=tuple(headroom.best_fixed_value for headroom, _ in banded),
            high=tuple(headroom.best_fixed_value + gap for headroom, (_, gap) in banded),
            colour=LUCK,
            name=f"luck of {banded[0][1][0]} indexes",
        )


def _scale_lines(results: Results, measure: str, cutoffs: Sequence[str]) -> Iterator[Points]:
    steps = len(results.scales)
    for scale, colour, symbol in zip(results.scales, ramp(steps), symbols(steps), strict=True):
        rows = [results.row("scale", scale.name, measure, cutoff) for cutoff in cutoffs]
        yield _line(label(scale.name), rows, colour, symbol=symbol)


def _line(
    name: str,
    rows: Sequence[Row | None],
    colour: Colour,
    *,
    symbol: str = "circle",
    width: float = 2,
    dash: Dash = "solid",
    has_intervals: bool = False,
) -> Points:
    shown = [(row, row.value) for row in rows if row is not None and row.value is not None]
    return Points(
        name=name,
        x=tuple(row.cutoff for row, _ in shown),
        y=tuple(value for _, value in shown),
        colour=colour,
        symbol=symbol,
        line=Line(width, dash),
        intervals=tuple(row.interval for row, _ in shown) if has_intervals else None,
        hover=tuple(
            f"{name} at {row.cutoff}: {interval(row.interval) if row.interval else number(value)}"
            for row, value in shown
        ),
    )


def _parts(results: Results) -> Iterator[tuple[str, Interval, Colour]]:
    """The gap and what it is held against, as far as it is known."""
    found, phases = results.primary, results.phases
    parts: list[tuple[str, Interval | None, Colour]] = [
        (gap_name(found), found.gap, ORACLE),
        ("reproducible gap", found.reproducible, ORACLE),
        (f"placebo gap of {len(results.scales)} phases", _exact(found.matched_placebo), MUTED),
        (f"mean gap of {phases} {scales_word(results)}", _exact(found.like_for_like), ORACLE),
        (f"placebo gap of {phases} phases", _exact(mean_placebo(found)), MUTED),
        ("size excess", found.excess, FUSION),
        ("interaction", found.interaction, FUSION),
        ("fusion gain", results.verdict.gain, FUSION),
    ]
    return ((name, value, colour) for name, value, colour in parts if value is not None)


def _exact(value: float | None) -> Interval | None:
    """A number without an interval."""
    return None if value is None else Interval(value, value, value)


def _bracket_ends(found: Headroom) -> Iterator[tuple[float, float]]:
    """The bracket between its estimates, and from the lower to the upper end of its intervals, where there are any."""
    between = found.bracket
    if between is None:
        return
    yield between.reproducible.estimate, between.raw.estimate
    if math.isfinite(between.low) and math.isfinite(between.high):
        yield between.low, between.high
