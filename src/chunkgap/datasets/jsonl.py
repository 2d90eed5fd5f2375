"""JSON, strictly: one object a line (.jsonl), or one value a file (.json)."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from chunkgap.datasets.files import Decoding, read_lines, read_text
from chunkgap.datasets.findings import Findings, printable, shown
from chunkgap.datasets.record import FieldError, JsonFloat, Record
from chunkgap.errors import InputError

_Pairs = list[tuple[str, object]]


class RepeatedKeyError(FieldError):
    """An object with a key twice: which of the two values is meant, nobody can tell."""


def read_jsonl(path: Path, decoding: Decoding, findings: Findings) -> Iterator[Record]:
    r"""The objects of a file, one a line; lines end at `\n` or `\r\n` only, and blank ones are skipped.

    A line that is not one object is noted in `findings` with its number and left out. A file that begins with
    an array is one array, of whose other lines nothing is said.
    """
    is_first = True
    for number, line in read_lines(path, decoding, findings):
        if not line or line.isspace():
            continue
        place = f"{path}:{number}"
        if line.lstrip().startswith("["):
            findings.problem(
                f"{place}: expected one JSON object a line, got a JSON array. Write one object a line."
            )
            if is_first:
                return
        else:
            try:
                yield Record(place, parse_object(line))
            except FieldError as error:
                findings.problem(f"{place}: {error}")
        is_first = False


def read_json(path: Path, decoding: Decoding) -> object:
    """The one value of a file.

    Raises:
        InputError: If it is not JSON, with the line; if a key stands twice in an object, with its path.
    """
    text = read_text(path, decoding)
    try:
        value: object = _WHOLE.decode(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}:{error.lineno}: expected JSON, got a fault: {error.msg}. Mend the line."
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: {_fault(error)}") from error
    _refuse_repeated_keys(path, value)
    return value


def parse_object(text: str) -> dict[str, object]:
    """One JSON object.

    Raises:
        FieldError: If it is anything else.
    """
    value = parse_value(text)
    if not isinstance(value, dict):
        raise FieldError(f"expected a JSON object, got {shown(value)}. Write {{...}}.")
    return value


def parse_value(text: str) -> object:
    """One JSON value; NaN and Infinity, which JSON does not know, are refused.

    Raises:
        FieldError: If it is not JSON.
        RepeatedKeyError: If a key stands twice in an object.
    """
    try:
        return _LINE.decode(text)
    except FieldError:
        raise
    except (ValueError, RecursionError) as error:
        raise FieldError(_fault(error)) from error


def _fault(error: ValueError | RecursionError) -> str:
    if isinstance(error, FieldError):
        return str(error)
    if isinstance(error, RecursionError):
        return "expected JSON, got one nested too deeply. Flatten it."
    if not isinstance(error, json.JSONDecodeError):
        return "expected JSON, got a number of too many digits. Write it as text."
    column = min(error.pos, len(error.doc.rstrip())) + 1  # not past the end of the line
    if error.msg == "Extra data":
        return f"expected one JSON object, got text after the object at column {column}. Remove it."
    fault = error.msg.removesuffix(" starting at").lower()
    return f"expected a JSON object, got broken JSON ({fault}, column {column}). Mend the line."


def _refuse(constant: str) -> object:
    raise FieldError(f"expected JSON, got {constant}, which JSON does not know. Write null.")


class _Repeating(dict[str, object]):
    """An object with a key twice, of which the last value is kept.

    Attributes:
        problem: What a message says of it.
    """

    def __init__(self, pairs: _Pairs) -> None:
        super().__init__(pairs)
        (key, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        self.problem = f"expected each key once, got {shown(key)} again. Remove one."


def _marked(pairs: _Pairs) -> dict[str, object]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _Repeating(pairs)


def _once(pairs: _Pairs) -> dict[str, object]:
    found = _marked(pairs)
    if isinstance(found, _Repeating):
        raise RepeatedKeyError(found.problem)
    return found


def _refuse_repeated_keys(path: Path, value: object) -> None:
    """Stop with the path of every object in which a key stands twice."""
    findings = Findings()
    for where, item in _objects(value):
        if isinstance(item, _Repeating):
            findings.problem(f"{path}{where and ':'}{where}: {item.problem}")
    findings.raise_problems()


def _objects(value: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Each object in a value with its path, as `queries[0].relevant`, in file order."""
    stack = [("", value)]  # for values nest deeper than Python recurses
    while stack:
        where, item = stack.pop()
        if isinstance(item, dict):
            yield where, item
            stack += [(f"{where}.{printable(key)}".removeprefix("."), item[key]) for key in reversed(item)]
        elif isinstance(item, list):
            stack += [(f"{where}[{place}]", item[place]) for place in reversed(range(len(item)))]


def _decoder(made: Callable[[_Pairs], dict[str, object]]) -> json.JSONDecoder:
    return json.JSONDecoder(parse_constant=_refuse, parse_float=JsonFloat, object_pairs_hook=made)


_LINE = _decoder(_once)  # a line is place enough
_WHOLE = _decoder(_marked)
