import json
from pathlib import Path

import pytest

from .running import run


@pytest.fixture(autouse=True)
def _in_a_folder_with_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    for row in range(12):
        Path(f"docs/d{row}.md").write_text(f"# Title {row}\n\n" + "some words to read. " * 40)
    Path("q.jsonl").write_text(
        "".join(f'{{"id": "q{row}", "text": "words?", "relevant": ["d{row}.md"]}}\n' for row in range(12))
    )


def test_check_prints_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "docs", "q.jsonl", "--no-calibration") == 0
    printed = capsys.readouterr()
    assert "12 documents of docs" in printed.out
    assert "Suggested sizes: " in printed.out
    assert printed.err == ""


def test_json_is_the_only_thing_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "docs", "q.jsonl", "--no-calibration", "--sizes", "20,40", "--json") == 0
    value = json.loads(capsys.readouterr().out)
    assert [size["size"] for size in value["sizes"]] == [20, 40]
    assert value["queries"]["evaluated"] == 12


@pytest.mark.parametrize("command", ["check", "measure"])
def test_run_files_are_refused_where_they_would_be_ignored(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("c.yaml").write_text("runs: {64: a.run, 256: b.run}\n")
    assert run(command, "docs", "q.jsonl", "--config", "c.yaml") == 2
    assert capsys.readouterr().err == (
        "error: runs: expected none, got 2; only `chunkgap score` reads them. "
        "Take them out, or run `chunkgap score`.\n"
    )


def test_every_problem_is_a_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    Path("q.jsonl").write_text('{"id": "q0", "text": "", "relevant": ["d0.md"]}\n[1]\n')
    assert run("check", "docs", "q.jsonl") == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        'error: q.jsonl:1: expected the text of the query "q0", got "". Write the question, or remove it.',
        "error: q.jsonl:2: expected one JSON object a line, got a JSON array. Write one object a line.",
    ]


def test_an_unknown_id_is_told_with_its_neighbour(capsys: pytest.CaptureFixture[str]) -> None:
    Path("q.jsonl").write_text('{"id": "q0", "text": "?", "relevant": ["D1"]}\n')
    assert run("check", "docs", "q.jsonl") == 2
    assert "D1 is near d1.md" in capsys.readouterr().err


@pytest.mark.model
def test_calibration_forecasts_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "docs", "q.jsonl", "--json") == 0
    assert json.loads(capsys.readouterr().out)["forecast"]["seconds"] > 0


def test_a_forgotten_query_file_is_named_before_anything_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "docs") == 2
    assert capsys.readouterr().err == (
        "error: queries: expected a query file, got nothing. Name it on the command line or in the file.\n"
    )
