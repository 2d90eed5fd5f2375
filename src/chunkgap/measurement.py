"""The main job: read, chunk, embed, index, search, analyse."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from threading import Event

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis import Analysis, analyse
from chunkgap.analysis.integrity import check_runs
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.runs import Labels, Run
from chunkgap.analysis.scores import score_run
from chunkgap.clock import Clock
from chunkgap.config import Settings
from chunkgap.embedding import Embedder, SentenceTransformerEmbedder, VectorCache
from chunkgap.facts import (
    corpus_facts,
    long_query_notices,
    model_facts,
    own_documents,
    query_facts,
    step_notices,
    zero_vector_notices,
)
from chunkgap.inputs import Inputs, read_inputs
from chunkgap.oracle import best_fixed
from chunkgap.placing import (
    Cutter,
    Embedded,
    cache_folder,
    embed_chunks,
    embed_queries,
    open_cache,
    open_model,
)
from chunkgap.prices import latencies, phase_facts, scale_facts
from chunkgap.progress import NO_PROGRESS, Advance, Progress
from chunkgap.ranking import Cutoff
from chunkgap.records import Document
from chunkgap.results import (
    Results,
    ScaleFacts,
    ScaleTimings,
    Timings,
)
from chunkgap.searching import Placement, Searched, lists_wanted, search_deeper, search_placement

Vectors = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Measurement:
    """What a measurement gives: the results, and the runs behind them for the artifacts.

    Attributes:
        analysis: Results and the main fusion.
        retrieval: All runs.
        documents: The corpus, sorted by `doc_id`; empty for `score`.
        model_files: SHA-256 of the model's files, by relative path.
    """

    analysis: Analysis
    retrieval: Retrieval
    documents: Sequence[Document] = ()
    model_files: Mapping[str, str] = field(default_factory=dict)

    @property
    def results(self) -> Results:
        """What reports show."""
        return self.analysis.results


def measure(
    settings: Settings, *, model: Embedder | None = None, progress: Progress = NO_PROGRESS
) -> Measurement:
    """Measure recall at every size, the oracle gap, and what fusion wins back.

    Args:
        settings: What to measure.
        model: An embedder of one's own; None opens the one that `settings` name.
        progress: Told of every step.

    Raises:
        InputError: The configuration or a file cannot be used; before any model is loaded.
        ModelError: The model or the tokenizer cannot be had.
    """
    clock = Clock()
    with clock.step("reading"):
        inputs = read_inputs(settings, progress=progress)
        model = model or open_model(settings)
    with clock.step("chunking"), ThreadPoolExecutor(1) as aside:
        identity = aside.submit(lambda: model.identity)  # hashing the weights leaves a processor free
        cutter = Cutter.of(inputs.corpus.documents, settings, model, progress, digest=inputs.corpus.digest)
        texts = [text for scale in settings.scales() for text in cutter.cut(scale, settings.phases)]
        identity.result()
    with open_cache(settings) as cache:
        with clock.step("embedding"):
            asked = embed_queries(
                [query.text for query in inputs.labelled.evaluated], model, cache, settings, progress
            )
            queries = asked.each
            embedded = embed_chunks(texts, cutter.documents, model, cache, settings, progress)
        with clock.step("searching"):
            search = _Search(queries, own_documents(inputs, settings), settings, progress)
            searched = search.all(embedded.placements)
            labels = _labels(inputs)
            fixed = _best_fixed(searched, labels, settings)
            deeper = search.deeper(_first(searched, settings)[fixed])
            more = _matched(cutter, fixed, model, cache, search)
            runs = _by_scale([found.run for found in searched], settings.phases)
            names, digest = [scale.name for scale in settings.scales()], inputs.corpus.digest
            check_runs(runs, names, documents=len(cutter.documents), corpus=digest)
        torn = dict.fromkeys(
            line for found in (*searched, *more) for line in found.warnings
        )  # phases share indexes
        warnings = (*cache.warnings, *torn)
    with clock.step("timing"):
        timings = _timings(clock, _first(searched, settings), embedded, queries, settings)
    with clock.step("analysing"), progress.step("analysing", None):
        retrieval = Retrieval(
            scales=_scales(searched, embedded, labels, model, settings),
            runs=runs,
            labels=labels,
            doc_ids=[document.doc_id for document in cutter.documents],
            query_vectors=queries,
            document_tokens=cutter.tokens,
            deeper=deeper,
            matched=tuple(found.run for found in more),
        )
        analysis = analyse(
            settings,
            retrieval,
            command="measure",
            corpus=corpus_facts(inputs, cutter),
            queries=query_facts(inputs.queries, inputs.labelled),
            model=model_facts(model, settings),
            notices=(
                *step_notices(inputs, model, warnings, settings),
                *long_query_notices(asked, settings),
                *zero_vector_notices(inputs, cutter, embedded, queries, settings),
            ),
        )
    timed = replace(analysis.results, timings=replace(timings, total=clock.total, steps=clock.steps))
    files = model.files.digests if isinstance(model, SentenceTransformerEmbedder) else {}
    return Measurement(replace(analysis, results=timed), retrieval, cutter.documents, files)


@dataclass(frozen=True, eq=False)
class _Search:
    """Searches of the same queries.

    Attributes:
        queries: `(Q, d)`.
        own: `(Q,)` documents that queries are themselves and must not find; None: there is no such rule.
    """

    queries: Vectors
    own: NDArray[np.intp] | None
    settings: Settings
    progress: Progress

    def all(self, placements: Sequence[Placement]) -> list[Searched]:
        """Search every placement, several side by side; an interrupt ends the building of indexes between two steps."""
        stopped = Event()
        with (
            self.progress.step(
                "indexing and searching", sum(len(each.table) for each in placements)
            ) as advance,
            ThreadPoolExecutor(self.settings.worker_count()) as pool,
        ):
            searches = [pool.submit(self._one, placement, advance, stopped) for placement in placements]
            try:
                for search in as_completed(searches):
                    search.result()  # the first failure, whichever it is
            except BaseException:
                stopped.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            return [search.result() for search in searches]

    def _one(self, placement: Placement, advance: Advance, stopped: Event) -> Searched:
        """Search one placement, advancing by its chunks; only the indexes of phase 0 are searched again."""
        settings, folder, left = self.settings, cache_folder(self.settings), len(placement.table)

        def indexed(vectors: int) -> None:
            nonlocal left
            if stopped.is_set():
                raise InterruptedError("the measurement has ended")
            advance(vectors)
            left -= vectors

        found = search_placement(
            placement,
            self.queries,
            settings.retrieval,
            lists_wanted(settings),
            seed=settings.statistics.seed,
            cache=folder / "indexes" if folder else None,
            own=self.own,
            advance=indexed,
        )
        advance(left)
        return found if placement.table.phase == 0 else found.without_index()

    def deeper(self, searched: Searched) -> Run:
        """As many chunks of one placement as fusion reads in all scales together."""
        wanted, sizes = lists_wanted(self.settings), len(self.settings.sizes)
        deeper = replace(wanted, depth=self.settings.fetch_depth() * sizes, budgets=())
        return search_deeper(searched, self.queries, deeper, own=self.own)


def _first(searched: Sequence[Searched], settings: Settings) -> Sequence[Searched]:
    """Phase 0 of each scale."""
    return searched[:: settings.phases]


def _by_scale(runs: Sequence[Run], phases: int) -> tuple[tuple[Run, ...], ...]:
    return tuple(tuple(runs[start : start + phases]) for start in range(0, len(runs), phases))


def _best_fixed(searched: Sequence[Searched], labels: Labels, settings: Settings) -> int:
    """Row of the best fixed scale at the primary endpoint, over the queries that have its measure."""
    measure, cutoff = settings.primary_endpoint()
    first = _first(searched, settings)
    scores = np.stack([score_run(measure, Cutoff.parse(cutoff), found.run, labels) for found in first])
    defined = scores[:, np.isfinite(scores).all(axis=0)]
    return best_fixed(defined, [found.run.vectors for found in first]) if defined.size else 0


def _matched(
    cutter: Cutter, fixed: int, model: Embedder, cache: VectorCache, search: _Search
) -> list[Searched]:
    """As many phases of the best fixed size as there are sizes, when the configuration asks for them."""
    settings = search.settings
    if settings.placebo != "matched" or len(settings.sizes) < 2:
        return []
    texts = cutter.cut(settings.scales()[fixed], len(settings.sizes))
    embedded = embed_chunks(texts, cutter.documents, model, cache, settings, search.progress)
    return [found.without_index() for found in search.all(embedded.placements)]


def _labels(inputs: Inputs) -> Labels:
    documents = inputs.corpus.documents
    return Labels.of(
        inputs.labelled.evaluated,
        [document.doc_id for document in documents],
        [document.text for document in documents],
    )


def _scales(
    searched: Sequence[Searched], embedded: Embedded, labels: Labels, model: Embedder, settings: Settings
) -> tuple[ScaleFacts, ...]:
    """Every scale with its facts and price."""
    endpoint, phases = settings.primary_endpoint(), settings.phases
    columns = zip(searched, embedded.long(), embedded.pieces(), embedded.unread(), strict=True)
    facts = [
        phase_facts(place % phases, found, labels, endpoint, long=long, pieces=pieces, unread=unread)
        for place, (found, long, pieces, unread) in enumerate(columns)
    ]
    return tuple(
        scale_facts(
            scale,
            facts[row * phases : (row + 1) * phases],
            searched[row * phases],
            dimension=model.dimension,
            precision=settings.embedding.precision,
            truncates=settings.embedding.long_chunks == "truncate",
        )
        for row, scale in enumerate(settings.scales())
    )


def _timings(
    clock: Clock, first: Sequence[Searched], embedded: Embedded, queries: Vectors, settings: Settings
) -> Timings:
    """Seconds per scale; embedding at the speed that was measured, as the scales were embedded together."""
    speed, depth = embedded.seconds_per_piece, settings.fetch_depth()
    pieces = embedded.pieces()[:: settings.phases]
    latency = latencies(first, queries, depth)
    return Timings(
        total=clock.total,
        steps=clock.steps,
        scales=tuple(
            ScaleTimings(
                scale=found.run.scale,
                embed=None if speed is None else speed * int(count.sum()),
                build=found.build_seconds,
                latency=own,
            )
            for found, count, own in zip(first, pieces, latency.scales, strict=True)
        ),
        multi_scale=latency.in_turn,
        multi_scale_parallel=latency.in_parallel,
        texts_embedded=embedded.read.embedded,
        texts_cached=embedded.read.cached,
    )
