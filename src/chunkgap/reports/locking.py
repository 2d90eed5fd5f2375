"""Locks between processes that write to one folder; the system takes them back from one that dies."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from chunkgap.errors import ConfigError

_PATIENCE = 60
"""Seconds to wait for another process, which holds the lock of a folder for a moment."""

_WITHOUT_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock, whose file is not left behind.

    Where the file system has no locks, as on some network drives, it goes on without: results must not be lost
    for want of one.

    Raises:
        ConfigError: Another process holds it for a minute.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path, timeout=_PATIENCE)
    try:
        lock.acquire()
    except Timeout as error:
        raise ConfigError(
            f"out: expected a folder that nobody else writes to, got {path.parent}, locked for {_PATIENCE} s. "
            "Wait for the other measurement, or name another folder with --out."
        ) from error
    except NotImplementedError:  # older versions of filelock, where there are no locks
        pass
    except OSError as error:
        if error.errno not in _WITHOUT_LOCKS:
            raise
    try:
        yield
    finally:
        with suppress(OSError):  # while it is held: whoever waits for it sees that, and makes the file again
            path.unlink()
        lock.release()


def is_free(path: Path) -> bool:
    """Whether no process holds a lock, as far as can be told."""
    from filelock import FileLock

    try:
        with FileLock(path, timeout=0):
            return True
    except (OSError, NotImplementedError):
        return False
