"""Significance of paired differences: the sign-flip randomisation test over clusters, Holm's correction."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chunkgap.oracle import Floats

EXACT_CLUSTERS = 14
"""Up to so many clusters (16,384 sign patterns) the test enumerates; beyond it draws."""

_BLOCK_SIGNS = 1 << 21  # signs drawn at once; bounds the memory of the draw and does not change it
_EQUAL = 1e-9  # sums this close are equal: the observed pattern itself must count as extreme


def sign_flip(
    differences: Floats, clusters: NDArray[np.intp], *, resamples: int = 10_000, seed: int = 13
) -> Floats:
    """Two-sided p values of paired differences, under flips of the sign of whole clusters.

    If two runs were exchangeable, each cluster's difference would be as likely with the other sign. p is the
    share of sign patterns whose total is at least as far from 0 as the observed one (Smucker, Allan,
    Carterette, CIKM 2007): over all patterns up to `EXACT_CLUSTERS` clusters, else over `resamples` drawn
    ones, the observed one counted in: (1 + as extreme) / (1 + resamples).

    Args:
        differences: `(queries,)` or `(comparisons, queries)`, one run minus another.
        clusters: Cluster of each query, `(queries,)`.
        resamples: Patterns to draw where they are not enumerated.
        seed: Seed of the draw.

    Returns:
        `(comparisons,)`, in (0, 1]; 1 where nothing differs.

    >>> sign_flip(np.array([1.0, 1, 1]), np.arange(3)).tolist()  # +++ and --- of 8 patterns
    [0.25]
    """
    names, numbered = np.unique(clusters, return_inverse=True)
    rows: Floats = np.atleast_2d(differences)
    sums: Floats = np.stack([np.bincount(numbered, weights=row, minlength=len(names)) for row in rows])
    if len(names) <= EXACT_CLUSTERS:
        return np.asarray(_as_extreme(sums, _all_signs(len(names))) / 2 ** len(names))
    return np.asarray((1 + _drawn_as_extreme(sums, resamples, seed)) / (1 + resamples))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's step-down correction: p values that hold for all comparisons together.

    The i-th smallest of m is multiplied by m - i + 1, never falls below a smaller one's, and is at most 1.

    Args:
        p_values: One for each comparison, in any order.

    Returns:
        The corrected p values, in the order given.

    >>> holm([0.01, 0.04, 0.03])  # 3 * 0.01, max(2 * 0.03, 0.04), 2 * 0.03
    (0.03, 0.06, 0.06)
    """
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for place, row in enumerate(sorted(range(len(p_values)), key=lambda row: p_values[row])):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[row]))
        corrected[row] = highest
    return tuple(corrected)


def _drawn_as_extreme(sums: Floats, resamples: int, seed: int) -> Floats:
    """How many of `resamples` random sign patterns are at least as extreme as the observed one."""
    generator = np.random.default_rng(seed)
    found = np.zeros(len(sums))
    at_once = max(4, _BLOCK_SIGNS // sums.shape[1] // 4 * 4)  # NumPy draws four bytes at a time
    for start in range(0, resamples, at_once):
        rows = min(at_once, resamples - start)
        heads = generator.integers(0, 2, (rows, sums.shape[1]), dtype=np.int8).astype(np.float64)
        found += _as_extreme(sums, 2 * heads - 1)
    return found


def _as_extreme(sums: Floats, signs: Floats) -> Floats:
    """How many of `signs`, `(patterns, clusters)`, give a total as far from 0 as all pluses do."""
    totals = np.abs(signs @ sums.T)
    return np.asarray(np.sum(totals >= np.abs(sums.sum(axis=1)) - _EQUAL, axis=0), dtype=np.float64)


def _all_signs(count: int) -> Floats:
    """Every pattern of `count` signs, `(2 ** count, count)`."""
    bits = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
    return np.asarray(bits, dtype=np.float64) * 2.0 - 1.0
