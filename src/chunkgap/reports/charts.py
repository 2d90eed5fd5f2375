"""The charts of `report.html`, as plotly figures; plotly is known here alone.

Every text that plotly shows goes through `plain`, since plotly reads a little HTML in labels. Colours are
those of the light theme; `palette.dark_colours` says what each becomes in the dark one.
"""

import math
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from chunkgap.formatting import interval, number
from chunkgap.records import Interval
from chunkgap.reports.gaps import bracket, luck, mean_placebo
from chunkgap.reports.histogram import histogram, round_numbers
from chunkgap.reports.palette import BRACKET, EMPTY, FUSION, LUCK, MUTED, ORACLE, ramp
from chunkgap.reports.price_tables import priced
from chunkgap.reports.quality_tables import panels
from chunkgap.reports.quantities import count, data_size
from chunkgap.reports.wording import gap_name, oracle_name, scales_word, unit_words
from chunkgap.results import Headroom, Results, Row, ScaleSet, Slice

if TYPE_CHECKING:
    import plotly.graph_objects as go

Figure = Mapping[str, object]

_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "hexagon")
_SLICES = 30
_LABEL = 30
_SLICE_LABEL = 24
_FEW = 8


def charts(results: Results) -> dict[str, Figure]:
    """Every chart that these results have something to show in, by name."""
    drawn: dict[str, go.Figure] = {
        f"means-{place}": _means(results, measure, cutoffs)
        for place, (measure, cutoffs) in enumerate(panels(results))
    }
    drawn["bracket"] = _bracket(results)
    drawn["map"] = _map(results)
    drawn["wins"] = _wins(results)
    slices = [found for found in results.slices if not found.small][:_SLICES]
    if slices:
        drawn["slices"] = _slices(results, slices)
    if results.sets and priced(results):
        drawn["prices"] = _prices(results)
    if results.corpus.token_lengths:
        drawn["lengths"] = _lengths(results)
    return {name: figure.to_plotly_json() for name, figure in drawn.items()}


def library() -> str:
    """The JavaScript that draws the figures, to stand inside the page."""
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


