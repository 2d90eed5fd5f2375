"""Reading and checking what a measurement starts from, before anything costly happens."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from chunkgap.config import Settings
from chunkgap.datasets.beir import is_beir
from chunkgap.datasets.corpus import Corpus, CorpusOptions, read_corpus
from chunkgap.datasets.queries import QuerySet, read_queries
from chunkgap.datasets.validation import LabelledQueries, validate
from chunkgap.errors import ConfigError, InputError
from chunkgap.progress import NO_PROGRESS, Progress
from chunkgap.records import Document

REMEDY = "Name it on the command line or in the file."


@dataclass(frozen=True)
class Inputs:
    """A corpus and the labelled queries over it.

    Attributes:
        corpus: Sorted by `doc_id`.
        queries: As given.
        labelled: Those that take part, and why the others do not.
    """

    corpus: Corpus
    queries: QuerySet
    labelled: LabelledQueries

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user has to know of the files."""
        return (*self.corpus.warnings, *self.queries.warnings, *self.labelled.warnings)


def read_inputs(settings: Settings, *, progress: Progress = NO_PROGRESS) -> Inputs:
    """Read the corpus and the queries, and choose the queries that take part.

    Raises:
        ConfigError: No corpus, or no queries, is named.
        InputError: With every problem of the files; under `strict`, warnings are problems too.
    """
    require_named(settings)
    with progress.step("reading", 2) as advance:
        corpus = read_corpus(settings.corpus, corpus_options(settings))
        advance(1)
        queries = read_query_set(settings, corpus)
        labelled = validate(corpus, queries, exclude_same_id=settings.exclude_same_id)
        advance(1)
    inputs = Inputs(corpus, queries, labelled)
    if settings.strict and inputs.warnings:
        raise InputError(*inputs.warnings)
    return inputs


def require_named(settings: Settings) -> None:
    """See, before anything is read, that corpus and queries are named, and that results go elsewhere.

    Raises:
        ConfigError: One of them is not, or results would be written among the documents.
    """
    if not settings.corpus:
        raise ConfigError(f"corpus: expected a folder or a file, got nothing. {REMEDY}")
    query_path(settings)
    if any(path.is_dir() and path.resolve() == settings.out.resolve() for path in settings.corpus):
        raise ConfigError(
            f"out: expected a folder of its own, got the corpus, {settings.out}. Results would be read as documents: "
            "name another folder with --out."
        )


def corpus_options(settings: Settings) -> CorpusOptions:
    """What the configuration says of the corpus' files."""
    return CorpusOptions(
        format=settings.format,
        encoding=settings.encoding,
        title=settings.title,
        fields=settings.fields.model_dump(exclude_none=True),
        delimiter=settings.delimiter,
        on_undecodable=settings.on_undecodable,
    )


def query_path(settings: Settings) -> Path:
    """The file of queries, or the BEIR folder that holds them beside its corpus.

    Raises:
        ConfigError: Neither is named.
    """
    if settings.queries is not None:
        return settings.queries
    if len(settings.corpus) == 1 and (settings.format == "beir" or is_beir(settings.corpus[0])):
        return settings.corpus[0]
    raise ConfigError(f"queries: expected a query file, got nothing. {REMEDY}")


def read_query_set(settings: Settings, documents: Corpus | Mapping[str, Document] | None) -> QuerySet:
    """All queries.

    Args:
        settings: Where they are and how they are read.
        documents: Where spans are checked and located; None: spans are not checked.

    Raises:
        ConfigError: No queries are named.
        InputError: With all problems of the file.
    """
    path = query_path(settings)
    return read_queries(
        path,
        documents,
        qrels=settings.qrels,
        format=settings.query_format,
        encoding=settings.encoding,
        fields=settings.query_fields.model_dump(exclude_none=True),
        delimiter=settings.delimiter,
        split=settings.split or "test",
        on_undecodable=settings.on_undecodable,
    )
