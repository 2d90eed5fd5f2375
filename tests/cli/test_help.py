"""What `--help` shows: whole sentences in 80 columns, one way to name values, every default, the exit codes."""

import re
from collections.abc import Sequence

import pytest
import typer.main

from chunkgap import cli
from chunkgap.config import Settings

from .running import run

COMMANDS = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]


def shown(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run(*arguments, "--help") == 0
    return capsys.readouterr().out


def test_every_command_is_summed_up_in_one_whole_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    listed = shown([], capsys).split("Commands:\n")[1].split("\n\n")[0].splitlines()
    assert len(listed) == len(COMMANDS)
    for line in listed:
        assert re.fullmatch(r"  [a-z]+ +[A-Z].*[^.]\.", line)
        assert len(line) <= 80


def test_the_exit_codes_stand_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    codes = shown([], capsys).split("Exit codes:\n")[1]
    assert re.findall(r"^ +([0-9]+) ", codes, re.MULTILINE) == ["0", "1", "2", "3", "130", "141"]


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_values_are_named_in_one_way(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown([command], capsys)
    usage = text.split("\n\n")[0]
    assert re.fullmatch(rf"Usage: chunkgap {command} \[OPTIONS\]( [\[{{][A-Z]+[\]}}])*", usage)
    options = re.findall(r"^  (?:-\w, )?--[a-z-]+ (\S+)", text.split("Options:\n")[1], re.MULTILINE)
    assert {
        option for option in options if not re.fullmatch(r"<(path|str|int|float|text\|github)>", option)
    } == set()


def test_measure_names_the_default_of_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(shown(["measure"], capsys).split())
    named = dict(re.findall(r"--([a-z-]+) <\w+> (?:(?! --).)*?\[default: ([^]]+)\]", text))
    defaults = Settings()
    assert named == {
        "sizes": ",".join(map(str, defaults.sizes)),
        "overlap": str(defaults.overlap),
        "out": str(defaults.out),
        "index": defaults.retrieval.index,
        "primary": defaults.primary,
        "measures": ",".join(defaults.measures),
        "cutoffs": ",".join(defaults.cutoffs),
        "phases": str(defaults.phases),
        "model": defaults.embedding.model,
        "workers": "one for each core",
        "encoding": defaults.encoding,
        "cache": "the user's cache folder",
    }
