"""The charts of `report.html`, by name."""

from chunkgap.reports.chart import Chart
from chunkgap.reports.price_charts import lengths_chart, prices_chart
from chunkgap.reports.price_tables import priced
from chunkgap.reports.quality_charts import bracket_chart, means_chart
from chunkgap.reports.quality_tables import panels
from chunkgap.reports.query_charts import charted_slices, map_chart, slices_chart, wins_chart
from chunkgap.results import Results


def charts(results: Results) -> dict[str, Chart]:
    """Every chart that these results have something to show in, by name."""
    found = {
        f"means-{place}": means_chart(results, measure, cutoffs)
        for place, (measure, cutoffs) in enumerate(panels(results))
    }
    found["bracket"] = bracket_chart(results)
    found["map"] = map_chart(results)
    found["wins"] = wins_chart(results)
    if charted_slices(results):
        found["slices"] = slices_chart(results)
    if results.sets and priced(results):
        found["prices"] = prices_chart(results)
    if results.corpus.token_lengths:
        found["lengths"] = lengths_chart(results)
    return found
