"""Built HNSW indexes kept as files, found again by a digest of all that shapes them.

An index is two files: `<digest>.hnsw` as hnswlib writes it, and `<digest>.json` with its SHA-256 and the
number of its vectors, checked before hnswlib reads a byte, and with what its building took. Files are written
under a temporary name in the same folder and renamed, so processes can share a folder. Whatever cannot be read is
a miss and made again; nothing is unpickled.
"""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chunkgap.errors import reason
from chunkgap.index.files import digest_of, make_room, making, mark_used, path_for
from chunkgap.index.hnsw import HnswIndex, library_version

_FORMAT = 2
_SECONDS = "build_seconds"


@dataclass(frozen=True, eq=False)
class CachedIndex:
    """An index, and how it was come by.

    Attributes:
        index: Ready to be searched; its `ef` is not part of the cache.
        hit: It was read, not built.
        build_seconds: Wall clock of its building, now or when it was built; None where nobody knows any more.
        warning: One line on a cache file that could not be read or written, empty when all is well.
    """

    index: HnswIndex
    hit: bool
    build_seconds: float | None = None
    warning: str = ""


def cached_index(
    vectors: NDArray[np.float32],
    *,
    m: int,
    ef_construction: int,
    seed: int,
    folder: Path | None,
    digest: str = "",
    advance: Callable[[int], None] = lambda _vectors: None,
) -> CachedIndex:
    """Read the index of these vectors from the cache, or build it and leave it there.

    Args:
        vectors: (n, d) distinct unit vectors, or zero vectors where undefined.
        m: As `HnswIndex.build`.
        ef_construction: As `HnswIndex.build`.
        seed: As `HnswIndex.build`.
        advance: As `HnswIndex.build`; a hit advances by all vectors at once.
        folder: Where indexes are kept, made when missing; None builds without a cache.
        digest: `digest_of(vectors)` where it is known.

    Raises:
        ConfigError: hnswlib is not installed.
    """

    def build() -> tuple[HnswIndex, float]:
        started = time.perf_counter()
        index = HnswIndex.build(vectors, m=m, ef_construction=ef_construction, seed=seed, advance=advance)
        return index, time.perf_counter() - started

    if folder is None:
        index, seconds = build()
        return CachedIndex(index, hit=False, build_seconds=seconds)
    facts = [_FORMAT, library_version(), digest or digest_of(vectors), m, ef_construction, seed]
    path = path_for(facts, folder, ".hnsw")
    found, unreadable = _read(vectors, path)
    if found is not None:
        mark_used(path)
        advance(len(found.index))
        return found
    index, seconds = build()
    warning = " ".join(filter(None, (unreadable, _write(index, path, seconds))))
    return CachedIndex(index, hit=False, build_seconds=seconds, warning=warning)


def _read(vectors: NDArray[np.float32], path: Path) -> tuple[CachedIndex | None, str]:
    """The index, or None with one line on why a file that is there was not used."""
    sidecar = path.with_suffix(".json")
    if not (path.exists() and sidecar.exists()):
        return None, ""
    try:
        described = json.loads(sidecar.read_bytes())
        seconds = described.pop(_SECONDS, None) if isinstance(described, dict) else None
        if described != _description(path, len(vectors)):
            return None, f"{path}: expected a whole index, got other content. It was made again."
        known = seconds if isinstance(seconds, float) else None
        return CachedIndex(HnswIndex.load(vectors, path), hit=True, build_seconds=known), ""
    except ValueError:  # not UTF-8, or not JSON
        return None, f"{sidecar}: expected the description of an index, got other content. It was made again."
    except (OSError, RuntimeError) as error:
        return None, f"{path}: expected an index, got a fault: {reason(error)}. It was made again."


def _write(index: HnswIndex, path: Path, seconds: float) -> str:
    """Leave the index in the cache; one line, the same for all indexes, on why it could not be."""
    try:
        with making(path.parent) as scratch:
            made = scratch / path.name
            index.save(made)
            described = made.with_suffix(".json")
            description = {**_description(made, len(index)), _SECONDS: seconds}
            described.write_text(json.dumps(description), encoding="utf-8")
            made.replace(path)
            described.replace(path.with_suffix(".json"))
    except (OSError, RuntimeError) as error:
        return f"{path.parent}: expected to keep indexes, got a fault: {reason(error)}. They are made anew each time."
    make_room(path.parent)
    return ""


def _description(path: Path, vectors: int) -> dict[str, str | int]:
    with path.open("rb") as file:
        return {"sha256": hashlib.file_digest(file, "sha256").hexdigest(), "vectors": vectors}
