"""The same analysis over a team's own TREC run files, one per scale: no model, no corpus, no index."""

from collections.abc import Iterator, Sequence

from chunkgap.analysis import analyse
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.runs import Labels, Run
from chunkgap.config import Settings
from chunkgap.datasets.corpus import digest as corpus_digest
from chunkgap.datasets.queries import QuerySet, digest
from chunkgap.datasets.trec import read_qrels
from chunkgap.datasets.validation import validate
from chunkgap.errors import ConfigError, InputError
from chunkgap.facts import query_facts
from chunkgap.formatting import counted
from chunkgap.inputs import read_query_set
from chunkgap.measurement import Measurement
from chunkgap.measures.specification import DOCUMENT_MEASURES
from chunkgap.prices import count_ties
from chunkgap.progress import NO_PROGRESS, Advance, Progress
from chunkgap.ranking import Cutoff
from chunkgap.records import Document, Query
from chunkgap.results import CorpusFacts, Notice, PhaseFacts, ScaleFacts
from chunkgap.run_files import RunFile, rank_run, read_run_file
from chunkgap.run_matching import match_notices, refuse_strangers


def score(settings: Settings, *, progress: Progress = NO_PROGRESS) -> Measurement:
    """Analyse run files as `measure` analyses its own rankings.

    Results come in the one order, score descending and then `doc_id` ascending; the rank column is not used.
    A judged query without results scores 0. The corpus is not known: its documents are those that runs and
    judgements name. Nor is its storage, which decides nothing.

    Args:
        settings: `runs` and `qrels`, endpoints, fusion, statistics, decision; `queries` for texts and tags.
        progress: Told of every file read.

    Raises:
        ConfigError: A file is not named, or a measure or cutoff needs the text, which runs do not hold.
        InputError: A file cannot be used, with every problem of all files; or runs and judgements have no query,
            or no document, in common.
    """
    _refuse_what_needs_text(settings)
    with progress.step("reading run files", len(settings.runs) + 1) as advance:
        queries = _read_queries(settings)
        advance(1)
        files = _read_runs(settings, advance)
    doc_ids = _document_ids(files, queries)
    labelled = validate(dict.fromkeys(doc_ids, True), queries, exclude_same_id=settings.exclude_same_id)
    refuse_strangers(files, labelled.evaluated, settings)
    warnings = (Notice("input", warning) for warning in (*queries.warnings, *labelled.warnings))
    notices = (*warnings, *match_notices(files, queries, labelled))
    if settings.strict and notices:
        raise InputError(*(notice.message for notice in notices))
    retrieval = _retrieval(files, labelled.evaluated, doc_ids, settings)
    with progress.step("analysing", None):
        analysis = analyse(
            settings,
            retrieval,
            command="score",
            corpus=_corpus_facts(files, doc_ids),
            queries=query_facts(queries, labelled),
            model=None,
            notices=(*notices, *_conditions(files, settings)),
        )
    return Measurement(analysis, retrieval)


def _refuse_what_needs_text(settings: Settings) -> None:
    """Report everything that the configuration lacks or asks for in vain, at once."""
    problems = list(_vain(settings))
    if not settings.qrels:
        problems.insert(0, "qrels: expected a file of judgements, got nothing. Name it.")
    if not settings.runs:
        problems.insert(
            0, "runs: expected run files by scale, got none. Write runs: {64: a.run, 256: b.run}."
        )
    if problems:
        raise ConfigError(*problems)


def _vain(settings: Settings) -> Iterator[str]:
    """Measures and cutoffs that rankings alone do not give."""
    text = {name: None for name, _ in settings.endpoints() if name not in DOCUMENT_MEASURES}
    for name in text:
        known = ", ".join(DOCUMENT_MEASURES)
        yield f"measures: expected measures of documents, got {name}, which needs text. Choose among {known}."
    for cutoff in dict.fromkeys(cutoff for _, cutoff in settings.endpoints()):
        unit = Cutoff.parse(cutoff).unit
        if unit == "tokens":
            yield f"cutoffs: expected documents or chunks, got {cutoff}; runs hold no tokens. Choose 5, say."
        if unit == "chunks" and settings.run_ids == "document":
            remedy = "Set run_ids: chunk, or choose 5, say"
            yield f"cutoffs: expected documents, got {cutoff} with run_ids: document. {remedy}."


