"""What the cells of a table of queries hold: ids, grades, spans, answers and tags, written as text."""

import re
from collections.abc import Mapping

from chunkgap.datasets.findings import printable, shown
from chunkgap.datasets.jsonl import RepeatedKeyError, parse_value
from chunkgap.datasets.record import FieldError, make_ids, normal

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

    Raises:
        FieldError: If it is a JSON object with an id twice.
    """
    cell = cell.strip()
    if normal(cell) in known:
        return [cell]
    value = _value_in_brackets(cell)
    if value is not None:
        return value
    return [part.strip() for part in _SEPARATORS.split(cell) if part.strip()]


def json_cell(cell: str) -> object:
    """A JSON value, None for a blank cell.

    Raises:
        FieldError: If it is neither.
    """
    return parse_value(cell) if cell.strip() else None


def answers_cell(cell: str) -> list[object]:
    """A JSON list of answers, or the one answer that the cell is.

    >>> answers_cell('["yes", "no"]'), answers_cell("[1] see note")
    (['yes', 'no'], ['[1] see note'])
    """
    cell = cell.strip()
    value = _value_in_brackets(cell) if cell.startswith("[") else None
    if isinstance(value, list):
        return value
    return [cell] if cell else []


def tags_cell(cell: str) -> object:
    """A JSON object, or `name=value` pairs apart by `;`.

    >>> tags_cell("type=fact; lang=de")
    {'type': 'fact', 'lang': 'de'}

    Raises:
        FieldError: If it is neither, or gives a tag twice.
    """
    if cell.strip().startswith("{"):
        return parse_value(cell)
    pairs = [part.partition("=") for part in cell.split(";") if part.strip()]
    for name, equals, _ in pairs:
        if not (name.strip() and equals):
            got = shown(name.strip() + equals)
            raise FieldError(f'expected tags as name=value; name=value, got {got}. Write "type=fact".')
    names = make_ids(name.strip() for name, _, _ in pairs)
    for place, name in enumerate(names):
        if name in names[:place]:
            raise FieldError(f"expected each tag once, got {printable(name)} again. Remove one.")
    return {name: value.strip() for name, (_, _, value) in zip(names, pairs, strict=True)}


def tag_columns(row: Mapping[str, object]) -> dict[str, object]:
    """Tags from columns named `tag:NAME`, blank cells left out.

    >>> tag_columns({"id": "1", "tag:type": "fact", "tag:lang": ""})
    {'type': 'fact'}
    """
    found = (
        (name.removeprefix(TAG_COLUMN), value) for name, value in row.items() if name.startswith(TAG_COLUMN)
    )
    return {name: value for name, value in found if value not in ("", None)}


def all_tags(given: object, columns: Mapping[str, object]) -> object:
    """The tags of one cell and of columns of their own together; what is no tags is left to its reader.

    >>> all_tags({"type": "fact"}, {"lang": "en"})
    {'type': 'fact', 'lang': 'en'}

    Raises:
        FieldError: If both give the same tag.
    """
    if not columns or not (given is None or isinstance(given, Mapping)):
        return given
    for name in columns:
        if name in (given or {}):
            raise FieldError(
                f"expected each tag once, got {printable(name)} in tags and in {TAG_COLUMN}{printable(name)}. "
                "Remove one."
            )
    return {**(given or {}), **columns}


def _value_in_brackets(cell: str) -> object:
    """The JSON list or object that a cell is; None where it is other text, in brackets or not.

    Raises:
        RepeatedKeyError: If it is JSON with a key twice.
    """
    if not (cell.startswith(("[", "{")) and cell.endswith(("]", "}"))):
        return None
    try:
        return parse_value(cell)
    except RepeatedKeyError:
        raise
    except FieldError:
        return None
