"""Where commands print: lines as they are on a stream of any encoding, or a console."""

import json
import os
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

import typer

from chunkgap.formatting import visible

if TYPE_CHECKING:
    from rich.console import Console

_BARE_CONTROLS = re.compile("[\x7f-\x9f]")
"""Control characters that strings of JSON may hold unescaped."""


def console() -> "Console":
    """The terminal that stdout is, or the pipe or file."""
    from rich.console import Console

    class Patient(Console):
        """A console whose reader may leave early, as `head` does: the exit code is still the command's own."""

        def on_broken_pipe(self) -> None:
            self.quiet = True
            _drop(sys.stdout)

    return Patient()


def echo_lines(lines: Iterable[str]) -> None:
    """Print lines on stdout; control characters, and what its encoding lacks, are escaped with a backslash."""
    _echo(lines, sys.stdout)


def echo_json(text: str) -> None:
    """Print JSON on stdout; control characters, and what the encoding lacks, are escaped as JSON does it."""
    text = _BARE_CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        # beyond ASCII nothing stands in JSON but the characters of strings
        text = "".join(c if c.isascii() else json.dumps(c)[1:-1] for c in text)
    try:
        typer.echo(text, nl=False)
    except BrokenPipeError:
        _drop(sys.stdout)


def warn(remarks: Iterable[str]) -> None:
    """Print remarks on stderr."""
    _echo((f"warning: {remark}" for remark in remarks), sys.stderr)


def complain(lines: Iterable[str]) -> None:
    """Print what went wrong on stderr."""
    _echo(lines, sys.stderr)


def _echo(lines: Iterable[str], stream: TextIO) -> None:
    encoding = stream.encoding or "utf-8"
    try:
        for line in lines:
            shown = visible(line).encode(encoding, errors="backslashreplace").decode(encoding)
            typer.echo(shown, file=stream)
    except BrokenPipeError:
        _drop(stream)


def _drop(stream: TextIO) -> None:
    """Send what is still to be printed nowhere; whoever read it has seen enough."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
