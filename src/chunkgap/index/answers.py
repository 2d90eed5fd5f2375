"""What searches found, kept beside the indexes: the same queries over the same vectors have the same answer.

A file holds arrays alone, under a digest of all that shapes them: the vectors, the queries, the question, the format
and the version of this tool, so that no version trusts the answers of another. Files are written under a temporary
name and renamed. Whatever cannot be read is a miss, with a warning, and asked again; a folder that cannot be written to
keeps nothing.
"""

import contextlib
import json
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chunkgap import __version__
from chunkgap.index import Hits, Index
from chunkgap.index.files import digest_of, make_room, making, mark_used, path_for

Answer = Mapping[str, NDArray[np.generic]]
"""Arrays by name."""

Fact = str | int | float | None

HITS = frozenset({"rows", "scores"})

_QUESTION = "question"  # stands in the file as well, so that a file that was renamed answers nothing else
_FORMAT = 2  # to be raised with every change of what a search finds, or of how it is written


@dataclass(frozen=True, slots=True)
class Answers:
    """Kept answers on one subject.

    Attributes:
        folder: Where they are kept, made when missing; None keeps none.
        subject: All that the questions have in common.
        warnings: One line on each file that could not be read; narrower subjects share them.
    """

    folder: Path | None
    subject: tuple[Fact, ...] = ()
    warnings: list[str] = field(default_factory=list)

    def about(self, *facts: Fact) -> "Answers":
        """Answers on a narrower subject."""
        return Answers(self.folder, (*self.subject, *facts), self.warnings)

    def get(self, *question: Fact, names: Set[str], ask: Callable[[], Answer]) -> Answer:
        """The kept answer to a question, or else what `ask` answers, kept from now on.

        Args:
            question: All of it but the subject.
            names: Of the arrays that an answer consists of.
            ask: Finds the answer.
        """
        if self.folder is None:
            return ask()
        facts = [_FORMAT, __version__, *self.subject, *question]
        path, asked = path_for(facts, self.folder, ".npz"), json.dumps(facts)
        kept = _read(path)
        if kept is not None:
            if kept.keys() == names | {_QUESTION} and str(kept[_QUESTION]) == asked:
                mark_used(path)
                return {name: kept[name] for name in names}
            told = "expected what a search found, got other content. It was searched again."
            self.warnings.append(f"{path}: {told}")
        answer = ask()
        _write({**answer, _QUESTION: np.array(asked)}, path)
        return answer


class KeptIndex:
    """An index that does not search twice for the same queries.

    Args:
        index: What is searched.
        answers: On this index as it is: at another `ef` it is another subject.
    """

    def __init__(self, index: Index, answers: Answers) -> None:
        self._index = index
        self._answers = answers

    @property
    def vectors(self) -> NDArray[np.float32]:
        """What it holds."""
        return self._index.vectors

    def __len__(self) -> int:
        """How many vectors it holds."""
        return len(self._index)

    def search(self, queries: NDArray[np.float32], depth: int) -> Hits:
        """Find the nearest vectors of each query, now or when they were asked for before; see `Index.search`."""

        def search() -> Answer:
            rows, scores = self._index.search(queries, depth)
            return {"rows": rows, "scores": scores}

        return hits_of(self._answers.get("search", digest_of(queries), depth, names=HITS, ask=search))


def hits_of(answer: Answer) -> Hits:
    """The hits of an answer that has them."""
    return answer["rows"].astype(np.int32, copy=False), answer["scores"].astype(np.float64, copy=False)


def _read(path: Path) -> Answer | None:
    """What a file holds, nothing where that cannot be read; None where there is no file."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return dict(arrays)
    except FileNotFoundError:
        return None
    except Exception:  # noqa: BLE001  zipfile, zlib and NumPy raise many kinds over torn bytes
        return {}


def _write(answer: Answer, path: Path) -> None:
    with contextlib.suppress(OSError):
        with making(path.parent) as folder:
            made = folder / path.name
            np.savez(made, **answer)  # type: ignore[arg-type]  # its stubs take every keyword for `allow_pickle`
            made.replace(path)
        make_room(path.parent)
