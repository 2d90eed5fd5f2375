import base64
import hashlib
import json
import re
from dataclasses import replace
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from chunkgap.formatting import number
from chunkgap.records import Interval
from chunkgap.reports.gaps import bracket_texts, router_sentence
from chunkgap.reports.html import render_html
from chunkgap.reports.query_hits import widest_queries
from chunkgap.reports.wording import interval_range
from chunkgap.results import CROSS_FITTED, Notice, Wins
from tests.reports.results_builder import HOSTILE, build_hits, build_results

SHAPES: dict[str, dict[str, Any]] = {
    "whole": {},
    "one scale": {"scales": ("200",)},
    "one phase": {"phases": 1},
    "own runs, bare": {"command": "score", "phases": 1, "bare": True, "tags": False, "timings": False},
    "own runs": {"command": "score"},
    "cutoffs in chunks": {"cutoffs": ("1c", "5c"), "primary": "recall@5c"},
    "several measures and units": {"measures": ("recall", "rr"), "cutoffs": ("1", "5", "5c", "2000t")},
    "one query": {"queries": 1},
    "go": {"verdict": "go"},
    "no-go": {"verdict": "no-go"},
}


def page(**shape: Any) -> HTMLParser:
    return HTMLParser(render_html(build_results(**shape)))


def data_of(found: HTMLParser) -> Any:
    return json.loads(found.css_first("#data").text())


def tables(found: HTMLParser) -> dict[str, list[list[str]]]:
    """Cells by caption."""
    return {
        table.css_first("caption").text(): [
            [cell.text() for cell in row.css("th, td")] for row in table.css("tr")
        ]
        for table in found.css("table")
    }


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_of_results_renders(shape: dict[str, Any]) -> None:
    found = page(**shape)
    text = found.css_first("main").text()
    assert not re.search(r"\b(None|nan|NaN|undefined)\b", text)
    charts = set(data_of(found)["charts"])
    assert {node.attributes["data-chart"] for node in found.css("[data-chart]")} == charts
    ids = [node.attributes["id"] for node in found.css("[id]")]
    assert len(ids) == len(set(ids))
    anchors = {node.attributes["href"] for node in found.css("nav a")}
    assert anchors <= {f"#{name}" for name in ids}


def test_means_stand_in_the_table_with_their_intervals() -> None:
    results = build_results()
    shown = tables(HTMLParser(render_html(results)))["Mean recall by documents"]
    by_name = {row[0]: row[1:] for row in shown}
    for row in (row for row in results.rows if row.kind == "scale"):
        column = ["1", "3", "5", "10", "20"].index(row.cutoff)
        best = next(found.best_fixed for found in results.headroom if found.cutoff == row.cutoff)
        star = "*" if row.name == best else ""
        assert by_name[row.name][column] == f"{number(row.value)}{star} {interval_range(row.interval)}"


def test_key_numbers_are_those_of_the_results() -> None:
    results = build_results()
    shown = HTMLParser(render_html(results)).css_first("#verdict").text()
    found = results.primary
    assert found.excess
    for value in (found.cross_fitted_value, found.oracle, found.gap.estimate, found.excess.estimate):
        assert number(value) in shown
    for text in (results.verdict.rule, results.headroom_verdict.headline, results.headroom_verdict.sentence):
        assert text in shown


def test_the_best_fixed_size_has_its_own_mean_and_the_cross_fitted_one_its_own_name() -> None:
    results = build_results()
    found, endpoint = results.primary, results.endpoint
    terms = HTMLParser(render_html(results)).css("#verdict .numbers div")
    shown = {term.css_first("dt").text(): term.css_first(".value").text() for term in terms}
    own = results.row("scale", found.best_fixed, endpoint.measure, endpoint.cutoff)
    crossed = results.row("best fixed", CROSS_FITTED, endpoint.measure, endpoint.cutoff)
    assert own
    assert crossed
    assert own.value == found.best_fixed_value != crossed.value
    for name, row in (
        (f"best fixed size: {found.best_fixed}", own),
        ("best fixed size, cross-fitted", crossed),
    ):
        assert shown[name].split(maxsplit=1) == [number(row.value), interval_range(row.interval)]


def test_headroom_has_bracket_luck_and_routers_in_words() -> None:
    results = build_results(matched=True)
    found = HTMLParser(render_html(results))
    assert bracket_texts(results.primary)[1] in found.css_first("#headroom").text()
    assert router_sentence(results) in found.css_first("#payoff").text()
    assert "placebo gap of 4 phases" in found.css_first("#payoff").text()
    shown = tables(found)
    assert shown["Luck beside the gap, like for like, at recall@5"][-1][0] == "4 sizes"
    assert "p99" in shown["Time of one query"][0]


