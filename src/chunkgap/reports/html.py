"""`report.html`: one file that holds everything and works from disk, without a network."""

import base64
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from chunkgap.decision import gain_decimals
from chunkgap.formatting import number, signed
from chunkgap.records import Interval
from chunkgap.reports import plotly_figures, price_tables, quality_tables, query_tables
from chunkgap.reports.advice import headline, next_step
from chunkgap.reports.charts import charts
from chunkgap.reports.gaps import bracket_texts, level, luck, luck_table, mean_placebo, router_sentence
from chunkgap.reports.palette import dark_colours
from chunkgap.reports.quantities import count, times
from chunkgap.reports.query_charts import charted_slices
from chunkgap.reports.query_data import query_data, script_json
from chunkgap.reports.query_hits import QueryHits
from chunkgap.reports.table import Table
from chunkgap.reports.wording import (
    MEANINGS,
    asked_text,
    facts_line,
    gap_name,
    interval_range,
    oracle_name,
    scales_word,
    title,
    verdict_sentence,
)
from chunkgap.results import CROSS_FITTED, Results

if TYPE_CHECKING:
    import jinja2

FILE_NAME = "report.html"

_TEMPLATES = "templates"


@dataclass(frozen=True, slots=True)
class KeyNumber:
    """One number that the reader should remember, with what it means."""

    name: str
    value: str
    range: str
    meaning: str


def render_html(
    results: Results,
    hits: Mapping[str, QueryHits] | None = None,
    *,
    manifest: Mapping[str, object] | None = None,
) -> str:
    """The page, below 8 MB.

    Every text from outside is escaped or travels as JSON; a content security policy lets only the page's own
    two scripts run and nothing be fetched.

    Args:
        results: The measurement.
        hits: Ranked chunks by query id, shown when a reader opens the query; `query_hits.widest_queries`
            names the queries that are worth having.
        manifest: What else is known of the measurement, shown at the end.
    """
    library, script = plotly_figures.library(), _read("report.js")
    return _environment().get_template("report.html.j2").render(
        results=results,
        title=title(results),
        facts=facts_line(results),
        corrected=results.primary.corrected,
        word=scales_word(results),
        verdict=headline(results),
        next_step=next_step(results),
        verdict_class=results.verdict.word.replace(" ", "-"),
        sentence=verdict_sentence(results),
        asked=asked_text(results),
        key_numbers=list(_key_numbers(results)),
        meanings=MEANINGS,
        gap_parts=list(_gap_parts(results)),
        luck=luck(results, results.primary),
        router=router_sentence(results),
        compared=quality_tables.comparisons_note(results),
        sets_note=price_tables.sets_note(results),
        diagnoses=[query_tables.diversity_sentence(results), *query_tables.diagnoses_legend(results)],
        charted=_charted(results),
        panels=_panels(results),
        tables=_tables(results),
        manifest=list(_flat(manifest or {})),
        style=_read("report.css"),
        library=library,
        script=script,
        policy=_policy(library, script),
        data=script_json(
            {
                "charts": {name: plotly_figures.figure(chart) for name, chart in charts(results).items()},
                "dark": dark_colours(results),
                "queries": query_data(results, hits),
            }
        ),
    )  # fmt: skip


