"""The result object to and from the text of `results.json`, under a format version."""

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from chunkgap.errors import ResultsError
from chunkgap.results.faults import first_fault
from chunkgap.results.results import FORMAT_VERSION, Results

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_LONGEST = 60
"""Characters of a value in a message."""


def to_json(results: Results) -> str:
    """The text of `results.json`: indented by one blank, ends with a line feed; an undefined number is null."""
    return _adapter().dump_json(results, indent=1).decode() + "\n"


def from_json(text: str, *, place: str = "results.json") -> Results:
    """Read back what `to_json` wrote.

    Raises:
        ResultsError: When the text is not JSON, of another format version, or lacks a part.
    """
    from pydantic import ValidationError

    found = _parsed(text, place)
    version = found["format_version"]
    if version != FORMAT_VERSION:
        raise ResultsError(
            f"{place}: expected format_version {FORMAT_VERSION}, got {json.dumps(version)[:_LONGEST]}. "
            "Read it with the chunkgap that wrote it, or measure again."
        )
    try:
        return _adapter().validate_python(_with_open_ends(found))
    except ValidationError as error:
        raise ResultsError(
            f"{place}: expected the results of a measurement, got {first_fault(error)}. Measure again."
        ) from error


def _parsed(text: str, place: str) -> Mapping[str, object]:
    """The object in a text; it has a format version.

    Raises:
        ResultsError: It is none, or has none.
    """
    from pydantic_core import from_json as parse

    expected = f"{place}: expected the JSON object that chunkgap writes"
    try:
        found = parse(text)
    except ValueError as error:
        raise ResultsError(f"{expected}, got a fault: {error}. Measure again.") from error
    if not isinstance(found, dict):
        raise ResultsError(f"{expected}, got other JSON. Measure again.")
    if found.get("format_version") is None:
        raise ResultsError(f"{expected}, got one without a format_version. Measure again.")
    return found


@lru_cache(maxsize=1)
def _adapter() -> "TypeAdapter[Results]":
    from pydantic import TypeAdapter  # kept out of `chunkgap --help`

    return TypeAdapter(Results)


def _with_open_ends(value: object) -> object:
    """The parsed JSON with NaN for the ends of intervals that have none: null there, since JSON has no NaN."""
    if isinstance(value, list):
        return [_with_open_ends(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"estimate", "low", "high"}:
        return {key: math.nan if end is None else end for key, end in value.items()}
    return {key: _with_open_ends(item) for key, item in value.items()}