def _read_queries(settings: Settings) -> QuerySet:
    """The judged queries, with texts and tags where a query file is named."""
    if settings.qrels is None:
        raise ValueError("a configuration without qrels was let through")
    if settings.queries is not None:
        return read_query_set(settings, None)
    judged = read_qrels(settings.qrels, encoding=settings.encoding)
    queries = tuple(Query(query_id, "", grades) for query_id, grades in judged.judgements.items())
    return QuerySet(queries, judged.source, digest(queries), judged.warnings)


def _read_runs(settings: Settings, advance: Advance) -> list[RunFile]:
    """Every run, or the problems of all of them."""
    files, problems = list[RunFile](), list[str]()
    separator = settings.run_separator if settings.run_ids == "chunk" else None
    for scale, path in settings.runs.items():
        try:
            files.append(read_run_file(scale, path, encoding=settings.encoding, separator=separator))
        except InputError as error:
            problems += error.problems
        advance(1)
    if problems:
        raise InputError(*problems)
    return files


def _document_ids(files: Sequence[RunFile], queries: QuerySet) -> list[str]:
    """All that is known of the corpus, ascending."""
    judged = (doc_id for query in queries.queries for doc_id in query.relevant)
    unasked = (doc_id for grades in queries.unasked.values() for doc_id in grades)
    return sorted({*judged, *unasked, *(doc_id for file in files for doc_id in file.doc_ids)})


def _retrieval(
    files: Sequence[RunFile], evaluated: Sequence[Query], doc_ids: Sequence[str], settings: Settings
) -> Retrieval:
    """The runs, each the only phase of its scale."""
    rows = {doc_id: row for row, doc_id in enumerate(doc_ids)}
    query_ids = [query.query_id for query in evaluated]
    own = settings.exclude_same_id
    runs = [Run(file.scale, rank_run(file, query_ids, rows, exclude_same_id=own)) for file in files]
    cutoff = Cutoff.parse(settings.primary_endpoint()[1])
    return Retrieval(
        scales=tuple(
            _scale(file.scale, len(file.names), count_ties(run, cutoff))
            for file, run in zip(files, runs, strict=True)
        ),
        runs=tuple((run,) for run in runs),
        labels=Labels.of(evaluated, doc_ids),
        doc_ids=doc_ids,
        whole=False,
    )


def _scale(name: str, seen: int, tied: int) -> ScaleFacts:
    """What is known of a scale: its name, and how many distinct ids its run lists."""
    phase = PhaseFacts(
        phase=0,
        chunks=seen,
        vectors=seen,
        mean_tokens=0.0,
        blank=0,
        single=0,
        long=0.0,
        unread=0.0,
        ef=None,
        found=1.0,
        flipped=0,
        tied=tied,
    )
    size = int(name) if name.isascii() and name.isdigit() else None
    return ScaleFacts(name, size, None, vector_bytes=0, index_bytes=None, truncated=False, phases=(phase,))


def _corpus_facts(files: Sequence[RunFile], doc_ids: Sequence[str]) -> CorpusFacts:
    """The corpus as far as it is known: by its ids, without a text."""
    known = corpus_digest(Document(doc_id, "") for doc_id in doc_ids)
    return CorpusFacts(counted(len(files), "run file"), known, len(doc_ids))


def _conditions(files: Sequence[RunFile], settings: Settings) -> Iterator[Notice]:
    """What a reader has to know of how the numbers came about."""
    if settings.exclude_same_id:
        left_out = sum(int(file.own.sum()) for file in files)
        number = counted(left_out, "result was", "results were")
        told = f"exclude_same_id: {number} left out, for the document has the id of its query"
        yield Notice("same-id", told)
    yield Notice(
        "unknown-price",
        "run files do not tell how many vectors an index has: storage is not known, and decides nothing",
    )
