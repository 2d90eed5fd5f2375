"""Which chunk sizes are worth comparing on a corpus, by a rule that is written down."""

import math
from dataclasses import dataclass

APART = 2.0
"""Neighbours closer than this factor mostly retrieve the same."""

LEAST, MOST = 3, 5
SMALLEST, LARGEST = 10, 1000


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Sizes in tokens, ascending, and why these."""

    sizes: tuple[int, ...]
    reason: str


def suggest_sizes(paragraph: float, document: float) -> Suggestion:
    """A geometric ladder of sizes from a paragraph to a document.

    The rule: the smallest size is the median paragraph (what one thought fills), the largest the length that
    90% of the documents do not exceed (beyond it most chunks are whole documents, the same at every size), at
    most `LARGEST`. Between them stand as many sizes as fit `APART` from one another, at most `MOST`. Where
    fewer than `LEAST` fit, the ladder starts lower, down to `SMALLEST`; documents too short even for that
    leave fewer sizes.

    Args:
        paragraph: Median length of a paragraph in tokens.
        document: Length in tokens that 90% of the documents do not exceed.

    >>> suggest_sizes(50, 820).sizes
    (50, 100, 200, 400, 800)
    >>> suggest_sizes(300, 400).sizes
    (100, 200, 400)
    >>> suggest_sizes(12, 12).sizes
    (10,)
    """
    high = min(max(document, SMALLEST), LARGEST)
    low = min(max(paragraph, SMALLEST), high)
    is_lowered = _fitting(low, high) < LEAST
    if is_lowered:
        low = max(SMALLEST, high / APART ** (LEAST - 1))
    count = min(MOST, _fitting(low, high))
    ratio = (high / low) ** (1 / (count - 1)) if count > 1 else 1.0
    sizes = [_rounded(low if count > 1 else high)]
    for step in range(1, count):
        sizes.append(max(_rounded(low * ratio**step), round(APART * sizes[-1])))
    return Suggestion(tuple(sizes), _reason(paragraph, document, len(sizes), is_lowered=is_lowered))


def _fitting(low: float, high: float) -> int:
    """How many sizes stand from `low` to `high`, each at least `APART` times the one before."""
    return math.floor(math.log(high / low, APART) + 1e-9) + 1


def _rounded(size: float) -> int:
    """A size that is easy to say."""
    step = 5 if size < 50 else 10 if size < 200 else 50
    return max(SMALLEST, round(size / step) * step)


def _reason(paragraph: float, document: float, count: int, *, is_lowered: bool) -> str:
    apart = f"each at least {APART:g} times the one before, since closer sizes retrieve much the same"
    top = f"{document:,.0f} tokens, which 90% of the documents do not exceed"
    if document > LARGEST:
        top = f"{LARGEST:,} tokens, for 10% of the documents are longer than {document:,.0f}"
    if count == 1:
        return f"90% of the documents have at most {document:,.0f} tokens: chunk size hardly matters to them"
    if is_lowered:
        low = f"from below the median paragraph ({paragraph:,.0f}), where too few sizes would fit"
        return f"up to {top}, {low}; {apart}"
    return f"from {paragraph:,.0f} tokens, the median paragraph, to {top}; {apart}"
