"""The frame around every command: one line for each error, the right exit code, readers that leave early."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from chunkgap import cli
from chunkgap.reports import artifacts

from ..stored import stored


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        cli.main(list(arguments))
    return int(stopped.value.code or 0)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["meazure"],
            "error: command line: No such command 'meazure'. Did you mean 'measure'? See chunkgap --help.\n",
        ),
        (["gate"], "error: command line: Missing argument 'out'. See chunkgap gate --help.\n"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    assert capsys.readouterr().err == line


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    assert "measure" in capsys.readouterr().out


def test_a_fault_of_its_own_is_one_line_unless_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_out: object) -> None:
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr(artifacts, "read_results", broken)
    assert run("report", "anywhere") == 2
    printed = capsys.readouterr().err
    assert printed.startswith("error: chunkgap itself failed: ZeroDivisionError: of all things.")
    assert printed.count("\n") == 1
    monkeypatch.setenv("CHUNKGAP_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["report", "anywhere"])


def test_an_interrupt_is_exit_130_and_says_what_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_out: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(artifacts, "read_results", interrupted)
    assert run("report", "anywhere") == 130
    assert capsys.readouterr().err.startswith("interrupted: ")


@pytest.mark.parametrize(("limit", "code"), [("0.0", 0), ("1.0", 1)])
def test_a_reader_that_leaves_early_does_not_change_the_exit_code(
    tmp_path: Path, limit: str, code: int
) -> None:
    out = stored(tmp_path)
    program = "import sys; from chunkgap.cli import main; main(sys.argv[1:])"
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", program, "gate", str(out), "--min-best-fixed", limit],
        stdout=writing, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(writing)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
