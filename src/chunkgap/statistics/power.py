"""What a query set can detect: the standard error of a paired difference, and the power it gives."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkgap.oracle import Floats
from chunkgap.statistics.distributions import NORMAL, standard_margin


@dataclass(frozen=True, slots=True)
class Power:
    """What a comparison of two runs on these queries can see.

    Attributes:
        standard_error: Of the mean difference, clusters accounted for; NaN with one cluster.
        detectable: The smallest true difference that would be found in `power` of such query sets; NaN without a
            standard error above 0: where no cluster differs, nothing is known of how much others would.
        queries_needed: Queries, clustered like these, that would find a true difference of `min_gain`; None
            without a standard error above 0.
    """

    standard_error: float
    detectable: float
    queries_needed: int | None


def standard_error(differences: Floats, clusters: NDArray[np.intp]) -> float:
    """The cluster-robust standard error of a mean of paired differences.

    sqrt( C / (C - 1) * sum over clusters of (sum over its queries of (d - mean d))^2 ) / Q.

    Args:
        differences: One run minus another, `(queries,)`.
        clusters: Cluster of each query, `(queries,)`.

    Returns:
        The standard error; NaN with one cluster.

    >>> round(standard_error(np.array([1.0, 0, 0, 1]), np.arange(4)), 4)  # sqrt(4/3 * 4 * 0.25) / 4
    0.2887
    """
    _, numbered = np.unique(clusters, return_inverse=True)
    sums = np.bincount(numbered, weights=differences - differences.mean())
    count = len(sums)
    if count < 2:
        return math.nan
    return math.sqrt(count / (count - 1) * float(np.sum(sums**2))) / len(differences)


def power(
    error: float,
    clusters: int,
    queries: int,
    *,
    min_gain: float,
    target: float = 0.8,
    confidence: float = 0.95,
) -> Power:
    """What a two-sided comparison can see: a difference is found when its standard interval lies above 0.

    Args:
        error: Standard error of the difference, by `standard_error` or from a `Resampling`; NaN with one cluster,
            0 where all clusters differ alike.
        clusters: Clusters of queries it rests on.
        queries: Queries it rests on.
        min_gain: The difference that would matter, at least 0. No number of queries finds one of 0.
        target: Share of query sets in which it should be found.
        confidence: Of the interval.
    """
    if not error > 0:
        return Power(error, math.nan, None)
    detectable = error * (standard_margin(clusters, confidence) + NORMAL.inv_cdf(target))
    needed = math.ceil(queries * (detectable / min_gain) ** 2) if min_gain else None
    return Power(error, detectable, needed)


def detection_probability(
    difference: float, error: float, clusters: int, *, confidence: float = 0.95
) -> float:
    """How often a true `difference` is found above 0, by the normal approximation.

    Args:
        difference: The true difference.
        error: Standard error of its estimate; where it is 0 any difference above 0 is found.
        clusters: Clusters of queries, at least 2.
        confidence: Of the interval.

    >>> round(detection_probability(2.8, 1.0, clusters=1000), 2)
    0.8
    """
    if error == 0:
        return float(difference > 0)
    return NORMAL.cdf(difference / error - standard_margin(clusters, confidence))
