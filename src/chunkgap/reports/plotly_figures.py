"""Draws charts with plotly, which is imported here alone."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from chunkgap.reports import plotly_properties as properties
from chunkgap.reports.chart import Band, Bars, Cells, Chart, Histogram, Mark, Points, Region, Upright

if TYPE_CHECKING:
    import plotly.graph_objects as go

Figure = Mapping[str, object]


def library() -> str:
    """The JavaScript that draws the figures, to stand inside the page."""
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


def figure(chart: Chart) -> Figure:
    """The chart as plotly's JSON has it, its properties checked by plotly."""
    import plotly.graph_objects as go

    drawn = go.Figure()
    drawn.update_layout(
        template=go.layout.Template(),
        height=chart.height,
        margin={"l": 8, "r": 16, "t": 28, "b": 8},
        hovermode="closest",
        dragmode=False,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
    )
    drawn.update_xaxes(automargin=True, title_font_size=13, **properties.of_axis(chart.x))
    drawn.update_yaxes(automargin=True, title_font_size=13, **properties.of_axis(chart.y))
    for mark in chart.marks:
        _add(mark, drawn)
    return dict(drawn.to_plotly_json())


def _add(mark: Mark, drawn: "go.Figure") -> None:
    match mark:
        case Points():
            drawn.add_scatter(**properties.of_points(mark))
        case Band():
            for line in properties.of_band(mark):
                drawn.add_scatter(**line)
        case Bars():
            drawn.add_bar(**properties.of_bars(mark))
        case Histogram():
            drawn.add_bar(**properties.of_histogram(mark))
        case Cells():
            drawn.add_heatmap(**properties.of_cells(mark))
        case Region():
            drawn.add_shape(**properties.of_region(mark))
        case Upright():
            drawn.add_shape(**properties.of_upright_line(mark))
            drawn.add_annotation(**properties.of_upright_name(mark))
