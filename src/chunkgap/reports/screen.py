"""Puts words and tables on a console of any width and encoding; no number is ever cut.

Tables that are too wide are printed as several, one below the other, that repeat the first column. Into a
pipe or a file each table is printed whole, whatever its width. What the stream's encoding lacks is written in
ASCII. Data is never read as markup, and control characters in it are shown, not sent.
"""

import os
from collections.abc import Iterator, Sequence

from rich.box import Box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from chunkgap.reports.table import Cell, Table

PIPE_WIDTH = 80
"""Columns for prose where nobody says how many there are."""

_GAP = 2  # one of it is the frame's blank column
_TEXT_WIDTH = 48
_WITHOUT_LIMIT = 10_000
_WIDEST_PROSE = 100
_RULED = Box("    \n    \n ── \n    \n    \n    \n    \n    \n")
_RULED_ASCII = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)
_ASCII = str.maketrans(
    {
        "\N{EN DASH}": "-",
        "\N{EM DASH}": "-",
        "\N{MINUS SIGN}": "-",
        "\N{MIDDLE DOT}": ",",
        "\N{HORIZONTAL ELLIPSIS}": "...",
        "\N{LEFT SINGLE QUOTATION MARK}": "'",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{LEFT DOUBLE QUOTATION MARK}": '"',
        "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
        "\N{MULTIPLICATION SIGN}": "x",
    }
)


class Screen:
    """A console that takes text as it is.

    Args:
        console: Where to print.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        has_width = console.is_terminal or "COLUMNS" in os.environ
        self._prose_width = min(console.width, _WIDEST_PROSE) if has_width else PIPE_WIDTH
        self._table_width = console.width if has_width else _WITHOUT_LIMIT

    def say(self, text: str = "", *, style: str = "", indent: int = 0) -> None:
        """Print a paragraph, wrapped between words, or an empty line."""
        self._print_beside(Text(" " * indent), self._text(text, style))

    def item(self, label: str, text: str, *, style: str = "") -> None:
        """Print a label and a text beside it that wraps below itself."""
        self._print_beside(self._text(f"{label} ", style), self._text(text))

    def _print_beside(self, label: Text, text: Text) -> None:
        width = max(1, self._prose_width - label.cell_len)
        for number, line in enumerate(text.wrap(self._console, width, overflow="fold")):
            line.rstrip()
            beside = Text(" " * label.cell_len) if number else label
            self._console.print(beside + line, soft_wrap=True)

    def table(self, table: Table) -> None:
        """Print a table under its caption; nothing when it has no rows."""
        if not table:
            return
        self.say(table.caption, style="bold")
        widths = self._widths(table)
        for number, columns in enumerate(_blocks(widths, self._table_width, _gap(table))):
            if number:
                self.say()
            self._block(table, columns, widths)

    def _block(self, table: Table, columns: Sequence[int], widths: Sequence[int]) -> None:
        """Print some columns; the first gives way to the others, down to half of the screen."""
        gap = _gap(table)
        others = sum(widths[place] + gap for place in columns[1:])
        first = min(widths[0], max(self._table_width - others, self._table_width // 2))
        box = _RULED_ASCII if self._ascii_only else _RULED
        block = RichTable(
            box=box, show_edge=False, pad_edge=False, padding=(0, gap - 1, 0, 0), header_style=""
        )
        for place in columns:
            block.add_column(
                self._text(table.columns[place], "dim"),
                justify="left" if place in table.texts else "right",
                overflow="fold",
                width=widths[place] if place else first,
            )
        for number, row in enumerate(table.rows):
            marked = number in table.marked
            block.add_row(*(self._cell(table, row, place, widths[place], marked=marked) for place in columns))
        self._print_whole(block, first + others)

    def _cell(self, table: Table, row: Sequence[Cell], place: int, width: int, *, marked: bool) -> Text:
        """A cell; digits with a flag behind them stand below digits without."""
        text = self._text(_line(table, row, place), "bold" if marked or row[place].flag else "")
        if table.flagged and place not in table.texts and text.cell_len <= width:
            text.pad_left(width - text.cell_len)
            text.justify = "left"  # a column's own justification would strip the blank
        return text

    def _print_whole(self, block: RichTable, width: int) -> None:
        """Print lines as wide as they are: rich itself would shrink a table to the console."""
        for line in self._console.render_lines(block, self._console.options.update(width=width), pad=False):
            text = Text.assemble(*((segment.text, segment.style or "") for segment in line))
            text.rstrip()
            self._console.print(text, soft_wrap=True)

    @property
    def _ascii_only(self) -> bool:
        return not self._console.encoding.startswith("utf")

    def _widths(self, table: Table) -> list[int]:
        """Columns on the screen for each column of a table: what its cells need, words within bounds.

        Where even a column of numbers alone is too wide, intervals break at a blank, numbers never.
        """
        room = self._table_width - self._table_width // 2 - _gap(table)
        widths = []
        for place, head in enumerate(table.columns):
            cells = [self._plain(_line(table, row, place)) for row in table.rows]
            wanted = max(map(cell_len, [*cells, *_lines(self._plain(head))]))
            if place in table.texts:
                widths.append(min(wanted, _TEXT_WIDTH, max(room, 1) if place else wanted))
            else:
                unbroken = max(cell_len(word) for cell in cells for word in cell.split() or [cell])
                widths.append(min(wanted, max(room, unbroken)))
        return widths

    def _text(self, text: str, style: str = "") -> Text:
        return Text(self._plain(text), style=style)

    def _plain(self, text: str) -> str:
        """The text as the stream can take it: control characters escaped, letters it lacks replaced."""
        shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
        encoding = self._console.encoding
        try:
            shown.encode(encoding)
        except UnicodeEncodeError:
            return shown.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
        return shown


def _gap(table: Table) -> int:
    """Blanks between columns; flags take one of them."""
    return _GAP - table.flagged


def _line(table: Table, row: Sequence[Cell], place: int) -> str:
    """A cell on one line, with a blank for the flag that another number may have."""
    cell = row[place]
    return f"{cell.line} " if table.flagged and place not in table.texts and not cell.flag else cell.line


def _blocks(widths: Sequence[int], width: int, gap: int) -> Iterator[list[int]]:
    """Which columns stand in which table: the first in each, then as many as fit, at least one."""
    block, used = [0], min(widths[0], width // 2)
    for place, needed in enumerate(widths[1:], start=1):
        if len(block) > 1 and used + gap + needed > width:
            yield block
            block, used = [0], min(widths[0], width // 2)
        block.append(place)
        used += gap + needed
    yield block


def _lines(head: str) -> Sequence[str]:
    """A column's head, which may stand in several lines, one word each."""
    return head.split() or [head]