def plain(text: str, *, limit: int | None = None) -> str:
    """A text that plotly shows as it is, on one line, shortened to `limit` characters.

    >>> plain("<b>&"), plain("abcdef", limit=4)
    ('&lt;b&gt;&amp;', 'abc\u2026')
    """
    line = " ".join(text.split())
    if limit is not None and len(line) > limit:
        line = line[: limit - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _means(results: Results, measure: str, cutoffs: Sequence[str]) -> "go.Figure":
    """One line per scale, fusion and oracle with intervals, the placebo as a band over the best fixed."""
    found = [
        headroom
        for headroom in results.headroom
        if headroom.measure == measure and headroom.cutoff in cutoffs
    ]
    figure = _figure(height=400)
    for trace in _placebo_band(results, found):
        figure.add_trace(trace)
    colours = [light for light, _ in ramp(len(results.scales))]
    for place, scale in enumerate(results.scales):
        rows = [results.row("scale", scale.name, measure, cutoff) for cutoff in cutoffs]
        figure.add_trace(
            _line(plain(scale.name), rows, colours[place], symbol=_SYMBOLS[place % len(_SYMBOLS)])
        )
    fused = [results.row("fusion", results.endpoint.fusion, measure, cutoff) for cutoff in cutoffs]
    oracle = [results.row("oracle", "oracle", measure, cutoff) for cutoff in cutoffs]
    if any(row and row.value is not None for row in fused):
        figure.add_trace(
            _line(plain(f"RRF {results.endpoint.fusion}"), fused, FUSION[0], width=3, error=True)
        )
    figure.add_trace(_line(oracle_name(found[0]), oracle, ORACLE[0], width=2, dash="dash", error=True))
    figure.update_xaxes(type="category", title_text=f"cutoff in {unit_words(cutoffs[0])}")
    figure.update_yaxes(title_text=f"mean {measure}", tickformat=".2f")
    return figure


def _placebo_band(results: Results, found: Sequence[Headroom]) -> "list[go.Scatter]":
    """From the best fixed scale up by what luck gains, over as many indexes as a placebo was measured with."""
    import plotly.graph_objects as go

    banded = [(headroom, gained) for headroom in found if (gained := luck(results, headroom))]
    if not banded:
        return []
    cutoffs = [headroom.cutoff for headroom, _ in banded]
    low = [headroom.best_fixed_value for headroom, _ in banded]
    high = [headroom.best_fixed_value + gap for headroom, (_, gap) in banded]
    name = f"luck of {banded[0][1][0]} indexes"
    common = {"x": cutoffs, "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    return [
        go.Scatter(y=low, showlegend=False, **common),
        go.Scatter(y=high, fill="tonexty", fillcolor=LUCK[0], name=name, **common),
    ]


def _line(
    name: str,
    rows: Sequence[Row | None],
    colour: str,
    *,
    symbol: str = "circle",
    width: float = 2,
    dash: str = "solid",
    error: bool = False,
) -> "go.Scatter":
    import plotly.graph_objects as go

    shown = [row for row in rows if row is not None and row.value is not None]
    values = [row.value for row in shown]
    return go.Scatter(
        name=name,
        x=[row.cutoff for row in shown],
        y=values,
        mode="lines+markers",
        line={"color": colour, "width": width, "dash": dash},
        marker={"color": colour, "size": 7, "symbol": symbol},
        error_y=_error([row.interval for row in shown], values, colour) if error else None,
        text=[
            f"{name} at {row.cutoff}: {interval(row.interval) if row.interval else number(row.value)}"
            for row in shown
        ],
        hoverinfo="text",
    )


def _error(
    intervals: Iterable[Interval | None], values: Sequence[float | None], colour: str
) -> dict[str, object]:
    """Error bars, of length 0 where there is no interval."""
    pairs = [
        (found or Interval(value or 0.0, value or 0.0, value or 0.0), value or 0.0)
        for found, value in zip(intervals, values, strict=True)
    ]
    return {
        "type": "data",
        "symmetric": False,
        "array": [max(0.0, found.high - value) for found, value in pairs],
        "arrayminus": [max(0.0, value - found.low) for found, value in pairs],
        "color": colour,
        "thickness": 1.4,
        "width": 4,
    }


def _bracket(results: Results) -> "go.Figure":
    """The gap and its parts with their intervals, the bracket shaded: its estimates, and lighter its intervals."""
    import plotly.graph_objects as go

    found, phases = results.primary, results.phases
    parts: list[tuple[str, Interval | None, tuple[str, str]]] = [
        (gap_name(found), found.gap, ORACLE),
        ("reproducible gap", found.reproducible, ORACLE),
        (f"placebo gap of {len(results.scales)} phases", _exact(found.matched_placebo), MUTED),
        (f"mean gap of {phases} {scales_word(results)}", _exact(found.like_for_like), ORACLE),
        (f"placebo gap of {phases} phases", _exact(mean_placebo(found)), MUTED),
        ("size excess", found.excess, FUSION),
        ("interaction", found.interaction, FUSION),
        ("fusion gain", results.verdict.gain, FUSION),
    ]
    shown = [(name, value, colour[0]) for name, value, colour in parts if value is not None]
    figure = _figure(height=90 + 44 * len(shown))
    for place, (name, value, colour) in enumerate(shown):
        figure.add_trace(
            go.Scatter(
                x=[value.estimate],
                y=[-place],
                mode="markers",
                marker={"color": colour, "size": 11},
                error_x=_error([value], [value.estimate], colour),
                text=[f"{name}: {interval(value) if value.low != value.high else number(value.estimate)}"],
                hoverinfo="text",
                showlegend=False,
            )
        )
    for ends in _bracket_ends(found):
        figure.add_shape(
            type="rect",
            x0=ends[0],
            x1=ends[1],
            y0=-1.35,
            y1=0.35,
            fillcolor=BRACKET[0],
            line_width=0,
            layer="below",
        )
    figure.update_xaxes(title_text=f"difference in mean {found.name}", zeroline=True, tickformat="+.2f")
    figure.update_yaxes(
        tickvals=[-place for place in range(len(shown))],
        ticktext=[name for name, _, _ in shown],
        range=[0.6 - len(shown), 0.6],
        zeroline=False,
        showgrid=False,
    )
    return figure


def _bracket_ends(found: Headroom) -> Iterator[tuple[float, float]]:
    """The bracket between its estimates, and from the lower to the upper end of its intervals, where there are any."""
    between = bracket(found)
    if between is None:
        return
    yield between.reproducible.estimate, between.raw.estimate
    if math.isfinite(between.low) and math.isfinite(between.high):
        yield between.low, between.high


def _exact(value: float | None) -> Interval | None:
    """A number without an interval."""
    return None if value is None else Interval(value, value, value)


def _map(results: Results) -> "go.Figure":
    """Scales down, queries across; the page fills it in the order the reader chose."""
    import plotly.graph_objects as go

    low, high = EMPTY[0], ramp(2)[1][0]
    names = [plain(scale.name, limit=_LABEL) for scale in results.scales]
    names += (
        [plain(f"RRF {results.endpoint.fusion}")]
        if results.per_query.scores[results.endpoint.name].fusion
        else []
    )
    figure = _figure(height=96 + 34 * len(names))
    figure.add_trace(
        go.Heatmap(
            z=[],
            zmin=0,
            zmax=1,
            colorscale=[[0, low], [1, high]],
            showscale=False,
            hoverinfo="none",
            ygap=2,
        )
    )
    figure.update_xaxes(showticklabels=False, ticks="", showgrid=False, zeroline=False, title_text="queries")
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=names,
        autorange="reversed",
        fixedrange=True,
        showgrid=False,
        zeroline=False,
    )
    return figure


