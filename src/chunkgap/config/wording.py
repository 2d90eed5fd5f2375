"""How a value and a key are written in a message: with their kind, on one line, never in full length."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

_LONGEST = 60

_T = TypeVar("_T")


class UnusableError(ValueError):
    """A value that cannot be used, with what to do: in a file, and where that differs, on the command line.

    Args:
        problem: `expected X, got Y.`
        advice: `Do Z.`, for a file.
        typed: `Do Z.`, for the command line; None: the same.
    """

    def __init__(self, problem: str, advice: str, *, typed: str | None = None) -> None:
        super().__init__(f"{problem} {advice}")
        self.typed = f"{problem} {typed or advice}"


class UnusableItemsError(ValueError):
    """Items of a list that cannot be used.

    Args:
        faults: What is wrong with each, by its place from 0; at least one.
    """

    def __init__(self, faults: Mapping[int, ValueError]) -> None:
        super().__init__("\n".join(map(str, faults.values())))
        self.faults = faults


def read_items(items: Sequence[object], read: Callable[[object], _T]) -> tuple[_T, ...]:
    """Read every item of a list.

    Raises:
        UnusableItemsError: With all items that cannot be read.
    """
    found, faults = list[_T](), dict[int, ValueError]()
    for place, item in enumerate(items):
        try:
            found.append(read(item))
        except ValueError as error:
            faults[place] = error
    if faults:
        raise UnusableItemsError(faults)
    return tuple(found)


def shown(value: object) -> str:
    """Name a value read from YAML, kind first, at most about 60 characters.

    Collections are named by kind and length alone, so that nothing nested is ever written out.

    >>> shown("64,256"), shown(True), shown(128.5), shown(None), shown([])
    ('text "64,256"', 'the boolean true', 'the number 128.5', 'nothing', 'an empty list')
    """
    match value:
        case None:
            return "nothing"
        case bool():
            return f"the boolean {str(value).lower()}"
        case int() | float():
            return f"the number {_shortened(str(value))}"
        case str():
            return f"text {quoted(value)}"
        case dict():
            return "a mapping" if value else "an empty mapping"
        case list() | tuple():
            return f"a list of {len(value)}" if value else "an empty list"
        case _:
            return f"a value of type {type(value).__name__}"


def quoted(text: str) -> str:
    r"""Put text in double quotes, shortened, control characters and lone surrogates escaped.

    >>> print(quoted("two\nlines"))
    "two\nlines"
    """
    escaped = json.dumps(_shortened(text), ensure_ascii=False)
    return escaped.encode("utf-8", "backslashreplace").decode("utf-8")


def dotted(keys: Sequence[str | int]) -> str:
    """Write the path of a key the way the documentation does: `gate.min_fusion`.

    >>> dotted(("embedding", "model"))
    'embedding.model'
    """
    return ".".join(_plain(str(key)) for key in keys)


def either(words: Sequence[str]) -> str:
    """List the words of a choice.

    >>> either(["hnsw", "exact"])
    '"hnsw" or "exact"'
    """
    *first, last = (quoted(word) for word in words)
    return f"{', '.join(first)} or {last}" if first else last


def _plain(key: str) -> str:
    short = _shortened(key)
    return short if re.fullmatch(r"[\w-]+", short) else quoted(key)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
