"""Queries that nearly repeat the wording of their evidence, as labels made out of the text itself do."""

import re
from collections.abc import Sequence

from chunkgap.records import Query

COPY_SHARE = 0.8
"""From this share of its runs of three words found in the evidence, a query is a copy."""

_RUN = 3
_NO_WORD = re.compile(r"\W+")


def count_copied(queries: Sequence[Query], doc_ids: Sequence[str], texts: Sequence[str]) -> int:
    """Count the queries most of whose runs of three words stand in their evidence.

    The evidence is what the spans cover, or all relevant documents of a query without any. Queries of fewer than five
    words have too few runs to tell.

    Args:
        queries: With spans and judgements.
        doc_ids: The corpus, by row.
        texts: Text of every document, by row.
    """
    runs = [_runs(query.text) for query in queries]
    found: list[set[str]] = [set() for _ in queries]
    rows = {doc_id: row for row, doc_id in enumerate(doc_ids)}
    asking: dict[
        int, list[int]
    ] = {}  # by document, so that each is read once, however many queries it is relevant to
    for place, query in enumerate(queries):
        for doc_id in _evidence(query) if len(runs[place]) >= _RUN else ():
            if doc_id in rows:
                asking.setdefault(rows[doc_id], []).append(place)
    for row, places in asking.items():
        whole = _words(texts[row]) if any(not queries[place].spans for place in places) else ""
        for place in places:
            text = _covered(queries[place], doc_ids[row], texts[row]) if queries[place].spans else whole
            found[place].update(run for run in runs[place] if run in text)
    return sum(
        len(of_query) >= max(_RUN, COPY_SHARE * len(wanted))
        for of_query, wanted in zip(found, runs, strict=True)
    )


def _evidence(query: Query) -> set[str]:
    """The documents to look into."""
    if query.spans:
        return {span.doc_id for span in query.spans}
    return {doc_id for doc_id, grade in query.relevant.items() if grade > 0}


def _covered(query: Query, doc_id: str, text: str) -> str:
    """What the spans of a query cover of one document, as words."""
    spans = [span for span in query.spans if span.doc_id == doc_id]
    return "".join(_words(text[span.start : span.end]) for span in spans)


def _words(text: str) -> str:
    """The words of a text, case folded, a blank before and after each.

    >>> _words("To be, or")
    ' to be or '
    """
    return f" {_NO_WORD.sub(' ', text.casefold()).strip()} "


def _runs(text: str) -> set[str]:
    """Every three words that follow one another, as they stand in `_words`."""
    words = _words(text).split()
    return {f" {' '.join(words[start : start + _RUN])} " for start in range(len(words) - _RUN + 1)}