def _wins(results: Results) -> "go.Figure":
    """Queries that each scale alone answers best."""
    import plotly.graph_objects as go

    wins = results.wins
    names = [plain(name, limit=_LABEL) for name in wins.alone] + ["shared by several", "none finds it"]
    counts = [*wins.alone.values(), wins.tied, wins.none]
    colours = [light for light, _ in ramp(len(wins.alone))] + [MUTED[0]] * 2
    figure = _figure(height=70 + 34 * len(names))
    figure.add_trace(
        go.Bar(
            x=counts,
            y=list(range(len(names))),
            orientation="h",
            marker={"color": colours},
            text=[count(found) for found in counts],
            textposition="outside",
            cliponaxis=False,
            hoverinfo="skip",
        )
    )
    figure.update_xaxes(title_text="queries", rangemode="tozero", **_whole_ticks(counts))
    figure.update_yaxes(
        tickvals=list(range(len(names))), ticktext=names, autorange="reversed", showgrid=False, zeroline=False
    )
    return figure


def _slices(results: Results, slices: Sequence[Slice]) -> "go.Figure":
    """One line per tag value, a dot per scale, the best one larger."""
    import plotly.graph_objects as go

    labels = [_wrapped(f"{found.tag}: {found.value}") for found in slices]
    figure = _figure(height=130 + 36 * len(slices))
    colours = [light for light, _ in ramp(len(results.scales))]
    for place, scale in enumerate(results.scales):
        shown = [(-row, found) for row, found in enumerate(slices) if scale.name in found.means]
        name = plain(scale.name, limit=_LABEL)
        figure.add_trace(
            go.Scatter(
                name=name,
                x=[found.means[scale.name] for _, found in shown],
                y=[row for row, _ in shown],
                mode="markers",
                marker={
                    "color": colours[place],
                    "opacity": 1,
                    "symbol": _SYMBOLS[place % len(_SYMBOLS)],
                    "size": [15 if found.best == scale.name else 9 for _, found in shown],
                },
                text=[f"{labels[-row]}<br>{name}: {number(found.means[scale.name])}" for row, found in shown],
                hoverinfo="text",
            )
        )
    figure.update_xaxes(title_text=f"mean {results.endpoint.name}", tickformat=".2f")
    figure.update_yaxes(
        tickvals=[-row for row in range(len(slices))],
        ticktext=labels,
        range=[0.6 - len(slices), 0.6],
        zeroline=False,
    )
    return figure


def _wrapped(text: str) -> str:
    """A label in at most two lines."""
    lines = textwrap.wrap(text, _SLICE_LABEL, max_lines=2, placeholder="\N{HORIZONTAL ELLIPSIS}")
    return "<br>".join(map(plain, lines))


def _whole_ticks(counts: Sequence[int]) -> dict[str, int]:
    """Ticks at whole numbers, where an axis of few would have halves."""
    return {"dtick": 1} if max(counts, default=0) <= _FEW else {}


