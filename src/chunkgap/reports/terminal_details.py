"""Everything that was computed, as tables on the terminal: what `--verbose` adds below the first screen."""

from collections.abc import Iterator

from chunkgap.reports import price_tables, quality_tables, query_tables
from chunkgap.reports.gaps import luck_table, router_sentence
from chunkgap.reports.screen import Screen
from chunkgap.reports.table import Table
from chunkgap.results import Results


def render_details(results: Results, screen: Screen) -> None:
    """Print every table of the reports that has rows."""
    for part in _parts(results):
        if part:
            screen.say()
            if isinstance(part, Table):
                screen.table(part)
            else:
                for line in part.splitlines():
                    screen.say(line)


def _parts(results: Results) -> Iterator[Table | str]:
    for measure, cutoffs in quality_tables.panels(results):
        yield quality_tables.means_table(results, measure, cutoffs)
    yield quality_tables.headroom_table(results)
    yield luck_table(results)
    yield quality_tables.excess_table(results)
    yield quality_tables.comparisons_table(results)
    yield quality_tables.comparisons_note(results)
    yield router_sentence(results)
    yield price_tables.sets_table(results)
    yield price_tables.sets_note(results)
    yield price_tables.prices_table(results)
    yield price_tables.reading_table(results)
    yield price_tables.latency_table(results)
    yield price_tables.timings_table(results)
    yield query_tables.wins_table(results)
    yield query_tables.win_table(results)
    yield query_tables.slices_table(results)
    yield query_tables.losses_table(results)
    yield query_tables.diagnoses_table(results)
    yield query_tables.diversity_sentence(results)
    yield "\n".join(query_tables.diagnoses_legend(results))
    yield query_tables.exclusions_table(results)
