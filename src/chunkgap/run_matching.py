"""Whether run files and judgements speak of the same queries and documents."""

from collections.abc import Iterator, Mapping, Sequence

from chunkgap.config import Settings
from chunkgap.datasets.findings import examples
from chunkgap.datasets.queries import QuerySet
from chunkgap.datasets.validation import LabelledQueries
from chunkgap.errors import InputError
from chunkgap.formatting import counted
from chunkgap.records import Query
from chunkgap.results import Notice
from chunkgap.run_files import RunFile

FEW = 0.25
"""A run that lists a smaller share of the relevant documents, as far as it is long enough, may write ids otherwise."""


def refuse_strangers(files: Sequence[RunFile], evaluated: Sequence[Query], settings: Settings) -> None:
    """Stop where every score would be 0, because runs and judgements name different things.

    Raises:
        InputError: No run lists a judged query, or none a judged document.
    """
    asked = dict.fromkeys(query.query_id for query in evaluated)
    answered = dict.fromkeys(query_id for file in files for query_id in file.query_ids)
    if asked.keys().isdisjoint(answered):
        met = _unmet("queries", counted(len(asked), "query", "queries"), asked, answered)
        raise InputError(f"{settings.qrels}: {met}. Write the same ids in both.")
    judged = dict.fromkeys(doc_id for query in evaluated for doc_id in query.relevant)
    listed = dict.fromkeys(doc_id for file in files for doc_id in file.doc_ids)
    if judged.keys().isdisjoint(listed):
        met = _unmet("documents", counted(len(judged), "document"), judged, listed)
        chunks = settings.run_ids == "chunk"
        remedy = "mend run_separator" if chunks else "set run_ids and run_separator"
        raise InputError(f"{settings.qrels}: {met}. Write the same ids in both, or {remedy}.")


def match_notices(files: Sequence[RunFile], queries: QuerySet, labelled: LabelledQueries) -> Iterator[Notice]:
    """What runs lack of the judgements and judgements of the runs; a run without anything forbids a verdict."""
    judged = {query.query_id for query in queries.queries} | queries.unasked.keys()
    evaluated = [query.query_id for query in labelled.evaluated]
    relevant = _relevant(labelled.evaluated)
    for file in files:
        yield from _without_results(file, evaluated)
        unknown = [query_id for query_id in file.query_ids if query_id not in judged]
        if unknown:
            number = counted(len(unknown), "query is", "queries are")
            told = f"run {file.scale}: {number} not judged, ignored ({examples(unknown)})"
            yield Notice("not-judged", told)
        yield from _few_listed(file, relevant)


def _unmet(plural: str, number: str, judged: Mapping[str, object], listed: Mapping[str, object]) -> str:
    """What was expected of the runs, with examples of both sides."""
    both = f"judged {examples(judged)}; listed {examples(listed)}"
    return f"expected judged {plural} that the runs list, got none of the {number} in any run ({both})"


def _relevant(evaluated: Sequence[Query]) -> Sequence[str]:
    """Every relevant document once."""
    grades = (pair for query in evaluated for pair in query.relevant.items())
    return list(dict.fromkeys(doc_id for doc_id, grade in grades if grade > 0))


def _without_results(file: RunFile, evaluated: Sequence[str]) -> Iterator[Notice]:
    listed = set(file.query_ids)
    missing = [query_id for query_id in evaluated if query_id not in listed]
    if missing:
        number = counted(len(missing), "judged query has", "judged queries have")
        told = f"run {file.scale}: {number} no results, scored 0 ({examples(missing)})"
        yield Notice("no-results", told, blocking=len(missing) == len(evaluated))


def _few_listed(file: RunFile, relevant: Sequence[str]) -> Iterator[Notice]:
    """That a run lists few of the relevant documents, for any query."""
    listed = dict.fromkeys(file.doc_ids)
    missing = [doc_id for doc_id in relevant if doc_id not in listed]
    found = len(relevant) - len(missing)
    if found < FEW * min(len(relevant), len(listed)):
        number = f"{found:,} of {counted(len(relevant), 'relevant document')}"
        told = f"run {file.scale}: lists {number} (not {examples(missing)}; it lists {examples(listed)})"
        yield Notice("few-listed", f"{told}; it may write ids in another way", blocking=not found)
