"""Runs and judgements as TREC files, so that trec_eval, ir_measures or ranx can check every number.

- A run's score column counts down to 1 in rank order. trec_eval ignores ranks, sorts by score and breaks ties
  by document id, descending, where chunkgap goes ascending; scores without ties keep chunkgap's own order.
  The similarities stand in `hits.parquet`.
- White space, `%`, and characters that do not print are percent-encoded in ids; so is a `#` at the start,
  which readers take for a comment.
- Grades are whole numbers, as trec_eval needs them: where some are not, all are multiplied by one power of
  ten.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote

from chunkgap.ranking import DocumentRanking
from chunkgap.records import Query

FUSED_NAME = "fused"

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_LARGEST_FACTOR = 1_000_000


def run_lines(
    ranking: DocumentRanking, query_ids: Sequence[str], doc_ids: Sequence[str], *, tag: str
) -> Iterator[str]:
    """The lines of one run, `query Q0 document rank score tag`, all documents of every list.

    Args:
        ranking: The documents of Q queries.
        query_ids: Q ids.
        doc_ids: The corpus, by row.
        tag: Names the run.
    """
    documents = [encoded(doc_id) for doc_id in doc_ids]
    for query_id, row in zip(query_ids, ranking.document, strict=True):
        query, found = encoded(query_id), row[row >= 0].tolist()
        for place, document in enumerate(found):
            yield f"{query} Q0 {documents[document]} {place + 1} {len(found) - place} {tag}\n"


def qrels_lines(queries: Iterable[Query]) -> Iterator[str]:
    """The lines of the judgements, `query 0 document grade`; grades below 1 are not relevant."""
    queries = list(queries)
    factor = _whole_factor(grade for query in queries for grade in query.relevant.values())
    for query in queries:
        query_id = encoded(query.query_id)
        for doc_id, grade in query.relevant.items():
            whole = max(1, round(grade * factor)) if grade > 0 else round(grade * factor)
            yield f"{query_id} 0 {encoded(doc_id)} {whole}\n"


def encoded(name: str) -> str:
    """An id as it stands in a TREC file; two ids never become the same.

    >>> encoded("a b%20"), encoded("#1"), encoded("docs/é.md#2")
    ('a%20b%2520', '%231', 'docs/é.md#2')
    """
    if name.isprintable() and " " not in name and "%" not in name and not name.startswith("#"):
        return name  # as most are, and there may be millions
    text = "".join(quote(c, safe="") if c in " %" or not c.isprintable() else c for c in name)
    return f"%23{text[1:]}" if text.startswith("#") else text


def run_file_names(scales: Sequence[str]) -> dict[str, str]:
    """The file of each scale in `runs/`, never a path.

    A name of ASCII letters, digits, dots, dashes and underscores is kept. Any other name, `fused`, and names
    that differ in case alone get a digest in their file's name.

    >>> run_file_names(["50", "../x"])
    {'50': '50.run', '../x': 'scale-d6b96a97.run'}
    """
    spelled = Counter(name.casefold() for name in scales)
    kept = {name for name in scales if _PLAIN.fullmatch(name) and spelled[name.casefold()] == 1}
    kept -= {name for name in kept if name.casefold() == FUSED_NAME}
    return {name: f"{name if name in kept else _digest_name(name)}.run" for name in scales}


def _digest_name(name: str) -> str:
    return f"scale-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _whole_factor(grades: Iterable[float]) -> int:
    """The least power of ten that makes all grades whole, at most a million."""
    given, factor = set(grades), 1
    while factor < _LARGEST_FACTOR and not all((grade * factor).is_integer() for grade in given):
        factor *= 10
    return factor
