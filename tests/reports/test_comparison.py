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


def piped(difference: Difference, *, encoding: str = "utf-8", verbose: bool = False) -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="")
    render_comparison(difference, Screen(Console(file=stream)), verbose=verbose)
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
    assert len(tables(difference, verbose=True)) == 2
    assert "moved most" not in piped(difference, verbose=True)


def test_equal_measurements_are_told_in_a_few_lines() -> None:
    results = build_results(queries=10)
    difference = compare(results, results, resamples=50)
    fixed = number(difference.endpoints[0].changes[-2].a)
    lines = piped(difference).splitlines()
    assert len(lines) == 5
    assert lines[2].startswith("Best fixed (")
    assert lines[2].endswith(" in both.")
    assert lines[4] == f"Nothing changed: all {len(difference.endpoints)} endpoints are equal in every query."
    assert "0 [0, 0]" not in render_comparison_markdown(difference)
    assert "0 [0, 0]" in render_comparison_markdown(difference, verbose=True)
    assert fixed in piped(difference, verbose=True)


def test_queries_that_changed_places_are_a_change_though_the_mean_is_equal() -> None:
    difference = compare(measured({"50": [1, 0]}), measured({"50": [0, 1]}), resamples=50)
    assert not difference.equal
    assert "Change of recall@1" in piped(difference)


def test_endpoints_that_are_equal_are_named_and_not_shown() -> None:
    before = measured({"50": [1, 0]}, recall_at_3={"50": [1, 1]}, recall_at_5={"50": [1, 1]})
    after = measured({"50": [0, 0]}, recall_at_3={"50": [1, 1]}, recall_at_5={"50": [0, 1]})
    difference = compare(before, after, resamples=50)
    assert "Nothing changed at recall@3." in list(sentences(difference))
    assert [row[0].text for row in tables(difference)[1].rows] == ["recall@5"]
    assert [row[0].text for row in tables(difference, verbose=True)[1].rows] == ["recall@3", "recall@5"]
    assert not [told for told in sentences(difference, verbose=True) if told.startswith("Nothing changed")]


def test_what_was_set_is_listed_and_other_facts_are_counted() -> None:
    results = build_results(queries=10)
    other = {f"lexicon{row}": str(row) for row in range(12)}
    manifests = (
        {"configuration": {"phases": 1}, "versions": {"numpy": "1"}, "model": {"sha256": {"a": "0" * 64}}},
        {"configuration": {"phases": 2, **other}, "versions": {"numpy": "2"}, "model": {"sha256": {}}},
    )
    difference = compare(results, results, manifests=manifests, resamples=50)
    (settings,) = tables(difference)
    assert [row[0].text for row in settings.rows][:2] == ["configuration.phases", "configuration.lexicon0"]
    assert len(settings.rows) == 8
    # 13 settings, 5 of them not shown, a version and a digest
    assert list(sentences(difference))[-1] == (
        "5 more settings and 2 digests, versions and other facts differ; --verbose lists them."
    )
    assert len(tables(difference, verbose=True)[-1].rows) == 15


def test_choices_stand_before_paths() -> None:
    results = build_results(queries=10)
    paths = ("corpus", "queries", "qrels", "cache")
    made = [
        {
            "configuration": {
                **dict.fromkeys(paths, f"{side}/x"),
                "runs": {"64": side},
                "phases": side,
                "seed": side,
            }
        }
        for side in "ab"
    ]
    difference = compare(results, results, manifests=(made[0], made[1]), resamples=50)
    (settings,) = tables(difference)
    assert [row[0].text.removeprefix("configuration.") for row in settings.rows] == [
        "phases", "seed", "corpus", "queries", "qrels", "cache", "runs.64",
    ]  # fmt: skip
    assert "--verbose lists" not in list(sentences(difference))[-1]


def test_one_setting_that_is_not_shown_is_one() -> None:
    results = build_results(queries=10)
    made = [{"configuration": {f"key{row}": side for row in range(9)}} for side in "ab"]
    told = list(sentences(compare(results, results, manifests=(made[0], made[1]), resamples=50)))
    assert told[-1] == "1 more setting differs; --verbose lists it."


def test_paired_queries_without_the_measure_are_counted() -> None:
    before, after = measured({"50": [None, 1, 0, None]}), measured({"50": [1, 1, 1, 0]})
    told = next(sentences(compare(before, after, resamples=50)))
    assert told == ("4 queries paired, 2 of them without recall@1 in one or both; primary endpoint recall@1.")


def test_a_small_change_shows_two_values() -> None:
    before = measured({"50": [0.50001, 0.5]})
    after = measured({"50": [0.50002, 0.5]})
    told = list(sentences(compare(before, after, resamples=50)))[1]
    assert told.startswith("Best fixed (50) went from 0.500005 to 0.500010: ")


def test_digests_are_shortened_and_a_missing_setting_is_a_dash() -> None:
    results = build_results(queries=10)
    other = replace(results, model=None)
    rows = tables(compare(results, other, resamples=50), verbose=True)[-1].rows
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
