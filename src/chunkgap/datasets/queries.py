"""The labelled queries: from any of the accepted formats, their labels checked against the corpus."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Literal

from chunkgap.datasets import beir, cells, chroma, squad
from chunkgap.datasets.corpus import Corpus
from chunkgap.datasets.files import Decoding
from chunkgap.datasets.findings import Findings, shown
from chunkgap.datasets.jsonl import read_json, read_jsonl
from chunkgap.datasets.parquet import read_parquet
from chunkgap.datasets.query_maker import QueryMaker
from chunkgap.datasets.record import QUERY_FIELDS, FieldError, Fields, Record
from chunkgap.datasets.sources import check_exists, query_format
from chunkgap.datasets.tables import read_table
from chunkgap.datasets.trec import read_qrels
from chunkgap.errors import InputError
from chunkgap.records import Document, Query


@dataclass(frozen=True)
class QuerySet:
    """All queries, labelled or not.

    Attributes:
        queries: In file order.
        source: The path as given.
        digest: SHA-256 over everything in `queries`.
        warnings: What the user has to know.
        unasked: Judgements of queries that the query file does not hold, by query id.
    """

    queries: tuple[Query, ...]
    source: str
    digest: str
    warnings: tuple[str, ...] = ()
    unasked: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


def read_queries(
    path: Path,
    corpus: Corpus | Mapping[str, Document] | None = None,
    *,
    qrels: Path | None = None,
    format: str | None = None,  # noqa: A002, the word of the configuration
    encoding: str = "utf-8",
    fields: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    split: str = "test",
    on_undecodable: Literal["error", "skip"] = "error",
) -> QuerySet:
    """Read all queries with their labels.

    Args:
        path: A file, or a BEIR folder.
        corpus: Where spans are checked and located; None: spans stay as they are, those by text left out.
        qrels: Judgements beside the query file; they replace those that the queries hold themselves.
        format: One of `sources.QUERY_FORMATS`; None: by the name.
        encoding: How bytes become text.
        fields: Column names by field (`id`, `text`, `relevant`, `spans`, `answers`, `tags`).
        delimiter: Of .csv and .tsv; None: found from the header.
        split: Which qrels of a BEIR folder.
        on_undecodable: Whether bytes in another encoding are an error or are left out, with a warning.

    Raises:
        InputError: With all problems of the file, one a line.
    """
    findings = Findings()
    documents = corpus.by_id if isinstance(corpus, Corpus) else corpus
    columns = Fields(QUERY_FIELDS, fields or {})
    form = query_format(path, format)
    if form == "beir" and qrels is None:
        check_exists(path)
        qrels = beir.qrels_file(path, split)
    judged = read_qrels(qrels, encoding=encoding) if qrels else None
    decoding = Decoding(encoding, on_undecodable)
    records, columns = _records(path, form, decoding, findings, columns, delimiter, documents or {})
    maker = QueryMaker(columns, documents, judged, findings, needs_id=form in {"beir", "jsonl"})
    queries = tuple(query for record in records if (query := maker.make(record)) is not None)
    findings.raise_problems()
    if not queries:
        raise InputError(
            f"{path}: expected labelled queries, got none. Give each an id, a text and relevant documents."
        )
    if maker.numbered:
        findings.warn("", f"{path}: the queries have no ids and are numbered from 1 in file order")
    asked = {query.query_id for query in queries}
    unasked = {q: grades for q, grades in judged.judgements.items() if q not in asked} if judged else {}
    warnings = findings.warnings + (judged.warnings if judged else ())
    return QuerySet(queries, str(path), digest(queries), warnings, unasked)


def digest(queries: Iterable[Query]) -> str:
    """SHA-256 over the queries in order, each as JSON with sorted keys."""
    running = hashlib.sha256()
    for query in queries:
        spans = [[span.doc_id, span.start, span.end] for span in query.spans]
        value = [query.query_id, query.text, dict(query.relevant), spans, query.answers, dict(query.tags)]
        running.update(json.dumps(value, sort_keys=True).encode("ascii"))
        running.update(b"\n")
    return running.hexdigest()


def _records(
    path: Path,
    form: str,
    decoding: Decoding,
    findings: Findings,
    fields: Fields,
    delimiter: str | None,
    known: Mapping[str, Document],
) -> tuple[Iterator[Record], Fields]:
    """The records of a file, and what their fields are called."""
    match form:
        case "beir" | "jsonl":
            file = beir.queries_file(path) if form == "beir" else path
            return read_jsonl(file, decoding, findings), fields
        case "parquet":
            rows = read_parquet(path, findings, fields, needed=("text",))
            return _structured(rows, fields, known, findings), fields
        case "json" | "squad":
            value = read_json(path, decoding)
            if squad.is_squad(value):
                return squad.queries(path, value, findings), Fields(QUERY_FIELDS)
            return _listed(path, value, findings), fields
        case _:
            rows = read_table(path, decoding, findings, fields, needed=("text",), delimiter=delimiter)
            first = next(rows, None)
            if first is not None and chroma.is_chroma(first.values):
                return chroma.queries(path, chain((first,), rows), known, findings), Fields(QUERY_FIELDS)
            if form == "chroma":
                columns = ", ".join(map(shown, first.values)) if first else "no rows"
                raise InputError(
                    f"{path}: expected the columns {', '.join(chroma.COLUMNS)}, got {columns}. "
                    "Rename them, or set query_format."
                )
            return _structured(chain((first,) if first else (), rows), fields, known, findings), fields


def _listed(path: Path, value: object, findings: Findings) -> Iterator[Record]:
    """The queries of `{"queries": [...]}`, or of an array."""
    items = value["queries"] if isinstance(value, Mapping) and "queries" in value else value
    if not isinstance(items, list):
        raise InputError(
            f'{path}: expected SQuAD JSON, {{"queries": [...]}} or an array of queries, got {shown(value)}. '
            "Write one of them, or .jsonl."
        )
    for number, item in enumerate(items):
        place = f"{path}:queries[{number}]"
        if isinstance(item, Mapping):
            yield Record(place, item)
        else:
            findings.problem(f"{place}: expected a query, got {shown(item)}. Write an object.")


def _structured(
    rows: Iterator[Record], fields: Fields, known: Mapping[str, object], findings: Findings
) -> Iterator[Record]:
    """The rows of a table with what their cells hold: lists, objects, and tags in columns of their own."""
    readers: Mapping[str, Callable[[str], object]] = {
        "relevant": lambda cell: cells.relevant_cell(cell, known),
        "spans": cells.json_cell,
        "answers": cells.answers_cell,
        "tags": cells.tags_cell,
    }
    for place, row in rows:
        keys = fields.among(tuple(row))
        values = dict(row)
        try:
            for name, read in readers.items():
                cell = row.get(keys[name]) if name in keys else None
                if isinstance(cell, str):
                    values[keys[name]] = read(cell)
            key = keys.get("tags", "tags")
            values[key] = cells.all_tags(values.get(key), cells.tag_columns(row))
            yield Record(place, values)
        except FieldError as error:
            findings.problem(f"{place}: {error}")
