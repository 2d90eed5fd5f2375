import json
from dataclasses import replace
from pathlib import Path

import pytest

from chunkgap.results import Results, from_json, to_json

from ..stored import stored
from .running import run


@pytest.fixture()
def out(tmp_path: Path) -> Path:
    return stored(tmp_path)


def read(out: Path) -> Results:
    return from_json((out / "results.json").read_text("utf-8"))


def configure(out: Path, **limits: float) -> None:
    """Write limits into the configuration that the measurement was made with."""
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    manifest["configuration"]["gate"] = limits
    (out / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def write_runs(folder: Path) -> Path:
    """A run that finds the relevant document first for seven queries of ten; return their folder."""
    qrels = "".join(f"q{row} 0 d{row} 1\n" for row in range(10))
    hits = "".join(f"q{row} Q0 {f'd{row}' if row < 7 else 'other'} 1 1.0 mine\n" for row in range(10))
    (folder / "qrels.txt").write_text(qrels, encoding="utf-8")
    (folder / "mine.run").write_text(hits, encoding="utf-8")
    return folder


@pytest.mark.parametrize(("limit", "code"), [("0.7", 0), ("0.7001", 1)])
def test_seven_of_ten_at_the_border_of_a_configured_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], limit: str, code: int
) -> None:
    config = write_runs(tmp_path) / "runs.yaml"
    config.write_text(
        "runs: {mine: mine.run}\nqrels: qrels.txt\ncutoffs: [1]\nprimary: recall@1\n"
        f"statistics: {{resamples: 50}}\ngate: {{min_best_fixed: {limit}}}\n",
        encoding="utf-8",
    )
    assert run("score", "--config", config, "--out", tmp_path / "out") == code
    shown = f"is 0.7000, expected at least {float(limit):.4f}: "
    assert f"{shown}{'0.0001 too low' if code else 'just kept'}" in capsys.readouterr().out
    assert run("gate", tmp_path / "out") == code
    assert run("gate", tmp_path / "out", "--min-best-fixed", "0.7") == 0
    assert run("gate", tmp_path / "out", "--min-best-fixed", "0.7001") == 1


def test_a_kept_limit_is_told_on_stdout_alone(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("gate", out, "--max-gap", "1") == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[0] == "gate passed: 1 limit kept"
    assert captured.err == ""


def test_github_gets_annotations(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("gate", out, "--min-best-fixed", "1", "--max-gap", "1", "--format", "github") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("::error title=chunkgap gate::min_best_fixed: best fixed recall@3 (scale ")
    assert lines[1].startswith("::notice title=chunkgap gate::max_gap: ")


@pytest.mark.parametrize(("limit", "code"), [("0", 0), ("1", 1)])
def test_json_is_the_only_thing_on_stdout(
    out: Path, capsys: pytest.CaptureFixture[str], limit: str, code: int
) -> None:
    assert run("gate", out, "--min-best-fixed", limit, "--max-gap", "1", "--json") == code
    captured = capsys.readouterr()
    assert captured.err == ""
    held = json.loads(captured.out)
    assert held["passed"] == (code == 0)
    assert [check["passed"] for check in held["checks"]] == [code == 0, True]
    assert held["checks"][0]["value"] == read(out).primary.best_fixed_value


def test_json_beside_another_format_is_an_error(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("gate", out, "--max-gap", "1", "--format", "github", "--json") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == ("error: --json: expected one format, got --format github too. Leave one out.\n")


@pytest.mark.parametrize(("option", "code"), [("--max-gap", 2), ("--baseline", 3)])
def test_an_error_leaves_no_json_behind(
    out: Path, capsys: pytest.CaptureFixture[str], option: str, code: int
) -> None:
    other = out.parent / "other"
    other.mkdir()
    changed = to_json(read(out)).replace(read(out).corpus.digest, "e" * 64)
    (other / "results.json").write_text(changed, encoding="utf-8")
    assert run("gate", out, option, other, "--json") == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")


def test_limits_of_the_configuration_hold_when_none_is_given(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(out, min_best_fixed=1.0)
    assert run("gate", out) == 1
    assert run("gate", out, "--max-gap", "1") == 0
    assert "min_best_fixed" not in capsys.readouterr().out.splitlines()[-1]


def test_no_limit_at_all_is_an_error(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("gate", out) == 2
    assert capsys.readouterr().err.startswith("error: gate: expected a limit, got none.")


@pytest.mark.parametrize("limit", ["1.5", "nan", "-0.1"])
def test_a_limit_out_of_range_is_an_error(out: Path, capsys: pytest.CaptureFixture[str], limit: str) -> None:
    assert run("gate", out, "--min-fusion", limit) == 2
    assert capsys.readouterr().err.startswith("error: --min-fusion: expected ")


def test_a_baseline_passes_against_itself_and_fails_below_a_better_one(out: Path, tmp_path: Path) -> None:
    assert run("gate", out, "--baseline", out, "--max-drop", "0") == 0
    better = json.loads((out / "results.json").read_text("utf-8"))
    for found in better["headroom"]:
        found["best_fixed_value"] += 0.1
    (tmp_path / "better").mkdir()
    (tmp_path / "better" / "results.json").write_text(json.dumps(better), encoding="utf-8")
    assert run("gate", out, "--baseline", tmp_path / "better") == 1
    assert run("gate", out, "--baseline", tmp_path / "better", "--max-drop", "0.1") == 0


def test_a_baseline_of_another_corpus_is_refused(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = to_json(read(out)).replace(read(out).corpus.digest, "e" * 64)
    (out.parent / "other").mkdir()
    (out.parent / "other" / "results.json").write_text(other, encoding="utf-8")
    assert run("gate", out, "--baseline", out.parent / "other") == 3
    assert "--allow corpus" in capsys.readouterr().err
    assert run("gate", out, "--baseline", out.parent / "other", "--allow", "corpus") == 0


def test_a_drop_without_a_baseline_is_an_error(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("gate", out, "--max-drop", "0.1") == 2
    assert capsys.readouterr().err == (
        "error: --max-drop: expected a --baseline beside it, got none. Name an earlier measurement.\n"
    )


def test_a_folder_without_results_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("gate", tmp_path, "--max-gap", "1") == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_allowing_a_difference_without_a_baseline_is_an_error(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("gate", out, "--max-gap", "1", "--allow", "corpus") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "error: --allow: expected a --baseline beside it, got none. Name an earlier measurement, or leave it out.\n"
    )


def test_a_baseline_of_another_fusion_is_refused(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = read(out)
    other = replace(other, endpoint=replace(other.endpoint, fusion="rrf60"))
    (out.parent / "other").mkdir()
    (out.parent / "other" / "results.json").write_text(to_json(other), encoding="utf-8")
    baseline = ("--baseline", out.parent / "other", "--max-drop", "1")
    assert run("gate", out, *baseline) == 3
    assert capsys.readouterr().err == (
        "error: endpoint: expected the same in both, got fusion by rrf60 and by ai21. "
        "Pass --allow endpoint to compare all the same.\n"
    )
    assert run("gate", out, *baseline, "--allow", "endpoint") == 0
