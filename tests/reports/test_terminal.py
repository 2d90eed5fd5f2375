import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from chunkgap.formatting import interval
from chunkgap.reports import quality_tables
from chunkgap.reports.gaps import luck_sentence, luck_table, router_sentence
from chunkgap.reports.terminal import SHOWN_LOSSES, render
from chunkgap.results import Notice, Results, Wins

from .results_builder import HOSTILE, build_results

EIGHT = ("50", "100", "200", "300", "400", "500", "700", "1000")
OUT = Path("chunkgap-out")
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


def shown(results: Results, *, width: int = 80, verbose: bool = False) -> str:
    """What stands on a terminal of `width` columns, without colours."""
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=True, color_system="standard")
    render(results, console=console, verbose=verbose, out=OUT)
    return ESCAPES.sub("", stream.getvalue())


def piped(results: Results, *, encoding: str = "utf-8", verbose: bool = False) -> bytes:
    """What goes into a pipe of some encoding, strictly."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="")
    render(results, console=Console(file=stream), verbose=verbose, out=OUT)
    stream.flush()
    return raw.getvalue()


def numbers(text: str) -> list[str]:
    return sorted(re.findall(r"-?\d+\.\d{3,}", text))


def test_the_first_screen_says_it_all_in_80_columns() -> None:
    results = build_results()
    text = shown(results)
    assert max(map(len, text.splitlines())) <= 80
    flat = " ".join(text.split())
    assert "240 documents of docs/ 60 queries (2 left out) of queries.jsonl" in flat
    assert "sizes 50, 100, 200, 500; 2 phases of each; model all-MiniLM-L6-v2; index hnsw" in flat
    assert "Cannot decide" in flat
    assert f"Rule: {results.verdict.rule}" in flat
    assert results.headroom_verdict.headline in flat
    assert results.headroom_verdict.sentence in flat
    assert interval(results.primary.reproducible, decimals=3) in flat
    assert interval(results.primary.gap, decimals=3) in flat
    assert luck_sentence(results) in flat
    assert results.notices[0].message in flat
    assert "Files in chunkgap-out" in flat
    assert "Best alone at recall@5" in flat


def test_one_phase_is_called_uncorrected() -> None:
    text = " ".join(shown(build_results(phases=1)).split())
    assert "oracle gap (uncorrected)" in text
    assert "The oracle gap is uncorrected" in text


def test_a_single_size_is_not_called_best_and_has_no_gap_to_speak_of() -> None:
    text = shown(build_results(scales=("50",), queries=1))
    assert "1 query" in text
    assert not re.search(
        r"1 (queries|sizes|phases)|best fixed\)|Best alone|reproducible gap|Fusion over", text
    )


@pytest.mark.parametrize("width", [30, 40, 80, 200])
def test_no_number_is_lost_at_any_width(width: int) -> None:
    results = build_results(scales=EIGHT)
    whole = piped(results).decode()
    found = shown(results, width=width)
    assert numbers(found) == numbers(whole)
    assert "…" not in found
    assert max(map(len, found.splitlines())) <= width


@pytest.mark.parametrize("width", [40, 80, 200])
def test_verbose_loses_no_number_either(width: int) -> None:
    results = build_results(scales=EIGHT, measures=("recall", "ndcg"))
    found = shown(results, width=width, verbose=True)
    assert numbers(found) == numbers(piped(results, verbose=True).decode())


def test_verbose_shows_every_table() -> None:
    results = build_results()
    text = piped(results, verbose=True).decode()
    for table in (
        quality_tables.headroom_table(results),
        quality_tables.excess_table(results),
        quality_tables.comparisons_table(results),
        luck_table(results),
    ):
        assert table.caption in text
        assert all(cell.line in text for row in table.rows for cell in row)
    assert router_sentence(results) in " ".join(text.split())


def test_a_pipe_has_no_escape_codes_and_whole_tables() -> None:
    text = piped(build_results(scales=EIGHT, cutoffs=tuple(map(str, range(1, 31))), primary="recall@5"))
    assert b"\x1b" not in text
    row = next(line for line in text.decode().splitlines() if line.startswith("RRF ai21"))
    assert len(numbers(row)) == 30


def test_colours_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    stream = io.StringIO()
    render(build_results(), console=Console(file=stream, force_terminal=True, width=80))
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", stream.getvalue())


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("hostile", [False, True])
def test_streams_of_8_bits_get_every_number(encoding: str, hostile: bool) -> None:
    results = build_results(hostile=hostile)
    text = piped(results, encoding=encoding, verbose=True).decode(encoding)
    assert numbers(text) == numbers(piped(results, verbose=True).decode())
    assert "---" in text


def test_ids_and_queries_stand_as_written() -> None:
    results = build_results(hostile=True)
    loss = replace(results.losses[0], query_id="[slug] [/] \x1b]0;title\x07", text="[bold]x[/bold] \x1b[2J")
    flat = " ".join(shown(replace(results, losses=(loss,)), width=200).split())
    assert r"[slug] [/] \x1b]0;title\x07 (" in flat
    assert r"[bold]x[/bold] \x1b[2J" in flat
    assert HOSTILE[0] in flat
    assert "\x1b" not in flat


def test_notices_stand_in_their_order_and_say_which_forbid_a_verdict() -> None:
    blocking = Notice("truncated", "size 500 was truncated", blocking=True)
    results = build_results()
    lines = shown(replace(results, notices=(blocking, *results.notices))).splitlines()
    marked = [line for line in lines if line.startswith("! ")]
    assert marked[0] == "! No verdict: size 500 was truncated"
    assert len(marked) == len(results.notices) + 1


def test_the_first_losses_are_shown_and_the_others_pointed_to() -> None:
    results = build_results()
    few = replace(results, losses=results.losses[:SHOWN_LOSSES])
    many = replace(results, losses=(*few.losses, replace(few.losses[0], query_id="one-more")))
    assert "More with --verbose" not in shown(few)
    assert "More with --verbose" in shown(many)
    assert "one-more" not in shown(many)
    assert "one-more" in shown(many, verbose=True)


def test_results_without_anything_optional_print() -> None:
    shown(build_results(bare=True, timings=False, tags=False, scales=("50",)), verbose=True)


def test_wins_are_of_the_queries_that_the_measure_is_defined_for() -> None:
    results = build_results(scales=("50", "100"))
    half = replace(results, wins=Wins({"50": 10, "100": 5}, tied=12, none=3))
    flat = " ".join(shown(half).split())
    assert "Best alone at recall@5: 50 for 10, 100 for 5 of 30 queries (30 more have no recall@5)." in flat
    assert "100 for 0 of 60 queries. 0 are" in " ".join(
        shown(replace(results, wins=Wins({"50": 60, "100": 0}, tied=0, none=0))).split()
    )


def test_lost_queries_that_are_not_listed_are_pointed_to_as_well() -> None:
    results = build_results()
    few = replace(results, losses=results.losses[:SHOWN_LOSSES])
    assert "More with --verbose" not in shown(replace(few, lost=SHOWN_LOSSES))
    assert "More with --verbose" in shown(replace(few, lost=98))


def test_a_loss_of_further_documents_shows_values_where_ranks_do_not_differ() -> None:
    results = build_results(queries=60)
    loss = replace(
        results.losses[0],
        scale="100",
        rank=1,
        best_fixed_rank=1,
        value=1.0,
        best_fixed_value=0.5,
        query_id="two",
    )
    text = " ".join(shown(replace(results, losses=(loss,))).split())
    assert f"two (100: 1.0000; {results.primary.best_fixed}: 0.5000)" in text
