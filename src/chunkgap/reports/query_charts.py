"""Charts of the queries: all of them by scale, how many each scale wins, and their means by tag."""

import textwrap
from collections.abc import Iterator, Sequence

from chunkgap.formatting import number
from chunkgap.reports.chart import (
    SHORT,
    Bars,
    Cells,
    Chart,
    FilledRows,
    Numbers,
    Points,
    Rows,
    Unmarked,
    counts_axis,
    label,
)
from chunkgap.reports.palette import EMPTY, MUTED, ramp, symbols
from chunkgap.reports.quantities import count
from chunkgap.results import Results, Slice

_SLICES = 30
_SLICE_LABEL = 24


def map_chart(results: Results) -> Chart:
    """Scales down, queries across; the page fills it in the order the reader chose."""
    names = [label(scale.name, limit=SHORT) for scale in results.scales]
    if results.per_query.scores[results.endpoint.name].fusion:
        names.append(f"RRF {results.endpoint.fusion}")
    return Chart(
        height=96 + 34 * len(names),
        x=Unmarked("queries"),
        y=FilledRows(tuple(names), is_fixed=True),
        marks=(Cells(EMPTY, ramp(2)[1]),),
    )


def wins_chart(results: Results) -> Chart:
    """Queries that each scale alone answers best."""
    wins = results.wins
    names = [*(label(name, limit=SHORT) for name in wins.alone), "shared by several", "none finds it"]
    counts = (*wins.alone.values(), wins.tied, wins.none)
    colours = (*ramp(len(wins.alone)), MUTED, MUTED)
    return Chart(
        height=70 + 34 * len(names),
        x=counts_axis("queries", counts),
        y=FilledRows(tuple(names)),
        marks=(Bars(counts, colours, tuple(map(count, counts))),),
    )


def charted_slices(results: Results) -> list[Slice]:
    """The slices that are large enough to say something, as many of them as a chart has room for."""
    return [found for found in results.slices if not found.small][:_SLICES]


def slices_chart(results: Results) -> Chart:
    """One line per tag value, a dot per scale, the best one larger, or all that tie for it."""
    slices = charted_slices(results)
    names = tuple(_wrapped(f"{found.tag}: {found.value}") for found in slices)
    return Chart(
        height=130 + 36 * len(slices),
        x=Numbers(f"mean {results.endpoint.name}", form=".2f"),
        y=Rows(names, has_lines=True),
        marks=tuple(_slice_points(results, slices, names)),
    )


def _slice_points(results: Results, slices: Sequence[Slice], names: Sequence[str]) -> Iterator[Points]:
    """The dots of each scale, over all slices that it has a mean in."""
    steps = len(results.scales)
    for scale, colour, symbol in zip(results.scales, ramp(steps), symbols(steps), strict=True):
        shown = [(row, found) for row, found in enumerate(slices) if scale.name in found.means]
        name = label(scale.name, limit=SHORT)
        yield Points(
            name=name,
            x=tuple(found.means[scale.name] for _, found in shown),
            y=tuple(-row for row, _ in shown),
            colour=colour,
            symbol=symbol,
            size=tuple(15 if scale.name in found.best_scales else 9 for _, found in shown),
            opacity=1,
            hover=tuple(f"{names[row]}\n{name}: {number(found.means[scale.name])}" for row, found in shown),
        )


def _wrapped(text: str) -> str:
    """A label in at most two lines."""
    return "\n".join(textwrap.wrap(text, _SLICE_LABEL, max_lines=2, placeholder="\N{HORIZONTAL ELLIPSIS}"))
