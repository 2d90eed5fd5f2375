"""What readers find on their way: problems that stop the work, warnings, and what was left out."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from chunkgap.errors import InputError
from chunkgap.formatting import counted

LISTED = 20
"""Problems shown; the rest is a count."""

LISTED_OF_A_KIND = 5
"""Warnings shown of one kind; the rest is a count."""

_NAMED = 3

_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass
class Findings:
    """Collects while files are read, so that all problems of a file are reported at once.

    Attributes:
        skipped: How many files or records were left out, by reason.
    """

    skipped: Counter[str] = field(default_factory=Counter)
    _problems: list[str] = field(default_factory=list)
    _unlisted: int = 0
    _warnings: dict[str, list[str]] = field(default_factory=dict)
    _more: Counter[str] = field(default_factory=Counter)
    _left_out: dict[str, list[str]] = field(default_factory=dict)

    def problem(self, line: str) -> None:
        """Note what makes the input unusable."""
        if len(self._problems) < LISTED:
            self._problems.append(line)
        else:
            self._unlisted += 1

    def warn(self, kind: str, line: str) -> None:
        """Note what the user has to know; of one `kind` the first few are listed, each once."""
        listed = self._warnings.setdefault(kind, [])
        if line in listed:
            return
        if len(listed) < LISTED_OF_A_KIND:
            listed.append(line)
        else:
            self._more[kind] += 1

    def leave_out(self, reason: str, path: Path) -> None:
        """Count a file that is left out, for `warn_of_left_out` to tell."""
        self.skipped[reason] += 1
        named = self._left_out.setdefault(reason, [])
        if len(named) < _NAMED:
            named.append(escaped(str(path)))

    def warn_of_left_out(self) -> None:
        """Warn once of each reason for which files were left out, that of most files first."""
        for reason in sorted(self._left_out, key=lambda reason: -self.skipped[reason]):
            count, named = self.skipped[reason], self._left_out.pop(reason)
            names = ", ".join(named) + (", ..." if count > len(named) else "")
            self.warn(
                "reasons why files were left out", f"{counted(count, 'file')} left out, {reason} ({names})"
            )

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings, kind by kind, in the order in which the kinds came up."""
        lines: list[str] = []
        for kind, listed in self._warnings.items():
            lines += listed
            if self._more[kind]:
                lines.append(f"... and {self._more[kind]} more: {kind}")
        return tuple(lines)

    @property
    def has_problems(self) -> bool:
        """Whether anything makes the input unusable so far."""
        return bool(self._problems)

    def raise_problems(self) -> None:
        """Stop if anything makes the input unusable.

        Raises:
            InputError: With one line for each problem, `LISTED` at most, and a count of the rest.
        """
        if not self.has_problems:
            return
        more = [f"... and {self._unlisted} more"] if self._unlisted else []
        raise InputError(*self._problems, *more)


def shown(value: object) -> str:
    r"""A value as an error message shows it: short, on one line, printable.

    >>> shown("a\nb"), shown(None), shown([1])
    ('"a\\nb"', 'null', 'a list')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{printable(value)}"'
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, list | tuple) else printable(str(value))


def printable(text: str, most: int = 60) -> str:
    """Foreign text as it may stand in a message: shortened to `most` characters, on one line."""
    return escaped(text if len(text) <= most else text[:most] + "...")


def escaped(text: str) -> str:
    r"""Text with everything that a terminal would not print as a character written as an escape.

    >>> print(escaped("a\nb"))
    a\nb
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def whole(text: str) -> str:
    r"""The text with each lone surrogate, which no UTF-8 file can hold, replaced by U+FFFD; the length stays.

    >>> whole("a\ud83db") == "a\ufffdb"
    True
    """
    return _SURROGATES.sub("\ufffd", text)


def is_whole(text: str) -> bool:
    """Whether the text holds no lone surrogate."""
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def examples(items: Mapping[str, object] | tuple[str, ...] | list[str], most: int = 3) -> str:
    """The first few of many names, as they stand in a warning.

    >>> examples(["a", "b", "c", "d"])
    'a, b, c, ...'
    """
    first = ", ".join(printable(item) for item in islice(items, most))
    return first + (", ..." if len(items) > most else "")
