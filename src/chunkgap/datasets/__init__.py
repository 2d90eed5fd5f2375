"""Corpora, queries, judgements and runs, read strictly and checked against one another."""

from chunkgap.datasets.corpus import Corpus, CorpusOptions, iter_documents, read_corpus
from chunkgap.datasets.findings import Findings
from chunkgap.datasets.queries import QuerySet, read_queries
from chunkgap.datasets.trec import Qrels, RunLine, read_qrels, read_run
from chunkgap.datasets.validation import LabelledQueries, validate

__all__ = [
    "Corpus",
    "CorpusOptions",
    "Findings",
    "LabelledQueries",
    "Qrels",
    "QuerySet",
    "RunLine",
    "iter_documents",
    "read_corpus",
    "read_qrels",
    "read_queries",
    "read_run",
    "validate",
]
