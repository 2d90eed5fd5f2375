"""Reads a YAML file into plain values, with the line of every key.

Words and numbers follow YAML 1.2: only `true` and `false` are booleans (`no`, `on`, `off` are the words
that they are), `1e3` is a number, `064` is 64. PyYAML only parses here; no object is constructed from a tag.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from chunkgap.config.wording import quoted, shown
from chunkgap.config.yaml_tree import STANDARD, YamlTree
from chunkgap.errors import ConfigError, reading_remedy, reason

LARGEST_FILE = 65_536
"""Bytes a configuration may have; whatever is larger is another file, given by mistake."""


_INTEGER = r"[-+]?[0-9]+"
_FLOAT = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"


class _PlainLoader(yaml.SafeLoader):
    """Resolves plain words and numbers as YAML 1.2 does, and nothing else."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 - replaces PyYAML's YAML 1.1 table, filled below


for _kind, _pattern, _first in (
    ("null", r"(?:~|null|Null|NULL|)", ["~", "n", "N", ""]),
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)", list("tTfF")),
    ("int", _INTEGER, list("-+0123456789")),
    ("float", _FLOAT, list("-+.0123456789")),
    ("merge", r"<<", ["<"]),
):
    _PlainLoader.add_implicit_resolver(STANDARD + _kind, re.compile(rf"{_pattern}\Z"), _first)


@dataclass(frozen=True)
class YamlFile:
    """A configuration file as read.

    Attributes:
        path: The file, as it was given.
        value: Its mapping; a plain list of sizes stands under the key `sizes`. Every key is text, as written.
        lines: The 1-based line of each key or item, by the `id` of the dict or list that holds it.
    """

    path: Path
    value: dict[str, object]
    lines: Mapping[int, Mapping[str | int, int]]

    def line(self, keys: Sequence[str | int]) -> int:
        """The line of the deepest of nested `keys` that stands in the file; 0 when none does."""
        line = 0
        holder: object = self.value
        for key in keys:
            line = self.lines.get(id(holder), {}).get(key, line)
            holder = _inside(holder, key)
        return line


def read_yaml(path: Path) -> YamlFile:
    """Read a configuration: a mapping, or a plain list of sizes.

    Raises:
        ConfigError: The file cannot be read or is not UTF-8 or not YAML; it holds tags, a key twice, a value
            inside itself, or is neither a mapping nor a list. One line for each problem.
    """
    node = _composed(path, _text(path))
    tree = YamlTree(path)
    try:
        value = tree.value(node)
    except RecursionError:
        raise ConfigError(_too_deep(path)) from None
    if tree.problems:
        raise ConfigError(*tree.problems)
    if isinstance(value, list):
        value = {"sizes": value}
        tree.lines[id(value)] = {"sizes": node.start_mark.line + 1}
    if isinstance(value, dict):
        return YamlFile(path, value, tree.lines)
    raise ConfigError(
        f"{path}: expected a mapping of settings or a list of sizes, got {shown(value)}. "
        "Write, for example, `sizes: [100, 200, 500]`."
    )


def number_or_text(text: str) -> int | float | str:
    """What stands for a number in YAML, as that number; other text as it is.

    >>> number_or_text("064"), number_or_text("1e3"), number_or_text("1_000")
    (64, 1000.0, '1_000')
    """
    try:
        if re.fullmatch(_INTEGER, text):
            return int(text)
    except ValueError:
        return text  # Python reads no more than some thousands of digits
    return float(text) if re.fullmatch(_FLOAT, text) else text


def _inside(holder: object, key: str | int) -> object:
    if isinstance(holder, dict):
        return holder.get(key)
    if isinstance(holder, list) and isinstance(key, int) and key < len(holder):
        return holder[key]
    return None


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise ConfigError(f"{path}: expected a file, got no such file. Check the path.") from None
    except IsADirectoryError:
        raise ConfigError(f"{path}: expected a file, got a folder. Name the YAML file in it.") from None
    except (OSError, ValueError) as error:
        got, remedy = reason(error), reading_remedy(error)
        raise ConfigError(f"{path}: expected a readable file, got: {got}. {remedy}") from error
    if len(data) > LARGEST_FILE:
        raise ConfigError(
            f"{path}: expected at most {LARGEST_FILE:,} bytes, got more. Is it a configuration?"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path}: expected UTF-8, got byte 0x{data[error.start]:02x} at offset {error.start}. "
            "Save the file as UTF-8."
        ) from error


def _composed(path: Path, text: str) -> yaml.Node:
    try:
        node = yaml.compose(text, Loader=_PlainLoader)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ConfigError(
            f"{path}:{line}: expected printable characters, got a control character. Delete it."
        ) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{path}:{mark.line + 1}" if mark else f"{path}"
        problem = quoted(str(error.problem).removeprefix("but "))
        raise ConfigError(f"{place}: expected YAML, got a fault: {problem}. Mend it.") from error
    except (yaml.YAMLError, ValueError) as error:  # ValueError: an escape beyond the last code point
        raise ConfigError(f"{path}: expected YAML, got a fault: {quoted(str(error))}. Mend it.") from error
    except RecursionError:
        raise ConfigError(_too_deep(path)) from None
    if node is None:
        raise ConfigError(
            f"{path}: expected settings, got an empty file. Write, for example, `sizes: [100, 200]`."
        )
    return node


def _too_deep(path: Path) -> str:
    return f"{path}: expected a few levels of nesting, got hundreds. Flatten it."
