"""Where windows of tokens start and end."""

import numpy as np
from numpy.typing import NDArray


def windows(
    tokens: int, size: int, overlap: int = 0, *, phase: int = 0, phases: int = 1
) -> NDArray[np.int64]:
    """Place windows of `size` tokens over a document of `tokens` tokens.

    With step = size - overlap, windows start at 0, step, 2 step, ... and the last is the first that reaches
    the end: n tokens give 1 window when n <= size, else ceil((n - overlap) / step).

    Phase j of R moves that grid j/R of a step into the document: with offset = j * step / R, rounded half up
    and at least 1, the first window is `[0, offset + overlap)` and the others start at offset, offset + step,
    ... A document that fits into one window is one window in every phase.

    Args:
        tokens: Tokens of the document, 0 or more.
        size: Tokens in a window, at least 1.
        overlap: Tokens that two neighbours share, in `[0, size)`.
        phase: Which placement, in `[0, phases)`.
        phases: Placements there are, at least 1.

    Returns:
        Half-open token ranges, shape (m, 2), in order; (0, 2) for an empty document.

    Raises:
        ValueError: An argument is outside its range.

    >>> windows(10, 8, 4).tolist()
    [[0, 8], [4, 10]]
    >>> windows(120, 50, phase=1, phases=2).tolist()
    [[0, 25], [25, 75], [75, 120]]
    >>> windows(50, 50, phase=1, phases=2).tolist()
    [[0, 50]]
    """
    _check_ranges(size, overlap, phase, phases)
    step = size - overlap
    if phase == 0 or tokens <= size:
        return _grid(0, tokens, size, step)
    offset = max(1, (2 * phase * step + phases) // (2 * phases))
    lead = np.array([[0, offset + overlap]], dtype=np.int64)
    return np.concatenate([lead, _grid(offset, tokens, size, step)])


def _grid(first: int, tokens: int, size: int, step: int) -> NDArray[np.int64]:
    """Windows from token `first` to the end, shape (m, 2)."""
    if tokens == 0:
        return np.empty((0, 2), dtype=np.int64)
    beyond_first = max(0, tokens - first - size)
    starts = first + step * np.arange(1 + -(-beyond_first // step), dtype=np.int64)
    return np.stack([starts, np.minimum(starts + size, tokens)], axis=1)


def _check_ranges(size: int, overlap: int, phase: int, phases: int) -> None:
    # The configuration is validated before; this keeps an endless grid from ever being asked for.
    if not 0 <= overlap < size:
        raise ValueError(f"windows: expected 0 <= overlap < size, got overlap {overlap} and size {size}")
    if not 0 <= phase < phases:
        raise ValueError(f"windows: expected 0 <= phase < phases, got phase {phase} of {phases}")
