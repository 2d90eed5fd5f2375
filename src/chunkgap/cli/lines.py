"""Where commands print: lines as they are on a stream of any encoding, or a console."""

import json
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

import typer

if TYPE_CHECKING:
    from rich.console import Console


def console() -> "Console":
    """The terminal that stdout is, or the pipe or file."""
    from rich.console import Console

    class Patient(Console):
        """A console whose reader may leave early, as `head` does: the exit code is still the command's own."""

        def on_broken_pipe(self) -> None:
            self.quiet = True
            _drop_stdout()

    return Patient()


def echo_lines(lines: Iterable[str]) -> None:
    """Print lines on stdout; what its encoding lacks is escaped with a backslash."""
    _echo(lines, sys.stdout)


def echo_json(text: str) -> None:
    """Print JSON on stdout; what the encoding lacks is escaped as JSON does it."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        # beyond ASCII nothing stands in JSON but the characters of strings
        text = "".join(c if c.isascii() else json.dumps(c)[1:-1] for c in text)
    try:
        typer.echo(text, nl=False)
    except BrokenPipeError:
        _drop_stdout()


def warn(remarks: Iterable[str]) -> None:
    """Print remarks on stderr."""
    _echo((f"warning: {remark}" for remark in remarks), sys.stderr)


def _echo(lines: Iterable[str], stream: TextIO) -> None:
    encoding = stream.encoding or "utf-8"
    try:
        for line in lines:
            typer.echo(line.encode(encoding, errors="backslashreplace").decode(encoding), file=stream)
    except BrokenPipeError:
        _drop_stdout()


def _drop_stdout() -> None:
    """Send what is still to be printed nowhere; whoever read it has seen enough."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
