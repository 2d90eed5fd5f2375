"""The chunks of a whole corpus at one scale and phase, as columns."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkgap.chunking.windows import windows
from chunkgap.records import Chunk, Document, Scale


@dataclass(frozen=True, slots=True, eq=False)
class ChunkTable:
    """All chunks of one scale and phase over the corpus, in document order, then by start.

    Every method takes the documents that the table was cut from.

    Attributes:
        scale: The scale they were cut at.
        phase: Which placement of its windows, in `[0, phases)`.
        phases: Placements there are.
        document: Row of the chunk's document in the corpus, shape (n,).
        ordinal: Place among the kept chunks of its document, from 0, shape (n,).
        start: Code point at which the chunk starts, shape (n,).
        end: Code point at which it ends, exclusive, shape (n,).
        first: Its first token, counted within the document, shape (n,).
        tokens: Tokens in it, shape (n,).
        blank: Chunks of white space alone that were dropped.
        single: Documents with exactly one chunk.
    """

    scale: Scale
    phase: int
    phases: int
    document: NDArray[np.int32]
    ordinal: NDArray[np.int32]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    first: NDArray[np.int64]
    tokens: NDArray[np.int32]
    blank: int
    single: int

    def __len__(self) -> int:
        """Number of chunks."""
        return len(self.document)

    def texts(self, documents: Sequence[Document]) -> list[str]:
        """The text of every chunk, each exactly a slice of its document."""
        return _slices(documents, self.document, self.start, self.end)

    def digests(self, documents: Sequence[Document]) -> list[str]:
        """The content digest of every chunk."""
        return [content_digest(text) for text in self.texts(documents)]

    def chunk_id(self, row: int, documents: Sequence[Document]) -> str:
        """Document, scale, phase and ordinal, as `doc_id#scale.phase.ordinal`."""
        doc_id = documents[self.document[row]].doc_id
        return f"{doc_id}#{self.scale.name}.{self.phase}.{self.ordinal[row]}"

    def chunk(self, row: int, documents: Sequence[Document]) -> Chunk:
        """One chunk as a record."""
        document = documents[self.document[row]]
        start, end = int(self.start[row]), int(self.end[row])
        return Chunk(
            chunk_id=self.chunk_id(row, documents),
            doc_id=document.doc_id,
            start=start,
            end=end,
            tokens=int(self.tokens[row]),
            text=document.text[start:end],
        )


def chunk_corpus(
    documents: Sequence[Document],
    offsets: Sequence[NDArray[np.int64]],
    scale: Scale,
    *,
    phase: int = 0,
    phases: int = 1,
) -> ChunkTable:
    """Cut every document at one scale and phase.

    A chunk runs from the start of its window's first token to the start of the token after its last. Chunks
    of white space alone are dropped and counted; windows in which no character starts are dropped.

    Args:
        documents: The corpus, in its order.
        offsets: `Tokenizer.offsets` of each document.
        scale: Size and overlap of the windows.
        phase: Which placement, in `[0, phases)`.
        phases: Placements there are.

    >>> table = chunk_corpus([Document("d", "one two")], [np.array([0, 3, 7])], Scale("1", 1))
    >>> table.texts([Document("d", "one two")])
    ['one', ' two']
    """
    cut = [windows(len(o) - 1, scale.size, scale.overlap, phase=phase, phases=phases) for o in offsets]
    document = np.repeat(np.arange(len(cut)), [len(ranges) for ranges in cut])
    first, stop = np.concatenate([*cut, np.empty((0, 2), dtype=np.int64)]).T
    edges = [o[ranges] for o, ranges in zip(offsets, cut, strict=True)]
    start, end = np.concatenate([*edges, np.empty((0, 2), dtype=np.int64)]).T

    blank = np.array([text.isspace() for text in _slices(documents, document, start, end)], dtype=bool)
    kept = (start < end) & ~blank
    per_document = np.bincount(document[kept], minlength=len(documents))
    return ChunkTable(
        scale=scale,
        phase=phase,
        phases=phases,
        document=document[kept].astype(np.int32),
        ordinal=_ordinals(per_document),
        start=start[kept],
        end=end[kept],
        first=first[kept],
        tokens=(stop - first)[kept].astype(np.int32),
        blank=int(blank.sum()),
        single=int((per_document == 1).sum()),
    )


def content_digest(text: str) -> str:
    """What tells whether a chunk is still the same: BLAKE2b of its text, 16 bytes, as hexadecimal digits."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def end_after(offsets: Sequence[NDArray[np.int64]], table: ChunkTable, row: int, tokens: int) -> int:
    """The code point at which the first `tokens` tokens of a chunk end, where a token budget cuts it.

    Args:
        offsets: What the table was cut from.
        table: The chunks.
        row: Which chunk.
        tokens: Tokens to keep, 0 or more; as many as the chunk has, or more, give its end.
    """
    kept = min(tokens, int(table.tokens[row]))
    return int(offsets[table.document[row]][table.first[row] + kept])


def _ordinals(per_document: NDArray[np.int64]) -> NDArray[np.int32]:
    """0, 1, 2, ... afresh in each document, for the number of chunks of each."""
    first_rows = np.cumsum(per_document) - per_document
    rows = np.arange(per_document.sum())
    return (rows - np.repeat(first_rows, per_document)).astype(np.int32)


def _slices(
    documents: Sequence[Document],
    document: NDArray[np.integer],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
) -> list[str]:
    rows = zip(document.tolist(), start.tolist(), end.tolist(), strict=True)
    return [documents[row].text[a:b] for row, a, b in rows]
