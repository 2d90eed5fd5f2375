"""When numbers mean little: the warnings that stand in every report, and those that forbid a verdict."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter

import numpy as np

from chunkgap.analysis.copied_queries import count_copied
from chunkgap.analysis.endpoints import Endpoint
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.chunking import ChunkTable
from chunkgap.formatting import counted, number, percent
from chunkgap.index.hnsw import SHARE_WANTED
from chunkgap.measures.specification import EVIDENCE_MEASURES
from chunkgap.oracle import TIE_DECIMALS, best_fixed, best_fixed_mean, chance_level
from chunkgap.ranking import Cutoff
from chunkgap.results import Notice, PhaseFacts, ScaleFacts
from chunkgap.statistics.clusters import FEW_CLUSTERS

CEILING = 0.97
FEW_QUERIES = 100
SAME_CHUNKS = 0.9
MUCH_OVERLAP = 0.4
COPIED_QUERIES = 0.1


def find_notices(
    endpoint: Endpoint,
    retrieval: Retrieval,
    *,
    cutoffs: Sequence[str] = (),
    measures: Sequence[str] = (),
    long_chunks: str | None = None,
) -> tuple[Notice, ...]:
    """Every warning that the primary endpoint and the scales give rise to.

    Args:
        endpoint: The primary one.
        retrieval: What was retrieved.
        cutoffs: All that are reported, the primary one among them or not.
        measures: All that are reported.
        long_chunks: The policy for chunks past the model's window; None for `score`.
    """
    return (
        *_same_chunks(retrieval),
        *_similar_phases(retrieval),
        *_window(retrieval, long_chunks),
        *_approximate_search(retrieval),
        *_whole_corpus(endpoint, retrieval, cutoffs),
        *_tied_best(endpoint, retrieval),
        *_levels(endpoint, retrieval),
        *_too_few(endpoint, retrieval),
        *_more_relevant_than_cutoff(endpoint, retrieval),
        *_copies(retrieval),
        *_ties(retrieval),
        *_measures(endpoint, retrieval, measures),
    )


def blocking_first(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """The warnings that forbid a verdict before all others, else in the order given: so every report lists them."""
    return tuple(sorted(notices, key=lambda notice: not notice.blocking))


def _same_chunks(retrieval: Retrieval) -> Iterator[Notice]:
    """Scales of neighbouring sizes that cut the same text: all that cut it wholly alike, and pairs that nearly do."""
    runs = [retrieval.first[row] for row in retrieval.by_size]
    cut = [(run.scale, _ranges(run.text.table)) for run in runs if run.text and len(run.text.table)]
    for _, group in groupby(cut, key=itemgetter(1)):
        names = [name for name, _ in group]
        if len(names) > 1:
            told = f"sizes {', '.join(names[:-1])} and {names[-1]} make the same chunks"
            yield Notice("same-chunks", f"{told}: comparing them says nothing", True)
    for (left, one), (right, other) in pairwise(cut):
        share = len(one & other) / max(len(one), len(other))
        if SAME_CHUNKS <= share < 1:
            told = f"{percent(share)} of the chunks of sizes {left} and {right} are the same text"
            yield Notice("same-chunks", told)


def _similar_phases(retrieval: Retrieval) -> Iterator[Notice]:
    """Scales whose overlap leaves little room to shift windows in: their phases are nearly copies."""
    shared = {
        scale.name: 1 - (1 - overlap) / len(scale.phases)
        for scale in retrieval.scales
        if len(scale.phases) > 1 and (overlap := (scale.overlap or 0) / (scale.size or 1)) >= MUCH_OVERLAP
    }
    if shared:
        named = ", ".join(f"{percent(share)} at {name}" for name, share in shared.items())
        told = f"with so much overlap, neighbouring phases share most of each window ({named})"
        yield Notice(
            "similar-phases",
            f"{told}: they show less luck than two sizes do, and the size excess is too large",
        )


def _ranges(table: ChunkTable) -> set[tuple[int, int, int]]:
    return set(zip(table.document.tolist(), table.start.tolist(), table.end.tolist(), strict=True))


def _window(retrieval: Retrieval, long_chunks: str | None) -> Iterator[Notice]:
    for scale in retrieval.scales:
        phase = scale.phases[0]
        if not phase.long:
            continue
        affected = (
            f"size {scale.name}: {percent(phase.long)} of the chunks are longer than the model's window"
        )
        if scale.truncated:
            unread = f"{affected} and {percent(phase.unread)} of all word pieces were never read"
            yield Notice(
                "truncated", f"{unread}; this measures truncation, not size, so there is no verdict", True
            )
        elif long_chunks == "average":
            yield Notice("averaged", f"{affected}; each was read in slices whose vectors were averaged")


def _approximate_search(retrieval: Retrieval) -> Iterator[Notice]:
    for scale, phase in _placements(retrieval):
        place = f"size {scale.name}, phase {phase.phase}"
        if phase.found < SHARE_WANTED:
            advice = "Raise retrieval.ef or set `index: exact`."
            share = f"HNSW found {percent(phase.found, decimals=2)} of the exact results at ef {phase.ef}"
            yield Notice(
                "approximate-search", f"{place}: {share}. {advice}", phase.phase == 0 and phase.flipped > 0
            )
        elif phase.flipped and phase.phase == 0:
            yield Notice(
                "approximate-search", f"{place}: {_queries(phase.flipped)} scored other than by exact search"
            )


def _placements(retrieval: Retrieval) -> Iterator[tuple[ScaleFacts, PhaseFacts]]:
    return ((scale, phase) for scale in retrieval.scales for phase in scale.phases if phase.ef is not None)


def _whole_corpus(endpoint: Endpoint, retrieval: Retrieval, cutoffs: Sequence[str]) -> Iterator[Notice]:
    """The primary cutoff, if nothing can be missed at it; else the smallest others of which that is true."""
    if not retrieval.whole:
        return  # run files name a part of their corpus, of unknown size
    primary = Cutoff.parse(endpoint.cutoff)
    if message := _takes_all(primary, retrieval):
        yield Notice("whole-corpus", message, True)
        return
    others = sorted(map(Cutoff.parse, cutoffs), key=lambda cutoff: cutoff.amount)
    for unit in ("documents", "chunks", "tokens"):
        found = (_takes_all(cutoff, retrieval) for cutoff in others if cutoff.unit == unit)
        if message := next(filter(None, found), ""):
            yield Notice("whole-corpus", message)


def _takes_all(cutoff: Cutoff, retrieval: Retrieval) -> str:
    """What a cutoff that leaves nothing out takes in; empty for any other."""
    documents, tokens = retrieval.documents_with_chunks, sum(retrieval.document_tokens)
    if cutoff.unit == "documents" and cutoff.amount >= documents:
        every = "the one document" if documents == 1 else f"all {documents} documents"
        with_text = "" if documents == len(retrieval.doc_ids) else " with text"
        return f"the cutoff of {cutoff.amount} covers {every} of the corpus{with_text}: nothing can be missed"
    if cutoff.unit == "tokens" and tokens and cutoff.amount >= tokens:
        return f"{counted(cutoff.amount, 'token')} hold the whole corpus of {tokens:,}: nothing can be missed"
    covered = [scale.name for scale in retrieval.scales if scale.phases[0].chunks <= cutoff.amount]
    if cutoff.unit == "chunks" and covered:
        return f"{counted(cutoff.amount, 'chunk')} are the whole corpus at size {', '.join(covered)}"
    return ""


def _tied_best(endpoint: Endpoint, retrieval: Retrieval) -> Iterator[Notice]:
    """Scales of one same best mean, among which the tie rule and not the measure names the best fixed one."""
    scores = endpoint.scores[:, 0]
    means = np.round(scores.mean(axis=1), TIE_DECIMALS)
    tied = [name for name, mean in zip(retrieval.names, means, strict=True) if mean == means.max()]
    if len(tied) > 1:
        chosen = retrieval.names[best_fixed(scores, retrieval.vectors)]
        told = f"{', '.join(tied)} have the same mean {endpoint.measure}@{endpoint.cutoff}"
        yield Notice(
            "tied-scales", f"{told}: {chosen} stands as best fixed, for fewer vectors or its earlier place"
        )


def _levels(endpoint: Endpoint, retrieval: Retrieval) -> Iterator[Notice]:
    if endpoint.measure != "recall":
        return
    first, resampling = endpoint.scores[:, 0], endpoint.resampling
    best = float(first.mean(axis=1).max())
    if best > CEILING:
        yield Notice(
            "ceiling", f"recall is at its ceiling ({number(best)}): little is left that any size could win"
        )
    cutoff = Cutoff.parse(endpoint.cutoff)
    if cutoff.unit != "documents" or not retrieval.whole:
        return
    chance = chance_level(retrieval.documents_with_chunks, cutoff.amount)
    surely = resampling.interval(best_fixed_mean(first, resampling), floor=0.0).low
    if chance < 1 and not surely > chance:
        told = f"recall ({number(best)}) is not clearly above that of a random ranking ({number(chance)})"
        yield Notice("chance", f"{told}: look at the labels and the model before the sizes", True)


def _too_few(endpoint: Endpoint, retrieval: Retrieval) -> Iterator[Notice]:
    queries, clusters = int(endpoint.defined.sum()), endpoint.resampling.count
    if queries < FEW_QUERIES:
        yield Notice("few-queries", f"{_queries(queries)}: fewer than {FEW_QUERIES} seldom decide anything")
    if clusters < FEW_CLUSTERS:
        found = f"the queries fall into {counted(clusters, 'cluster')}"
        message = (
            f"{found}: with fewer than {FEW_CLUSTERS}, intervals are rough; do not rest a decision on them"
        )
        yield Notice("few-clusters", message)
    undefined = len(retrieval.labels.queries) - queries
    if undefined:
        yield Notice(
            "undefined", f"{endpoint.measure} is not defined for {_queries(undefined)}, left out of it"
        )


def _more_relevant_than_cutoff(endpoint: Endpoint, retrieval: Retrieval) -> Iterator[Notice]:
    cutoff, relevant = Cutoff.parse(endpoint.cutoff), retrieval.labels.judgements.relevant
    if endpoint.measure != "recall" or cutoff.unit == "tokens":
        return
    beyond = int((relevant > cutoff.amount).sum())
    if beyond:
        reachable = float(np.minimum(1, cutoff.amount / relevant).mean())
        have = f"{_queries(beyond)} {'has' if beyond == 1 else 'have'}"
        allowed = counted(cutoff.amount, "relevant document")
        bound = f"recall@{endpoint.cutoff} cannot pass {number(reachable)}"
        yield Notice("more-relevant", f"{have} more than {allowed}: {bound}")


def _copies(retrieval: Retrieval) -> Iterator[Notice]:
    texts = retrieval.labels.texts
    if not texts:
        return
    copied = count_copied(retrieval.labels.queries, retrieval.doc_ids, texts)
    share = copied / len(retrieval.labels.queries)
    if share >= COPIED_QUERIES:
        found = f"{_queries(copied)} ({percent(share)}) nearly {'repeats' if copied == 1 else 'repeat'}"
        message = f"{found} the wording of the evidence: real ones seldom do"
        yield Notice("copied-queries", message)


def _queries(count: int) -> str:
    return counted(count, "query", "queries")


def _ties(retrieval: Retrieval) -> Iterator[Notice]:
    tied = {scale.name: scale.phases[0].tied for scale in retrieval.scales if scale.phases[0].tied}
    if tied:
        counts = ", ".join(f"{count} at {name}" for name, count in tied.items())
        message = (
            f"queries with equal scores on both sides of the cutoff: {counts}; ties go to the lower doc_id"
        )
        yield Notice("ties", message)


def _measures(endpoint: Endpoint, retrieval: Retrieval, measures: Sequence[str]) -> Iterator[Notice]:
    """What a measure favours or leaves out, and how fusion fills a budget."""
    if "answer_recall" in measures:
        yield Notice(
            "answer-recall",
            "answer_recall favours large chunks: they hold more text and cut fewer answers in two",
        )
    with_spans = sum(bool(query.spans) for query in retrieval.labels.queries)
    if with_spans and retrieval.whole and measures and not set(measures) & {*EVIDENCE_MEASURES}:
        told = f"{_queries(with_spans)} with evidence spans, which recall of documents does not look at"
        yield Notice(
            "evidence-unused", f"{told}: add evidence_recall to `measures`, at cutoffs such as 5c and 2000t"
        )
    if endpoint.packed is not None:
        told = "fusion fills a token budget document by document, a single size chunk by chunk"
        yield Notice("packed", f"{told}; the verdict holds fusion against sizes filled as fusion is")
