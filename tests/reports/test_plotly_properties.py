from typing import Any

import pytest

from chunkgap.records import Interval
from chunkgap.reports.chart import (
    Band,
    Categories,
    FilledRows,
    Histogram,
    Line,
    Logarithmic,
    Numbers,
    Points,
    Rows,
    Upright,
)
from chunkgap.reports.plotly_properties import (
    of_axis,
    of_band,
    of_histogram,
    of_points,
    of_upright_line,
    of_upright_name,
    plain,
)

RED = ("#ff0000", "#880000")


def points(**more: Any) -> Points:
    return Points(x=("5", "10"), y=(0.5, 0.75), colour=RED, hover=("<a>", "b\nc"), **more)


def test_a_text_is_shown_as_it_is_line_by_line() -> None:
    assert plain("<b>&\nc") == "&lt;b&gt;&amp;<br>c"


def test_points_without_a_name_are_not_in_the_legend() -> None:
    assert of_points(points())["showlegend"] is False
    assert of_points(points(name="50"))["showlegend"] is None


def test_points_are_joined_and_labelled_where_they_are_to_be() -> None:
    assert of_points(points())["mode"] == "markers"
    assert of_points(points(line=Line(2)))["mode"] == "lines+markers"
    assert of_points(points(labels=("a", "b")))["mode"] == "markers+text"
    assert of_points(points(labels=()))["mode"] == "markers"


def test_labels_and_what_is_told_under_the_pointer_are_apart() -> None:
    told = ["&lt;a&gt;", "b<br>c"]
    assert of_points(points())["text"] == told
    labelled = of_points(points(labels=("x", "y")))
    assert (labelled["text"], labelled["hovertext"]) == (["x", "y"], told)
    assert "text" not in of_points(points(labels=()))


@pytest.mark.parametrize("along", ["x", "y"])
def test_intervals_become_error_bars_and_a_missing_one_has_no_length(along: str) -> None:
    found = of_points(points(intervals=(Interval(0.5, 0.25, 1.0), None), along=along))
    bars: Any = found[f"error_{along}"]
    assert (bars["array"], bars["arrayminus"]) == ([0.5, 0.0], [0.25, 0.0])
    assert set(found) & {"error_x", "error_y"} == {f"error_{along}"}
    assert not {"error_x", "error_y"} & set(of_points(points()))


def test_a_band_is_filled_from_its_upper_line_down_to_the_lower_one() -> None:
    low, high = of_band(Band(("5",), (0.5,), (0.6,), RED, "luck"))
    assert (low["y"], high["y"]) == ((0.5,), (0.6,))
    assert (high["fill"], high["fillcolor"], high["name"]) == ("tonexty", "#ff0000", "luck")


def test_bars_of_a_histogram_reach_from_edge_to_edge() -> None:
    found = of_histogram(Histogram((1, 2, 4), (7, 8), RED, ("", "")))
    assert (found["x"], found["width"], found["offset"]) == ((1, 2), [1, 2], 0)


def test_an_upright_is_placed_by_its_value_and_its_name_by_the_exponent() -> None:
    upright = Upright(100, "100 <tokens>", RED)
    assert of_upright_line(upright)["x0"] == of_upright_line(upright)["x1"] == 100
    assert of_upright_name(upright)["x"] == 2
    assert of_upright_name(upright)["text"] == "100 &lt;tokens&gt;"


def test_an_axis_says_no_more_of_itself_than_it_must() -> None:
    assert of_axis(Numbers("mean")) == {"title_text": "mean"}
    assert of_axis(Numbers("n", from_zero=True, is_whole=True)) == {
        "title_text": "n",
        "rangemode": "tozero",
        "dtick": 1,
    }
    assert of_axis(Categories("cutoff")) == {"type": "category", "title_text": "cutoff"}


def test_ends_of_a_logarithmic_axis_are_exponents_and_its_ticks_are_not() -> None:
    found = of_axis(Logarithmic("tokens", 10, 1000, {100: "a hundred"}))
    assert (found["range"], found["tickvals"], found["ticktext"]) == ([1, 3], [100], ["a hundred"])


def test_rows_of_points_go_down_from_0_and_rows_of_bars_up_on_a_reversed_axis() -> None:
    assert of_axis(Rows(("a", "b")))["tickvals"] == [0, -1]
    assert of_axis(FilledRows(("a", "b")))["tickvals"] == [0, 1]
    assert of_axis(FilledRows(("a", "b")))["autorange"] == "reversed"
