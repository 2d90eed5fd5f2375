"""The bytes of plain and of compressed files, the latter within bounds."""

import io
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from chunkgap.errors import InputError, reason

MAX_BYTES = 20 * 2**30
"""Decompressed bytes of one archive beyond which it is refused."""

MAX_RATIO = 200
"""Decompressed bytes for one compressed byte beyond which an archive is taken for a bomb."""

RATIO_FROM = 64 * 2**20
"""Decompressed bytes from which the ratio is looked at."""

_BLOCK = 2**20
_ZSTD_BLOCK = 2**12  # small, since one block of a bomb decompresses to 30,000 times its size


def open_bytes(path: Path) -> BinaryIO:
    """Open a plain, `.gz` or `.zst` file for reading its (decompressed) bytes.

    Raises:
        InputError: If it cannot be opened, or, while it is read, if the archive is broken or out of bounds.
    """
    try:
        stream = path.open("rb", buffering=_BLOCK)
    except OSError as error:
        raise unreadable(path, error) from error
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return io.BufferedReader(_Archive(path, stream, _gzip_blocks), _BLOCK)
    if suffix == ".zst":
        return io.BufferedReader(_Archive(path, stream, _zstd_blocks), _BLOCK)
    return stream


def unreadable(path: Path, error: OSError) -> InputError:
    """The error for a path that the system does not let us read."""
    return InputError(
        f"{path}: expected a readable file, got: {reason(error)}. Check the path and its permissions."
    )


class _Archive(io.RawIOBase):
    """The decompressed bytes of a file, counted, so that a small archive cannot run on for ever."""

    def __init__(self, path: Path, stream: BinaryIO, blocks: Callable[[BinaryIO], Iterator[bytes]]) -> None:
        self._path = path
        self._stream = stream
        self._blocks = blocks(stream)
        self._kind = path.suffix.lower()
        self._compressed = path.stat().st_size
        self._count = 0
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            block = self._next_block()
            if block is None:
                return 0
            self._count += len(block)
            self._check_bounds()
            self._rest = memoryview(block)
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def close(self) -> None:
        self._stream.close()
        super().close()

    def _next_block(self) -> bytes | None:
        try:
            return next(self._blocks, None)
        except (EOFError, OSError, zlib.error) as error:
            what = "a truncated one" if isinstance(error, EOFError) else "something else or a damaged one"
            raise InputError(
                f"{self._path}: expected a whole {self._kind} archive, got {what}. Fetch or pack it again."
            ) from error

    def _check_bounds(self) -> None:
        inflated = self._count > RATIO_FROM and self._count > MAX_RATIO * self._compressed
        if inflated or self._count > MAX_BYTES:
            raise InputError(
                f"{self._path}: expected at most {MAX_RATIO} times its size and {MAX_BYTES >> 30} GiB "
                "decompressed, got more. Decompress it yourself if you trust it."
            )


def _gzip_blocks(stream: BinaryIO) -> Iterator[bytes]:
    import gzip

    with gzip.GzipFile(fileobj=stream) as archive:
        while block := archive.read(_BLOCK):
            yield block


def _zstd_blocks(stream: BinaryIO) -> Iterator[bytes]:
    """Frame by frame: the library's own stream reader ends a truncated file without a word."""
    import zstandard

    frame = None
    while data := stream.read(_ZSTD_BLOCK):
        while data:
            frame = frame or zstandard.ZstdDecompressor().decompressobj()
            try:
                yield frame.decompress(data)
            except zstandard.ZstdError as error:
                raise OSError(str(error)) from error
            data, frame = (frame.unused_data, None) if frame.eof else (b"", frame)
    if frame is not None:
        raise EOFError
