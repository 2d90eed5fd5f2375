import re
from collections.abc import Iterator
from typing import Any

from chunkgap.reports.charts import charts
from chunkgap.reports.palette import dark_colours
from chunkgap.reports.plotly_figures import figure
from chunkgap.results import Results

from .results_builder import HOSTILE, build_results


def figures(results: Results) -> dict[str, Any]:
    return {name: figure(chart) for name, chart in charts(results).items()}


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts(item)


def test_each_panel_of_the_table_of_means_has_a_chart() -> None:
    results = build_results(measures=("recall", "ndcg"), cutoffs=("5", "2000t"))
    assert [name for name in charts(results) if name.startswith("means-")] == [
        "means-0", "means-1", "means-2", "means-3",
    ]  # fmt: skip


def test_charts_without_anything_to_show_are_left_out() -> None:
    assert set(charts(build_results(command="score", tags=False, bare=True))) == {
        "means-0",
        "bracket",
        "map",
        "wins",
    }


def test_every_colour_of_a_figure_has_a_dark_one() -> None:
    results = build_results()
    used = {text for text in texts(figures(results)) if re.fullmatch(r"#[0-9a-f]{6}|rgba\(.*\)", text)}
    assert used
    assert used <= set(dark_colours(results))


def test_texts_from_outside_are_no_markup_in_figures() -> None:
    shown = list(texts(figures(build_results(hostile=True))))
    assert any("&lt;script&gt;" in text for text in shown)
    assert not [text for text in shown if re.search(r"<(?!br>)", text)]
    assert not [text for text in shown if HOSTILE[1] in text]
