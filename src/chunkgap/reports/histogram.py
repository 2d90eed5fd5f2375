"""Lengths counted in bins of equal ratio, and the round numbers to mark beside them."""

import math
from collections.abc import Sequence

_BINS = 40


def histogram(lengths: Sequence[int]) -> tuple[list[float], list[int]]:
    """Counts in bins of equal ratio: edges from the shortest to past the longest, one more than counts."""
    low = max(1, min(lengths))
    high = max(max(lengths), low) + 1
    bins = min(_BINS, max(1, high - low))
    step = math.log(high / low) / bins
    counts = [0] * bins
    for length in lengths:
        counts[min(bins - 1, int(math.log(max(length, low) / low) / step))] += 1
    return [low * math.exp(step * place) for place in range(bins + 1)], counts


def round_numbers(low: float, high: float) -> list[int]:
    """1, 10, 100 and so on, with 2 and 5 times each, between two ends."""
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    numbers = [factor * 10**exponent for exponent in exponents for factor in (1, 2, 5) if exponent >= 0]
    return [found for found in numbers if low <= found <= high]
