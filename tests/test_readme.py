"""What the README and the pages name exists: commands, options, make targets, files."""

import re
from pathlib import Path

import pytest
import typer.main

from chunkgap.cli import app

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def options(command: str) -> set[str]:
    return {
        name
        for parameter in COMMANDS[command].params
        for name in (*parameter.opts, *parameter.secondary_opts)
    }


def test_the_table_of_commands_is_that_of_the_program() -> None:
    assert re.findall(r"^\| `chunkgap (\w+)", README, re.MULTILINE) == [
        "measure", "check", "score", "explain", "report", "compare", "gate", "promote", "init",
    ]  # fmt: skip
    assert set(re.findall(r"^\| `chunkgap (\w+)", README, re.MULTILINE)) == set(COMMANDS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_option_that_a_page_gives_a_command_exists(page: Path) -> None:
    for command, rest in re.findall(r"chunkgap (\w+)((?: [^\n`|]*)?)", page.read_text(encoding="utf-8")):
        if command in COMMANDS:
            named = set(re.findall(r"(?<=\s)--[a-z-]+", rest.split("#")[0]))
            assert named <= options(command) | {"--help"}, (command, rest)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help_with_an_example_of_its_own_options(command: str) -> None:
    text = COMMANDS[command].help or ""
    examples = re.findall(rf"^\s*chunkgap {command}\b.*$", text, re.MULTILINE)
    assert examples
    for example in examples:
        assert set(re.findall(r"(?<=\s)--[a-z-]+", example)) <= options(command), example


def test_every_make_target_of_the_readme_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    assert set(re.findall(r"`?make ([a-z-]+)", README)) <= targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_inside_the_repository_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_what_make_check_and_ci_run_is_told_as_it_is() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (check,) = re.findall(r"^check: (.*?)  ##", makefile, re.MULTILINE)
    ran = re.findall(r"^step make (\S+)", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(ran) == sorted([*check.split(), "demo", "demo", "test-browser"])
    assert "CI runs `.ci/run`: all of these, the demo twice" in README
    assert "the tests in a real browser (`make test-browser`)" in README
