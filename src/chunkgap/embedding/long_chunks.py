"""What becomes of texts longer than the model's window: cut into slices that fit, and averaged again."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from chunkgap.embedding.protocol import Embedder, Role
from chunkgap.errors import ConfigError, InputError

LongChunks = Literal["average", "truncate", "error"]


def refuse_long(pieces: NDArray[np.int64], window: int | None, role: Role) -> None:
    """Raise if a text is longer than the window.

    Args:
        pieces: int64 (n,), word pieces of every text.
        window: Word pieces that the model reads; None: all.
        role: What the texts are.

    Raises:
        InputError: Naming how many texts are longer, and the longest.
    """
    if window is None or not (pieces > window).any():
        return
    what, remedy = (
        ("chunk", "Choose smaller sizes") if role == "document" else ("query", "Shorten the queries")
    )
    raise InputError(
        f"embedding.long_chunks: expected every {what} within the model's window of {window} word pieces, "
        f"got {int((pieces > window).sum()):,} longer (the longest has {int(pieces.max()):,}). {remedy}, "
        "or set long_chunks to average or truncate."
    )


def slice_text(text: str, role: Role, embedder: Embedder) -> list[str]:
    """Cut a text into consecutive slices that each fit into the embedder's window, in reading order.

    A cut falls between words: at white space, in a script without it at the tokenizer's own word boundaries,
    and inside a word only when the word alone fills more than half a slice. Joined, the slices are the text,
    but for white space at the cuts.

    Args:
        text: A text longer than the window.
        role: What it is embedded as; its prompt and special tokens take their share of the window.
        embedder: Whose window and word pieces count.

    Raises:
        ConfigError: If the prompt alone fills the window.
    """
    if embedder.window is None:
        return [text]
    room = embedder.window - int(embedder.count([""], role)[0])
    if room < 1:
        raise ConfigError(
            f"embedding.{role}_prompt: expected a prompt that leaves room in the model's window of "
            f"{embedder.window} word pieces, got one that fills it. Shorten the prompt."
        )
    return _fitting(text, role, embedder, room)


def average(vectors: NDArray[np.float32], weights: NDArray[np.int64]) -> NDArray[np.float32]:
    """Average slices by the word pieces that each brings.

    The mean is not normalised; where all vectors come out at unit length in the end, that happens there.

    Args:
        vectors: float32 (s, d), one for each slice.
        weights: int64 (s,), word pieces of each slice without special tokens and prompt.

    Returns:
        float32 (d,); zero when no slice weighs anything.

    >>> average(np.array([[1, 0], [0, 1]], dtype=np.float32), np.array([3, 1]))
    array([0.75, 0.25], dtype=float32)
    """
    total = int(weights.sum())
    if total == 0:
        return np.zeros(vectors.shape[1], dtype=np.float32)
    mean: NDArray[np.float64] = weights.astype(np.float64) @ vectors.astype(np.float64) / total
    return mean.astype(np.float32)


def _fitting(text: str, role: Role, embedder: Embedder, room: int) -> list[str]:
    """Cut for `room` pieces, and again what does not fit: a slice may tokenise longer than in its place."""
    slices = _cut(text, embedder, room)
    fits = embedder.count(slices, role) <= (embedder.window or 0)
    if fits.all() or room == 1:
        return slices
    smaller = room - max(1, room // 10)
    return [
        part
        for piece, fit in zip(slices, fits, strict=True)
        for part in ([piece] if fit else _fitting(piece, role, embedder, smaller))
    ]


def _cut(text: str, embedder: Embedder, room: int) -> list[str]:
    pieces = embedder.pieces(text)
    cuts = [int(pieces.starts[i]) for i in _cut_places(text, pieces.starts, pieces.words, room)]
    bounds = [0, *cuts, len(text)]
    slices = [text[start:end].strip() for start, end in pairwise(bounds)]
    return [part for part in slices if part]


def _cut_places(text: str, starts: NDArray[np.int64], words: NDArray[np.int64], room: int) -> Sequence[int]:
    """Choose the pieces that slices start with: as many as fit, then back to the last good boundary."""
    spaced = np.array(
        [s > 0 and (text[s].isspace() or text[s - 1].isspace()) for s in starts.tolist()], dtype=bool
    )
    fresh = np.diff(words, prepend=-1) != 0
    places: list[int] = []
    first = 0
    while first + room < len(starts):
        first = _last_boundary(first + room, first + (room + 1) // 2, (spaced, fresh))
        places.append(first)
    return places


def _last_boundary(limit: int, earliest: int, boundaries: Sequence[NDArray[np.bool_]]) -> int:
    """Find the last boundary up to `limit`, of the best kind that has one no earlier than `earliest`."""
    for boundary in boundaries:
        found = np.flatnonzero(boundary[earliest : limit + 1])
        if len(found) and earliest + int(found[-1]) > 0:
            return earliest + int(found[-1])
    return limit
