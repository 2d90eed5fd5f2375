"""Reads corpus and queries again, as a measurement's manifest says, and tells what has changed since."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote

from chunkgap.config import Settings
from chunkgap.datasets.corpus import Corpus, read_corpus
from chunkgap.datasets.queries import QuerySet
from chunkgap.datasets.trec import read_qrels
from chunkgap.errors import InputError, ResultsError
from chunkgap.inputs import corpus_options, read_query_set
from chunkgap.records import Document, Query
from chunkgap.results import Results, first_fault, unreadable

MANIFEST = "manifest.json"
QRELS = "qrels.txt"

_T = TypeVar("_T")


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
    expected = "the manifest of a measurement"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ResultsError(f"{path}: expected {expected}, got no file. Measure again.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(path, error, expected=expected) from error
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{path}: expected {expected}, got a fault: {error}. Measure again.") from error
    if not isinstance(manifest, dict):
        raise ResultsError(f"{path}: expected {expected}, got other JSON. Measure again.")
    return manifest


def read_settings(out: Path) -> Settings:
    """The configuration that a measurement was made with.

    Raises:
        ResultsError: The folder has no manifest, or it holds no configuration that this version understands.
    """
    from pydantic import ValidationError

    manifest = read_manifest(out)
    expected = f"{out / MANIFEST}: expected the configuration of a measurement"
    if "configuration" not in manifest:
        raise ResultsError(f"{expected}, got none. Measure again.")
    try:
        return Settings.model_validate(manifest["configuration"])
    except ValidationError as error:
        raise ResultsError(
            f"{expected}, got {first_fault(error)}. Read it with the chunkgap that wrote it, or measure again."
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
    results: Results,
    settings: Settings,
    *,
    out: Path,
    corpus: Path | None = None,
    queries: Path | None = None,
) -> Reread:
    """Read corpus and queries again.

    A relative path of the measurement is looked for from the current folder, as it was then, and from the
    folder that holds `out`. Where both have something, that which was measured is taken, else the first.

    Args:
        results: The measurement.
        settings: Its configuration.
        out: Its folder.
        corpus: Where the corpus lies now; None: where it lay.
        queries: Where the queries lie now; None: where they lay.

    Raises:
        InputError: A path given here cannot be read. One that the measurement named may be gone: that is a
            remark, with the option that names it.
    """
    places = [_with(found, corpus, queries) for found in _places(settings, out)]
    documents, about_corpus = _reread_corpus(results, places, must=corpus is not None)
    known = bool(settings.corpus) or places[0].queries is not None  # else `score` with judgements alone
    asked, about_queries = (
        _reread_queries(results, places, documents, must=queries is not None) if known else (None, ())
    )
    return Reread(
        documents=documents.by_id if documents else {},
        queries={query.query_id: query for query in asked.queries} if asked else {},
        remarks=(*about_corpus, *about_queries),
    )


def _places(settings: Settings, out: Path) -> list[Settings]:
    """The configuration with paths as they were, and with relative ones counted from the folder above `out`."""
    home = out.resolve().parent
    moved = settings.model_copy(
        update={
            "corpus": tuple(home / path for path in settings.corpus),
            "queries": home / settings.queries if settings.queries else None,
            "qrels": home / settings.qrels if settings.qrels else None,
        }
    )
    return [settings] if moved == settings or home == Path.cwd() else [settings, moved]


def _with(settings: Settings, corpus: Path | None, queries: Path | None) -> Settings:
    """The configuration with the paths that are given now."""
    given = {"corpus": (corpus,) if corpus else None, "queries": queries}
    return settings.model_copy(update={name: path for name, path in given.items() if path})


def _reread_corpus(
    results: Results, places: Sequence[Settings], *, must: bool
) -> tuple[Corpus | None, tuple[str, ...]]:
    """The corpus, and what there is to say of it."""
    if not places[0].corpus:
        return None, ()

    def read(settings: Settings) -> Corpus:
        return read_corpus(settings.corpus, corpus_options(settings))

    def same(corpus: Corpus) -> bool:
        # `score` knows the ids alone, so that any corpus may be the one
        return results.command == "score" or results.corpus.digest == corpus.digest

    try:
        corpus = _first(read, places, same)
    except InputError as error:
        if must:
            raise
        return None, (
            "The corpus cannot be read again; texts are left out, and evidence that was given as text. "
            f"{error.problems[0]} If it lies elsewhere now, name it with --corpus.",
        )
    if not same(corpus):
        return corpus, ("The corpus has changed since it was measured; chunks that changed have no text.",)
    return corpus, ()


def _reread_queries(
    results: Results, places: Sequence[Settings], corpus: Corpus | None, *, must: bool
) -> tuple[QuerySet | None, tuple[str, ...]]:
    """The queries, and what there is to say of them."""

    def read(settings: Settings) -> QuerySet:
        return read_query_set(settings, corpus)

    def same(queries: QuerySet) -> bool:
        return not _same_corpus(results, places[0], corpus) or queries.digest == results.queries.digest

    try:
        queries = _first(read, places, same)
    except InputError as error:
        if must:
            raise
        return None, (
            "The queries cannot be read again; evidence is left out. "
            f"{error.problems[0]} If they lie elsewhere now, name them with --queries.",
        )
    if not same(queries):
        return queries, ("The queries have changed since they were measured.",)
    return queries, ()


def _first(read: Callable[[Settings], _T], places: Sequence[Settings], same: Callable[[_T], bool]) -> _T:
    """What was measured, from the first place that has it; else from the first that has anything.

    Raises:
        InputError: No place has; why the first has not.
    """
    found, faults = list[_T](), list[InputError]()
    for place in places:
        try:
            found.append(read(place))
        except InputError as error:
            faults.append(error)
        else:
            if same(found[-1]):
                return found[-1]
    if not found:
        raise faults[0]
    return found[0]


def _same_corpus(results: Results, settings: Settings, corpus: Corpus | None) -> bool:
    """Whether spans given as text lie where they lay; else the digest of the queries says nothing."""
    return corpus.digest == results.corpus.digest if corpus else not settings.corpus
