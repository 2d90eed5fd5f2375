"""Wall clock of the steps of a measurement."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Clock:
    """Runs from when it is made.

    Attributes:
        steps: Seconds by name of step, in the order of their ends.
    """

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self.steps: dict[str, float] = {}

    @property
    def total(self) -> float:
        """Seconds so far."""
        return time.perf_counter() - self._started

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time one step; a step of the same name adds to it."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.steps[name] = self.steps.get(name, 0.0) + time.perf_counter() - started
