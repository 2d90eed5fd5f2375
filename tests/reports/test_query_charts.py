from dataclasses import replace

import pytest

from chunkgap.reports.chart import Bars, Chart, FilledRows, Numbers, Points, Rows
from chunkgap.reports.query_charts import map_chart, slices_chart, wins_chart
from chunkgap.results import Results

from .results_builder import build_results


def names(chart: Chart) -> tuple[str, ...]:
    assert isinstance(chart.y, Rows | FilledRows)
    return chart.y.names


def points(chart: Chart) -> list[Points]:
    return [mark for mark in chart.marks if isinstance(mark, Points)]


def with_tag(results: Results, tag: str, value: str) -> Results:
    return replace(results, slices=(replace(results.slices[0], tag=tag, value=value),))


def test_the_map_has_a_row_for_each_scale_and_for_fusion_where_it_has_a_form() -> None:
    assert names(map_chart(build_results())) == ("50", "100", "200", "500", "RRF ai21")
    assert names(map_chart(build_results(cutoffs=("5c",), primary="recall@5c")))[-1] == "500"


def test_wins_are_counted_with_what_is_shared_and_what_nothing_finds() -> None:
    results = build_results()
    chart = wins_chart(results)
    (bars,) = chart.marks
    assert isinstance(bars, Bars)
    assert bars.lengths == (*results.wins.alone.values(), results.wins.tied, results.wins.none)
    assert names(chart)[-2:] == ("shared by several", "none finds it")
    assert sum(bars.lengths) == 60


@pytest.mark.parametrize(("queries", "whole"), [(6, True), (600, False)])
def test_an_axis_of_few_queries_has_whole_numbers(queries: int, whole: bool) -> None:
    axis = wins_chart(build_results(queries=queries)).x
    assert isinstance(axis, Numbers)
    assert axis.is_whole == whole


def test_small_slices_are_not_drawn() -> None:
    drawn = names(slices_chart(build_results()))
    assert "domain: legal" not in drawn
    assert len(drawn) == 4


def test_the_best_scale_of_a_slice_is_drawn_larger() -> None:
    results = build_results()
    sliced = [found for found in results.slices if not found.small]
    for scale, drawn in zip(results.scales, points(slices_chart(results)), strict=True):
        assert drawn.x == tuple(found.means[scale.name] for found in sliced)
        assert drawn.size == tuple(15 if found.best == scale.name else 9 for found in sliced)


def test_scales_that_tie_for_the_best_are_all_drawn_larger() -> None:
    results = build_results(scales=("15", "45", "120"))
    tied = replace(results.slices[0], means={"15": 0.9, "45": 0.8, "120": 0.9}, best="120", small=False)
    drawn = points(slices_chart(replace(results, slices=(tied,))))
    assert [scale.size for scale in drawn] == [(15,), (9,), (15,)]


def test_long_names_of_slices_stand_in_two_lines() -> None:
    results = with_tag(build_results(), "department", "research and development of <new> products and more")
    chart = slices_chart(results)
    assert names(chart) == ("department: research and\ndevelopment of <new>\u2026",)
    assert points(chart)[0].hover[0].startswith("department: research and\ndevelopment of <new>\u2026\n50: ")
