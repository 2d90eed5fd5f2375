"""Reading and checking what a measurement starts from, before anything costly happens."""

from dataclasses import dataclass

from chunkgap.config import Settings
from chunkgap.datasets.corpus import Corpus, read_corpus
from chunkgap.datasets.queries import QuerySet, read_queries
from chunkgap.datasets.validation import LabelledQueries, validate
from chunkgap.errors import ConfigError, InputError
from chunkgap.progress import NO_PROGRESS, Progress


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
    if not settings.corpus:
        raise ConfigError("corpus: expected a folder or a file, got nothing. Name it on the command line or in the file.")
    with progress.step("reading", 2) as advance:
        corpus = _read_corpus(settings)
        advance(1)
        queries = _read_queries(settings, corpus)
        labelled = validate(corpus, queries)
        advance(1)
    inputs = Inputs(corpus, queries, labelled)
    if settings.strict and inputs.warnings:
        raise InputError(*inputs.warnings)
    return inputs


def _read_corpus(settings: Settings) -> Corpus:
    return read_corpus(
        settings.corpus,
        format=settings.format,
        encoding=settings.encoding,
        title=settings.title,
        fields=settings.fields.model_dump(exclude_none=True),
        delimiter=settings.delimiter,
        on_undecodable=settings.on_undecodable,
    )


def _read_queries(settings: Settings, corpus: Corpus) -> QuerySet:
    path = settings.queries
    if path is None and len(settings.corpus) == 1 and settings.corpus[0].is_dir():
        path = settings.corpus[0]  # a BEIR folder holds its queries
    if path is None:
        raise ConfigError("queries: expected a file, got nothing. Name it on the command line or in the file.")
    return read_queries(
        path,
        corpus,
        qrels=settings.qrels,
        format=settings.query_format,
        encoding=settings.encoding,
        fields=settings.query_fields.model_dump(exclude_none=True),
        delimiter=settings.delimiter if path.suffix in {".csv", ".tsv"} else None,
        split=settings.split or "test",
        on_undecodable=settings.on_undecodable,
    )
