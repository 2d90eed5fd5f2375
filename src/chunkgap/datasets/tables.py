"""Tables as text: .csv and .tsv, whatever the delimiter."""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from chunkgap.datasets.files import Decoding, read_lines
from chunkgap.datasets.findings import Findings, escaped, shown
from chunkgap.datasets.record import Fields, Record
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
    """The rows under the header, every cell as text.

    Args:
        path: The file.
        decoding: How its bytes become text.
        findings: Where faulty rows are noted.
        fields: What its columns may be called.
        needed: Fields without which there is no reading on.
        delimiter: One character; None: the one that yields the needed columns.
    """
    csv.field_size_limit(_CELL_LIMIT)
    lines = read_lines(path, decoding, findings)
    first_number, first = next(lines, (1, ""))
    delimiter = delimiter or _find_delimiter(path, first, fields, needed)
    header: tuple[str, ...] | None = None
    for number, row in _rows(path, _texts(first, lines), delimiter, first_number, findings):
        place = f"{path}:{number}"
        if header is None:
            header = tuple(row)
            if not _is_usable(place, header, fields, needed, findings):
                return
        elif len(row) == len(header):
            yield Record(place, dict(zip(header, row, strict=True)))
        elif row:
            findings.problem(
                f"{place}: expected {counted(len(header), 'cell')}, as in the header, got {len(row)}. "
                "Put quotes around a cell that holds the delimiter."
            )


def _rows(
    path: Path, lines: Iterator[str], delimiter: str, first_number: int, findings: Findings
) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line that it begins on; after a faulty one it goes on at the next line.

    Without a header nothing can be read: one that is faulty is the last row, and an empty file has an empty one.
    """
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    is_header = True
    while True:
        before = rows.line_num
        try:
            row: list[str] | None = next(rows, [] if is_header else None)
        except csv.Error as error:
            number = first_number + rows.line_num - 1
            findings.problem(
                f"{path}:{number}: expected a row, got a fault: {escaped(str(error))}. Mend the quotes."
            )
            if is_header:
                return
        else:
            if row is None:
                return
            yield first_number + before, row
        is_header = False


def _texts(first: str, lines: Iterator[tuple[int, str]]) -> Iterator[str]:
    yield first
    for _, line in lines:
        yield line


def _find_delimiter(path: Path, header: str, fields: Fields, needed: Sequence[str]) -> str:
    """The delimiter that yields the needed columns, and most of all; else the one that the ending tells."""
    usual = "\t" if ".tsv" in path.suffixes or ".tab" in path.suffixes else ","
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


def _is_usable(
    place: str, header: tuple[str, ...], fields: Fields, needed: Sequence[str], findings: Findings
) -> bool:
    missing = fields.without_column(header, needed, empty="an empty line")
    for problem in missing:
        findings.problem(f"{place}: {problem}, or set the delimiter.")
    twice = [column for column, count in Counter(header).items() if count > 1 and column.strip()]
    for column in twice:
        findings.problem(f"{place}: expected each column once, got {shown(column)} twice. Rename one.")
    return not missing and not twice
