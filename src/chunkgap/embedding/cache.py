"""What a vector cache is: keys, entries, and the cache that lasts as long as the process."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

KEY_BYTES = 16
Row = tuple[bytes, int, int, bytes]  # key, dimension, word pieces, raw little-endian floats

_LITTLE_ENDIAN = np.dtype("<f4")


def vector_keys(texts: Sequence[str], fields: Sequence[str]) -> list[bytes]:
    """Name every text's vector by a 128-bit digest of the fields and the text.

    Every part is preceded by its length, so that no two lists of parts read alike.

    Args:
        texts: What is embedded.
        fields: All else that changes the vector: the embedder's identity, role, prompt and settings.
    """
    prefix = blake2b(digest_size=KEY_BYTES)
    for field in fields:
        prefix.update(_framed(field))
    return [_digest(prefix, text) for text in texts]


@dataclass(frozen=True, slots=True)
class Entries:
    """What a cache holds of n keys; rows that it does not hold are zero.

    Attributes:
        found: bool (n,).
        vectors: float32 (n, dimension).
        pieces: int64 (n,), word pieces of the text that was embedded.
    """

    found: NDArray[np.bool_]
    vectors: NDArray[np.float32]
    pieces: NDArray[np.int64]


class VectorCache(Protocol):
    """Where vectors are kept."""

    @property
    def warnings(self) -> Sequence[str]:
        """What went wrong with the cache so far, one line each."""
        ...

    def read(self, keys: Sequence[bytes], dimension: int) -> Entries:
        """Look up keys; an entry of another dimension is not found."""
        ...

    def write(self, keys: Sequence[bytes], vectors: NDArray[np.float32], pieces: NDArray[np.int64]) -> None:
        """Keep vectors (n, dimension) with their word pieces (n,)."""
        ...

    def flush(self) -> None:
        """See to it that all that was written is kept."""
        ...


class MemoryCache:
    """Keeps vectors for this process only: what `--no-cache` means.

    Args:
        warnings: Why it stands in for a lasting cache, one line each.
    """

    def __init__(self, warnings: Sequence[str] = ()) -> None:
        self.warnings = tuple(warnings)
        self._rows: dict[bytes, Row] = {}

    def read(self, keys: Sequence[bytes], dimension: int) -> Entries:
        """Look up keys; an entry of another dimension is not found."""
        return to_entries(keys, (self._rows[key] for key in keys if key in self._rows), dimension)

    def write(self, keys: Sequence[bytes], vectors: NDArray[np.float32], pieces: NDArray[np.int64]) -> None:
        """Keep vectors (n, dimension) with their word pieces (n,)."""
        self._rows.update((row[0], row) for row in to_rows(keys, vectors, pieces))

    def flush(self) -> None:
        """Do nothing: there is nowhere to write to."""


def to_rows(keys: Sequence[bytes], vectors: NDArray[np.float32], pieces: NDArray[np.int64]) -> Iterator[Row]:
    """Turn vectors (n, dimension) and word pieces (n,) into what a cache keeps."""
    stored = np.ascontiguousarray(vectors, dtype=_LITTLE_ENDIAN)
    dimension = stored.shape[1]
    for key, vector, count in zip(keys, stored, pieces, strict=True):
        yield key, dimension, int(count), vector.tobytes()


def to_entries(keys: Sequence[bytes], rows: Iterable[Row], dimension: int) -> Entries:
    """Arrange what a cache kept by the keys asked for, which are distinct; leave out what is unreadable."""
    places = {key: place for place, key in enumerate(keys)}
    found = np.zeros(len(keys), dtype=np.bool_)
    vectors = np.zeros((len(keys), dimension), dtype=np.float32)
    pieces = np.zeros(len(keys), dtype=np.int64)
    for row in rows:
        if _readable(row, dimension):
            place = places[row[0]]
            found[place], pieces[place] = True, row[2]
            vectors[place] = np.frombuffer(row[3], dtype=_LITTLE_ENDIAN)
    found &= np.isfinite(vectors).all(axis=1)
    vectors[~found], pieces[~found] = 0, 0
    return Entries(found, vectors, pieces)


def _framed(part: str) -> bytes:
    data = part.encode("utf-8", "surrogatepass")
    return len(data).to_bytes(8, "little") + data


def _digest(prefix: blake2b, text: str) -> bytes:
    digest = prefix.copy()
    digest.update(_framed(text))
    return digest.digest()


def _readable(row: Row, dimension: int) -> bool:
    """Whether an entry is what it should be; SQLite holds a column to no type."""
    _, stored, pieces, vector = row
    whole = isinstance(vector, bytes) and len(vector) == dimension * _LITTLE_ENDIAN.itemsize
    return whole and stored == dimension and isinstance(pieces, int) and pieces >= 0
