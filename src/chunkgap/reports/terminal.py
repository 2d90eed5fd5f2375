"""The report on the terminal: a first screen that a busy person understands; the rest on request."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rich.console import Console

from chunkgap.formatting import MISSING, interval, number
from chunkgap.reports.quantities import count, data_size, duration
from chunkgap.reports.screen import Screen
from chunkgap.reports.table import Cell, Table
from chunkgap.reports.terminal_details import render_details
from chunkgap.reports.wording import VERDICTS, gap_name, oracle_name, scales_word, verdict_sentence
from chunkgap.results import Headroom, Latency, Loss, Notice, Results, Row, RowKind, ScaleFacts, ScaleTimings

SHOWN_LOSSES = 5

_STYLES = {"go": "bold green", "no-go": "bold red", "cannot decide": "bold yellow"}
_SHOWN_TEXT = 90


def render(results: Results, *, console: Console, verbose: bool = False, out: Path | None = None) -> None:
    """Print a report.

    Args:
        results: What to report.
        console: Where to; its width, encoding and colours are respected.
        verbose: Everything that was computed, below the first screen.
        out: The folder that the files were written to, None where there are none.
    """
    screen = Screen(console)
    _say_what_was_measured(results, screen)
    _say_verdict(results, screen)
    screen.table(means(results))
    _say_gap(results.primary, screen)
    _say_prices(results, screen)
    _say_wins(results, screen)
    _say_losses(results, screen)
    _say_notices(results, screen)
    if verbose:
        render_details(results, screen)
    if out is not None:
        screen.say()
        screen.say(f"Files in {out}: report.html to read, results.json for programs; docs/files.md has all.")


def means(results: Results) -> Table:
    """The primary measure by scale and cutoff, then fusion, the best control, oracle and gap."""
    measure, best = results.endpoint.measure, results.primary.best_fixed
    found = {headroom.cutoff: headroom for headroom in results.headroom if headroom.measure == measure}
    rows: list[tuple[str, RowKind, str]] = [
        (f"{scale.name} (best fixed)" if scale.name == best else scale.name, "scale", scale.name)
        for scale in results.scales
    ]
    rows.append((f"RRF {results.endpoint.fusion}", "fusion", results.endpoint.fusion))
    control = _best_control(results)
    if control is not None:
        rows.append((f"control: {control.name}", "control", control.name))
    cells = [
        (Cell(label), *(Cell(_value(results.row(kind, name, measure, cutoff))) for cutoff in found))
        for label, kind, name in rows
    ]
    first = results.primary
    cells.append((Cell(oracle_name(first)), *(Cell(number(headroom.oracle)) for headroom in found.values())))
    cells.append((Cell(gap_name(first)), *(Cell(number(h.gap.estimate)) for h in found.values())))
    return Table(
        f"Mean {measure}; the primary endpoint is {results.endpoint.name}",
        (scales_word(results)[:-1], *(f"@{cutoff}" for cutoff in found)),
        tuple(cells),
        marked=frozenset(place for place, row in enumerate(rows) if row[1:] == ("scale", best)),
    )


def prices(results: Results) -> Table:
    """What one production index per scale costs, and all of them; empty for `score`, which has none."""
    if results.model is None:
        return Table("Price", (), ())
    word, timings = scales_word(results), results.timings
    taken = timings.scales if timings else ()
    indexed = results.index == "hnsw"
    rows = []
    for scale in results.scales:
        own = [timing for timing in taken if timing.scale == scale.name]
        latency = own[0].latency if own else None
        tokens = f"{scale.phases[0].mean_tokens:.1f}"
        rows.append(_price(scale.name, [scale], tokens, _seconds(own, latency, indexed=indexed)))
    latency = timings.multi_scale if timings else None
    rows.append(_price(f"all {word}", results.scales, MISSING, _seconds(taken, latency, indexed=indexed)))
    heads = (word[:-1], "chunks", "tokens", "vectors", "bytes", "embed", "build", "query")
    return Table("Price (tokens: mean of a chunk; query: median time of one)", heads, tuple(rows))


def _say_what_was_measured(results: Results, screen: Screen) -> None:
    queries, corpus = results.queries, results.corpus
    left_out = (
        f" ({queries.given - queries.evaluated:,} left out)" if queries.given > queries.evaluated else ""
    )
    names = ", ".join(scale.name for scale in results.scales)
    title = f"chunkgap {results.command}" + (f": {results.name}" if results.name else "")
    screen.say(title, style="bold")
    screen.say(f"{corpus.documents:,} documents of {corpus.source}")
    screen.say(f"{queries.evaluated:,} queries{left_out} of {queries.source}")
    screen.say(f"{scales_word(results)} {names}" + (f"; {_how(results)}" if results.model else ""))
    screen.say()


def _how(results: Results) -> str:
    """Model, index and phases in a few words."""
    model = results.model.name if results.model else ""
    phases = "1 phase" if results.phases == 1 else f"{results.phases} phases"
    return f"{phases} of each; model {model}; index {results.index}"


def _say_verdict(results: Results, screen: Screen) -> None:
    verdict = results.verdict
    screen.say(VERDICTS[verdict.word], style=_STYLES[verdict.word])
    screen.say(" ".join((*verdict.reasons, verdict_sentence(results))))
    screen.say(f"Rule: {verdict.rule}", style="dim")
    screen.say()
    for sentence in (results.headroom_verdict.headline, results.headroom_verdict.sentence):
        if sentence:
            screen.say(sentence)
    screen.say()


def _say_gap(found: Headroom, screen: Screen) -> None:
    raw = interval(found.gap, decimals=3)
    if not found.corrected:
        screen.say(f"The oracle gap is uncorrected: {raw}; one phase does not tell size from luck.")
    elif found.reproducible is None:
        screen.say(f"Raw gap {raw}.")
    else:
        reproducible = interval(found.reproducible, decimals=3)
        screen.say(
            f"What a perfect choice of size could win at {found.name} lies between the reproducible gap, "
            f"{reproducible}, and the raw gap, {raw}."
        )
    screen.say()


def _say_prices(results: Results, screen: Screen) -> None:
    table, timings = prices(results), results.timings
    if not table:
        return
    screen.table(table)
    if timings is not None and timings.multi_scale_parallel is not None:
        parallel = duration(timings.multi_scale_parallel.p50)
        screen.say(f"A query over all {scales_word(results)} takes {parallel} where threads share it.")
    screen.say()


def _say_wins(results: Results, screen: Screen) -> None:
    wins, word = results.wins, scales_word(results)
    alone = ", ".join(f"{name} for {queries:,}" for name, queries in wins.alone.items())
    screen.say(
        f"Best alone at {results.endpoint.name}: {alone} of {results.queries.evaluated:,} queries. "
        f"{wins.tied:,} are shared by several {word}, {wins.none:,} find nothing at any."
    )


def _say_losses(results: Results, screen: Screen) -> None:
    shown = results.losses[:SHOWN_LOSSES]
    if not shown:
        return
    best = results.primary.best_fixed
    screen.say(f"Queries that {best} loses and another of the {scales_word(results)} finds, strongest first:")
    for loss in shown:
        screen.say(_loss(loss, best), indent=2)
    if len(results.losses) > len(shown):
        screen.say("More with --verbose; all in per_query.csv.", indent=2)


def _loss(loss: Loss, best: str) -> str:
    text = " ".join(loss.text.split())
    if len(text) > _SHOWN_TEXT:
        text = f"{text[:_SHOWN_TEXT].rsplit(' ', 1)[0]} ..."
    ranks = f"{loss.scale}: {_rank(loss.rank)}; {best}: {_rank(loss.best_fixed_rank)}"
    return f"{loss.query_id} ({ranks}) {text}"


def _rank(rank: int | None) -> str:
    return "not found" if rank is None else f"rank {rank:,}"


def _say_notices(results: Results, screen: Screen) -> None:
    if results.notices:
        screen.say()
    for notice in sorted(results.notices, key=lambda notice: not notice.blocking):
        screen.item("!", _notice(notice), style="bold red" if notice.blocking else "yellow")


def _notice(notice: Notice) -> str:
    return f"No verdict: {notice.message}" if notice.blocking else notice.message


def _best_control(results: Results) -> Row | None:
    """The control with the highest mean at the primary endpoint; the first of several."""
    controls = [
        row for row in results.rows if row.kind == "control" and row.primary and row.value is not None
    ]
    return max(controls, key=lambda row: row.value or 0.0, default=None)


def _value(row: Row | None) -> str:
    return number(row.value if row else None)


def _price(name: str, scales: Sequence[ScaleFacts], tokens: str, seconds: Iterable[str]) -> tuple[Cell, ...]:
    first = [scale.phases[0] for scale in scales]
    return (
        Cell(name),
        Cell(count(sum(phase.chunks for phase in first))),
        Cell(tokens),
        Cell(count(sum(phase.vectors for phase in first))),
        Cell(data_size(sum(scale.vector_bytes for scale in scales))),
        *map(Cell, seconds),
    )


def _seconds(found: Sequence[ScaleTimings], latency: Latency | None, *, indexed: bool) -> Iterator[str]:
    """Embedding, build and query time of one scale or of all; no build where there is no index."""
    if not found:
        yield from (MISSING,) * 3
        return
    yield _sum_or_cached([timing.embed for timing in found])
    yield _sum_or_cached([timing.build for timing in found]) if indexed else MISSING
    yield duration(latency.p50 if latency else None)


def _sum_or_cached(seconds: Sequence[float | None]) -> str:
    known = [second for second in seconds if second is not None]
    return duration(sum(known)) if known else "cached"
