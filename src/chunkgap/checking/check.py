"""The story of a check: survey the corpus, validate the labels, tokenise, cut, count, forecast."""

from collections.abc import Sequence
from dataclasses import dataclass

from chunkgap.checking.corpus import describe_corpus, document_tokens, suggest_for
from chunkgap.checking.detection import detection
from chunkgap.checking.facts import Check, CheckedQueries
from chunkgap.checking.forecasts import SizeForecast, Windows, forecast, index_bytes, vector_bytes
from chunkgap.checking.labels import read_all
from chunkgap.checking.pieces import calibrate, count_pieces
from chunkgap.checking.survey import SAMPLE_CHARACTERS, Survey
from chunkgap.chunking import ChunkTable
from chunkgap.config import Settings
from chunkgap.datasets.queries import QuerySet
from chunkgap.datasets.validation import LabelledQueries, validate
from chunkgap.embedding import Embedder, SentenceTransformerEmbedder
from chunkgap.errors import InputError
from chunkgap.placing import Cutter, open_model
from chunkgap.progress import NO_PROGRESS, Progress


def check(
    settings: Settings,
    *,
    model: Embedder | None = None,
    calibration: bool = True,
    sample_characters: int = SAMPLE_CHARACTERS,
    progress: Progress = NO_PROGRESS,
) -> Check:
    """Validate everything, and say what a measurement would be made of.

    Args:
        settings: What would be measured. Where they name no `sizes`, the suggested ones are forecast.
        model: An embedder of one's own; None opens the one that `settings` name.
        calibration: Whether the model is loaded and embeds a few chunks, for a forecast of seconds.
        sample_characters: Of a larger corpus a sample of so many code points is tokenised.
        progress: Told of every step.

    Raises:
        InputError: With all problems of corpus and queries; under `strict`, warnings are problems too.
        ModelError: The model or the tokenizer cannot be had.
    """
    survey, queries = read_all(settings, sample_characters=sample_characters, progress=progress)
    labelled = validate(survey.has_text, queries, exclude_same_id=settings.exclude_same_id)
    warnings = (*survey.warnings, *queries.warnings, *labelled.warnings)
    if settings.strict and warnings:
        raise InputError(*warnings)
    model = model or open_model(settings)
    if isinstance(model, SentenceTransformerEmbedder):
        warnings += model.warnings
    cutter = Cutter.of(survey.sample, settings, model, progress)
    tokens = document_tokens(survey, cutter)
    corpus = describe_corpus(settings, survey, cutter)
    suggestion = suggest_for(corpus, settings)
    are_given = "sizes" in settings.model_fields_set
    chosen = settings if are_given else settings.model_copy(update={"sizes": suggestion.sizes})
    cuts = [Cut(Windows(scale, tokens), cutter.cut(scale, 1)[0].table) for scale in chosen.scales()]
    speeds = _calibrate(cuts, survey, model, settings, progress) if calibration else None
    return Check(
        corpus=corpus,
        queries=_query_facts(settings, queries, labelled),
        model=model.name,
        window=model.window,
        suggestion=suggestion,
        are_sizes_given=are_given,
        phases=settings.phases,
        sizes=tuple(
            _forecast_size(cut, survey, model, settings, speed)
            for cut, speed in zip(cuts, speeds or [None] * len(cuts), strict=True)
        ),
        forecast=forecast(
            [cut.windows for cut in cuts],
            settings,
            characters=corpus.characters,
            dimension=model.dimension,
            seconds_per_token=speeds,
        ),
        max_storage=settings.decision.max_storage,
        warnings=warnings,
    )


@dataclass(frozen=True, eq=False)
class Cut:
    """One size: the windows of the whole corpus, and the chunks of what was tokenised."""

    windows: Windows
    table: ChunkTable


def _query_facts(settings: Settings, queries: QuerySet, labelled: LabelledQueries) -> CheckedQueries:
    return CheckedQueries(
        source=queries.source,
        given=len(queries.queries),
        evaluated=len(labelled.evaluated),
        with_spans=sum(bool(query.spans) for query in labelled.evaluated),
        excluded=labelled.excluded,
        detection=detection(labelled, min_gain=settings.decision.min_gain),
    )


def _calibrate(
    cuts: Sequence[Cut], survey: Survey, model: Embedder, settings: Settings, progress: Progress
) -> tuple[float, ...]:
    with progress.step("calibrating", None):
        return calibrate([cut.table for cut in cuts], survey.sample, model, settings.embedding)


def _forecast_size(
    cut: Cut, survey: Survey, model: Embedder, settings: Settings, speed: float | None
) -> SizeForecast:
    """One size: its chunks where the whole corpus was cut, else its windows."""
    windows, pieces = cut.windows, count_pieces(cut.table, survey.sample, model)
    chunks = len(cut.table) if survey.is_complete else int(windows.chunks.sum())
    single = cut.table.single if survey.is_complete else int(windows.single.sum())
    read = int(windows.read.sum())
    has_index = settings.retrieval.index == "hnsw"
    return SizeForecast(
        name=windows.scale.name,
        size=windows.scale.size,
        overlap=windows.scale.overlap,
        chunks=chunks,
        single=min(
            1.0, single / sum(survey.has_text.values())
        ),  # blank documents are not told apart in a sample
        mean_tokens=read / chunks,
        long=pieces.long,
        longest=pieces.longest,
        counted=pieces.counted,
        vector_bytes=vector_bytes(chunks, model.dimension, settings.embedding.precision),
        index_bytes=index_bytes(chunks, model.dimension, settings.retrieval.m) if has_index else None,
        seconds=None if speed is None else read * speed,
    )
