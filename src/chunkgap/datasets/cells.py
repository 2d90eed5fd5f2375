"""What the cells of a table of queries hold: ids, grades, spans, answers and tags, written as text."""

import re
from collections.abc import Mapping

from chunkgap.datasets.jsonl import parse_value
from chunkgap.datasets.record import FieldError, make_id, normal

TAG_COLUMN = "tag:"
"""A column of this beginning is a tag of the rest of its name."""

_SEPARATORS = re.compile(r"[;|,\n]")


def relevant_cell(cell: str, known: Mapping[str, object]) -> object:
    """Document ids: a JSON list or object, one known id, or ids apart by `;`, `|`, `,` or line ends.

    >>> relevant_cell("a.md; b.md", {})
    ['a.md', 'b.md']
    >>> relevant_cell("a, b.md", {"a, b.md": None})
    ['a, b.md']
    >>> relevant_cell("[slug].md", {})
    ['[slug].md']
    """
    cell = cell.strip()
    if normal(cell) in known:
        return [cell]
    if cell.startswith(("[", "{")) and cell.endswith(("]", "}")):
        try:
            return parse_value(cell)
        except FieldError:  # an id in brackets
            pass
    return [part.strip() for part in _SEPARATORS.split(cell) if part.strip()]


def json_cell(cell: str) -> object:
    """A JSON value, None for a blank cell.

    Raises:
        FieldError: If it is neither.
    """
    return parse_value(cell) if cell.strip() else None


def answers_cell(cell: str) -> list[object]:
    """A JSON list of answers, or the one answer that the cell is."""
    if cell.strip().startswith("["):
        value = parse_value(cell)
        return value if isinstance(value, list) else [cell]
    return [cell.strip()] if cell.strip() else []


def tags_cell(cell: str) -> object:
    """A JSON object, or `name=value` pairs apart by `;`.

    >>> tags_cell("type=fact; lang=de")
    {'type': 'fact', 'lang': 'de'}

    Raises:
        FieldError: If it is neither.
    """
    if cell.strip().startswith("{"):
        return parse_value(cell)
    pairs = [part.partition("=") for part in cell.split(";") if part.strip()]
    if not all(name.strip() and equals for name, equals, _ in pairs):
        raise FieldError('expected tags as name=value; name=value, got something else. Write "type=fact".')
    return {make_id(name.strip()): value.strip() for name, _, value in pairs}


def tag_columns(row: Mapping[str, object]) -> dict[str, object]:
    """Tags from columns named `tag:NAME`, blank cells left out.

    >>> tag_columns({"id": "1", "tag:type": "fact", "tag:lang": ""})
    {'type': 'fact'}
    """
    found = (
        (name.removeprefix(TAG_COLUMN), value) for name, value in row.items() if name.startswith(TAG_COLUMN)
    )
    return {name: value for name, value in found if value not in ("", None)}