def _prices(results: Results) -> "go.Figure":
    """Vectors against the fused measure, one dot per set; the front joined, the recommended set ringed."""
    front = sorted((found for found in results.sets if found.pareto), key=lambda found: found.vectors)
    others = [found for found in results.sets if not found.pareto]
    ringed = [found for found in results.sets if found.recommended]
    figure = _figure(height=400)
    figure.add_trace(
        _sets("other sets", others, mode="markers", marker={"color": MUTED[0], "size": 8, "opacity": 0.75})
    )
    figure.add_trace(
        _sets(
            "no set is cheaper and better",
            front,
            mode="lines+markers",
            marker={"color": FUSION[0], "size": 10},
            line={"color": FUSION[0], "width": 1.5, "dash": "dot"},
        )
    )
    figure.add_trace(
        _sets(
            "recommended",
            ringed,
            mode="markers+text",
            text=[plain(" + ".join(found.scales), limit=_LABEL) for found in ringed],
            textposition="top center",
            cliponaxis=False,
            marker={"color": ORACLE[0], "size": 18, "symbol": "circle-open", "line": {"width": 2.5}},
        )
    )
    figure.update_xaxes(title_text="vectors to store", rangemode="tozero")
    figure.update_yaxes(title_text=f"fused {results.endpoint.name}", tickformat=".3f")
    return figure


def _sets(name: str, sets: Sequence[ScaleSet], **style: object) -> "go.Scatter":
    import plotly.graph_objects as go

    return go.Scatter(
        name=name,
        x=[found.vectors for found in sets],
        y=[found.value for found in sets],
        hovertext=[
            f"{plain(' + '.join(found.scales))}<br>{number(found.value)}, {count(found.vectors)} vectors, "
            f"{data_size(found.vector_bytes)}"
            for found in sets
        ],
        hoverinfo="text",
        **style,
    )


def _lengths(results: Results) -> "go.Figure":
    """Documents by their tokens, on a logarithmic axis, the sizes as upright lines."""
    import plotly.graph_objects as go

    edges, counts = histogram(results.corpus.token_lengths)
    figure = _figure(height=340)
    figure.add_trace(
        go.Bar(
            x=edges[:-1],
            y=counts,
            width=[high - low for low, high in pairwise(edges)],
            offset=0,
            marker={"color": MUTED[0], "line": {"width": 0}},
            text=[
                f"{count(found)} documents of {low:,.0f} to {high:,.0f} tokens"
                for found, low, high in zip(counts, edges, edges[1:], strict=False)
            ],
            hoverinfo="text",
            textposition="none",
            showlegend=False,
        )
    )
    for (colour, _), scale in zip(ramp(len(results.scales)), results.scales, strict=True):
        if scale.size:
            _upright(figure, scale.size, plain(scale.name), colour)
    ends = [edges[0], edges[-1], *(scale.size for scale in results.scales if scale.size)]
    ticks = round_numbers(min(ends), max(ends))
    figure.update_xaxes(
        type="log",
        title_text="tokens in a document (logarithmic)",
        range=[math.log10(min(ends) * 0.9), math.log10(max(ends) * 1.1)],
        tickvals=ticks,
        ticktext=[count(tick) for tick in ticks],
    )
    figure.update_yaxes(title_text="documents", rangemode="tozero", **_whole_ticks(counts))
    return figure


def _upright(figure: "go.Figure", size: int, name: str, colour: str) -> None:
    """A line at a size, named above.

    A label on a logarithmic axis is placed by its exponent, a line is not.
    """
    figure.add_shape(
        type="line", x0=size, x1=size, y0=0, y1=1, yref="paper", line={"color": colour, "width": 2}
    )
    figure.add_annotation(
        x=math.log10(size), y=1, yref="paper", yanchor="bottom", text=name, showarrow=False, font={"size": 12}
    )


def _figure(*, height: int) -> "go.Figure":
    import plotly.graph_objects as go

    figure = go.Figure()
    figure.update_layout(
        template=go.layout.Template(),
        height=height,
        margin={"l": 8, "r": 16, "t": 28, "b": 8},
        hovermode="closest",
        dragmode=False,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
    )
    figure.update_xaxes(automargin=True, title_font_size=13)
    figure.update_yaxes(automargin=True, title_font_size=13)
    return figure
