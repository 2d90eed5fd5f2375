"""docs/json.md names every key that `--json` prints, and its commands run as they stand there."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from chunkgap.comparing import Difference
from chunkgap.explaining import Explanation
from chunkgap.gating import gate
from chunkgap.reports.explanation import explanation_json
from chunkgap.reports.gate_report import gate_json
from chunkgap.reports.query_hits import ShownChunk
from chunkgap.reports.stored_query import explain_stored

from ..cli.running import run
from ..stored import stored
from .results_builder import build_results
from .test_files_page import keys

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text("utf-8")


def words(command: str) -> set[str]:
    """What is set as code in the section of a command."""
    section = PAGE.split(f"\n## `chunkgap {command} --json`\n")[1].split("\n## ")[0]
    return {word for code in re.findall(r"`([^`\n]+)`", section) for word in re.findall(r"\w+", code)}


def printed_keys(value: object) -> Iterator[str]:
    """The keys of an object and of all objects in its lists."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from printed_keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from printed_keys(inner)


def test_every_key_of_a_gate_is_described() -> None:
    report = gate(build_results(), {"min_fusion": 0.5, "max_gap": 0.1})
    assert set(printed_keys(json.loads(gate_json(report)))) - words("gate") == set()


def test_every_key_of_an_explanation_is_described(tmp_path: Path) -> None:
    printed = json.loads(explanation_json(explain_stored(stored(tmp_path), "q03", top=3)))
    beside = {*printed, *printed["scales"][0], *printed["relevant"][0]}
    assert (beside | keys(Explanation) | keys(ShownChunk)) - words("explain") == set()


def test_every_key_of_a_comparison_is_described() -> None:
    assert keys(Difference) - words("compare") == set()


def test_its_commands_print_one_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stored(tmp_path).rename(tmp_path / "chunkgap-out")
    monkeypatch.chdir(tmp_path)
    blocks = "".join(re.findall(r"```\n(.*?)```", PAGE, re.DOTALL))
    commands = [shlex.split(line.partition(" | ")[0])[1:] for line in blocks.splitlines()]
    assert [arguments[0] for arguments in commands] == ["gate", "explain", "gate"]
    for arguments in commands:
        assert run(*(argument.replace("q042", "q03") for argument in arguments)) in {0, 1}
        assert json.loads(capsys.readouterr().out)["format_version"] == 1
