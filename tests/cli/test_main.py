"""The frame around every command: one line for each error, the right exit code, readers that leave early."""

import errno
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
        (["gate"], "error: OUT: expected a value, got none. See chunkgap gate --help.\n"),
        (
            ["measure", "--phases", "x"],
            'error: --phases: expected a whole number, got "x". See chunkgap measure --help.\n',
        ),
        (
            ["promote", "out", "1.5"],
            'error: N: expected a whole number, got "1.5". See chunkgap promote --help.\n',
        ),
        (
            ["gate", "out", "--max-drop", "x"],
            'error: --max-drop: expected a number, got "x". See chunkgap gate --help.\n',
        ),
        (
            ["compare", "a", "b", "--top", "-1"],
            "error: --top: expected at least 0, got -1. See chunkgap compare --help.\n",
        ),
        (
            ["gate", "out", "--format", "xml"],
            'error: --format: expected "text" or "github", got "xml". See chunkgap gate --help.\n',
        ),
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


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            PermissionError(errno.EACCES, "Permission denied", "noread/corpus.jsonl"),
            "noread/corpus.jsonl: expected a readable file or folder, got permission denied. "
            "Check its permissions.",
        ),
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", "gone"),
            "gone: expected a readable file or folder, got no such file or directory. Check the path.",
        ),
        (
            OSError(errno.ENOSPC, "No space left on device", "out/x"),
            "out/x: expected a place to write to, got no space left on device. "
            "Make room, or choose another place.",
        ),
        (
            OSError(errno.ENOSPC, "No space left on device"),
            "output: expected a place to write to, got no space left on device. "
            "Make room, or choose another place.",
        ),
    ],
)
def test_what_the_system_refuses_to_read_is_told_from_what_it_refuses_to_write(
    error: OSError, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(_out: object) -> None:
        raise error

    monkeypatch.setattr(artifacts, "read_results", refused)
    assert run("report", "anywhere") == 2
    assert capsys.readouterr().err == f"error: {line}\n"


def test_an_interrupt_is_exit_130_and_says_what_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_out: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(artifacts, "read_results", interrupted)
    assert run("report", "anywhere") == 130
    assert capsys.readouterr().err.startswith("interrupted: ")


def run_without_a_reader(*arguments: str, closed: str = "stdout") -> subprocess.CompletedProcess[str]:
    """Run a command whose stdout or stderr is a pipe that nobody reads."""
    program = "import sys; from chunkgap.cli import main; main(sys.argv[1:])"
    reading, writing = os.pipe()
    os.close(reading)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, closed: writing}
    done = subprocess.run([sys.executable, "-c", program, *arguments], **streams, text=True, check=False)
    os.close(writing)
    return done


@pytest.mark.parametrize(("limit", "code"), [("0.0", 0), ("1.0", 1)])
def test_a_reader_that_leaves_early_does_not_change_the_exit_code(
    tmp_path: Path, limit: str, code: int
) -> None:
    done = run_without_a_reader("gate", str(stored(tmp_path)), "--min-best-fixed", limit)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


def test_pages_are_written_though_nobody_reads_that_they_are(tmp_path: Path) -> None:
    out = stored(tmp_path)
    before = {name: (out / name).read_bytes() for name in ("report.html", "report.md")}
    for name in before:
        (out / name).unlink()
    done = run_without_a_reader("report", str(out), "--html", "--markdown")
    assert (done.returncode, done.stderr) == (0, "")
    assert {name: (out / name).read_bytes() for name in before} == before


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], [], ["gate", "--help"]])
def test_help_that_nobody_reads_does_not_exit_as_a_failed_gate(arguments: list[str]) -> None:
    done = run_without_a_reader(*arguments)
    assert (done.returncode, done.stderr) == (141, "")


def test_an_error_that_nobody_reads_keeps_its_exit_code() -> None:
    assert run_without_a_reader("gate", "nowhere", closed="stderr").returncode == 2


def test_results_are_printed_though_nobody_reads_the_warnings(tmp_path: Path) -> None:
    out = stored(tmp_path)
    (tmp_path / "corpus").rename(tmp_path / "moved")
    done = run_without_a_reader("report", str(out), "--html", closed="stderr")
    assert (done.returncode, done.stdout) == (0, f"wrote {out / 'report.html'}\n")


def test_control_characters_in_an_error_are_shown_and_not_sent(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("gate", "no\x1b[31m\x9bwhere\n") == 2
    assert capsys.readouterr().err.startswith(
        r"error: no\x1b[31m\x9bwhere\n: expected the folder of a measurement"
    )
