"""The folder of indexes and answers: what names its files, and how large it may grow."""

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

MOST_BYTES = 4 << 30
"""Every change of a corpus or of the queries makes other files; beyond this, those used longest ago go."""

_MAKING = ".making-"  # what the folders begin with in which files are made
_IN_USE_SECONDS = 3600.0  # a file used since may be that of a measurement that still runs, this one perhaps


def digest_of(vectors: NDArray[np.float32]) -> str:
    """SHA-256, in hex, over shape and content of an array."""
    vectors = np.ascontiguousarray(vectors, dtype="<f4")
    digest = hashlib.sha256(json.dumps(vectors.shape).encode())
    digest.update(vectors.data)
    return digest.hexdigest()


def path_for(facts: Sequence[object], folder: Path, suffix: str) -> Path:
    """Where the file of these facts lies: all that shapes it, as JSON has them."""
    return folder / f"{hashlib.sha256(json.dumps(facts).encode()).hexdigest()}{suffix}"


@contextlib.contextmanager
def making(folder: Path) -> Iterator[Path]:
    """A folder inside `folder`, which is made when missing, to make files in and move them out of.

    Raises:
        OSError: It cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=_MAKING) as name:
        yield Path(name)


def mark_used(path: Path) -> None:
    """Let a file count as used now."""
    with contextlib.suppress(OSError):  # a folder that cannot be written to is still good to read from
        os.utime(path)


def make_room(folder: Path) -> None:
    """Remove the files used longest ago, until the others fit into `MOST_BYTES` or are in use.

    A file's description (`.json`) goes with it. What killed processes left half made goes too. What cannot be removed
    stays.
    """
    unused = time.time() - _IN_USE_SECONDS
    known = []
    for path in _files_in(folder):
        with contextlib.suppress(OSError):  # another process has removed it
            status = path.stat()
            if path.name.startswith(_MAKING) and status.st_mtime < unused:
                shutil.rmtree(path, ignore_errors=True)
            elif path.is_file() and path.suffix != ".json":
                known.append((status, path))
    total = 0
    for status, path in sorted(known, key=lambda pair: -pair[0].st_mtime):
        total += status.st_size
        if total > MOST_BYTES and status.st_mtime < unused:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
                path.with_suffix(".json").unlink(missing_ok=True)


def _files_in(folder: Path) -> list[Path]:
    """All that a folder holds; nothing where somebody has removed it meanwhile, or it cannot be listed."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []
