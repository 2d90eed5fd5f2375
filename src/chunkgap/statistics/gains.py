"""What a run wins over the best fixed scale, with interval, test and power."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkgap.oracle import Floats, best_fixed, cross_fitted, cross_fitted_scores
from chunkgap.records import Interval
from chunkgap.statistics.power import Power, power
from chunkgap.statistics.randomisation import holm, sign_flip
from chunkgap.statistics.resampling import Resampling


@dataclass(frozen=True, slots=True)
class Gain:
    """One run compared with the best fixed scale.

    Attributes:
        cross_fitted: The run minus the best fixed scale, cross-fitted: chosen and scored on the same queries it would
            flatter itself.
        p_value: Of the cross-fitted difference: sign flips over clusters, two-sided.
        holm_p_value: The same, corrected for all runs compared together.
        power: What this comparison could have seen.
    """

    cross_fitted: Interval
    p_value: float
    holm_p_value: float
    power: Power


def gains(
    runs: Mapping[str, Floats],
    scores: Floats,
    vectors: Sequence[int],
    folds: NDArray[np.intp],
    resampling: Resampling,
    *,
    min_gain: float,
    seed: int = 13,
) -> dict[str, Gain]:
    """Compare runs with the best fixed scale, the choice of which is made anew in every resample.

    Args:
        runs: Per name, the measure of every query, `(queries,)`: fusion presets, controls, a router.
        scores: `(scales, queries)`, phase 0.
        vectors: Vectors per scale.
        folds: Fold of each query, of whole clusters.
        resampling: Drawn over the clusters of the same queries.
        min_gain: The gain that would matter, above 0.
        seed: Seed of the randomisation test.

    Returns:
        One gain for each run, in the order given; Holm's correction over all of them.
    """
    if not runs:
        return {}
    baseline = cross_fitted(scores, folds, vectors, resampling)
    means = resampling.mean(np.stack(list(runs.values()))).T
    differences = np.stack(list(runs.values())) - cross_fitted_scores(scores, folds, vectors)
    p_values = sign_flip(differences, resampling.clusters, resamples=resampling.resamples, seed=seed).tolist()
    corrected = holm(p_values)
    return {
        name: Gain(
            cross_fitted=resampling.interval(means[row] - baseline),
            p_value=p_values[row],
            holm_p_value=corrected[row],
            power=power(
                resampling.standard_error(means[row] - baseline),
                resampling.count,
                scores.shape[1],
                min_gain=min_gain,
                confidence=resampling.confidence,
            ),
        )
        for row, name in enumerate(runs)
    }


def gap_closed(run: Floats, scores: Floats, vectors: Sequence[int], gap: Interval) -> float | None:
    """Share of the oracle gap that a run closes: (run - best fixed) / (oracle - best fixed).

    The closed gap of Lindauer, van Rijn, Kotthoff 2019 (arXiv 1805.01214). Negative where the run loses.

    Args:
        run: The measure of every query, `(queries,)`.
        scores: `(scales, queries)`.
        vectors: Vectors per scale.
        gap: The raw oracle gap of `scores`.

    Returns:
        The share; None where the gap is 0, or its interval includes 0 or has no ends: no share of nothing.
    """
    if gap.estimate <= 0 or not gap.low > 0:
        return None
    fixed = scores[best_fixed(scores, vectors)].mean()
    return float((run.mean() - fixed) / gap.estimate)
