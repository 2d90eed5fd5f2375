"""Whether labels and corpus belong together: which queries take part, and what is wrong with the rest."""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath

from chunkgap.datasets.corpus import Corpus
from chunkgap.datasets.findings import examples, printable
from chunkgap.datasets.queries import QuerySet
from chunkgap.errors import InputError
from chunkgap.formatting import counted
from chunkgap.records import Query

UNLABELLED = "without a label"
NOT_RELEVANT = "without a relevant document"

_LISTED = 3
_COMPARED = 5000


@dataclass(frozen=True)
class LabelledQueries:
    """The queries that take part, and what the user has to know of the others.

    Attributes:
        evaluated: Queries with a relevant document, in file order.
        excluded: Why a query takes no part, by id.
        warnings: What the user has to know.
    """

    evaluated: tuple[Query, ...]
    excluded: Mapping[str, str]
    warnings: tuple[str, ...]


def validate(
    corpus: Corpus | Mapping[str, bool], queries: QuerySet, *, exclude_same_id: bool = False
) -> LabelledQueries:
    """Choose the queries to be evaluated.

    A relevant document that the corpus lacks counts as not found, and so does one without text.

    Args:
        corpus: The corpus, or for each of its ids whether that document has text.
        queries: All queries.
        exclude_same_id: Whether a document with the id of the query is left out of its results; if not, such
            ids are a warning.

    Raises:
        InputError: If no query has a relevant document, or if no relevant document is in the corpus.
    """
    has_text = text_by_id(corpus) if isinstance(corpus, Corpus) else corpus
    excluded = {query.query_id: reason for query in queries.queries if (reason := _reason(query))}
    evaluated = tuple(query for query in queries.queries if query.query_id not in excluded)
    if not evaluated:
        raise InputError(
            f"{queries.source}: expected labelled queries, got no labelled queries among the "
            f"{len(queries.queries)} ({_excluded_in_words(excluded)}). Name relevant documents (in a table: "
            "the column, with query_fields: {relevant: ...}), or give qrels."
        )
    asked = _first_query(evaluated)
    if not any(doc_id in has_text for doc_id in asked):
        raise InputError(_no_match(queries.source, tuple(asked), has_text))
    unasked = _first_query(Query(query_id, "", grades) for query_id, grades in queries.unasked.items())
    warnings = (
        *_query_warnings(queries, excluded),
        *(_own_labels(evaluated, has_text) if exclude_same_id else _same_ids(queries, has_text)),
        *_missing(
            asked | {doc_id: query for doc_id, query in unasked.items() if doc_id not in asked}, has_text
        ),
        *_empty(asked, has_text),
    )
    return LabelledQueries(evaluated, excluded, warnings)


def text_by_id(corpus: Corpus) -> dict[str, bool]:
    """For each id whether the document holds anything but white space."""
    return {document.doc_id: bool(document.text.strip()) for document in corpus.documents}


def near_ids(unknown: str, known: Iterable[str], most: int = 1) -> list[str]:
    """Ids that `unknown` may stand for: of the same file name, case and ending aside, or else spelt alike.

    Ids that differ in their digits (`doc4`, `doc94`) are not near: such a hint would be noise.

    >>> near_ids("docs/Plan", ["plan.md", "b.md"])
    ['plan.md']
    """
    known = list(known)
    stem, numbers = _stem(unknown), _digits(unknown)
    # looked for first, since the stem of every id of a large corpus takes long to find
    candidates = (doc_id for doc_id in known if stem in doc_id.casefold())
    same = list(islice((doc_id for doc_id in candidates if _stem(doc_id) == stem), most))
    alike = [doc_id for doc_id in known[:_COMPARED] if _digits(doc_id) == numbers]
    return same or difflib.get_close_matches(unknown, alike, most, cutoff=0.75)


def _digits(doc_id: str) -> str:
    return "".join(filter(str.isdigit, doc_id))


def _stem(doc_id: str) -> str:
    return PurePosixPath(doc_id.casefold()).stem


def _reason(query: Query) -> str:
    if not query.relevant:
        return UNLABELLED
    return "" if any(grade > 0 for grade in query.relevant.values()) else NOT_RELEVANT


