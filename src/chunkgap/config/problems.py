"""Turns what pydantic found wrong into lines `place: key: expected X, got Y. Do Z.`, all at once."""

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from chunkgap.config.settings import key_paths
from chunkgap.config.wording import UnusableError, UnusableItemsError, dotted, either, quoted, shown

_EXPECTED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a number of fewer digits",
    "float_type": "a number",
    "finite_number": "a finite number",
    "string_type": "text",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
}
_BOUNDS = {
    "greater_than_equal": ("ge", "at least"),
    "greater_than": ("gt", "more than"),
    "less_than_equal": ("le", "at most"),
    "less_than": ("lt", "less than"),
}

MOST_LINES = 50
"""Problems listed; a file with more of them is another file, given by mistake."""

Keys = tuple[str | int, ...]


class Place(NamedTuple):
    """Where a value was written, in the order in which problems are listed.

    Attributes:
        line: Of the file; 0 for an option.
        name: The file and the line, or the option.
        is_typed: Whether it is an option, whose name says already which value is meant.
    """

    line: int
    name: str
    is_typed: bool = False


def problem_lines(error: ValidationError, place: Callable[[Keys], Place]) -> list[str]:
    """Word each problem, options first, then line by line.

    Args:
        error: What validation found. It is never written out itself: the values in it may be enormous.
        place: Names the file and line, or the option, that a key path comes from.
    """
    found = [each for detail in error.errors(include_url=False) for each in _located(detail, place)]
    found.sort(key=lambda entry: entry[0].line)
    lines = list(dict.fromkeys(_line(where, keys, detail) for where, keys, detail in found))
    if len(lines) > MOST_LINES:
        lines[MOST_LINES:] = [f"{len(lines) - MOST_LINES} more problems of this kind are not listed."]
    return lines


def _located(
    detail: ErrorDetails, place: Callable[[Keys], Place]
) -> Iterator[tuple[Place, Keys, ErrorDetails]]:
    """A problem with its place and its key; one for each item where several of a list cannot be used."""
    keys = _keys(detail["loc"])
    where = place(keys)
    error = detail.get("ctx", {}).get("error")
    if not isinstance(error, UnusableItemsError):
        yield where, keys, detail
        return
    for item, fault in error.faults.items():
        one: ErrorDetails = {**detail, "ctx": {"error": fault}}
        own = place((*keys, item))
        yield (
            own if not where.is_typed and own.line >= where.line else where,
            keys,
            one,
        )  # else it is an alias


def _keys(location: Keys) -> Keys:
    """The path of keys as the file has them: without the markers that pydantic adds."""
    if location[0] == "fusion":
        return tuple(part for part in location if part not in ("preset", "rule"))
    return tuple(part for part in location if part != "[key]")


def _line(place: Place, keys: Keys, detail: ErrorDetails) -> str:
    problem = _problem(keys, detail, is_typed=place.is_typed)
    return f"{place.name}: {problem}" if place.is_typed else f"{place.name}: {dotted(keys)}: {problem}"


def _problem(keys: Keys, detail: ErrorDetails, *, is_typed: bool) -> str:
    kind, got, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "value_error":
        error = context["error"]
        return error.typed if is_typed and isinstance(error, UnusableError) else str(error)
    if kind == "extra_forbidden":
        return _unknown(keys)
    if kind == "missing":
        return "expected a value, got none. Add the key."
    if kind == "too_long":
        return f"expected at most {context['max_length']} entries, got more. Drop some."
    if kind == "literal_error":
        words = [word.strip("'") for word in str(context["expected"]).replace(" or ", ", ").split(", ")]
        return f"expected {either(words)}, got {shown(got)}. Choose one of them."
    if kind in _BOUNDS:
        bound, relation = _BOUNDS[kind]
        return f"expected {relation} {context[bound]}, got {shown(got)}. Change it."
    remedy = "Change it." if is_typed else "Change it or delete the key."
    return f"expected {_EXPECTED.get(kind, 'another value')}, got {shown(got)}. {remedy}"


def _unknown(keys: Keys) -> str:
    near, got = _nearest(keys), quoted(str(keys[-1]))
    if near:
        return f"expected a known key, got {got}. Did you mean {quoted(near)}?"
    known = _siblings(keys[:-1]) if len(keys) > 1 else []
    advice = (
        f"Known here: {', '.join(known)}." if known else "Delete it; docs/configuration.md lists all keys."
    )
    return f"expected a known key, got {got}. {advice}"


def _nearest(keys: Keys) -> str | None:
    """The known key that is spelt most alike in the same section, or one of that very name elsewhere."""
    *section, key = (str(key) for key in keys)
    alike = get_close_matches(key, _siblings(section), n=1)
    if alike:
        return dotted([*section, alike[0]])
    return next((path for path in key_paths() if path.rpartition(".")[2] == key), None)


def _siblings(section: Sequence[str | int]) -> list[str]:
    prefix = dotted(section)
    return [path.rpartition(".")[2] for path in key_paths() if path.rpartition(".")[0] == prefix]
