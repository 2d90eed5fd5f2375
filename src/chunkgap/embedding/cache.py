"""What a vector cache is: keys, entries, and the cache that lasts as long as the process."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

KEY_BYTES = 16
Row = tuple[bytes, int, int, bytes, int]  # key, dimension, word pieces, raw little-endian floats, checksum

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


class Gathered:
    """Entries as a cache reads them, batch by batch, so that no vector has to be held twice.

    Args:
        keys: What is looked up, distinct.
        dimension: Of the vectors wanted.

    Attributes:
        entries: What was found so far.
    """

    def __init__(self, keys: Sequence[bytes], dimension: int) -> None:
        self._places = {key: place for place, key in enumerate(keys)}
        self.entries = Entries(
            found=np.zeros(len(keys), dtype=np.bool_),
            vectors=np.zeros((len(keys), dimension), dtype=np.float32),
            pieces=np.zeros(len(keys), dtype=np.int64),
        )

    def add(self, rows: Sequence[Row]) -> None:
        """Put rows in the places of their keys; leave out what is damaged, of another dimension or not finite."""
        dimension = self.entries.vectors.shape[1]
        readable = [row for row in rows if _readable(row, dimension)]
        stored = np.frombuffer(b"".join([row[3] for row in readable]), dtype=_LITTLE_ENDIAN)
        vectors = stored.reshape(len(readable), dimension)
        finite = np.isfinite(vectors).all(axis=1)
        place = np.array([self._places[row[0]] for row in readable], dtype=np.intp)[finite]
        self.entries.found[place] = True
        self.entries.vectors[place] = vectors[finite]
        self.entries.pieces[place] = np.array([row[2] for row in readable], dtype=np.int64)[finite]


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

    def speed(self, model: str) -> float | None:
        """Seconds per word piece of a model, by its identity, as last kept; None where nobody knows."""
        ...

    def keep_speed(self, model: str, seconds_per_piece: float) -> None:
        """Keep how fast a model was."""
        ...


class MemoryCache:
    """Keeps vectors for this process only: what `--no-cache` means.

    Args:
        warnings: Why it stands in for a lasting cache, one line each.
    """

    def __init__(self, warnings: Sequence[str] = ()) -> None:
        self.warnings = tuple(warnings)
        self._rows: dict[bytes, Row] = {}
        self._speeds: dict[str, float] = {}

    def read(self, keys: Sequence[bytes], dimension: int) -> Entries:
        """Look up keys; an entry of another dimension is not found."""
        found = Gathered(keys, dimension)
        found.add([self._rows[key] for key in keys if key in self._rows])
        return found.entries

    def write(self, keys: Sequence[bytes], vectors: NDArray[np.float32], pieces: NDArray[np.int64]) -> None:
        """Keep vectors (n, dimension) with their word pieces (n,)."""
        self._rows.update((row[0], row) for row in to_rows(keys, vectors, pieces))

    def flush(self) -> None:
        """Do nothing: there is nowhere to write to."""

    def speed(self, model: str) -> float | None:
        """Seconds per word piece, as last kept."""
        return self._speeds.get(model)

    def keep_speed(self, model: str, seconds_per_piece: float) -> None:
        """Keep how fast a model was."""
        self._speeds[model] = seconds_per_piece


def to_rows(keys: Sequence[bytes], vectors: NDArray[np.float32], pieces: NDArray[np.int64]) -> Iterator[Row]:
    """Turn vectors (n, dimension) and word pieces (n,) into what a cache keeps."""
    stored = np.ascontiguousarray(vectors, dtype=_LITTLE_ENDIAN)
    dimension = stored.shape[1]
    for key, vector, count in zip(keys, stored, pieces, strict=True):
        raw = vector.tobytes()
        yield key, dimension, int(count), raw, _checksum(key, int(count), raw)


def _framed(part: str) -> bytes:
    data = part.encode("utf-8", "surrogatepass")
    return len(data).to_bytes(8, "little") + data


def _digest(prefix: blake2b, text: str) -> bytes:
    digest = prefix.copy()
    digest.update(_framed(text))
    return digest.digest()


def _readable(row: Row, dimension: int) -> bool:
    """Whether an entry is what was written; SQLite holds a column to no type, and checks no content."""
    key, stored, pieces, vector, checksum = row
    whole = isinstance(vector, bytes) and len(vector) == dimension * _LITTLE_ENDIAN.itemsize
    typed = whole and stored == dimension and isinstance(pieces, int) and pieces >= 0
    return typed and checksum == _checksum(key, pieces, vector)


def _checksum(key: bytes, pieces: int, vector: bytes) -> int:
    """CRC-32 over an entry: a disk, or a file that was copied, can change a bit in silence."""
    return crc32(vector, crc32(key + pieces.to_bytes(8, "little")))
