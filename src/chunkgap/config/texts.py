"""Reads texts from a configuration: names, paths, prompts, an encoding, a delimiter, the cache's folder.

Each function takes what YAML gave and returns what `Settings` holds, or raises ValueError with
`expected X, got Y. Do Z.`; pydantic adds where it stands.
"""

import codecs
import re
from pathlib import Path

from chunkgap.config.wording import UnusableError, either, quoted, read_items, shown

RESERVED_NAMES = ("fused", "fusion", "oracle", "router")
"""Names of scales that would be taken for another row of the results."""

_NAME = re.compile(r"\w[\w.-]{0,63}")


def read_text(value: object) -> str:
    """Read text that must say something."""
    if isinstance(value, str) and value:
        return _encodable(value)
    advice = (
        "Put it in quotes." if isinstance(value, (bool, int, float)) else "Write some text or delete the key."
    )
    raise UnusableError(
        f"expected text, got {shown(value)}.", advice, typed="Write some text or leave it out."
    )


def read_prompt(value: object) -> str:
    """Read text that may be empty."""
    return value if value == "" and isinstance(value, str) else read_text(value)


def read_path(value: object) -> Path:
    """Read one path."""
    if isinstance(value, Path):
        return value
    if value == "":
        raise ValueError("expected a path, got an empty text. Name one; `.` is the current folder.")
    text = read_text(value)
    if "\0" in text:
        raise ValueError(f"expected a path, got {shown(text)}. Take the NUL character out.")
    return Path(text)


def read_paths(value: object) -> tuple[Path, ...]:
    """Read one path or a list of paths, each of which may be a glob; None is no path."""
    if value is None or value == ():
        return ()
    if value == []:
        raise ValueError("expected a path or a list of paths, got an empty list. Name a file.")
    return read_items(value if isinstance(value, (list, tuple)) else [value], read_path)


def read_cache(value: object) -> Path | bool:
    """Read where vectors are kept: on, off, or a folder.

    >>> read_cache("off"), read_cache(True), read_cache("vectors").name
    (False, True, 'vectors')
    """
    words: dict[object, bool] = {"on": True, "yes": True, "off": False, "no": False}
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in words:
        return words[value.lower()]
    if isinstance(value, (str, Path)):
        return read_path(value)
    raise ValueError(f"expected true, off or a folder, got {shown(value)}. Put a folder's name in quotes.")


def read_switch(value: object) -> object:
    """Let `false` pass where the word is `off`, as a YAML 1.1 editor writes it."""
    return "off" if value is False else value


def read_name(value: object) -> str:
    """Read a name that may become part of a file's name: letters, digits, `_`, `.` and `-`."""
    if isinstance(value, str) and _NAME.fullmatch(value):
        return value
    raise ValueError(
        f"expected at most 64 letters, digits, dots and dashes, got {shown(value)}. Choose another name."
    )


def read_scale_name(value: object) -> str:
    """Read the name of a scale, which becomes a column and a file `runs/<scale>.run`."""
    name = read_name(value)
    if name.lower() in RESERVED_NAMES:
        raise ValueError(
            f"expected another name than {either(RESERVED_NAMES)}, got {quoted(name)}. Rename it."
        )
    return name


def read_encoding(value: object) -> str:
    """Read the name of a text encoding that Python knows."""
    name = read_text(value)
    try:
        "".encode(name)
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        raise ValueError(
            f"expected the name of a text encoding, got {shown(value)}. Write, for example, latin-1."
        ) from None


def read_delimiter(value: object) -> str:
    """Read the one character that parts the cells of a CSV file."""
    if isinstance(value, str) and len(value) == 1 and value not in '"\r\n\0':
        return _encodable(value)
    raise ValueError(f'expected one character, got {shown(value)}. Write, for example, ";" or "\\t".')


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"expected text, got a lone surrogate in {quoted(text)}. Take it out.") from None
    return text
