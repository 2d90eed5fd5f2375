"""Which query a user means."""

import difflib

from chunkgap.errors import InputError
from chunkgap.results import Results

_CANDIDATES = 8
_SHOWN_TEXT = 60


def find_query(results: Results, wanted: str) -> int:
    """The row of the query with this id, or else of the one whose text holds this, case and spacing aside.

    Raises:
        InputError: None, or more than one, is meant.
    """
    per_query = results.per_query
    if wanted in per_query.query_ids:
        return per_query.query_ids.index(wanted)
    part = _folded(wanted)
    found = [row for row, text in enumerate(per_query.texts) if part and part in _folded(text)]
    if len(found) == 1:
        return found[0]
    if found:
        named = "; ".join(
            f"{per_query.query_ids[row]} ({_short(per_query.texts[row])})" for row in found[:_CANDIDATES]
        )
        more = f"; and {len(found) - _CANDIDATES} more" if len(found) > _CANDIDATES else ""
        raise InputError(
            f"QUERY: expected the id of a query or a part of one query's text, got {wanted!r}, "
            f"which stands in {len(found)}: {named}{more}. Give an id, or more of the text."
        )
    near = difflib.get_close_matches(wanted, per_query.query_ids, n=1)
    excluded = results.queries.excluded.get(wanted)
    hint = f" It was left out: {excluded}." if excluded else f" Did you mean {near[0]}?" if near else ""
    raise InputError(
        f"QUERY: expected the id of an evaluated query or a part of its text, got {wanted!r}.{hint} "
        "per_query.csv lists them."
    )


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_TEXT else f"{line[:_SHOWN_TEXT].rsplit(' ', 1)[0]} ..."
