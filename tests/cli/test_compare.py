import json
from pathlib import Path

import pytest

from ..stored import stored
from .running import run


@pytest.fixture()
def out(tmp_path: Path) -> Path:
    return stored(tmp_path)


def changed(out: Path, **digests: str) -> Path:
    """A copy with another digest of `corpus` or `queries`, and another index in the manifest."""
    folder = out.parent / "changed"
    folder.mkdir()
    results = json.loads((out / "results.json").read_text("utf-8"))
    for name, digest in digests.items():
        results[name]["evaluated_digest" if name == "queries" else "digest"] = digest
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    manifest["configuration"]["retrieval"]["m"] = 32
    (folder / "results.json").write_text(json.dumps(results), encoding="utf-8")
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def test_two_measurements_are_compared_on_stdout(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compare", out, changed(out)) == 0
    captured = capsys.readouterr()
    assert "24 queries paired; primary endpoint recall@3." in captured.out
    assert "configuration.retrieval.m  16  32" in captured.out
    assert captured.err == ""


@pytest.mark.parametrize("what", ["corpus", "queries"])
def test_what_is_not_comparable_exits_with_3_unless_allowed(
    out: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    other = changed(out, **{what: "e" * 64})
    assert run("compare", out, other) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"error: {what}: expected the same in both, got ")
    assert run("compare", out, other, "--allow", what) == 0
    assert f"! Allowed to differ: {what}: " in capsys.readouterr().out


def test_json_is_json_and_markdown_is_markdown(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compare", out, out, "--json") == 0
    assert json.loads(capsys.readouterr().out)["queries"] == 24
    assert run("compare", out, out, "--markdown") == 0
    assert capsys.readouterr().out.startswith("## chunkgap compare: B minus A\n")


def test_two_formats_at_once_are_an_error(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compare", out, out, "--json", "--markdown") == 2
    assert capsys.readouterr().err == (
        "error: --json: expected one format, got --markdown too. Leave one out.\n"
    )


def test_allowing_what_there_is_not_is_an_error(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compare", out, out, "--allow", "everything") == 2
    assert "expected corpus, queries, endpoint, got everything" in capsys.readouterr().err


def test_equal_measurements_are_short_and_verbose_is_long(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("compare", out, out) == 0
    short = capsys.readouterr().out
    assert "Nothing changed: all 3 endpoints are equal in every query." in short
    assert "0 [0, 0]" not in short
    assert run("compare", out, out, "--verbose") == 0
    assert "0 [0, 0]" in capsys.readouterr().out
    assert run("compare", out, out, "--markdown", "-v") == 0
    assert "0 [0, 0]" in capsys.readouterr().out


def test_every_table_as_json_is_an_error(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compare", out, out, "--json", "--verbose") == 2
    assert capsys.readouterr().err == (
        "error: --verbose: expected tables, got --json, which holds everything. Leave one out.\n"
    )
