"""What measuring at each size will cost: vectors, bytes, seconds, memory, from lengths alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkgap.config import Settings
from chunkgap.records import Scale

BYTES_OF_MODEL = 700_000_000
"""Memory of Python, torch and a small model, as seen with the bundled one."""

_BYTES = {"float32": 4, "float16": 2}
_BYTES_OF_NUMBER = 4
_BYTES_OF_OFFSET = 8
_NODE_BYTES = 20  # of HNSW: label, level, number of links
_LINK_BYTES = 4


@dataclass(frozen=True, slots=True)
class SizeForecast:
    """One size.

    Attributes:
        chunks: Chunks of one placement.
        single: Share of the documents with text that are one chunk, in [0, 1].
        mean_tokens: Tokens of a chunk.
        long: Share of chunks longer than the model's window, in [0, 1]; None where the model reads all.
        longest: Word pieces of the longest chunk seen.
        counted: Chunks whose word pieces were counted for these two.
        vector_bytes: Vectors of one placement; equal texts, which share one, are not known yet.
        index_bytes: The HNSW index of one placement; None for exact search.
        seconds: Embedding one placement at the calibrated speed; None without a calibration.
    """

    name: str
    size: int
    overlap: int
    chunks: int
    single: float
    mean_tokens: float
    long: float | None
    longest: int
    counted: int
    vector_bytes: int
    index_bytes: int | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Forecast:
    """A whole measurement, all sizes and placements.

    Attributes:
        vectors: Distinct texts to embed; a document of one chunk counts once, other equal texts not.
        vector_bytes: What the cache of vectors grows by, at most.
        memory_bytes: What the measurement holds at most: text, offsets, vectors, the indexes of one placement of each
            size and of those that are searched side by side, the model.
        seconds: Embedding what no cache holds, on this machine; None without a calibration.
    """

    vectors: int
    vector_bytes: int
    memory_bytes: int
    seconds: float | None


@dataclass(frozen=True, eq=False)
class Windows:
    """How many windows one size cuts, from lengths alone.

    Attributes:
        scale: The size.
        tokens: Tokens of each document, shape (n,).
    """

    scale: Scale
    tokens: NDArray[np.int64]

    @property
    def chunks(self) -> NDArray[np.int64]:
        """Windows of each document, shape (n,), as `chunking.windows` cuts them."""
        scale = self.scale
        several = -((scale.overlap - self.tokens) // scale.step)  # rounded up
        return np.asarray(np.where(self.tokens == 0, 0, np.maximum(several, 1)))

    @property
    def read(self) -> NDArray[np.int64]:
        """Tokens of all windows of each document, those that neighbours share counted in both, shape (n,)."""
        return np.asarray(self.tokens + self.scale.overlap * np.maximum(self.chunks - 1, 0))

    @property
    def single(self) -> NDArray[np.bool_]:
        """Documents that are one chunk, shape (n,)."""
        return np.asarray(self.chunks == 1)


def vector_bytes(vectors: int, dimension: int, precision: str) -> int:
    """Bytes of so many vectors in an index of one's own."""
    return vectors * dimension * _BYTES[precision]


def index_bytes(vectors: int, dimension: int, m: int) -> int:
    """Bytes of an HNSW index: vectors as float32 and 2m links each; levels above the ground add little."""
    return vectors * (dimension * _BYTES_OF_NUMBER + 2 * m * _LINK_BYTES + _NODE_BYTES)


def forecast(
    windows: Sequence[Windows],
    settings: Settings,
    *,
    characters: int,
    dimension: int,
    seconds_per_token: Sequence[float] | None,
) -> Forecast:
    """Sum up all sizes and placements.

    A document of one chunk is the same text in every placement of the size, and of every larger size: it is
    embedded once.

    Args:
        windows: One per size.
        settings: Placements, index, precision.
        characters: Code points of the corpus.
        dimension: Numbers in a vector.
        seconds_per_token: Embedding speed at each size; None is not known.
    """
    phases, tokens = settings.phases, windows[0].tokens
    ever_single = np.any([cut.single for cut in windows], axis=0)
    several = [int(cut.chunks[~cut.single].sum()) * phases for cut in windows]
    vectors = sum(several) + int(ever_single.sum())
    has_index = settings.retrieval.index == "hnsw"
    indexed = _chunks_indexed([int(cut.chunks.sum()) for cut in windows], settings)
    indexes = index_bytes(indexed, dimension, settings.retrieval.m) if has_index else 0
    held = (vectors + indexed) * dimension * _BYTES_OF_NUMBER
    seconds = None
    if seconds_per_token is not None:
        placements = [int(cut.read[~cut.single].sum()) * phases for cut in windows]
        seconds = float(np.dot(placements, seconds_per_token))
        seconds += int(tokens[ever_single].sum()) * max(seconds_per_token)
    return Forecast(
        vectors=vectors,
        vector_bytes=vectors * dimension * _BYTES_OF_NUMBER,
        memory_bytes=characters + int(tokens.sum()) * _BYTES_OF_OFFSET + held + indexes + BYTES_OF_MODEL,
        seconds=seconds,
    )


def _chunks_indexed(chunks: Sequence[int], settings: Settings) -> int:
    """Chunks of all placements whose indexes are held at once, from those of one placement of each size.

    The first placement of each size is searched again at the end; the others are let go one by one.
    """
    others = [count for count in chunks for _ in range(settings.phases - 1)]
    return sum(chunks) + sum(sorted(others, reverse=True)[: settings.worker_count()])
