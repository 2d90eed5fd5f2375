"""A table of formatted text, before any report has given it a shape."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes:
        text: What stands in it, as `chunkgap.formatting` writes it.
        detail: What stands smaller beside it: an interval, a unit.
        share: Strength of its shading in [-1, 1], the sign choosing the colour; None for a cell without.
        flag: One character right behind the text; the cell stands out, a head or the caption says what for.
    """

    text: str
    detail: str = ""
    share: float | None = None
    flag: str = ""

    @property
    def line(self) -> str:
        """Text, flag and detail on one line."""
        text = self.text + self.flag
        return f"{text} {self.detail}" if self.detail else text


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under column heads; the first column names the row.

    Attributes:
        caption: What the table shows, in one phrase.
        columns: One head per column.
        rows: As many cells each as there are columns.
        marked: Rows that stand out, by number from 0.
        primary: Column of the primary endpoint, None where the table has none.
        texts: Columns, by number from 0, that hold words and not numbers.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    marked: frozenset[int] = frozenset()
    primary: int | None = None
    texts: frozenset[int] = frozenset({0})

    @property
    def flagged(self) -> bool:
        """Whether any cell has a flag."""
        return any(cell.flag for row in self.rows for cell in row)

    def __bool__(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.rows)
