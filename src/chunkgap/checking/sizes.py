"""Which chunk sizes are worth comparing on a corpus, by a rule that is written down."""

import math
from dataclasses import dataclass

from chunkgap.formatting import as_given

APART = 2
"""From one size to the next: closer ones mostly retrieve the same, wider ladders cost more than fusion may."""

FEWEST, MOST = 2, 5

SMALLEST, LARGEST = 50, 1000
"""In tokens. A smaller chunk, of one or two sentences, seldom says what it is about.

The smallest is no less than that of the default sizes: overlap and phases that suit these suit what is suggested.
"""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Sizes in tokens, ascending, and why these."""

    sizes: tuple[int, ...]
    reason: str


def suggest_sizes(paragraph: float, document: float, max_storage: float) -> Suggestion:
    """A ladder of sizes midway between a paragraph and a document, as long as its storage allows.

    The rule: each size is `APART` times the one before, and there are as many as keep all of them together
    within `max_storage` times the chunks of any but the largest, between `FEWEST` and `MOST`. The ladder stands
    midway, by ratio, between the median paragraph (what one thought fills), at least `SMALLEST`, and the length
    that 90% of the documents do not exceed (beyond it most chunks are whole documents, the same at every size),
    at most `LARGEST`. Where it does not fit in, it begins below the median paragraph; short documents leave
    fewer sizes.

    Args:
        paragraph: Median length of a paragraph in tokens.
        document: Length in tokens that 90% of the documents do not exceed.
        max_storage: The most that all sizes may hold, in chunks of the best one.

    >>> suggest_sizes(50, 820, 5).sizes
    (100, 200, 400)
    >>> suggest_sizes(300, 400, 5).sizes
    (100, 200, 400)
    >>> suggest_sizes(50, 820, 3).sizes
    (140, 280)
    >>> suggest_sizes(12, 12, 5).sizes
    (50,)
    """
    high = min(max(document, SMALLEST), LARGEST)
    most, fitting = _affordable(max_storage), _fitting(SMALLEST, high)
    count = min(most, fitting)
    span = APART ** (count - 1)
    low = max(SMALLEST, min(paragraph, high / span))
    first = _rounded(math.sqrt(low * high / span))
    sizes = tuple(first * APART**step for step in range(count))
    reason = _reason(paragraph, document, count, is_lowered=low < paragraph)
    if fitting > most and max_storage >= span:
        within = f"max_storage ({as_given(max_storage)})"
        reason += f"; no more, so that all together stay within {within} without overlap, unless the largest is best"
    return Suggestion(sizes, reason)


def _affordable(max_storage: float) -> int:
    """How many sizes keep within `max_storage` whichever but the largest is best.

    A window is at most two windows of half its size, and no more windows are cut at twice its size. In chunks of
    the last but one of n sizes, the finer ones thus hold at most 2, 4, ..., and it and the largest 1 each:
    2 ** (n - 1) together.
    """
    most = math.floor(math.log(min(max_storage, float(APART**MOST)), APART) + 1e-9) + 1
    return max(FEWEST, min(MOST, most))


def _fitting(low: float, high: float) -> int:
    """How many sizes stand from `low` to `high`, each `APART` times the one before."""
    return math.floor(math.log(high / low, APART) + 1e-9) + 1


def _rounded(size: float) -> int:
    """A size that is easy to say, not above `size`."""
    step = 10 if size < 200 else 50
    return max(SMALLEST, math.floor(size / step + 1e-9) * step)


def _reason(paragraph: float, document: float, count: int, *, is_lowered: bool) -> str:
    if count == 1:
        return f"90% of the documents have at most {document:,.0f} tokens: chunk size hardly matters to them"
    bottom = f"{paragraph:,.0f} tokens (the median paragraph)"
    if paragraph < SMALLEST:
        bottom = f"{SMALLEST} tokens (the median paragraph, {paragraph:,.0f}, says little alone)"
    top = f"{document:,.0f} tokens (90% of the documents have no more)"
    if document > LARGEST:
        top = f"{LARGEST:,} tokens (10% of the documents have more than {document:,.0f})"
    where = f"midway between {bottom} and {top}"
    if is_lowered:
        where = (
            f"up to {top}, from below the median paragraph ({paragraph:,.0f}), where too few sizes would fit"
        )
    return f"{where}; each twice the one before, since closer sizes retrieve much the same"
