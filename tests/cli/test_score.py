import json
from pathlib import Path

import pytest

from chunkgap.cli import main

CONFIGURATION = """
runs: {64: s64.run, 256: s256.run}
qrels: qrels.txt
cutoffs: [1]
statistics: {resamples: 200}
"""


@pytest.fixture(autouse=True)
def _in_a_folder_with_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    Path("s64.run").write_text("".join(f"q{n} Q0 {'d' if n < 7 else 'e'}{n} 1 1 t\n" for n in range(10)))
    Path("s256.run").write_text("".join(f"q{n} Q0 {'e' if n < 7 else 'd'}{n} 1 1 t\n" for n in range(10)))
    Path("qrels.txt").write_text("".join(f"q{n} 0 d{n} 1\n" for n in range(10)))


def run(configuration: str) -> int:
    Path("c.yaml").write_text(configuration)
    with pytest.raises(SystemExit) as left:
        main(["score", "--config", "c.yaml", "--out", "out"])
    return int(left.value.code or 0)


def test_score_writes_results_and_prints_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(CONFIGURATION) == 0
    results = json.loads(Path("out/results.json").read_text())
    values = {row["name"]: row["value"] for row in results["rows"] if row["kind"] == "scale"}
    assert values == {"64": 0.7, "256": 0.3}
    assert results["command"] == "score"
    assert "recall@1" in capsys.readouterr().out


@pytest.mark.parametrize(("limit", "code"), [("0.7", 0), ("0.7001", 1)])
def test_a_value_at_its_limit_passes_the_gate(limit: str, code: int) -> None:
    assert run(f"{CONFIGURATION}gate: {{min_best_fixed: {limit}}}\n") == code
    assert Path("out/results.json").exists()


def test_a_missing_run_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("s64.run").unlink()
    assert run(CONFIGURATION) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (
        "error: s64.run: expected a readable file, got: no such file or directory. "
        "Check the path and its permissions.\n"
    )
    assert not Path("out").exists()


def test_an_empty_output_folder_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    Path("c.yaml").write_text(CONFIGURATION)
    with pytest.raises(SystemExit):
        main(["score", "--config", "c.yaml", "--out", ""])
    assert capsys.readouterr().err == (
        "error: --out: expected a path, got an empty text. Name one; `.` is the current folder.\n"
    )
    assert not Path("results.json").exists()


def test_the_report_says_that_storage_is_not_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(CONFIGURATION) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "20 documents of 2 run files" in printed
    assert "storage is not known, and decides nothing" in printed
