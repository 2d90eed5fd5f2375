import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from chunkgap.formatting import interval, number, percent
from chunkgap.reports.gaps import bracket_texts, router_sentence
from chunkgap.reports.markdown import escaped, render_markdown, write_step_summary
from chunkgap.results import Wins
from tests.reports.results_builder import HOSTILE, build_results

SHAPES = [
    {},
    {"phases": 1},
    {"scales": ("200",)},
    {"command": "score", "bare": True, "timings": False},
    {"cutoffs": ("1c", "5c"), "primary": "recall@5c"},
    {"hostile": True},
]


def page(text: str) -> HTMLParser:
    """What a reader with tables and raw HTML sees, as GitHub's is."""
    return HTMLParser(MarkdownIt("commonmark", {"html": True}).enable("table").render(text))


def test_verdict_headline_and_rule_stand_above_the_tables() -> None:
    results = build_results()
    head = render_markdown(results).split("###")[0]
    for text in (
        "Cannot decide",
        results.verdict.rule,
        results.headroom_verdict.headline,
        *results.verdict.reasons,
    ):
        assert text in head


def test_numbers_are_those_of_the_results() -> None:
    results = build_results()
    text = render_markdown(results)
    for row in results.rows:
        assert number(row.value) in text
    for found in (results.primary.gap, results.primary.reproducible, results.primary.excess):
        assert interval(found) in text
    for found_set in (one for one in results.sets if one.pareto):
        assert number(found_set.value) in text


@pytest.mark.parametrize("shape", SHAPES)
def test_every_table_has_as_many_cells_in_each_row(shape: dict[str, object]) -> None:
    text = render_markdown(build_results(**shape))  # type: ignore[arg-type]
    tables = page(text).css("table")
    assert len(tables) >= 2
    for table in tables:
        assert len({len(row.css("th, td")) for row in table.css("tr")}) == 1
    assert "None" not in text
    assert not re.search(r"\bnan\b", text)


def test_the_gap_stands_with_its_bracket_luck_and_what_was_read() -> None:
    results = build_results(matched=True)
    text = render_markdown(results)
    assert f"| bracket at 95% | {bracket_texts(results.primary)[1]} |" in text
    assert f"| share of the gap closed | {percent(results.primary.share_closed)} |" in text
    assert f"| 4 phases of the best fixed size | {number(results.primary.matched_placebo)} |" in text
    assert router_sentence(results) in text
    assert "one-chunk documents" in text
    assert "p99" in text


def test_what_is_secondary_is_folded() -> None:
    results = build_results(measures=("recall", "rr"))
    summaries = [node.text() for node in page(render_markdown(results)).css("summary")]
    assert summaries == [
        "Luck beside the gap, like for like, at recall@5",
        "Mean rr by documents",
        "recall@5 by tag",
        "What may explain which size is best",
        "What was read and found",
        "Sets of sizes and their price",
        "Time of one query",
    ]


def test_one_phase_is_called_uncorrected() -> None:
    text = render_markdown(build_results(phases=1))
    assert "oracle gap (uncorrected)" in text
    assert "reproducible" not in text


def test_hostile_texts_stay_texts() -> None:
    results = build_results(hostile=True)
    found = page(render_markdown(results))
    allowed = "html head body h2 h3 p strong ul li table thead tbody tr th td details summary -comment"
    assert {node.tag for node in found.css("*")} <= set(allowed.split())
    assert HOSTILE[1] in found.css_first("h2").text()
    assert HOSTILE[0] in found.css("table")[2].text()


@given(st.text())
@example("__0__")
@settings(max_examples=60)
def test_escaped_text_reads_as_it_was(text: str) -> None:
    found = page(f"| head |\n| --- |\n| x{escaped(text)}x |")
    assert len(found.css("td")) == 1
    assert not found.css("td *:not(-comment)") or text == ""


def test_mentions_are_broken_and_measures_are_not() -> None:
    assert escaped("@team recall@5") == "@<!-- -->team recall@5"


def test_summary_is_added_to_what_stands_there(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_text("before\n")
    write_step_summary(path, "## page\n")
    assert path.read_text() == "before\n## page\n\n"


def test_control_characters_are_shown() -> None:
    assert escaped("que\x1b[31mstion\x9b") == r"que\\x1b[31mstion\\x9b"
    assert page(escaped("que\x1b[31mstion")).text() == r"que\x1b[31mstion" + "\n"


def test_numbers_of_a_part_of_the_queries_say_so() -> None:
    results = build_results()
    half = replace(results, wins=Wins({"50": 10, "100": 5}, tied=12, none=3))
    assert "These numbers are of 30 queries (30 more have no recall@5)." in render_markdown(half)
    assert "These numbers are of" not in render_markdown(results)


def test_a_page_beyond_its_budget_leaves_out_the_largest_folded_tables_and_says_how_many() -> None:
    results = build_results()
    whole = render_markdown(results)
    size = len(whole.encode())
    short = render_markdown(results, budget=size - 1)
    left = [node.text() for node in page(short).css("summary")]
    (gone,) = {node.text() for node in page(whole).css("summary")} - set(left)
    assert gone == "Sets of sizes and their price"
    assert short.endswith("\n\n1 table left out, for this page would be too long; report.html has all.\n")
    assert "<details>" not in render_markdown(results, budget=1)
    assert "### Price" in render_markdown(results, budget=1)


def test_a_thousand_slices_of_long_names_fit_into_the_summary_of_a_job() -> None:
    results = build_results()
    slices = (replace(results.slices[0], value="|" * 10_000),) * 10_000
    assert len(render_markdown(replace(results, slices=slices)).encode()) < 900_000 < 2**20
