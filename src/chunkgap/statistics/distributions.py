"""Student's t and the standard normal distribution, by formulas: importing SciPy takes longer than a whole analysis."""

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

NORMAL = NormalDist()

_HALVINGS = 64  # as many as a float has digits, and a few


@lru_cache(maxsize=256)
def t_quantile(probability: float, degrees: int) -> float:
    """The value that a Student's t variable stays below with the given probability.

    Args:
        probability: In [0.5, 1).
        degrees: Degrees of freedom, 1 or more.

    >>> round(t_quantile(0.975, 9), 4)
    2.2622
    """
    low, high = 0.0, math.pi / 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _central_probability(middle, degrees) < 2 * probability - 1:
            low = middle
        else:
            high = middle
    return math.sqrt(degrees) * math.tan(low)


def standard_margin(clusters: int, confidence: float) -> float:
    """Standard errors from an estimate to each end of its standard interval.

    Args:
        clusters: That the estimate rests on, 2 or more.
        confidence: Of the interval, in (0, 1).
    """
    return t_quantile((1 + confidence) / 2, clusters - 1)


def _central_probability(angle: float, degrees: int) -> float:
    """P(-t < T < t) at t = sqrt(degrees) tan(angle), a finite sum (Abramowitz, Stegun 1964, 26.7.3 and 26.7.4)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    # 1, 3, 5, ... of an even number of degrees, else 2, 4, 6, ...
    steps = 2.0 * np.arange(1, degrees // 2) - (1 - odd)
    series = 1 + float(np.cumprod(steps / (steps + 1) * cosine**2).sum())
    if not odd:
        return sine * series
    return 2 / math.pi * (angle + (sine * cosine * series if degrees > 1 else 0.0))
