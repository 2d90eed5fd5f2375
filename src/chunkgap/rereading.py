"""Reads corpus and queries again, as a measurement's manifest says, and tells what has changed since."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from chunkgap.config import Settings
from chunkgap.datasets.corpus import Corpus, read_corpus
from chunkgap.datasets.queries import QuerySet
from chunkgap.datasets.trec import read_qrels
from chunkgap.errors import InputError, ResultsError
from chunkgap.inputs import corpus_options, read_query_set
from chunkgap.records import Document, Query
from chunkgap.results import Results

MANIFEST = "manifest.json"
QRELS = "qrels.txt"


@dataclass(frozen=True)
class Reread:
    """What lies behind a measurement, as far as it is still there.

    Attributes:
        documents: The corpus by `doc_id`; empty where it is gone, or where the measurement had none.
        queries: All queries by `query_id`; empty where the file is gone.
        remarks: What is gone or has changed, one sentence each.
    """

    documents: Mapping[str, Document]
    queries: Mapping[str, Query]
    remarks: tuple[str, ...] = ()


def read_manifest(out: Path) -> dict[str, object]:
    """The manifest of a measurement.

    Raises:
        ResultsError: There is none in the folder, or it cannot be read.
    """
    path = out / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ResultsError(
            f"{path}: expected the manifest of a measurement, got no file. Measure again."
        ) from error
    except (OSError, ValueError) as error:
        raise ResultsError(
            f"{path}: expected the manifest of a measurement, got {error}. Measure again."
        ) from error
    if not isinstance(manifest, dict):
        raise ResultsError(f"{path}: expected the manifest of a measurement, got no object. Measure again.")
    return manifest


def read_settings(out: Path) -> Settings:
    """The configuration that a measurement was made with.

    Raises:
        ResultsError: The folder has no manifest, or it holds no configuration that this version understands.
    """
    from pydantic import ValidationError

    configuration = read_manifest(out).get("configuration")
    try:
        return Settings.model_validate(configuration)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ResultsError(
            f"{out / MANIFEST}: expected the configuration of a measurement, got a fault at "
            f"{where or 'configuration'}: {first['msg']}. "
            "Read it with the chunkgap that wrote it, or measure again."
        ) from error


def read_relevant(out: Path) -> dict[str, tuple[str, ...]]:
    """The relevant documents of every query, from the judgements beside the results.

    Raises:
        InputError: They are missing or cannot be read.
    """
    judged = read_qrels(out / QRELS).judgements
    return {
        unquote(query_id): tuple(unquote(doc_id) for doc_id, grade in grades.items() if grade > 0)
        for query_id, grades in judged.items()
    }


def reread(
    results: Results, settings: Settings, *, corpus: Path | None = None, queries: Path | None = None
) -> Reread:
    """Read corpus and queries again.

    Args:
        results: The measurement.
        settings: Its configuration.
        corpus: Where the corpus lies now; None: where it lay.
        queries: Where the queries lie now; None: where they lay.

    Raises:
        InputError: A path given here cannot be read. One that the measurement named may be gone: that is a
            remark.
    """
    documents, about_corpus = _reread_corpus(results, settings, corpus)
    asked, about_queries = _reread_queries(results, settings, queries, documents)
    return Reread(
        documents=documents.by_id if documents else {},
        queries={query.query_id: query for query in asked.queries} if asked else {},
        remarks=(*about_corpus, *about_queries),
    )


def _reread_corpus(
    results: Results, settings: Settings, given: Path | None
) -> tuple[Corpus | None, tuple[str, ...]]:
    """The corpus, and what there is to say of it."""
    paths = settings.corpus if given is None else (given,)
    if not paths:
        return None, ()
    try:
        corpus = read_corpus(paths, **corpus_options(settings))
    except InputError as error:
        if given is not None:
            raise
        return None, (f"The corpus cannot be read again; texts are left out. {error.problems[0]}",)
    if results.corpus.digest not in {"", corpus.digest}:
        return corpus, ("The corpus has changed since it was measured; chunks that changed have no text.",)
    return corpus, ()


def _reread_queries(
    results: Results, settings: Settings, given: Path | None, corpus: Corpus | None
) -> tuple[QuerySet | None, tuple[str, ...]]:
    """The queries, and what there is to say of them."""
    path = settings.queries if given is None else given
    if path is None and not settings.corpus:
        return None, ()  # `score` with judgements alone
    named = settings.model_copy(update={"queries": path})
    try:
        queries = read_query_set(named, corpus)
    except InputError as error:
        if given is not None:
            raise
        return None, (f"The queries cannot be read again; evidence is left out. {error.problems[0]}",)
    if _same_corpus(results, settings, corpus) and queries.digest != results.queries.digest:
        return queries, ("The queries have changed since they were measured.",)
    return queries, ()


def _same_corpus(results: Results, settings: Settings, corpus: Corpus | None) -> bool:
    """Whether spans given as text lie where they lay; else the digest of the queries says nothing."""
    return corpus.digest == results.corpus.digest if corpus else not settings.corpus
