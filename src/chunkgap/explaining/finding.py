"""Which query a user means."""

import difflib
from collections.abc import Sequence

from chunkgap.datasets.findings import escaped
from chunkgap.errors import InputError
from chunkgap.formatting import one_line
from chunkgap.results import Results

_CANDIDATES = 8
_SUGGESTED = 10
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
            escaped(f"{per_query.query_ids[row]} ({one_line(per_query.texts[row], limit=_SHOWN_TEXT)})")
            for row in found[:_CANDIDATES]
        )
        more = f"; and {len(found) - _CANDIDATES} more" if len(found) > _CANDIDATES else ""
        raise InputError(
            f"QUERY: expected the id of a query or a part of one query's text, got {wanted!r}, "
            f"which stands in {len(found)}: {named}{more}. Give an id, or more of the text."
        )
    excluded = results.queries.excluded.get(wanted)
    hint = f"It was left out: {excluded}. " if excluded else _suggestion(_near(wanted, per_query.query_ids))
    raise InputError(
        f"QUERY: expected the id of an evaluated query or a part of its text, got {wanted!r}. {hint}"
        "per_query.csv lists them."
    )


def _near(wanted: str, query_ids: Sequence[str]) -> list[str]:
    """The ids that begin so, case aside, else the one that looks most like it."""
    begun = wanted.strip().casefold()
    longer = [query_id for query_id in query_ids if begun and query_id.casefold().startswith(begun)]
    return longer or difflib.get_close_matches(wanted, query_ids, n=1)


def _suggestion(near: Sequence[str]) -> str:
    if not near:
        return ""
    more = len(near) - _SUGGESTED
    names = [*map(escaped, near[:_SUGGESTED]), *([f"one of {more:,} more that begin so"] if more > 0 else [])]
    meant = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
    return f"Did you mean {meant}? "


def _folded(text: str) -> str:
    return one_line(text).casefold()
