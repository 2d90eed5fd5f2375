import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from chunkgap.comparing import Difference, compare
from chunkgap.formatting import number
from chunkgap.reports.comparison import (
    comparison_json,
    render_comparison,
    render_comparison_markdown,
    sentences,
    tables,
)
from chunkgap.reports.screen import Screen

from ..comparing.changed import measured
from .results_builder import build_results


@pytest.fixture()
def difference() -> Difference:
    return compare(build_results(seed=1), build_results(seed=2), resamples=200)


def piped(difference: Difference, *, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="")
    render_comparison(difference, Screen(Console(file=stream)))
    stream.flush()
    return raw.getvalue().decode(encoding)


def test_terminal_markdown_and_json_show_the_same_numbers(difference: Difference) -> None:
    terminal, markdown = piped(difference), render_comparison_markdown(difference)
    held = json.loads(comparison_json(difference))
    for place, change in enumerate(difference.endpoints[0].changes):
        stored = held["endpoints"][0]["changes"][place]
        assert (stored["name"], stored["a"], stored["b"], stored["p"]) == (
            change.name, change.a, change.b, change.p,
        )  # fmt: skip
        row = next(row for row in tables(difference)[0].rows if row[0].text == change.name)
        for cell in row:
            assert cell.line in terminal
            assert cell.line in markdown
        assert row[1].text == number(change.a)


def test_the_first_sentences_say_what_a_busy_person_has_to_know() -> None:
    before = measured({"50": [1, 0, 0, 0]}, fusion=[1, 0, 0, 0])
    after = measured({"100": [1, 1, 1, 1]}, fusion=[1, 1, 1, 1])
    after = replace(after, verdict=replace(after.verdict, word="go"))
    told = list(sentences(compare(before, after, resamples=300)))
    assert told[0] == "4 queries paired; primary endpoint recall@1."
    assert told[1].startswith("Best fixed (50 to 100) went from 0.2500 to 1.0000: +0.7500 [")
    assert told[2].startswith("Fusion went from 0.2500 to 1.0000: +0.7500 [")
    assert told[3:] == ["The verdict was cannot decide and is go.", "Only in A: 50.", "Only in B: 100."]


def test_an_interval_that_holds_0_says_so() -> None:
    difference = compare(measured({"50": [1, 0, 0, 1]}), measured({"50": [0, 1, 0, 1]}), resamples=100)
    assert list(sentences(difference))[1].endswith("; the interval includes 0.")


def test_undefined_numbers_are_null_in_json() -> None:
    held = json.loads(comparison_json(compare(measured({"50": [0]}), measured({"50": [1]}), resamples=50)))
    assert held["endpoints"][0]["changes"][0]["difference"] == {"estimate": 1.0, "low": None, "high": None}
    assert held["format_version"] == 1


def test_equal_measurements_have_no_tables_of_moves_and_settings() -> None:
    results = build_results(queries=10)
    difference = compare(results, results, resamples=50)
    assert len(tables(difference)) == 2
    assert "moved most" not in piped(difference)


def test_digests_are_shortened_and_a_missing_setting_is_a_dash() -> None:
    results = build_results(queries=10)
    other = replace(results, model=None)
    rows = tables(compare(results, other, resamples=50))[-1].rows
    assert ["model.identity", "e" * 12, "\N{EN DASH}"] in [[cell.text for cell in row] for row in rows]


def test_what_was_allowed_is_told_in_both_forms() -> None:
    results = build_results(queries=10)
    other = replace(results, corpus=replace(results.corpus, digest="e" * 64))
    difference = compare(results, other, allow=["corpus"], resamples=50)
    assert "! Allowed to differ: corpus: two different ones" in piped(difference)
    assert "> Allowed to differ: corpus: two different ones" in render_comparison_markdown(difference)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_hostile_names_are_shown_as_written(encoding: str) -> None:
    difference = compare(
        build_results(hostile=True, seed=1, queries=12),
        build_results(hostile=True, seed=2, queries=12),
        resamples=50,
    )
    assert "<script>window.pwned = 1</script>" in piped(difference, encoding=encoding)
    assert "<script>" not in render_comparison_markdown(difference).replace(r"\<script\>", "")
