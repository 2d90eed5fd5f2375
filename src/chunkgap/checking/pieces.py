"""How a sample of chunks meets the model: word pieces against its window, and seconds to embed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkgap.chunking import ChunkTable
from chunkgap.config import EmbeddingSettings
from chunkgap.embedding import Embedder, MemoryCache, embed_texts
from chunkgap.records import Document

COUNTED_CHUNKS = 2_000
"""Chunks per size whose word pieces are counted; spread evenly where a size has more."""

CALIBRATION_TOKENS = 1_500
"""Tokens per size that are embedded to take the speed, in a few seconds for all sizes."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Word pieces of a sample of chunks of one size.

    Attributes:
        counted: Chunks in the sample.
        long: Share of them longer than the model's window; None where it reads all.
        longest: Word pieces of the longest.
    """

    counted: int
    long: float | None
    longest: int


def count_pieces(table: ChunkTable, documents: Sequence[Document], model: Embedder) -> Pieces:
    """Count with the model's own tokenizer, special tokens and prompt included; the model is not loaded.

    Args:
        table: The chunks of one size.
        documents: What they were cut from.
        model: Whose window they have to fit into.
    """
    pieces = model.count(_texts(table, documents, _spread(len(table), COUNTED_CHUNKS)), "document")
    long = None if model.window is None else float((pieces > model.window).mean())
    return Pieces(len(pieces), long, int(pieces.max()))


def calibrate(
    tables: Sequence[ChunkTable], documents: Sequence[Document], model: Embedder, settings: EmbeddingSettings
) -> tuple[float, ...]:
    """Embed a few chunks of each size with the real model.

    Args:
        tables: One per size, none empty.
        documents: What they were cut from.
        model: What embeds them.
        settings: What becomes of long chunks.

    Returns:
        Seconds per token at each size, the loading of the model apart.
    """
    _embed(_texts(tables[0], documents, _spread(len(tables[0]), 1)), model, settings)  # the first is slower
    return tuple(_seconds_per_token(table, documents, model, settings) for table in tables)


def _seconds_per_token(
    table: ChunkTable, documents: Sequence[Document], model: Embedder, settings: EmbeddingSettings
) -> float:
    wanted = max(2, round(CALIBRATION_TOKENS / max(float(table.tokens.mean()), 1.0)))
    rows = _spread(len(table), wanted)
    return _embed(_texts(table, documents, rows), model, settings) / int(table.tokens[rows].sum())


def _embed(texts: Sequence[str], model: Embedder, settings: EmbeddingSettings) -> float:
    long_chunks = "average" if settings.long_chunks == "error" else settings.long_chunks
    return embed_texts(texts, "document", model, MemoryCache(), long_chunks=long_chunks).seconds


def _spread(total: int, wanted: int) -> NDArray[np.intp]:
    """Rows spread evenly over a table, all of them where there are no more than wanted."""
    if total <= wanted:
        return np.arange(total)
    return ((np.arange(wanted) + 0.5) * total / wanted).astype(np.intp)


def _texts(table: ChunkTable, documents: Sequence[Document], rows: NDArray[np.intp]) -> list[str]:
    columns = (table.document[rows], table.start[rows], table.end[rows])
    places = zip(*(column.tolist() for column in columns), strict=True)
    return [documents[document].text[start:end] for document, start, end in places]
