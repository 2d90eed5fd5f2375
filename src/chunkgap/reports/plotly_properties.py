"""What plotly is told of marks and axes: its properties, by name.

Every text goes through `plain`, since plotly reads a little HTML in labels. Colours are those of the light theme;
`palette.dark_colours` says what each becomes in the dark one.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from chunkgap.records import Interval
from chunkgap.reports.chart import (
    Axis,
    Band,
    Bars,
    Categories,
    Cells,
    FilledRows,
    Histogram,
    Logarithmic,
    Numbers,
    Points,
    Region,
    Rows,
    Unmarked,
    Upright,
)

Properties = dict[str, object]


def plain(text: str) -> str:
    r"""A text that plotly shows as it is.

    >>> plain("<b>&\nc")
    '&lt;b&gt;&amp;<br>c'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", "<br>")


def of_points(points: Points) -> Properties:
    """Of a scatter trace."""
    colour, line = points.colour[0], points.line
    modes = {"lines": line, "markers": True, "text": points.labels}
    found: Properties = {
        "name": plain(points.name) if points.name else None,
        "showlegend": None if points.name else False,
        "x": points.x,
        "y": points.y,
        "mode": "+".join(mode for mode, is_on in modes.items() if is_on),
        "line": {"color": colour, "width": line.width, "dash": line.dash} if line else None,
        "marker": {
            "color": colour,
            "size": points.size,
            "symbol": points.symbol,
            "opacity": points.opacity,
            "line": {"width": points.outline} if points.outline else None,
        },
        "hoverinfo": "text",
        **_texts(points),
    }
    if points.intervals is not None:
        found[f"error_{points.along}"] = _error_bars(points.intervals, colour)
    return found


def of_band(band: Band) -> Iterator[Properties]:
    """Its lower line, and its upper one, filled down to the lower."""
    line: Properties = {"x": band.x, "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    yield {**line, "y": band.low, "showlegend": False}
    yield {
        **line,
        "y": band.high,
        "fill": "tonexty",
        "fillcolor": band.colour[0],
        "name": plain(band.name),
    }


def of_bars(bars: Bars) -> Properties:
    """Of a bar trace, a bar a row."""
    return {
        "x": bars.lengths,
        "y": list(range(len(bars.lengths))),
        "orientation": "h",
        "marker": {"color": [light for light, _ in bars.colours]},
        "text": _plain(bars.labels),
        "textposition": "outside",
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def of_histogram(histogram: Histogram) -> Properties:
    """Of a bar trace whose bars touch."""
    return {
        "x": histogram.edges[:-1],
        "y": histogram.counts,
        "width": [high - low for low, high in pairwise(histogram.edges)],
        "offset": 0,
        "marker": {"color": histogram.colour[0], "line": {"width": 0}},
        "text": _plain(histogram.hover),
        "hoverinfo": "text",
        "textposition": "none",
        "showlegend": False,
    }


def of_cells(cells: Cells) -> Properties:
    """Of a heat map."""
    return {
        "z": [],
        "zmin": 0,
        "zmax": 1,
        "colorscale": [[0, cells.low[0]], [1, cells.high[0]]],
        "showscale": False,
        "hoverinfo": "none",
        "ygap": 2,
    }


def of_region(region: Region) -> Properties:
    """Of a shape."""
    (x0, x1), (y0, y1) = region.x, region.y
    ends = {"x0": x0, "x1": x1, "y0": y0, "y1": y1}
    return {"type": "rect", **ends, "fillcolor": region.colour[0], "line_width": 0, "layer": "below"}


def of_upright_line(upright: Upright) -> Properties:
    """The line, over the whole height of the paper."""
    line = {"color": upright.colour[0], "width": 2}
    return {"type": "line", "x0": upright.x, "x1": upright.x, "y0": 0, "y1": 1, "yref": "paper", "line": line}


def of_upright_name(upright: Upright) -> Properties:
    """The name above the line: on a logarithmic axis a name is placed by its exponent, a line is not."""
    return {
        "x": math.log10(upright.x),
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "text": plain(upright.name),
        "showarrow": False,
        "font": {"size": 12},
    }


def of_axis(axis: Axis) -> Properties:
    """Of an axis."""
    match axis:
        case Numbers():
            return _numbers(axis)
        case Logarithmic():
            return {
                "type": "log",
                "title_text": axis.title,
                "range": [math.log10(axis.low), math.log10(axis.high)],
                **_ticks(axis.ticks),
            }
        case Categories():
            return {"type": "category", "title_text": axis.title}
        case Unmarked():
            shown: Properties = {"showticklabels": False, "ticks": "", "showgrid": False, "zeroline": False}
            return {**shown, "title_text": axis.title}
        case Rows():
            rows = len(axis.names)
            ticks = _ticks({-row: name for row, name in enumerate(axis.names)})
            grid = {} if axis.has_lines else {"showgrid": False}
            return {**ticks, "range": [0.6 - rows, 0.6], "zeroline": False, **grid}
        case FilledRows():
            zoom = {"fixedrange": True} if axis.is_fixed else {}
            return {
                **_ticks(dict(enumerate(axis.names))),
                "autorange": "reversed",
                **zoom,
                "showgrid": False,
                "zeroline": False,
            }


def _texts(points: Points) -> Properties:
    """What is told of points; `text` is that, too, where a chart has no labels."""
    hover = _plain(points.hover)
    if points.labels is None:
        return {"text": hover}
    if not points.labels:
        return {"hovertext": hover}
    above = {"text": _plain(points.labels), "textposition": "top center", "cliponaxis": False}
    return {"hovertext": hover, **above}


def _error_bars(intervals: Iterable[Interval | None], colour: str) -> Properties:
    """Error bars, of length 0 where there is no interval."""
    ends = [
        (found.high - found.estimate, found.estimate - found.low) if found else (0.0, 0.0)
        for found in intervals
    ]
    return {
        "type": "data",
        "symmetric": False,
        "array": [max(0.0, up) for up, _ in ends],
        "arrayminus": [max(0.0, down) for _, down in ends],
        "color": colour,
        "thickness": 1.4,
        "width": 4,
    }


def _numbers(axis: Numbers) -> Properties:
    wanted: Properties = {
        "zeroline": axis.has_zero_line,
        "tickformat": axis.form,
        "rangemode": "tozero" if axis.from_zero else None,
        "dtick": 1 if axis.is_whole else None,
    }
    return {"title_text": axis.title, **{name: value for name, value in wanted.items() if value}}


def _ticks(texts: Mapping[int, str]) -> Properties:
    return {"tickvals": list(texts), "ticktext": _plain(texts.values())}


def _plain(texts: Iterable[str]) -> list[str]:
    return [plain(text) for text in texts]
