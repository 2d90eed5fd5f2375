"""How long work reports how far it is, without knowing who listens."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

Advance = Callable[[int], None]


class Progress(Protocol):
    """Whoever shows progress: a bar on a terminal, or nobody."""

    def step(self, name: str, total: int | None) -> AbstractContextManager[Advance]:
        """Open one step of the work.

        Args:
            name: What is being done, a few words.
            total: Units of work in the step, None when unknown.

        Returns:
            A context that yields `advance(units)`, to be called as units are done.
        """
        ...


class NoProgress:
    """Listens to nothing; the default wherever a `Progress` is taken."""

    @contextmanager
    def step(self, name: str, total: int | None) -> Iterator[Advance]:
        """Open a step that nobody watches."""
        yield lambda _units: None


NO_PROGRESS = NoProgress()