def test_one_phase_is_called_uncorrected_wherever_the_gap_is_named() -> None:
    found = page(phases=1)
    for section in ("verdict", "payoff", "headroom", "tags"):
        assert "uncorrected" in found.css_first(f"#{section}").text()
    assert "raw gap" not in found.css_first("main").text()


def test_blocking_warning_stands_with_the_verdict() -> None:
    results = replace(build_results(), notices=(Notice("truncated", "Size 500 was cut.", blocking=True),))
    found = HTMLParser(render_html(results))
    assert "Size 500 was cut." in found.css_first("#verdict").text()
    assert "Size 500 was cut." in found.css_first("#warnings").text()


def test_manifest_is_shown_flat() -> None:
    manifest = {"configuration": {"sizes": [50, 100]}, "files": [{"path": "a.md"}], "seed": 13}
    shown = tables(HTMLParser(render_html(build_results(), manifest=manifest)))["Manifest"]
    assert shown == [["configuration.sizes", "50, 100"], ["files.1.path", "a.md"], ["seed", "13"]]


def test_hostile_texts_stay_texts() -> None:
    results = build_results(hostile=True)
    found = HTMLParser(
        render_html(results, build_hits(results, hostile=True), manifest={HOSTILE[0]: HOSTILE[1]})
    )
    assert found.css_first("h1").text() == HOSTILE[1]
    assert len(found.css("script")) == 3
    assert not found.css("img, iframe, object, embed, base, main a")
    handlers = {name for node in found.css("*") for name in node.attributes if name.startswith("on")}
    assert not handlers
    assert data_of(found)["queries"]["scales"][0] == HOSTILE[0]


def test_nothing_outside_the_page_is_named_as_a_source() -> None:
    found = page()
    named = [
        node.attributes.get(name) for node in found.css("*") for name in ("src", "href", "action", "srcset")
    ]
    assert all(value.startswith(("#", "data:")) for value in named if value)
    style = found.css_first("style").text()
    assert "url(" not in style
    assert "@import" not in style


def test_policy_lets_only_the_two_scripts_of_the_page_run() -> None:
    found = page()
    policy = found.css_first("meta[http-equiv='Content-Security-Policy']").attributes["content"] or ""
    digests = [
        base64.b64encode(hashlib.sha256(node.text().encode()).digest()).decode()
        for node in found.css("script:not([type])")
    ]
    assert policy.startswith("default-src 'none'; ")
    assert re.findall(r"'sha256-([^']+)'", policy) == digests
    assert "http" not in policy


def test_ten_thousand_queries_stay_below_eight_megabytes() -> None:
    results = build_results(queries=10_000)
    text = render_html(results, build_hits(results))
    assert len(text.encode()) < 8_000_000
    queries = data_of(HTMLParser(text))["queries"]
    assert len(queries["rows"]) == 10_000
    assert set(queries["hits"]) <= set(widest_queries(results))


def test_equal_results_give_equal_pages() -> None:
    assert render_html(build_results()) == render_html(build_results())


def test_numbers_are_of_the_queries_that_the_measure_is_defined_for() -> None:
    results = replace(build_results(), wins=Wins({"50": 10, "100": 5}, tied=12, none=3))
    text = HTMLParser(render_html(results)).css_first("#verdict").text()
    assert "All numbers are of recall@5 over 30 queries (30 more have no recall@5);" in text
    assert "over 60 queries;" in page().css_first("#verdict").text()


def test_all_lost_queries_are_counted_though_few_are_listed() -> None:
    text = HTMLParser(render_html(replace(build_results(), lost=1_098))).css_first("#queries").text()
    assert "(the first 5 of 1,098; the table above has all)" in text


def test_slices_that_the_chart_has_no_room_for_are_counted() -> None:
    results = build_results()
    many = replace(results, slices=results.slices[:1] * 31 + results.slices[2:3])
    text = HTMLParser(render_html(many)).css_first("#tags").text()
    assert "in the chart (the first 30 of 31 that are large enough) the best size" in text
    assert "in the chart the best size" in page().css_first("#tags").text()


def test_storage_and_gain_are_told_from_their_limits() -> None:
    results = build_results()
    verdict = replace(results.verdict, storage=5.0001, gain=Interval(0.01, 0.001, 0.019999))
    found = HTMLParser(render_html(replace(results, verdict=verdict)))
    assert "5.0001 times" in found.css_first("#verdict").text()
    assert "+0.010000 [0.001000, 0.019999]" in found.css_first("#headroom").text()


def test_a_thousand_long_tags_stay_below_eight_megabytes() -> None:
    results = build_results(queries=300)
    tags = tuple({f"tag {tag}": f"{'x' * 150} {row % 30}" for tag in range(1_000)} for row in range(300))
    slices = tuple(replace(results.slices[0], tag=f"tag {row}", value="y" * 10_000) for row in range(100))
    many = replace(results, per_query=replace(results.per_query, tags=tags), slices=slices)
    assert len(render_html(many).encode()) < 8_000_000
