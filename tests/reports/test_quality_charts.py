from collections.abc import Sequence
from typing import Any

import pytest

from chunkgap.reports.chart import Band, Chart, Mark, Points, Region, Rows
from chunkgap.reports.gaps import mean_placebo
from chunkgap.reports.quality_charts import bracket_chart, means_chart
from chunkgap.results import Results

from .results_builder import CUTOFFS, build_results


def means(results: Results, cutoffs: Sequence[str] = CUTOFFS) -> Chart:
    return means_chart(results, "recall", cutoffs)


def lines(chart: Chart) -> dict[str, Points]:
    return {mark.name: mark for mark in chart.marks if isinstance(mark, Points)}


def of_kind(chart: Chart, kind: type[Mark]) -> list[Any]:
    return [mark for mark in chart.marks if isinstance(mark, kind)]


def test_lines_are_the_rows_of_the_results() -> None:
    results = build_results()
    drawn = lines(means(results))
    for scale in results.scales:
        rows = [results.row("scale", scale.name, "recall", cutoff) for cutoff in CUTOFFS]
        assert drawn[scale.name].y == tuple(row.value for row in rows if row)
        assert drawn[scale.name].x == CUTOFFS


def test_fusion_and_oracle_have_intervals() -> None:
    results = build_results()
    drawn = lines(means(results))
    row = results.row("fusion", "ai21", "recall", "1")
    assert row
    intervals = drawn["RRF ai21"].intervals
    assert intervals
    assert intervals[0] == row.interval
    assert drawn["oracle"].intervals
    assert drawn["100"].intervals is None


def test_band_reaches_from_the_best_fixed_scale_up_by_the_mean_placebo() -> None:
    results = build_results()
    (band,) = of_kind(means(results), Band)
    assert band.name == "luck of 2 indexes"
    for place, found in enumerate(results.headroom):
        assert band.low[place] == found.best_fixed_value
        assert band.high[place] == pytest.approx(found.best_fixed_value + (mean_placebo(found) or 0))


def test_band_takes_the_matched_placebo_and_says_how_many_indexes_its_luck_is_of() -> None:
    results = build_results(matched=True)
    (band,) = of_kind(means(results), Band)
    assert band.name == "luck of 4 indexes"
    assert list(band.high) == [
        found.best_fixed_value + (found.matched_placebo or 0) for found in results.headroom
    ]


def test_without_phases_there_is_no_band_and_the_oracle_is_uncorrected() -> None:
    chart = means(build_results(phases=1))
    assert of_kind(chart, Band) == []
    assert "oracle (uncorrected)" in lines(chart)


def test_fusion_has_no_line_where_it_has_no_value() -> None:
    chart = means(build_results(cutoffs=("1c", "5c"), primary="recall@5c"), ("1c", "5c"))
    assert "RRF ai21" not in lines(chart)


def test_bracket_spans_reproducible_and_raw_gap_and_lighter_their_intervals() -> None:
    results = build_results()
    inner, outer = of_kind(bracket_chart(results), Region)
    low, high = results.primary.reproducible, results.primary.gap
    assert low
    assert inner.x == (low.estimate, high.estimate)
    assert outer.x == (low.low, high.high)


def test_each_part_of_the_gap_has_a_row_with_its_interval() -> None:
    results = build_results()
    chart = bracket_chart(results)
    assert isinstance(chart.y, Rows)
    parts = of_kind(chart, Points)
    assert len(parts) == len(chart.y.names) == 7
    assert [part.y for part in parts] == [(-row,) for row in range(7)]
    assert parts[0].intervals == (results.primary.gap,)
    assert {part.along for part in parts} == {"x"}


def test_uncorrected_gap_has_no_bracket() -> None:
    chart = bracket_chart(build_results(phases=1))
    assert of_kind(chart, Region) == []
    assert isinstance(chart.y, Rows)
    assert chart.y.names[0] == "oracle gap (uncorrected)"
