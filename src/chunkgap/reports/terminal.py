"""The report on the terminal: a first screen that a busy person understands; the rest on request."""

from pathlib import Path

from rich.console import Console

from chunkgap.formatting import counted, number, one_line
from chunkgap.reports.advice import headline, next_step
from chunkgap.reports.gaps import bracket_sentence, luck_sentence
from chunkgap.reports.quantities import duration
from chunkgap.reports.screen import Screen
from chunkgap.reports.short_tables import evidence_table, short_means_table, short_prices_table
from chunkgap.reports.terminal_details import render_details
from chunkgap.reports.wording import asked_text, scales_word, verdict_sentence
from chunkgap.results import Loss, Notice, Results

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
    screen.table(short_means_table(results))
    _say_gap(results, screen)
    _say_evidence(results, screen)
    _say_prices(results, screen)
    _say_wins(results, screen)
    _say_losses(results, screen)
    _say_notices(results, screen)
    if verbose:
        render_details(results, screen)
    if out is not None:
        screen.say()
        screen.say(f"Files in {out}: report.html to read, results.json for programs; docs/files.md has all.")


def _say_what_was_measured(results: Results, screen: Screen) -> None:
    queries, corpus = results.queries, results.corpus
    left_out = (
        f" ({queries.given - queries.evaluated:,} left out)" if queries.given > queries.evaluated else ""
    )
    names = ", ".join(scale.name for scale in results.scales)
    title = f"chunkgap {results.command}" + (f": {results.name}" if results.name else "")
    screen.say(title, style="bold")
    screen.say(f"{counted(corpus.documents, 'document')} of {corpus.source}")
    screen.say(f"{counted(queries.evaluated, 'query', 'queries')}{left_out} of {queries.source}")
    screen.say(f"{scales_word(results)} {names}" + (f"; {_how(results)}" if results.model else ""))
    screen.say()


def _how(results: Results) -> str:
    """Model, index and phases in a few words."""
    model = results.model.name if results.model else ""
    return f"{counted(results.phases, 'phase')} of each; model {model}; index {results.index}"


def _say_verdict(results: Results, screen: Screen) -> None:
    verdict = results.verdict
    screen.say(headline(results), style=_STYLES[verdict.word])
    screen.say(" ".join((*verdict.reasons, verdict_sentence(results))).rstrip())
    if step := next_step(results):
        screen.say(step, style="bold")
    screen.say(f"Rule: {verdict.rule}", style="dim")
    screen.say()
    for sentence in (results.headroom_verdict.headline, results.headroom_verdict.sentence):
        if sentence:
            screen.say(sentence)
    screen.say()


def _say_gap(results: Results, screen: Screen) -> None:
    for sentence in (bracket_sentence(results), luck_sentence(results)):
        if sentence:
            screen.say(sentence)
    screen.say()


def _say_evidence(results: Results, screen: Screen) -> None:
    table = evidence_table(results)
    if table:
        screen.table(table)
        screen.say()


def _say_prices(results: Results, screen: Screen) -> None:
    table, timings = short_prices_table(results), results.timings
    if not table:
        return
    screen.table(table)
    in_turn, parallel = (timings.multi_scale, timings.multi_scale_parallel) if timings else (None, None)
    if in_turn is not None and parallel is not None and parallel.p50 < in_turn.p50:
        screen.say(
            f"A query over all {scales_word(results)} takes {duration(parallel.p50)} where threads share it."
        )
    screen.say()


def _say_wins(results: Results, screen: Screen) -> None:
    wins, word = results.wins, scales_word(results)
    if len(results.scales) < 2:
        return
    alone = ", ".join(f"{name} for {queries:,}" for name, queries in wins.alone.items())
    shared = counted(wins.tied, "is", "are")
    empty = counted(wins.none, "finds", "find")
    screen.say(
        f"Best alone at {results.endpoint.name}: {alone} of {asked_text(results)}. "
        f"{shared} shared by several {word}, {empty} nothing at any."
    )


def _say_losses(results: Results, screen: Screen) -> None:
    shown = results.losses[:SHOWN_LOSSES]
    if not shown:
        return
    best = results.primary.best_fixed
    screen.say(f"Queries that {best} loses and another of the {scales_word(results)} finds, strongest first:")
    for loss in shown:
        screen.say(_loss(loss, best), indent=2)
    if results.lost_queries > len(shown):
        screen.say("More with --verbose; all in per_query.csv.", indent=2)


def _loss(loss: Loss, best: str) -> str:
    if loss.rank == loss.best_fixed_rank:  # the first relevant document is not what they differ in
        told = f"{loss.scale}: {number(loss.value)}; {best}: {number(loss.best_fixed_value)}"
    else:
        told = f"{loss.scale}: {_rank(loss.rank)}; {best}: {_rank(loss.best_fixed_rank)}"
    return f"{loss.query_id} ({told}) {one_line(loss.text, limit=_SHOWN_TEXT)}"


def _rank(rank: int | None) -> str:
    return "not found" if rank is None else f"rank {rank:,}"


def _say_notices(results: Results, screen: Screen) -> None:
    if results.notices:
        screen.say()
    for notice in results.notices:
        screen.item("!", _notice(notice), style="bold red" if notice.blocking else "yellow")


def _notice(notice: Notice) -> str:
    return f"No verdict: {notice.message}" if notice.blocking else notice.message
