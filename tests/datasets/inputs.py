"""Input files for tests, and what reading them reports."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from chunkgap.errors import InputError


def write(name: str, content: str | bytes) -> Path:
    """Write a file below the current folder, bytes as they are, text as UTF-8 without translation."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def write_jsonl(name: str, *values: object) -> Path:
    """Write one JSON value a line."""
    return write(name, "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values))


def problems(read: Callable[[], object]) -> list[str]:
    """The problems for which `read` fails."""
    with pytest.raises(InputError) as caught:
        read()
    return list(caught.value.problems)
