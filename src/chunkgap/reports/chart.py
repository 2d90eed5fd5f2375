"""A chart as plain data, before any library has drawn it: marks between two axes.

Texts are shown as they are, broken at line feeds. Colours are pairs of `palette`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from chunkgap.formatting import one_line
from chunkgap.records import Interval
from chunkgap.reports.palette import Colour

Dash = Literal["solid", "dash", "dot"]

SHORT = 30
"""Characters of a name where there is little room."""

_FEW = 8


@dataclass(frozen=True, slots=True)
class Line:
    """How points are joined."""

    width: float
    dash: Dash = "solid"


@dataclass(frozen=True, slots=True)
class Points:
    """Points, apart or joined.

    Attributes:
        x, y: Where each point is; `x` may name a category.
        hover: What is told of each point.
        name: In the legend; empty: not there.
        size: Of all, or of each.
        outline: Width of the outline of a symbol that has one.
        line: What joins them in their order, None where they are apart.
        intervals: The interval of each, None where a point has none; None: no point has.
        along: The axis along which intervals lie.
        labels: What stands above each; empty above none. None: nothing does in the whole chart.
    """

    x: tuple[float | str, ...]
    y: tuple[float, ...]
    colour: Colour
    hover: tuple[str, ...]
    name: str = ""
    symbol: str | None = None
    size: float | tuple[float, ...] = 7
    opacity: float | None = None
    outline: float | None = None
    line: Line | None = None
    intervals: tuple[Interval | None, ...] | None = None
    along: Literal["x", "y"] = "y"
    labels: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Band:
    """What lies between two lines over the same categories, with its name in the legend."""

    x: tuple[str, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    colour: Colour
    name: str


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar to the right in each row, its label behind it."""

    lengths: tuple[int, ...]
    colours: tuple[Colour, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts between one edge and the next, one edge more than counts; `hover` tells of each count."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]
    colour: Colour
    hover: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """A cell in each row and column, coloured from 0 to 1; the page's own script fills them in."""

    low: Colour
    high: Colour


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle behind everything, from one end to the other on each axis."""

    x: tuple[float, float]
    y: tuple[float, float]
    colour: Colour


@dataclass(frozen=True, slots=True)
class Upright:
    """A line over the whole height at one place of a logarithmic axis, named above."""

    x: float
    name: str
    colour: Colour


@dataclass(frozen=True, slots=True)
class Numbers:
    """An axis of numbers.

    Attributes:
        form: How they are written, in the notation of d3; None: as the library likes.
        has_zero_line: Whether 0 is marked.
        from_zero: Whether it begins at 0.
        is_whole: Whether only whole numbers are written.
    """

    title: str
    form: str | None = None
    has_zero_line: bool = False
    from_zero: bool = False
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Logarithmic:
    """A logarithmic axis from `low` to `high` with a text at some places."""

    title: str
    low: float
    high: float
    ticks: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Categories:
    """An axis of names in the order in which the marks have them."""

    title: str


@dataclass(frozen=True, slots=True)
class Unmarked:
    """An axis without ticks, numbers and lines."""

    title: str


@dataclass(frozen=True, slots=True)
class Rows:
    """Named rows for points: row n, from 0, is at -n, so that the first is on top; lines may lead to the names."""

    names: tuple[str, ...]
    has_lines: bool = False


@dataclass(frozen=True, slots=True)
class FilledRows:
    """Named rows for bars and cells: row n, from 0, is at n, downwards; `is_fixed` where readers cannot zoom."""

    names: tuple[str, ...]
    is_fixed: bool = False


Mark = Points | Band | Bars | Histogram | Cells | Region | Upright
Axis = Numbers | Logarithmic | Categories | Unmarked | Rows | FilledRows


@dataclass(frozen=True, slots=True)
class Chart:
    """Marks, the first one lowest, between two axes; `height` in pixels."""

    height: int
    x: Axis
    y: Axis
    marks: tuple[Mark, ...]


def label(text: str, *, limit: int | None = None) -> str:
    r"""A text on one line, cut to `limit` characters.

    >>> label("a\n b"), label("abcdef", limit=4)
    ('a b', 'abc\u2026')
    """
    line = one_line(text)
    return line if limit is None or len(line) <= limit else line[: limit - 1] + "\N{HORIZONTAL ELLIPSIS}"


def counts_axis(title: str, counts: Sequence[int]) -> Numbers:
    """An axis of counts, from 0; a few of them are written at whole numbers, where there would be halves."""
    return Numbers(title, from_zero=True, is_whole=max(counts, default=0) <= _FEW)
