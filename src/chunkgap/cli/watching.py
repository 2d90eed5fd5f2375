"""Progress bars with time left, on stderr, when it is a terminal; nothing otherwise."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from chunkgap.progress import NO_PROGRESS, Advance, Progress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bars

_ROOM = 60
"""Columns below which a bar has no room beside the name of its step."""


@contextmanager
def watching() -> Iterator[Progress]:
    """A `Progress` for as long as the work runs."""
    if not sys.stderr.isatty():
        yield NO_PROGRESS
        return
    from rich.console import Console

    with bars_on(Console(stderr=True)) as bars:
        yield _Shown(bars)


def bars_on(console: "Console") -> "Bars":
    """Bars of which no width cuts a number: a narrow screen has the share that is done and the time left."""
    from rich.progress import (
        BarColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bars

    name, share, left = (
        TextColumn("{task.description}", markup=False),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    if console.width < _ROOM:
        return Bars(name, share, left, console=console, transient=True)
    columns = (name, BarColumn(), share, TimeElapsedColumn(), TextColumn("left"), left)
    return Bars(*columns, console=console, transient=True)


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
