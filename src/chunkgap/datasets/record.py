"""One record of a file, before it is a document or a query: how its fields are found and its ids made."""

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from chunkgap.datasets.findings import is_whole, shown, whole
from chunkgap.errors import ConfigError

DOCUMENT_FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": ("_id", "id", "doc_id", "docid"),
    "text": ("text", "content", "body", "contents"),
    "title": ("title",),
}
"""What the fields of a document may be called, the first that is there being taken."""

QUERY_FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": ("_id", "id", "query_id"),
    "text": ("text", "query", "question"),
    "relevant": ("relevant", "relevant_docs"),
    "spans": ("spans",),
    "answers": ("answers",),
    "tags": ("tags",),
}
"""What the fields of a query may be called."""


_NUMBER = re.compile(
    r"[+-]?(?:nan|inf(?:inity)?|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)", re.ASCII | re.IGNORECASE
)


_MOST_KEPT = 1000  # sets of keys that are remembered: records that share none must not fill the memory
_NEAR = 0.8


class Record(NamedTuple):
    """The fields of one record, and its place as messages name it, `file:line` where there are lines."""

    place: str
    values: Mapping[str, object]


class FieldError(ValueError):
    """A value that cannot be used; whoever knows the place puts it in front of the message."""


class JsonFloat(float):
    """A JSON number with a fraction or an exponent that remembers how it was written."""

    text: str

    def __new__(cls, text: str) -> "JsonFloat":
        """The number that `text` writes."""
        number = super().__new__(cls, text)
        number.text = text
        return number


def read_number(text: str) -> float | None:
    """The number that a text writes in decimal ASCII digits; NaN and the infinities are numbers too.

    `float` alone would read "1_0" as 10, and digits of other scripts.

    >>> read_number("1.5e3"), read_number("1_0"), read_number("-inf")
    (1500.0, None, -inf)
    """
    return float(text) if _NUMBER.fullmatch(text.strip()) else None


@dataclass(frozen=True)
class Fields:
    """Which key of a record holds which field.

    Attributes:
        known: Accepted keys by field.
        given: Keys by field as the user named them; they replace the accepted ones.
    """

    known: Mapping[str, tuple[str, ...]]
    given: Mapping[str, str] = field(default_factory=dict)
    _found: dict[tuple[str, ...], Mapping[str, str]] = field(default_factory=dict, repr=False)
    _misspelt: dict[tuple[str, ...], Mapping[str, str]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Refuse names that are no field."""
        for name in self.given:
            if name not in self.known:
                near = difflib.get_close_matches(name, self.known, 1) or list(self.known)
                raise ConfigError(
                    f'{self._setting}: expected {", ".join(self.known)}, got "{name}". Did you mean {near[0]}?'
                )

    def among(self, keys: tuple[str, ...]) -> Mapping[str, str]:
        """The key of each field among those of a record; an exact match goes before one of other case."""
        if keys not in self._found:
            if len(self._found) > _MOST_KEPT:
                self._found.clear()
            found = {name: self._key(name, keys) for name in self.known}
            self._found[keys] = {name: key for name, key in found.items() if key is not None}
        return self._found[keys]

    def misspelt(self, keys: tuple[str, ...]) -> Mapping[str, str]:
        """Keys that are not read and look like those of fields that are missing, each with what it may mean."""
        if keys not in self._misspelt:
            if len(self._misspelt) > _MOST_KEPT:
                self._misspelt.clear()
            found = self.among(keys)
            missing = [key for name in self.known if name not in found for key in self.known[name]]
            unread = set(keys) - set(found.values())
            near = {key: difflib.get_close_matches(key.casefold(), missing, 1, _NEAR) for key in unread}
            self._misspelt[keys] = {key: names[0] for key, names in sorted(near.items()) if names}
        return self._misspelt[keys]

    def expected(self, name: str) -> str:
        """How a message names a missing field."""
        first, *others = (self.given[name],) if name in self.given else self.known[name]
        return f'"{first}"' + (f" (or {', '.join(others)})" if others else "")

    def without_column(
        self, header: tuple[str, ...], needed: Sequence[str], *, empty: str = "none"
    ) -> list[str]:
        """What a message says of each needed field that a table has no column for; `empty`: of no columns at all."""
        found = self.among(header)
        columns = ", ".join(map(shown, header)) or empty
        return [
            f"expected a column {self.expected(name)}, got {columns}. Name the column with {self.naming(name)}"
            for name in needed
            if name not in found
        ]

    def naming(self, name: str) -> str:
        """How the configuration names the key of a field."""
        return f"{self._setting}: {{{name}: ...}}"

    @property
    def _setting(self) -> str:
        return "query_fields" if self.known is QUERY_FIELDS else "fields"

    def _key(self, name: str, keys: Sequence[str]) -> str | None:
        wanted = (self.given[name],) if name in self.given else self.known[name]
        folded = {key.strip().casefold(): key for key in reversed(keys)}
        for candidate in wanted:
            if candidate in keys:
                return candidate
            if candidate.casefold() in folded:
                return folded[candidate.casefold()]
        return None


def repeated_columns(header: Sequence[str]) -> list[str]:
    """What a message says of each column that a table has twice; those without a name are let be."""
    return [
        f"expected each column once, got {shown(column)} twice. Rename one."
        for column, count in Counter(header).items()
        if count > 1 and column.strip()
    ]


def make_id(value: object) -> str:
    """An id as text, NFC: leading zeros and "NA" stay, a JSON number becomes its JSON text.

    >>> make_id("007"), make_id(7)
    ('007', '7')

    Raises:
        FieldError: If there is no id in it.
    """
    if isinstance(value, JsonFloat):
        return value.text
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise FieldError(f"expected an id, got {shown(value)}. Write it as text.")
    return normal(value if is_whole(value) else whole(value))


def make_ids(values: Iterable[object]) -> list[str]:
    """Each value as an id, in order; the same value may come again.

    Raises:
        FieldError: If there is no id in one, or if two that are written differently are one id.
    """
    written: dict[str, object] = {}
    ids = []
    for value in values:
        made = make_id(value)
        first = written.setdefault(made, value)
        if first != value:
            raise FieldError(
                f"expected one spelling of each id, got {shown(made)} as {first!a} and as {value!a}. Keep one."
            )
        ids.append(made)
    return ids


def normal(text: str) -> str:
    """The NFC form, in which ids are compared."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)
