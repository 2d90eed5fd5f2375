"""Progress bars with time left, on stderr, when it is a terminal; nothing otherwise."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from chunkgap.progress import NO_PROGRESS, Advance, Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bars


@contextmanager
def watching() -> Iterator[Progress]:
    """A `Progress` for as long as the work runs."""
    if not sys.stderr.isatty():
        yield NO_PROGRESS
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        yield _Shown(bars)


class _Shown:
    """One bar for each step."""

    def __init__(self, bars: "Bars") -> None:
        self._bars = bars

    @contextmanager
    def step(self, name: str, total: int | None) -> Iterator[Advance]:
        """Show a bar from the start of the step to its end."""
        task = self._bars.add_task(name, total=total)
        yield lambda units: self._bars.advance(task, units)
        self._bars.update(task, completed=total)
