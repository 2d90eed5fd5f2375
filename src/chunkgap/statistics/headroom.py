"""Headroom with its intervals: the raw gap, and what is left of it once luck is taken out."""

from collections.abc import Sequence
from dataclasses import dataclass

from chunkgap.oracle import (
    Floats,
    best_fixed,
    best_fixed_mean,
    mean_gap,
    oracle_gap,
    oracle_mean,
    placebo_gaps,
    reproducible_gap,
)
from chunkgap.records import Interval
from chunkgap.size_excess import (
    different_sizes,
    excess_matrix,
    interaction,
    pair_oracles,
    same_size,
    size_excess,
)
from chunkgap.statistics.resampling import Resampling


@dataclass(frozen=True, slots=True)
class Corrected:
    """What only several phases can tell.

    Attributes:
        placebo_gaps: Per scale, the oracle gap over its own phases.
        mean_gap: Mean oracle gap over all sets of as many scales as there are phases, the placebo's like for
            like; None where there are fewer scales than phases.
        reproducible_gap: The gap that survives choosing on one half of the phases and scoring on the other.
        same_size: Oracle over two placements of one size.
        different_sizes: Oracle over two different sizes.
        size_excess: The second minus the first: what size is worth.
        interaction: The part of it that depends on the query.
        excess_matrix: The size excess of each pair of scales, `[scale][scale]`.

    The last five are None for a single scale.
    """

    placebo_gaps: tuple[Interval, ...]
    mean_gap: Interval | None
    reproducible_gap: Interval
    same_size: Interval | None
    different_sizes: Interval | None
    size_excess: Interval | None
    interaction: Interval | None
    excess_matrix: tuple[tuple[Interval, ...], ...] | None


@dataclass(frozen=True, slots=True)
class HeadroomIntervals:
    """How much is lost because one scale has to serve every query.

    Attributes:
        best_fixed: Row of the best fixed scale (phase 0; ties: fewer vectors).
        means: Mean of each scale in phase 0.
        best_fixed_mean: The best fixed scale's mean, the choice made anew in every resample.
        oracle: Mean at each query's best scale.
        raw_gap: Oracle minus best fixed, uncorrected.
        corrected: What phases tell; None with one phase, where the gap stays uncorrected.
    """

    best_fixed: int
    means: tuple[Interval, ...]
    best_fixed_mean: Interval
    oracle: Interval
    raw_gap: Interval
    corrected: Corrected | None


def headroom(scores: Floats, vectors: Sequence[int], resampling: Resampling) -> HeadroomIntervals:
    """Everything about headroom at one cutoff, with intervals.

    Args:
        scores: `(scales, phases, queries)`, in [0, 1]; the raw gap is that of phase 0.
        vectors: Vectors per scale, in phase 0.
        resampling: Drawn over the clusters of the same queries.
    """
    first, interval = scores[:, 0], resampling.interval
    return HeadroomIntervals(
        best_fixed=best_fixed(first, vectors),
        means=resampling.intervals(resampling.mean(first), floor=0.0),
        best_fixed_mean=interval(best_fixed_mean(first, resampling), floor=0.0),
        oracle=interval(oracle_mean(first, resampling), floor=0.0),
        raw_gap=interval(oracle_gap(first, resampling), floor=0.0),
        corrected=_corrected(scores, vectors, resampling) if scores.shape[1] > 1 else None,
    )


def _corrected(scores: Floats, vectors: Sequence[int], resampling: Resampling) -> Corrected:
    scales, phases = scores.shape[:2]
    interval = resampling.interval
    pairs = pair_oracles(scores, resampling) if scales > 1 else None
    return Corrected(
        placebo_gaps=resampling.intervals(placebo_gaps(scores, resampling), floor=0.0),
        mean_gap=interval(mean_gap(scores[:, 0], phases, resampling), floor=0.0)
        if scales >= phases
        else None,
        reproducible_gap=interval(reproducible_gap(scores, vectors, resampling)),
        same_size=None if pairs is None else interval(same_size(pairs), floor=0.0),
        different_sizes=None if pairs is None else interval(different_sizes(pairs), floor=0.0),
        size_excess=None if pairs is None else interval(size_excess(pairs)),
        interaction=None if pairs is None else interval(interaction(scores, resampling)),
        excess_matrix=None if pairs is None else _matrix(excess_matrix(pairs), resampling),
    )


def _matrix(values: Floats, resampling: Resampling) -> tuple[tuple[Interval, ...], ...]:
    """Intervals of `(rows, scales, scales)`."""
    return tuple(resampling.intervals(values[:, row]) for row in range(values.shape[1]))