def _first_query(queries: Iterable[Query]) -> dict[str, str]:
    """For each relevant document the first query that it is relevant to."""
    first: dict[str, str] = {}
    for query in queries:
        for doc_id, grade in query.relevant.items():
            if grade > 0:
                first.setdefault(doc_id, query.query_id)
    return first


def _excluded_in_words(excluded: Mapping[str, str]) -> str:
    reasons = list(excluded.values())
    return ", ".join(f"{reasons.count(reason)} {reason}" for reason in dict.fromkeys(reasons))


def _query_warnings(queries: QuerySet, excluded: Mapping[str, str]) -> Iterator[str]:
    for reason in dict.fromkeys(excluded.values()):
        ids = [query_id for query_id, why in excluded.items() if why == reason]
        yield f"{counted(len(ids), 'query', 'queries')} {reason}, left out ({examples(ids)})"
    if queries.unasked:
        ids = list(queries.unasked)
        number = counted(len(ids), "judged query has", "judged queries have")
        yield f"{number} no text, left out ({examples(ids)})"


def _same_ids(queries: QuerySet, has_text: Mapping[str, bool]) -> Iterator[str]:
    same = [query.query_id for query in queries.queries if query.query_id in has_text]
    if same:
        number = counted(len(same), "query id is", "query ids are")
        kept = "such a document may be found; exclude_same_id: true leaves it out"
        yield f"{number} also a document id ({examples(same)}): {kept}"


def _own_labels(queries: Iterable[Query], has_text: Mapping[str, bool]) -> Iterator[str]:
    own = [
        query.query_id
        for query in queries
        if query.query_id in has_text and query.relevant.get(query.query_id, 0) > 0
    ]
    if own:
        number = counted(len(own), "query has", "queries have")
        left_out = "which exclude_same_id leaves out of the results"
        yield f"{number} the document of the same id as relevant, {left_out} ({examples(own)}): counted as not found"


def _missing(judged: Mapping[str, str], has_text: Mapping[str, bool]) -> Iterator[str]:
    missing = [doc_id for doc_id in judged if doc_id not in has_text]
    if not missing:
        return
    listed = "; ".join(_described(doc_id, judged[doc_id], has_text) for doc_id in missing[:_LISTED])
    more = "; ..." if len(missing) > _LISTED else ""
    share = (
        f"{len(missing)} of {counted(len(judged), 'judged document')} {'is' if len(missing) == 1 else 'are'}"
    )
    yield f"{share} not in the corpus ({listed}{more}): counted as not found"


def _described(doc_id: str, query_id: str, has_text: Mapping[str, bool]) -> str:
    near = near_ids(doc_id, has_text)
    hint = f", is it {printable(near[0])}?" if near else ""
    return f"{printable(doc_id)}, {printable(query_id)}{hint}"


def _empty(judged: Mapping[str, str], has_text: Mapping[str, bool]) -> Iterator[str]:
    empty = [doc_id for doc_id, filled in has_text.items() if not filled]
    if empty:
        yield f"{counted(len(empty), 'document has', 'documents have')} no text ({examples(empty)})"
    relevant = [f"{doc_id}, {judged[doc_id]}" for doc_id in empty if doc_id in judged]
    if relevant:
        yield (
            f"{counted(len(relevant), 'relevant document has', 'relevant documents have')} no text "
            f"({examples(relevant)}): counted as not found"
        )


def _no_match(source: str, labelled: tuple[str, ...], has_text: Mapping[str, bool]) -> str:
    near = [
        f"{printable(doc_id)} is near {printable(found[0])}"
        for doc_id in labelled[:_LISTED]
        if (found := near_ids(doc_id, has_text))
    ]
    hint = f" {'; '.join(near)}." if near else ""
    return (
        f"{source}: none of the {len(labelled)} labelled document ids is in the corpus, "
        f"expected ids such as {examples(list(has_text))}, got {examples(labelled)}.{hint} "
        "Write ids as the corpus has them: the id field, or in a folder the path from there, with the ending."
    )
