import json
from pathlib import Path

import pytest

from ..stored import stored
from .running import run


@pytest.fixture()
def out(tmp_path: Path) -> Path:
    return stored(tmp_path)


def test_html_and_markdown_come_out_as_they_were(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {name: (out / name).read_bytes() for name in ("report.html", "report.md")}
    for name in before:
        (out / name).unlink()
    assert run("report", out, "--html", "--markdown") == 0
    assert capsys.readouterr().out.splitlines() == [f"wrote {out / name}" for name in before]
    assert {name: (out / name).read_bytes() for name in before} == before


def test_the_terminal_is_the_default(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("report", out) == 0
    short = capsys.readouterr().out
    assert short.startswith("chunkgap measure: made up\n")
    assert run("report", out, "--verbose") == 0
    assert len(capsys.readouterr().out) > len(short)
    assert run("report", out, "--markdown", "--terminal") == 0
    assert short.splitlines()[0] in capsys.readouterr().out


def test_nothing_else_is_written(out: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
    assert run("report", out, "--markdown") == 0
    after = {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
    assert {name for name in after if after[name] != before.get(name)} == {"report.md"}


def test_html_without_the_corpus_has_no_chunks_and_says_so(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (out.parent / "corpus").rename(out.parent / "moved")
    assert run("report", out, "--html") == 0
    assert capsys.readouterr().err.startswith("warning: The corpus cannot be read again")


def test_evidence_of_queries_that_lie_elsewhere_is_marked(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (out / "report.html").read_bytes()
    (out.parent / "queries.jsonl").rename(out.parent / "moved.jsonl")
    assert run("report", out, "--html") == 0
    assert capsys.readouterr().err.endswith("If they lie elsewhere now, name them with --queries.\n")
    assert (out / "report.html").read_bytes() != before
    assert run("report", out, "--html", "--queries", out.parent / "moved.jsonl") == 0
    assert capsys.readouterr().err == ""
    assert (out / "report.html").read_bytes() == before


def test_another_format_version_is_refused(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = json.loads((out / "results.json").read_text("utf-8"))
    (out / "results.json").write_text(json.dumps({**results, "format_version": 99}), encoding="utf-8")
    assert run("report", out) == 2
    assert capsys.readouterr().err == (
        f"error: {out / 'results.json'}: expected format_version 1, got 99. "
        "Read it with the chunkgap that wrote it, or measure again.\n"
    )


def test_options_that_nothing_heeds_are_errors(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (out / "report.md").stat().st_mtime_ns
    assert run("report", out, "--markdown", "--corpus", out, "--queries", out, "--verbose") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        "error: --corpus: expected --html beside it, got none. Add --html, or leave it out.",
        "error: --queries: expected --html beside it, got none. Add --html, or leave it out.",
        "error: --verbose: expected a report on the terminal, got none. Add --terminal, or leave it out.",
    ]
    assert (out / "report.md").stat().st_mtime_ns == before
    assert run("report", out, "--corpus", out) == 2
    assert run("report", out, "--markdown", "--terminal", "--verbose") == 0
