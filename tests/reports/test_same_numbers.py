"""Terminal, CSV, Markdown and HTML show the numbers that results.json holds, for one whole measurement."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from chunkgap.formatting import number, percent, signed
from chunkgap.measurement import measure
from chunkgap.reports.artifacts import read_results
from chunkgap.reports.csv_files import summary_csv
from chunkgap.reports.html import render_html
from chunkgap.reports.markdown import escaped, render_markdown
from chunkgap.reports.terminal import render
from tests.fake_embedder import FakeEmbedder
from tests.made_up import settings_for
from tests.stored import stored

Json = dict[str, Any]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stored(tmp_path_factory.mktemp("stored"))


@pytest.fixture(scope="module")
def written(out: Path) -> Json:
    """The JSON as any program reads it, without chunkgap."""
    parsed: Json = json.loads((out / "results.json").read_text("utf-8"))
    return parsed


def flat(text: str) -> str:
    return " ".join(text.split())


def terminal(out: Path) -> str:
    stream = io.StringIO()
    render(read_results(out), console=Console(file=stream), verbose=True, out=out)
    return flat(stream.getvalue())


def markdown(out: Path) -> str:
    text = render_markdown(read_results(out))
    return flat(text.replace("**", "").replace("\\*", "*").replace(" | ", " "))


def html(out: Path) -> str:
    page = HTMLParser(render_html(read_results(out)))
    for node in page.css("td, th, dt, dd, small, p, li"):
        node.insert_after(" ")
    return flat("".join(node.text() for node in page.css("main")))


PAGES = pytest.mark.parametrize("shown", [terminal, markdown, html])


def lines_of_means(written: Json) -> Iterator[str]:
    """`32 0.5000 [0.4000, 0.6000] ...`: each run with its means and intervals over all cutoffs."""
    prefixes = {"best fixed": "best fixed, ", "fusion": "RRF ", "router": "router "}
    best = {(found["measure"], found["cutoff"]): found["best_fixed"] for found in written["headroom"]}
    names = dict.fromkeys((row["kind"], row["name"]) for row in written["rows"])
    for kind, name in names:
        rows = [row for row in written["rows"] if (row["kind"], row["name"]) == (kind, name)]
        if len(rows) == len(written["headroom"]):
            cells = [
                with_ends(
                    row["interval"], star=kind == "scale" and best[row["measure"], row["cutoff"]] == name
                )
                for row in rows
            ]
            yield " ".join([prefixes.get(kind, "") + name, *cells])


def with_ends(interval: Json, *, star: bool = False) -> str:
    estimate, low, high = (number(interval[end]) for end in ("estimate", "low", "high"))
    return f"{estimate}{'*' if star else ''} [{low}, {high}]"


def primary_of(written: Json) -> Json:
    endpoint = written["endpoint"]
    wanted = (endpoint["measure"], endpoint["cutoff"])
    found: Json = next(one for one in written["headroom"] if (one["measure"], one["cutoff"]) == wanted)
    return found


@PAGES
def test_means_of_every_run(shown: Callable[[Path], str], out: Path, written: Json) -> None:
    text = shown(out)
    lines = list(lines_of_means(written))
    assert len(lines) >= 10
    assert [line for line in lines if line not in text] == []


@PAGES
def test_gap_and_its_parts(shown: Callable[[Path], str], out: Path, written: Json) -> None:
    text, found = shown(out), primary_of(written)
    for part in ("gap", "reproducible", "excess", "interaction"):
        assert with_ends(found[part]) in text
    for value in (found["best_fixed_value"], found["oracle"], *found["placebo"].values()):
        assert number(value) in text
    estimated = f"[{number(found['reproducible']['estimate'], decimals=3)}, "
    surely = (
        f"[{number(found['reproducible']['low'], decimals=3)}, {number(found['gap']['high'], decimals=3)}]"
    )
    if shown is not terminal:
        estimated = f"[{number(found['reproducible']['estimate'])}, {number(found['gap']['estimate'])}]"
        surely = f"[{number(found['reproducible']['low'])}, {number(found['gap']['high'])}]"
    assert estimated in text
    assert surely in text
    assert percent(found["share_closed"]) in text


@PAGES
def test_verdict_with_its_numbers(shown: Callable[[Path], str], out: Path, written: Json) -> None:
    text, verdict = shown(out), written["verdict"]
    gain = verdict["gain"]
    assert f"{signed(gain['estimate'])} [{number(gain['low'])}, {number(gain['high'])}]" in text
    assert f"{verdict['storage']:.1f} times its storage" in text
    for sentence in (verdict["rule"], *verdict["reasons"], written["headroom_verdict"]["sentence"]):
        assert flat(sentence) in text


@PAGES
def test_prices(shown: Callable[[Path], str], out: Path, written: Json) -> None:
    text = shown(out)
    first = [scale["phases"][0] for scale in written["scales"]]
    for scale, phase in zip(written["scales"], first, strict=True):
        price = f"{scale['name']} {phase['chunks']:,} {phase['vectors']:,} {phase['mean_tokens']:,.1f} "
        assert price in text
    chunks = sum(phase["chunks"] for phase in first)
    tokens = sum(phase["mean_tokens"] * phase["chunks"] for phase in first) / chunks
    assert f"all sizes {chunks:,} {sum(phase['vectors'] for phase in first):,} {tokens:,.1f} " in text


def test_summary_csv_holds_the_numbers_unrounded(out: Path, written: Json) -> None:
    read = list(csv.DictReader(io.StringIO(summary_csv(read_results(out)))))
    lines = {(line["kind"], line["name"], line["measure"], line["cutoff"]): line for line in read}
    for row in written["rows"]:
        line = lines[row["kind"], row["name"], row["measure"], row["cutoff"]]
        assert line["value"] == ("" if row["value"] is None else repr(row["value"]))
        if row["vectors"] is not None:
            assert line["vectors"] == repr(row["vectors"])
    found, verdict = primary_of(written), written["verdict"]
    at = (found["measure"], found["cutoff"])
    named = {"oracle gap": "gap", "reproducible gap": "reproducible", "size excess": "excess"}
    for name, key in {**named, "interaction": "interaction"}.items():
        line = lines["headroom", name, *at]
        ends = [float(line[end]) for end in ("value", "low", "high")]
        assert ends == [found[key]["estimate"], found[key]["low"], found[key]["high"]]
    told = lines["verdict", "fusion", *at]
    assert float(told["value"]) == verdict["gain"]["estimate"]
    assert verdict["rule"] in told["text"]
    for scale in written["scales"]:
        line = lines["scale", scale["name"], *at]
        assert int(line["chunks"]) == scale["phases"][0]["chunks"]
        assert int(line["vector_bytes"]) == scale["vector_bytes"]


def test_two_equal_measurements_write_equal_pages_but_for_times(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, name="made up", sizes=[16, 48], retrieval__index="exact")
    one, two = (measure(settings, model=FakeEmbedder()).results for _ in range(2))
    two = replace(two, timings=one.timings)
    assert render_markdown(one) == render_markdown(two)
    assert render_html(one) == render_html(two)


def test_every_report_lists_first_what_forbids_a_verdict(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, cutoffs=["50"], primary="recall@50", exclude_same_id=True)
    results = measure(settings, model=FakeEmbedder()).results
    kinds = [notice.blocking for notice in results.notices]
    assert kinds[0]
    assert not kinds[-1]
    assert kinds == sorted(kinds, reverse=True)
    stream = io.StringIO()
    render(results, console=Console(file=stream))
    page = HTMLParser(render_html(results)).css_first("#warnings").text()
    messages = [notice.message for notice in results.notices]
    for text, told in (
        (stream.getvalue(), messages),
        (render_markdown(results), map(escaped, messages)),
        (page, messages),
    ):
        places = [flat(text).rindex(flat(message)) for message in told]
        assert places == sorted(places)
