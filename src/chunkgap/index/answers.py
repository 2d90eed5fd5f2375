"""What searches found, kept beside the indexes: the same queries over the same vectors have the same answer.

A file holds arrays alone, under a digest of all that shapes them: the vectors, the queries, the question, and the
version of this tool, so that no version trusts the answers of another. Files are written under a temporary name and
renamed. Whatever cannot be read is a miss, and asked again; a folder that cannot be written to keeps nothing.
"""

import contextlib
import hashlib
import json
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chunkgap import __version__
from chunkgap.index.files import make_room, mark_used

Answer = Mapping[str, NDArray[np.generic]]
"""Arrays by name."""

Fact = str | int | float | None


@dataclass(frozen=True, slots=True)
class Answers:
    """Kept answers on one subject.

    Attributes:
        folder: Where they are kept, made when missing; None keeps none.
        subject: All that the questions have in common.
    """

    folder: Path | None
    subject: tuple[Fact, ...] = ()

    def about(self, *facts: Fact) -> "Answers":
        """Answers on a narrower subject."""
        return Answers(self.folder, (*self.subject, *facts))

    def get(self, *question: Fact, ask: Callable[[], Answer]) -> Answer:
        """The kept answer to a question, or else what `ask` answers, kept from now on."""
        if self.folder is None:
            return ask()
        facts = json.dumps([__version__, *self.subject, *question])
        path = self.folder / f"{hashlib.sha256(facts.encode()).hexdigest()}.npz"
        kept = _read(path)
        if kept is not None:
            mark_used(path)
            return kept
        answer = ask()
        _write(answer, path)
        return answer


def _read(path: Path) -> Answer | None:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
        return None


def _write(answer: Answer, path: Path) -> None:
    with contextlib.suppress(OSError):  # the index beside it has told of a folder that cannot be written to
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".making-") as name:
            made = Path(name) / path.name
            np.savez(made, **answer)  # type: ignore[arg-type]  # its stubs take every keyword for `allow_pickle`
            made.replace(path)
        make_room(path.parent)