def _environment() -> "jinja2.Environment":
    import jinja2

    return jinja2.Environment(
        loader=jinja2.PackageLoader("chunkgap.reports", _TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _read(name: str) -> str:
    return files("chunkgap.reports").joinpath(_TEMPLATES, name).read_text(encoding="utf-8")


def _policy(*scripts: str) -> str:
    """A content security policy under which only these scripts run and nothing is fetched.

    Styles cannot be named by digest: plotly sets some while it draws.
    """
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _key_numbers(results: Results) -> Iterator[KeyNumber]:
    found, endpoint = results.primary, results.endpoint
    fused = results.row("fusion", endpoint.fusion, endpoint.measure, endpoint.cutoff)
    fixed = results.row("scale", found.best_fixed, endpoint.measure, endpoint.cutoff)
    crossed = results.row("best fixed", CROSS_FITTED, endpoint.measure, endpoint.cutoff)
    top = results.row("oracle", "oracle", endpoint.measure, endpoint.cutoff)
    name = f"best fixed {scales_word(results)[:-1]}"
    yield KeyNumber(
        f"{name}: {found.best_fixed}",
        number(found.best_fixed_value),
        interval_range(fixed.interval if fixed else None),
        MEANINGS["best fixed"],
    )
    yield KeyNumber(
        f"{name}, cross-fitted",
        number(found.cross_fitted_value),
        interval_range(crossed.interval if crossed else None),
        MEANINGS["cross-fitted"],
    )
    if fused is not None and fused.value is not None:
        yield KeyNumber(
            f"RRF {endpoint.fusion}", number(fused.value), interval_range(fused.interval), MEANINGS["fusion"]
        )
    yield KeyNumber(
        oracle_name(found),
        number(found.oracle),
        interval_range(top.interval if top else None),
        MEANINGS["oracle"],
    )
    yield _key_number(gap_name(found), found.gap, "gap")
    if found.excess is not None:
        yield _key_number("size excess", found.excess, "excess")
    if results.verdict.storage is not None:
        told = times(results.verdict.storage, most=results.verdict.max_storage)
        yield KeyNumber("storage", told, "", MEANINGS["storage"])


def _gap_parts(results: Results) -> Iterator[KeyNumber]:
    """The gap and what it is held against, as far as it is known: each placebo beside the gap of as many scales."""
    found, word, phases = results.primary, scales_word(results), results.phases
    yield _key_number(gap_name(found), found.gap, "gap")
    if found.matched_placebo is not None:
        name = f"placebo gap of {len(results.scales)} phases"
        yield KeyNumber(name, number(found.matched_placebo), "", MEANINGS["matched"])
    if found.like_for_like is not None:
        name = f"mean gap of {phases} {word}"
        yield KeyNumber(name, number(found.like_for_like), "", MEANINGS["like for like"])
    placebo = mean_placebo(found)
    if placebo is not None:
        yield KeyNumber(f"placebo gap of {phases} phases", number(placebo), "", MEANINGS["placebo"])
    if found.reproducible is not None:
        yield _key_number("reproducible gap", found.reproducible, "reproducible")
        estimated, surely = bracket_texts(found)
        yield KeyNumber("bracket", estimated, f"{level(results)} {surely}", MEANINGS["bracket"])
    for name, value in (("size excess", found.excess), ("interaction", found.interaction)):
        if value is not None:
            yield _key_number(name, value, name.removeprefix("size "))
    gain = results.verdict.gain
    if gain is not None:
        decimals = gain_decimals(gain, results.verdict.min_gain)
        estimate = signed(gain.estimate, decimals=decimals)
        yield KeyNumber("fusion gain", estimate, interval_range(gain, decimals=decimals), MEANINGS["gain"])


def _key_number(name: str, value: Interval, meaning: str) -> KeyNumber:
    return KeyNumber(name, number(value.estimate), interval_range(value), MEANINGS[meaning])


def _charted(results: Results) -> str:
    """How many slices the chart shows, where it has no room for all that are large enough."""
    large, shown = sum(not found.small for found in results.slices), len(charted_slices(results))
    return f" (the first {shown} of {large} that are large enough)" if shown < large else ""


def _panels(results: Results) -> list[tuple[str, str, Table]]:
    """Name, chart and table of each measure and unit of cutoffs."""
    return [
        (
            quality_tables.panel_name(measure, cutoffs),
            f"means-{place}",
            quality_tables.means_table(results, measure, cutoffs),
        )
        for place, (measure, cutoffs) in enumerate(quality_tables.panels(results))
    ]


def _tables(results: Results) -> dict[str, Table]:
    return {
        "comparisons": quality_tables.comparisons_table(results),
        "headroom": quality_tables.headroom_table(results),
        "luck": luck_table(results),
        "excess": quality_tables.excess_table(results),
        "losses": query_tables.losses_table(results),
        "slices": query_tables.slices_table(results),
        "wins": query_tables.wins_table(results),
        "win": query_tables.win_table(results),
        "prices": price_tables.prices_table(results),
        "front": price_tables.sets_table(results, front=True),
        "sets": price_tables.sets_table(results),
        "reading": price_tables.reading_table(results),
        "diagnoses": query_tables.diagnoses_table(results),
        "left_out": query_tables.exclusions_table(results),
        "latency": price_tables.latency_table(results),
        "timings": price_tables.timings_table(results),
    }


def _flat(facts: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Nested facts as lines, `embedding.model` for one inside another."""
    for name, value in facts.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        elif isinstance(value, int) and not isinstance(value, bool):
            yield f"{prefix}{name}", count(value)
        elif isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value):
            yield from _flat(
                {str(place): item for place, item in enumerate(value, start=1)}, f"{prefix}{name}."
            )
        elif isinstance(value, list | tuple):
            yield f"{prefix}{name}", ", ".join(map(str, value))
        else:
            yield f"{prefix}{name}", str(value)
