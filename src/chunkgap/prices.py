"""What each scale costs: vectors, bytes, text that the model did not read, misses of its index, and seconds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis.runs import Labels, Run
from chunkgap.analysis.scores import score_run
from chunkgap.index.latency import latency_in_parallel, latency_in_turn
from chunkgap.ranking import Cutoff, ties_across
from chunkgap.records import Scale
from chunkgap.results import Latency, PhaseFacts, ScaleFacts
from chunkgap.searching import Searched

_TIMED_QUERIES = 50
"""Latency is taken over the first so many queries,"""

_REPEATS = 2
"""each of them searched so often, after a few that are not timed; slow searches are not all timed."""

_BYTES = {"float32": 4, "float16": 2}


def phase_facts(
    phase: int,
    searched: Searched,
    labels: Labels,
    endpoint: tuple[str, str],
    *,
    long: NDArray[np.bool_],
    pieces: NDArray[np.int64],
    unread: NDArray[np.int64],
) -> PhaseFacts:
    """What was cut, read, indexed and found in one placement.

    Args:
        phase: Its number.
        searched: Its runs.
        labels: Of the queries.
        endpoint: Primary measure and cutoff, at which flips and ties are counted.
        long: Chunks longer than the model's window, (chunks,).
        pieces: Word pieces of each chunk, (chunks,).
        unread: Those of them that the model did not read, (chunks,).
    """
    text, agreement = searched.run.text, searched.agreement
    if text is None:
        raise ValueError("a searched placement has text")
    measure, cutoff = endpoint[0], Cutoff.parse(endpoint[1])
    return PhaseFacts(
        phase=phase,
        chunks=len(text.table),
        vectors=searched.run.vectors,
        mean_tokens=float(text.table.tokens.mean()) if len(text.table) else 0.0,
        blank=text.table.blank,
        single=text.table.single,
        long=float(long.mean()) if len(long) else 0.0,
        unread=float(unread.sum() / pieces.sum()) if pieces.sum() else 0.0,
        ef=agreement.ef if agreement else None,
        found=agreement.share_found if agreement else 1.0,
        flipped=count_flips(searched, measure, cutoff, labels),
        tied=count_ties(searched.run, cutoff),
    )


def count_flips(searched: Searched, measure: str, cutoff: Cutoff, labels: Labels) -> int:
    """Queries whose measure differs between the index that was chosen and exact search."""
    if searched.run is searched.exact:
        return 0
    chosen, exact = (score_run(measure, cutoff, run, labels) for run in (searched.run, searched.exact))
    return int((~np.isclose(chosen, exact, rtol=0, atol=1e-12, equal_nan=True)).sum())


def count_ties(run: Run, cutoff: Cutoff) -> int:
    """Queries with equal scores on both sides of the cutoff; a token budget has no two sides."""
    if cutoff.unit == "tokens":
        return 0
    ranked = run.documents if cutoff.unit == "documents" else run.ranking
    return int(ties_across(ranked, cutoff.amount).sum())


def scale_facts(
    scale: Scale,
    phases: Sequence[PhaseFacts],
    searched: Searched,
    *,
    dimension: int,
    precision: str,
    truncates: bool,
) -> ScaleFacts:
    """One scale with its price, which is that of phase 0."""
    return ScaleFacts(
        name=scale.name,
        size=scale.size,
        overlap=scale.overlap,
        vector_bytes=phases[0].vectors * dimension * _BYTES[precision],
        index_bytes=searched.index_bytes,
        truncated=truncates and phases[0].unread > 0,
        phases=tuple(phases),
    )


@dataclass(frozen=True, slots=True)
class Latencies:
    """Seconds per single query: over each scale, over all of them in turn, and over all in parallel threads."""

    scales: tuple[Latency, ...]
    in_turn: Latency
    in_parallel: Latency


def latencies(searched: Sequence[Searched], queries: NDArray[np.float32], depth: int) -> Latencies:
    """Time single queries over the indexes of all scales."""
    indexes = [found.index for found in searched if found.index is not None]
    timed = queries[:_TIMED_QUERIES]
    seconds = latency_in_turn(indexes, timed, depth=depth, repeats=_REPEATS)
    return Latencies(
        scales=tuple(map(_percentiles, seconds.T)),
        in_turn=_percentiles(seconds.sum(axis=1)),
        in_parallel=_percentiles(latency_in_parallel(indexes, timed, depth=depth, repeats=_REPEATS)),
    )


def _percentiles(seconds: NDArray[np.float64]) -> Latency:
    """Of searches timed one by one, (n,)."""
    p50, p95, p99 = np.percentile(seconds, [50, 95, 99])
    return Latency(float(p50), float(p95), float(p99), searches=len(seconds))
