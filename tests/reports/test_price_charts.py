from chunkgap.reports.chart import Histogram, Logarithmic, Points, Upright
from chunkgap.reports.price_charts import lengths_chart, prices_chart

from .results_builder import build_results


def test_every_set_is_on_the_front_or_beside_it_and_the_recommended_one_is_named() -> None:
    results = build_results()
    others, front, ringed = prices_chart(results).marks
    assert isinstance(others, Points)
    assert isinstance(front, Points)
    assert isinstance(ringed, Points)
    assert len(others.x) + len(front.x) == len(results.sets)
    assert front.x == tuple(sorted(found.vectors for found in results.sets if found.pareto))
    (chosen,) = (found for found in results.sets if found.recommended)
    assert ringed.labels == (" + ".join(chosen.scales),)
    assert (ringed.x, ringed.y) == ((chosen.vectors,), (chosen.value,))
    assert not others.labels


def test_every_document_is_in_the_histogram_and_every_size_is_a_line() -> None:
    results = build_results()
    bars, *sizes = lengths_chart(results).marks
    assert isinstance(bars, Histogram)
    assert sum(bars.counts) == len(results.corpus.token_lengths)
    assert len(bars.edges) == len(bars.counts) + 1
    assert [mark.x for mark in sizes if isinstance(mark, Upright)] == [50, 100, 200, 500]


def test_the_axis_of_lengths_holds_all_bars_and_all_sizes() -> None:
    chart = lengths_chart(build_results(scales=("50", "90000")))
    axis, bars = chart.x, chart.marks[0]
    assert isinstance(axis, Logarithmic)
    assert isinstance(bars, Histogram)
    assert axis.low < min(50, *bars.edges)
    assert axis.high > max(90000, *bars.edges)
    assert axis.ticks[50000] == "50,000"
