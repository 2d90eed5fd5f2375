"""The sample data keep their promises, and the check that says so can fail."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SAMPLE_DATA = Path(__file__).resolve().parents[1] / "sample_data"


def load_check() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sample_data_check", SAMPLE_DATA / "check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check = load_check()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "sample_data"
    shutil.copytree(SAMPLE_DATA, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def read(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()]


def write(folder: Path, queries: list[dict[str, Any]]) -> None:
    text = "".join(json.dumps(query) + "\n" for query in queries)
    (folder / "queries.jsonl").write_text(text, encoding="utf-8", newline="\n")


def test_the_shipped_folder_has_no_problems() -> None:
    assert check.check(SAMPLE_DATA) == []


def test_the_script_prints_one_line_and_exits_with_zero() -> None:
    done = subprocess.run(
        [sys.executable, SAMPLE_DATA / "check.py"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    assert done.stdout.endswith(": all good\n")


def test_the_script_prints_all_problems_and_exits_with_one(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    queries = read(copy)
    queries[0]["tags"] = {"type": "riddle"}
    queries[1]["relevant"] = ["guides/missing.md"]
    write(copy, queries)
    assert check.main(copy) == 1
    printed = capsys.readouterr().out
    assert f"{queries[0]['_id']}: tags.type expected one of" in printed
    assert f"{queries[1]['_id']}: relevant document 'guides/missing.md' does not exist" in printed


def _same_id(queries: list[dict[str, Any]]) -> None:
    queries[1]["_id"] = queries[0]["_id"]


def _same_text(queries: list[dict[str, Any]]) -> None:
    queries[1]["text"] = queries[0]["text"]


def _empty_span(queries: list[dict[str, Any]]) -> None:
    queries[0]["spans"][0]["end"] = queries[0]["spans"][0]["start"]


def _span_past_the_end(queries: list[dict[str, Any]]) -> None:
    queries[0]["spans"][0]["end"] = 10**6


def _loose_span(queries: list[dict[str, Any]]) -> None:
    # One more character after the evidence is a space or a newline for at least one query.
    for query in queries:
        for span in query["spans"]:
            text = (SAMPLE_DATA / "corpus" / span["doc"]).read_bytes().decode("utf-8")
            if text[span["end"] : span["end"] + 1].isspace():
                span["end"] += 1
                return


def _span_elsewhere(queries: list[dict[str, Any]]) -> None:
    queries[0]["spans"].append({"doc": "elsewhere.md", "start": 0, "end": 1})


def _lonely_comparison(queries: list[dict[str, Any]]) -> None:
    query = next(query for query in queries if query["tags"]["type"] == "comparison")
    query["relevant"] = query["relevant"][:1]
    query["spans"] = [span for span in query["spans"] if span["doc"] in query["relevant"]]


def _relevant_without_span(queries: list[dict[str, Any]]) -> None:
    queries[0]["spans"] = []


def _too_few(queries: list[dict[str, Any]]) -> None:
    del queries[100:]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_same_id, "occurs 2 times"),
        (_same_text, "occurs 2 times"),
        (_empty_span, "is empty or outside"),
        (_span_past_the_end, "is empty or outside"),
        (_loose_span, "starts or ends with white space"),
        (_span_elsewhere, "which is not relevant"),
        (_lonely_comparison, "a comparison has 2 to 3 relevant documents, got 1"),
        (_relevant_without_span, "no span in relevant document"),
        (_too_few, "expected at least 150, got 100"),
    ],
)
def test_a_damaged_query_is_reported(
    copy: Path, damage: Callable[[list[dict[str, Any]]], None], message: str
) -> None:
    queries = read(copy)
    damage(queries)
    write(copy, queries)
    assert any(message in problem for problem in check.check(copy))


def test_a_line_that_is_not_json_is_reported_with_its_number(copy: Path) -> None:
    with (copy / "queries.jsonl").open("a", encoding="utf-8") as file:
        file.write("{oops\n")
    place = f"queries.jsonl:{len(read(SAMPLE_DATA)) + 1}"
    assert any(problem.startswith(f"{place}: not JSON") for problem in check.check(copy))


def test_a_document_that_is_not_utf8_is_reported(copy: Path) -> None:
    (copy / "corpus" / "faq.md").write_bytes(b"caf\xe9 " * 200)
    assert "faq.md: expected UTF-8, got an undecodable byte at offset 3" in check.check(copy)


@pytest.mark.parametrize("words", [149, 2501])
def test_a_document_of_the_wrong_length_is_reported(copy: Path, words: int) -> None:
    (copy / "corpus" / "extra.md").write_text("word " * words, encoding="utf-8")
    assert f"extra.md: expected 150 to 2,500 words, got {words}" in check.check(copy)


def test_too_many_documents_are_reported(copy: Path) -> None:
    count = sum(1 for _ in (copy / "corpus").rglob("*.md"))
    for extra in range(61 - count):
        (copy / "corpus" / f"extra-{extra}.md").write_text("word " * 200, encoding="utf-8")
    assert "corpus: expected 40 to 60 documents, got 61" in check.check(copy)
