"""Tables as text: .csv and .tsv, whatever the delimiter."""

import csv
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from chunkgap.datasets.files import Decoding, Line, UndecodableError, ending, read_every_line
from chunkgap.datasets.findings import Findings, escaped
from chunkgap.datasets.record import Fields, Record, repeated_columns
from chunkgap.formatting import counted

_DELIMITERS = ",;\t|"
_CELL_LIMIT = 2**31 - 1  # the csv module refuses cells of more than 131,072 characters unless told otherwise


def read_table(
    path: Path,
    decoding: Decoding,
    findings: Findings,
    fields: Fields,
    *,
    needed: Sequence[str],
    delimiter: str | None = None,
) -> Iterator[Record]:
    """The rows under the header, every cell as text; one with undecodable bytes is left out as a whole.

    Args:
        path: The file.
        decoding: How its bytes become text.
        findings: Where faulty rows are noted.
        fields: What its columns may be called.
        needed: Fields without which there is no reading on.
        delimiter: One character; None: the one that yields the needed columns.
    """
    csv.field_size_limit(_CELL_LIMIT)
    lines = read_every_line(path, decoding)
    first = next(lines, Line(1, ""))
    delimiter = delimiter or _find_delimiter(path, first.text, fields, needed)
    header: tuple[str, ...] | None = None
    for row in _rows(path, chain((first,), lines), delimiter, findings):
        place = f"{path}:{row.line}"
        if header is None:
            header = row.cells
            if not _is_usable(place, row, fields, needed, findings):
                return
        elif row.fault is not None:
            decoding.settle(row.fault, findings, part="the row with ")
        elif len(row.cells) == len(header):
            yield Record(place, dict(zip(header, row.cells, strict=True)))
        elif row.cells:
            findings.problem(
                f"{place}: expected {counted(len(header), 'cell')}, as in the header, got {len(row.cells)}. "
                "Put quotes around a cell that holds the delimiter."
            )


class _Row(NamedTuple):
    """A row of cells, the line that it begins on, and the first fault among the bytes of its lines."""

    line: int
    cells: tuple[str, ...]
    fault: UndecodableError | None


class _Texts(Iterator[str]):
    """The texts of lines for the csv module, which tells nothing of the lines that a row is made of.

    Attributes:
        first: The number of the first line since the last `start_row`.
        last: The number of the last one.
        fault: The first fault of their bytes.
        ended: Whether a line was asked for after the last.
    """

    def __init__(self, lines: Iterator[Line]) -> None:
        self._lines = lines
        self.last = 0
        self.ended = False
        self.start_row()

    def start_row(self) -> None:
        """Forget the lines so far."""
        self.first = self.last + 1
        self.fault: UndecodableError | None = None

    def __next__(self) -> str:
        """The text of the next line."""
        line = next(self._lines, None)
        if line is None:
            self.ended = True
            raise StopIteration
        self.last = line.number
        self.fault = self.fault or line.fault
        return line.text


def _rows(path: Path, lines: Iterator[Line], delimiter: str, findings: Findings) -> Iterator[_Row]:
    """Each row; after one with faulty quotes it goes on at the next line.

    Without a header nothing can be read: one that is faulty is the last row, and an empty file has an empty one.
    """
    texts = _Texts(lines)
    rows = csv.reader(texts, delimiter=delimiter, strict=True)
    is_header = True
    while True:
        texts.start_row()
        try:
            cells: list[str] | None = next(rows, [] if is_header else None)
        except csv.Error as error:
            findings.problem(f"{path}:{_fault(error, texts)}")
            if is_header:
                return
        else:
            if cells is None:
                return
            yield _Row(texts.first, tuple(cells), texts.fault)
        is_header = False


def _fault(error: csv.Error, texts: _Texts) -> str:
    """Line, and what is wrong with the quotes of a row."""
    if texts.ended:  # inside quotes, or the csv module would not have asked
        return (
            f"{texts.first}: expected every quote closed, got one in the row that begins here and never ends. "
            'Close it, or write "" for a quote inside quotes.'
        )
    if "new-line character" in str(error):
        return (
            f"{texts.last}: expected lines that end at \\n or \\r\\n, got \\r outside quotes. "
            "Convert the file, or put quotes around the cell."
        )
    row = f" in the row that begins at line {texts.first}" if texts.first < texts.last else ""
    return f"{texts.last}: expected a row, got a fault{row}: {escaped(str(error))}. Mend the quotes."


def _find_delimiter(path: Path, header: str, fields: Fields, needed: Sequence[str]) -> str:
    """The delimiter that yields the needed columns, and most of all; else the one that the ending tells."""
    usual = "\t" if ending(path) in {".tsv", ".tab"} else ","
    widths: dict[str, int] = {}
    for delimiter in (usual, *_DELIMITERS):
        cells = _split(header, delimiter)
        found = fields.among(cells)
        if all(name in found for name in needed):
            widths.setdefault(delimiter, len(cells))
    return max(widths, key=widths.__getitem__, default=usual)


def _split(header: str, delimiter: str) -> tuple[str, ...]:
    try:
        return tuple(next(csv.reader([header], delimiter=delimiter), ()))
    except csv.Error:
        return ()


def _is_usable(place: str, header: _Row, fields: Fields, needed: Sequence[str], findings: Findings) -> bool:
    if header.fault is not None:  # to skip it would make the next row the header
        findings.problem(f"{header.fault.fault}, in the header. {header.fault.remedy}.")
        return False
    missing = fields.without_column(header.cells, needed, empty="an empty line")
    for problem in missing:
        findings.problem(f"{place}: {problem}, or set the delimiter.")
    repeated = repeated_columns(header.cells)
    for problem in repeated:
        findings.problem(f"{place}: {problem}")
    return not missing and not repeated
