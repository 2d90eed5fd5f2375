"""Runs the command line in this process."""

from pathlib import Path

import pytest

from chunkgap.cli import main


def run(*arguments: str | Path) -> int:
    """The exit code of `chunkgap` with these arguments."""
    with pytest.raises(SystemExit) as caught:
        main([str(argument) for argument in arguments])
    code = caught.value.code
    return code if isinstance(code, int) else 1
