import json
import math
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


def forecast(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, dict[str, int]]:
    """What is forecast for sizes 20 and 40, the sizes by name and all together as `whole`."""
    assert run("check", "docs", "q.jsonl", "--no-calibration", "--sizes", "20,40", "--json", *options) == 0
    value = json.loads(capsys.readouterr().out)
    return {size["name"]: size for size in value["sizes"]} | {"whole": value["forecast"]}


def test_the_forecast_follows_the_options_of_measure(capsys: pytest.CaptureFixture[str]) -> None:
    plain = forecast(capsys)
    documents, dimension = 12, 384
    text = plain["40"]["mean_tokens"] * plain["40"]["chunks"] / documents  # tokens of a document
    assert plain["whole"]["vectors"] == 2 * (plain["20"]["chunks"] + plain["40"]["chunks"])

    several = forecast(capsys, "--phases", "3")["whole"]
    assert several["vectors"] == 3 * (plain["20"]["chunks"] + plain["40"]["chunks"])

    for overlap, steps in (("8", {"20": 12, "40": 32}), ("25%", {"20": 15, "40": 30})):
        found = forecast(capsys, "--overlap", overlap)
        for name, step in steps.items():
            shared = int(name) - step
            assert found[name]["overlap"] == shared
            assert found[name]["chunks"] == documents * math.ceil((text - shared) / step)

    exact = forecast(capsys, "--index", "exact")
    assert (exact["20"]["index_bytes"], plain["20"]["index_bytes"] is None) == (None, False)

    one, two = (forecast(capsys, "--index", "exact", "--workers", threads)["whole"] for threads in "12")
    # the second placement of 40 is indexed beside that of 20
    assert two["memory_bytes"] - one["memory_bytes"] == plain["40"]["chunks"] * dimension * 4


@pytest.mark.parametrize("command", ["check", "measure"])
def test_an_overlap_past_the_sizes_is_the_same_error_as_for_measure(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command, "docs", "q.jsonl", "--sizes", "20,40", "--overlap", "20") == 2
    assert capsys.readouterr().err == (
        "error: --overlap: expected fewer tokens than every size, got overlap 20 with size 20. "
        "Lower the overlap, leave out that size, or write a percentage.\n"
    )


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
