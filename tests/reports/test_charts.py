import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from chunkgap.reports.charts import charts, library
from chunkgap.reports.gaps import mean_placebo
from chunkgap.reports.palette import dark_colours
from tests.reports.results_builder import HOSTILE, build_results


def drawn(name: str, **options: Any) -> Any:
    return charts(build_results(**options))[name]


def traces(figure: Any) -> dict[str, Any]:
    return {trace.get("name"): trace for trace in figure["data"]}


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts(item)


def test_lines_are_the_rows_of_the_results() -> None:
    results = build_results()
    lines = traces(charts(results)["means-0"])
    for scale in results.scales:
        rows = [results.row("scale", scale.name, "recall", cutoff) for cutoff in ("1", "3", "5", "10", "20")]
        assert list(lines[scale.name]["y"]) == [row.value for row in rows if row]


def test_fusion_and_oracle_have_intervals() -> None:
    results = build_results()
    lines = traces(charts(results)["means-0"])
    row = results.row("fusion", "ai21", "recall", "1")
    assert row
    assert row.interval
    bars = lines["RRF ai21"]["error_y"]
    assert bars["array"][0] == pytest.approx(row.interval.high - row.interval.estimate)
    assert "error_y" in lines["oracle"]
    assert "error_y" not in lines["100"]


def test_band_reaches_from_the_best_fixed_scale_up_by_the_mean_placebo() -> None:
    results = build_results()
    low, high = charts(results)["means-0"]["data"][:2]  # type: ignore[index]
    for place, found in enumerate(results.headroom):
        assert low["y"][place] == found.best_fixed_value
        assert high["y"][place] == pytest.approx(found.best_fixed_value + (mean_placebo(found) or 0))


def test_band_says_how_many_indexes_its_luck_is_of_and_takes_the_matched_placebo() -> None:
    results = build_results(matched=True)
    assert "luck of 2 indexes" in traces(drawn("means-0"))
    _, high = charts(results)["means-0"]["data"][:2]  # type: ignore[index]
    assert high["name"] == "luck of 4 indexes"
    assert list(high["y"]) == [
        found.best_fixed_value + (found.matched_placebo or 0) for found in results.headroom
    ]


def test_without_phases_there_is_no_band_and_the_oracle_is_uncorrected() -> None:
    lines = traces(drawn("means-0", phases=1))
    assert "oracle (uncorrected)" in lines
    assert not [name for name in lines if name and "luck" in name]


def test_fusion_has_no_line_where_it_has_no_value() -> None:
    assert "RRF ai21" not in traces(drawn("means-0", cutoffs=("1c", "5c"), primary="recall@5c"))


def test_bracket_spans_reproducible_and_raw_gap_and_lighter_their_intervals() -> None:
    results = build_results()
    inner, outer = charts(results)["bracket"]["layout"]["shapes"]  # type: ignore[index]
    low, high = results.primary.reproducible, results.primary.gap
    assert low
    assert (inner["x0"], inner["x1"]) == (low.estimate, high.estimate)
    assert (outer["x0"], outer["x1"]) == (low.low, high.high)


def test_uncorrected_gap_has_no_bracket() -> None:
    figure = drawn("bracket", phases=1)
    assert "shapes" not in figure["layout"]
    assert figure["layout"]["yaxis"]["ticktext"][0] == "oracle gap (uncorrected)"


def test_small_slices_are_not_drawn() -> None:
    labels = drawn("slices")["layout"]["yaxis"]["ticktext"]
    assert "domain: legal" not in labels
    assert len(labels) == 4


def test_long_labels_of_slices_stand_in_two_lines() -> None:
    results = build_results()
    long = replace(
        results.slices[0], tag="department", value="research and development of <new> products and more"
    )
    labels = charts(replace(results, slices=(long,)))["slices"]["layout"]["yaxis"]["ticktext"]  # type: ignore[index]
    assert list(labels) == ["department: research and<br>development of &lt;new&gt;\u2026"]


def test_an_axis_of_few_queries_has_whole_numbers() -> None:
    assert drawn("wins", queries=6)["layout"]["xaxis"]["dtick"] == 1
    assert "dtick" not in drawn("wins", queries=600)["layout"]["xaxis"]


def test_charts_without_anything_to_show_are_left_out() -> None:
    assert set(charts(build_results(command="score", tags=False, bare=True))) == {
        "means-0",
        "bracket",
        "map",
        "wins",
    }


def test_every_colour_of_a_figure_has_a_dark_one() -> None:
    results = build_results()
    used = {text for text in texts(charts(results)) if re.fullmatch(r"#[0-9a-f]{6}|rgba\(.*\)", text)}
    assert used
    assert used <= set(dark_colours(results))


def test_texts_from_outside_are_no_markup_in_labels() -> None:
    shown = list(texts(charts(build_results(hostile=True))))
    assert any("&lt;script&gt;" in text for text in shown)
    assert not [text for text in shown if re.search(r"<(?!br>)", text)]
    assert not [text for text in shown if HOSTILE[1] in text]


def test_library_can_stand_inside_a_script() -> None:
    text = library().lower()
    assert "</script" not in text
    assert "<!--" not in text
