"""Reads corpus and queries without holding the corpus: texts that spans lie in are fetched again."""

from collections.abc import Sequence

from chunkgap.checking.reading import HeldDocuments, stream_documents
from chunkgap.checking.survey import SAMPLE_CHARACTERS, Survey, survey_corpus
from chunkgap.config import Settings
from chunkgap.datasets.findings import Findings
from chunkgap.datasets.queries import QuerySet
from chunkgap.errors import InputError
from chunkgap.inputs import read_query_set, require_named
from chunkgap.progress import NO_PROGRESS, Progress
from chunkgap.records import Document


def read_all(
    settings: Settings, *, sample_characters: int = SAMPLE_CHARACTERS, progress: Progress = NO_PROGRESS
) -> tuple[Survey, QuerySet]:
    """The corpus, surveyed, and the queries.

    Args:
        settings: Where they are and how they are read.
        sample_characters: As in `survey_corpus`.
        progress: Told of every document.

    Raises:
        ConfigError: No corpus, or no queries, are named.
        InputError: With the problems of both.
    """
    require_named(settings)
    try:
        survey = survey_corpus(settings, sample_characters=sample_characters, progress=progress)
    except InputError as error:
        raise InputError(*error.problems, *_problems_of_queries(settings)) from error
    return survey, read_labels(settings, survey)


def read_labels(settings: Settings, survey: Survey) -> QuerySet:
    """All queries, their spans checked and located.

    Where the survey did not keep the whole corpus, and spans ask for texts, the corpus is read a second time
    for them.

    Raises:
        ConfigError: No queries are named.
        InputError: With all problems of the query file.
    """
    at_hand = {document.doc_id: document for document in survey.sample} if survey.is_complete else {}
    held = HeldDocuments(survey.has_text, at_hand)
    try:
        queries = read_query_set(settings, held)
    except InputError:
        if survey.is_complete or not held.asked:
            raise
    else:
        if survey.is_complete or not held.asked:
            return queries
    return read_query_set(settings, HeldDocuments(survey.has_text, _fetch(settings, held.asked)))


def _problems_of_queries(settings: Settings) -> Sequence[str]:
    """What is wrong with the query file by itself."""
    try:
        read_query_set(settings, None)
    except InputError as error:
        return error.problems
    return ()


def _fetch(settings: Settings, doc_ids: set[str]) -> dict[str, Document]:
    documents = stream_documents(settings, Findings())
    return {document.doc_id: document for document in documents if document.doc_id in doc_ids}
