"""Everything that was computed, as tables on the terminal: what `--verbose` adds below the first screen."""

from collections.abc import Iterator

from chunkgap.reports import price_tables, quality_tables, query_tables
from chunkgap.reports.screen import Screen
from chunkgap.reports.table import Table
from chunkgap.results import Results


def render_details(results: Results, screen: Screen) -> None:
    """Print every table of the reports that has rows."""
    for table in _tables(results):
        if table:
            screen.say()
            screen.table(table)


def _tables(results: Results) -> Iterator[Table]:
    for measure, cutoffs in quality_tables.panels(results):
        yield quality_tables.means_table(results, measure, cutoffs)
    yield quality_tables.headroom_table(results)
    yield quality_tables.placebo_table(results)
    yield quality_tables.excess_table(results)
    yield quality_tables.comparisons_table(results)
    yield price_tables.sets_table(results)
    yield price_tables.prices_table(results)
    yield price_tables.reading_table(results)
    yield price_tables.timings_table(results)
    yield query_tables.wins_table(results)
    yield query_tables.win_table(results)
    yield query_tables.slices_table(results)
    yield query_tables.losses_table(results)
    yield query_tables.diagnoses_table(results)
    yield query_tables.exclusions_table(results)
