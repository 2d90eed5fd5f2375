"""Which columns or keys hold which field, where they have none of the usual names: a guess."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from chunkgap.datasets.cells import relevant_cell
from chunkgap.datasets.chroma import is_chroma
from chunkgap.datasets.files import Decoding, ending
from chunkgap.datasets.findings import Findings
from chunkgap.datasets.jsonl import read_jsonl
from chunkgap.datasets.record import DOCUMENT_FIELDS, QUERY_FIELDS, Fields, normal
from chunkgap.datasets.tables import read_table
from chunkgap.errors import InputError

_LOOKED_AT = 100
_TABLES = frozenset({".csv", ".tsv", ".tab"})
_LINES = frozenset({".jsonl", ".ndjson"})
_ID_WORDS = ("id", "key", "nr", "number", "path", "url", "slug", "name")

Rows = Sequence[Mapping[str, object]]


def guess_document_fields(path: Path) -> dict[str, str]:
    """The keys that hold id and text, those left out that are found by themselves.

    The text is in the column with the longest cells, the id in one whose cells are all different, best in one
    whose name says so. The first records are looked at. Nothing is guessed for folders, or if nothing fits.
    """
    rows = _rows(path, DOCUMENT_FIELDS)
    found = _found(rows, DOCUMENT_FIELDS)
    guesses = _Guesses(rows, found)
    guesses.take("text", _longest)
    guesses.take("id", _distinct)
    return guesses.made


def guess_query_fields(path: Path, doc_ids: Collection[str]) -> dict[str, str]:
    """The keys that hold text, relevant documents and id, those left out that are found by themselves.

    Relevant documents are in the column most of whose cells name documents of the corpus.

    Args:
        path: The file of queries.
        doc_ids: The corpus.
    """
    rows = _rows(path, QUERY_FIELDS)
    found = _found(rows, QUERY_FIELDS)
    guesses = _Guesses(rows, found)
    if "spans" not in found and not (rows and is_chroma(rows[0])):
        known = dict.fromkeys(doc_ids)
        guesses.take("relevant", lambda rows, keys: _naming(rows, keys, known))
    guesses.take("text", _longest)
    if ending(path) in _LINES:  # tables may do without
        guesses.take("id", _distinct)
    return guesses.made


class _Guesses:
    """Fields found one after the other, each key taken once."""

    def __init__(self, rows: Rows, found: Mapping[str, str]) -> None:
        self.made: dict[str, str] = {}
        self._rows = rows
        self._found = found

    def take(self, name: str, choose: Callable[[Rows, Sequence[str]], str | None]) -> None:
        """Look for one field among the keys that are left."""
        if name in self._found or not self._rows:
            return
        used = {*self._found.values(), *self.made.values()}
        key = choose(self._rows, [key for key in self._rows[0] if key not in used])
        if key is not None:
            self.made[name] = key


def _rows(path: Path, known: Mapping[str, tuple[str, ...]]) -> Rows:
    """The first records of a table or of JSON lines; none of anything else, and of what cannot be read."""
    form, findings, fields = ending(path), Findings(), Fields(known)
    try:
        if path.is_file() and form in _LINES:
            return _first(record.values for record in read_jsonl(path, Decoding(), findings))
        if path.is_file() and form in _TABLES:
            return _first(
                record.values for record in read_table(path, Decoding(), findings, fields, needed=())
            )
    except InputError:
        pass  # whoever reads the file for good says what is wrong with it
    return ()


def _first(rows: Iterator[Mapping[str, object]]) -> Rows:
    return list(islice(rows, _LOOKED_AT))


def _found(rows: Rows, known: Mapping[str, tuple[str, ...]]) -> Mapping[str, str]:
    return Fields(known).among(tuple(rows[0])) if rows else {}


def _cells(rows: Rows, key: str) -> list[str]:
    return [str(row[key]) for row in rows if isinstance(row.get(key), str | int) and str(row[key]).strip()]


def _longest(rows: Rows, keys: Sequence[str]) -> str | None:
    """The key with the most text."""
    lengths = {key: sum(map(len, _cells(rows, key))) for key in keys}
    return max((key for key in keys if lengths[key]), key=lengths.__getitem__, default=None)


def _distinct(rows: Rows, keys: Sequence[str]) -> str | None:
    """The first key whose cells are filled and all different, better one that is called like an id."""
    distinct = [key for key in keys if len(set(_cells(rows, key))) == len(rows)]
    named = [key for key in distinct if any(word in key.casefold() for word in _ID_WORDS)]
    return next(iter((*named, *distinct)), None)


def _naming(rows: Rows, keys: Sequence[str], known: Mapping[str, None]) -> str | None:
    """The key most of whose cells name documents."""
    shares = {key: _naming_share(_cells(rows, key), known) for key in keys}
    best = max(keys, key=shares.__getitem__, default=None)
    return best if best is not None and shares[best] > 0.5 else None


def _naming_share(cells: Sequence[str], known: Mapping[str, None]) -> float:
    return sum(_names(cell, known) for cell in cells) / len(cells) if cells else 0.0


def _names(cell: str, known: Mapping[str, None]) -> bool:
    value = relevant_cell(cell, known)
    return isinstance(value, list) and bool(value) and all(normal(str(part)) in known for part in value)
