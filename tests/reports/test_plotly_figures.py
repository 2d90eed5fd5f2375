from typing import Any

import pytest

from chunkgap.reports.chart import (
    Bars,
    Cells,
    Chart,
    FilledRows,
    Mark,
    Numbers,
    Points,
    Region,
    Unmarked,
    Upright,
)
from chunkgap.reports.plotly_figures import figure, library

RED = ("#ff0000", "#880000")


def drawn(*marks: Mark) -> Any:
    return figure(Chart(300, Numbers("x"), FilledRows(("a", "b")), marks))


def test_a_figure_has_the_marks_in_their_order_and_the_height() -> None:
    found = drawn(Bars((1, 2), (RED, RED), ("1", "2")), Points((1,), (0,), RED, ("",)))
    assert [trace["type"] for trace in found["data"]] == ["bar", "scatter"]
    assert found["layout"]["height"] == 300
    assert found["layout"]["xaxis"]["title"]["text"] == "x"


def test_regions_and_uprights_are_shapes_of_the_layout() -> None:
    found = drawn(Region((0, 1), (0, 2), RED), Upright(100, "100", RED))
    assert [shape["type"] for shape in found["layout"]["shapes"]] == ["rect", "line"]
    assert [name["text"] for name in found["layout"]["annotations"]] == ["100"]
    assert found["data"] == []


def test_cells_are_empty_until_the_page_fills_them() -> None:
    found: Any = figure(Chart(100, Unmarked("queries"), FilledRows(("a",)), (Cells(RED, RED),)))
    (trace,) = found["data"]
    assert (trace["type"], list(trace["z"])) == ("heatmap", [])
    assert found["layout"]["xaxis"]["showticklabels"] is False


def test_plotly_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="symbol"):
        drawn(Points((1,), (0,), RED, ("",), symbol="cirle"))


def test_library_can_stand_inside_a_script() -> None:
    text = library().lower()
    assert "</script" not in text
    assert "<!--" not in text
