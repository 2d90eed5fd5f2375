"""Keeps vectors from one measurement to the next: one SQLite file that processes share.

The file holds raw little-endian floats, never a pickle. It is a cache: whatever is unreadable in it is a
miss, and a file that cannot be used is set aside and made again, with a warning and never with an error.
"""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from chunkgap.embedding.cache import Entries, Gathered, Row, to_rows

FILE_NAME = "vectors.sqlite"
COMMIT_SECONDS = 2.0
BUSY_SECONDS = 60.0
KEYS_PER_QUERY = 900  # SQLite before 3.32 takes at most 999 parameters
ROWS_PER_COMMIT = 20_000  # a bound on what waits in memory, however fast the embedder

_SCHEMA = (
    """
    CREATE TABLE IF NOT EXISTS embeddings (
        key BLOB PRIMARY KEY, dimension INTEGER NOT NULL, pieces INTEGER NOT NULL, vector BLOB NOT NULL,
        checksum INTEGER NOT NULL
    )""",
    "CREATE TABLE IF NOT EXISTS speeds (model TEXT PRIMARY KEY, seconds_per_piece REAL NOT NULL)",
)


class SqliteCache:
    """Keeps vectors in `FILE_NAME` of a folder, shared by all processes that name the folder.

    To be closed, or used as a context; one thread only.

    Args:
        folder: Made when it is missing.
        commit_seconds: How often what was written is committed: what an abrupt end can lose.

    Attributes:
        warnings: What went wrong so far, one line each.
    """

    def __init__(self, folder: Path, *, commit_seconds: float = COMMIT_SECONDS) -> None:
        self.path = folder / FILE_NAME
        self.warnings: list[str] = []
        self._commit_seconds = commit_seconds
        self._committed = time.monotonic()
        self._waiting: list[Row] = []
        self._connection: sqlite3.Connection | None = None
        self._inode: int | None = None
        with self._forgiving():
            self._open()

    def __enter__(self) -> Self:
        """Return the cache itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Keep what was written, whatever ended the block."""
        self.close()

    def close(self) -> None:
        """Keep what was written and let go of the file."""
        self.flush()
        if self._connection is not None:
            with self._forgiving():
                self._connection.close()
            self._connection = None

    def read(self, keys: Sequence[bytes], dimension: int) -> Entries:
        """Look up keys; an entry of another dimension, or of another length than it claims, is not found."""
        self.flush()
        found = Gathered(keys, dimension)
        with self._forgiving():
            for first in range(0, len(keys), KEYS_PER_QUERY):
                found.add(self._select(keys[first : first + KEYS_PER_QUERY]))
        return found.entries

    def write(self, keys: Sequence[bytes], vectors: NDArray[np.float32], pieces: NDArray[np.int64]) -> None:
        """Keep vectors (n, dimension) with their word pieces (n,); committed every few seconds."""
        self._waiting += to_rows(keys, vectors, pieces)
        late = time.monotonic() - self._committed >= self._commit_seconds
        if late or len(self._waiting) >= ROWS_PER_COMMIT:
            self.flush()

    def flush(self) -> None:
        """Commit what was written."""
        with self._forgiving():
            self._insert()
        if self._connection is None:
            self._waiting.clear()

    def speed(self, model: str) -> float | None:
        """Seconds per word piece of a model, by its identity, as last kept; None where nobody knows."""
        found = None
        with self._forgiving():
            if self._connection is not None:
                query = "SELECT seconds_per_piece FROM speeds WHERE model = ?"
                found = self._connection.execute(query, (model,)).fetchone()
        return found[0] if found and isinstance(found[0], float) and found[0] > 0 else None

    def keep_speed(self, model: str, seconds_per_piece: float) -> None:
        """Keep how fast a model was."""
        with self._forgiving():
            if self._connection is not None:
                row = (model, seconds_per_piece)
                self._connection.execute("INSERT OR REPLACE INTO speeds VALUES (?, ?)", row)

    def _select(self, keys: Sequence[bytes]) -> list[Row]:
        if self._connection is None:
            return []
        marks = ",".join("?" * len(keys))
        query = f"SELECT key, dimension, pieces, vector, checksum FROM embeddings WHERE key IN ({marks})"
        return self._connection.execute(query, keys).fetchall()

    def _insert(self) -> None:
        if self._connection is None or not self._waiting:
            return
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(
                "INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?, ?, ?)", self._waiting
            )
        self._waiting.clear()  # only after the commit: an interrupt in between keeps them for the next one
        self._committed = time.monotonic()

    def _open(self) -> None:
        """Open the file, or make it. One process at a time: SQLite's timeout does not cover that."""
        from filelock import FileLock

        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self._beside(".lock"), timeout=BUSY_SECONDS):
            if self.path.exists() and self.path.stat().st_size == 0:
                self.warnings.append(f"{self.path}: the vector cache was empty and is made again.")
            connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            self._connection, self._inode = connection, self.path.stat().st_ino
            connection.text_factory = bytes  # text in place of floats is one bad entry, not a failed query
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            for table in _SCHEMA:
                connection.execute(table)
            connection.execute(
                "SELECT key, dimension, pieces, vector, checksum FROM embeddings LIMIT 1"
            ).fetchall()

    @contextmanager
    def _forgiving(self) -> Iterator[None]:
        """Turn what goes wrong with the file into a warning: made again if unreadable, else done without."""
        try:
            yield
        except sqlite3.ProgrammingError:
            raise  # ours, not the file's
        except sqlite3.DatabaseError as error:
            if _unreadable(error):
                self._make_again(error)
            else:
                self._do_without(error)
        except OSError as error:
            self._do_without(error)

    def _make_again(self, error: sqlite3.Error) -> None:
        self._release()
        self.warnings.append(
            f"{self.path}: the vector cache was unreadable ({error}) and is made again; the old file is "
            f"{FILE_NAME}.unreadable."
        )
        try:
            self._set_aside()
            self._open()
            self._insert()
        except (OSError, sqlite3.Error) as again:
            self._do_without(again)

    def _set_aside(self) -> None:
        """Move the unreadable file away, unless another process has done so."""
        from filelock import FileLock

        with FileLock(self._beside(".lock"), timeout=BUSY_SECONDS):
            if not self.path.exists() or self.path.stat().st_ino != self._inode:
                return
            self.path.replace(self._beside(".unreadable"))
            for suffix in ("-wal", "-shm"):  # a log beside a new file would be replayed into it
                self._beside(suffix).unlink(missing_ok=True)

    def _do_without(self, error: Exception) -> None:
        self._release()
        reason = getattr(error, "strerror", None) or error
        told = f"{self.path}: the vector cache cannot be used ({reason}); going on without it."
        self.warnings.append(told)

    def _release(self) -> None:
        if self._connection is not None:
            try:
                self._connection.close()
            except sqlite3.Error:
                self._connection = None  # nothing is left to be closed
        self._connection = None

    def _beside(self, suffix: str) -> Path:
        return self.path.with_name(FILE_NAME + suffix)


def _unreadable(error: sqlite3.DatabaseError) -> bool:
    """Whether the file itself is at fault, rather than its being locked, write-protected or the disk full."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_IOERR)
