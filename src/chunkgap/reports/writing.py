"""Puts finished files in place of old ones: all of them or none, never half of one."""

import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from chunkgap.errors import ConfigError
from chunkgap.reports.locking import is_free, locked

_PREFIX = ".chunkgap-"
_TEMPORARY = re.compile(r"\.chunkgap-[a-z0-9_]{8}")
_FRESH, _PREVIOUS, _WRITING = "fresh", "previous", "writing"
_LOCK = ".chunkgap.lock"

_STALE = 600
"""Seconds after which a temporary folder that nobody holds was left behind, and is not just being made."""

_STANDARD_STREAMS = (1, 2)


def check_folder(out: Path) -> None:
    """Make sure, before hours of work, that results can be written to a folder; it is not left behind.

    Raises:
        ConfigError: It is a file, or cannot be made or written to.
    """
    with replace_files(out):
        pass


@contextmanager
def replace_files(
    out: Path, *, obsolete: Collection[str] | Callable[[], Collection[str]] = ()
) -> Iterator[Path]:
    """Collect files in a temporary folder and move them to `out` together at the end.

    When the block raises, or a file cannot be moved, `out` is as it was. Other files in it are left alone, but
    for temporary folders of processes that were killed. Of several processes one moves its files at a time.

    Args:
        out: The folder, made when missing.
        obsolete: Files of `out`, relative to it, that go away unless they are written again; or what finds
            them, asked when no other process can change them any more.

    Yields:
        An empty folder to write into, subfolders included.

    Raises:
        ConfigError: `out` is a file, or cannot be written to.
    """
    if out.exists() and not out.is_dir():
        raise ConfigError(f"out: expected a folder, got the file {out}. Name another with --out.")
    missing = [folder for folder in (out, *out.parents) if not folder.exists()]
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out, prefix=_PREFIX) as name, locked(Path(name) / _WRITING):
            fresh = Path(name) / _FRESH
            fresh.mkdir()
            yield fresh
            written = files_below(fresh)
            if written or obsolete:
                with locked(out / _LOCK):
                    gone = obsolete() if callable(obsolete) else obsolete
                    _swap(fresh, out, Path(name) / _PREVIOUS, written, gone)
                _sweep(out)
    except OSError as error:
        raise ConfigError(
            f"out: expected a folder to write to, got {out} ({error.strerror or error}). "
            "Name another with --out, or make room."
        ) from error
    finally:
        for folder in missing:
            with suppress(OSError):  # it holds the results
                folder.rmdir()


def replace_text(path: Path, text: str) -> None:
    """Write one file as UTF-8 in place of an older one, at once.

    A link stays, and what it leads to is replaced. Pipes, terminals and their like cannot be: they get the text.

    Raises:
        ConfigError: It cannot be written.
    """
    if is_stream(path):
        _write_straight(path, text)
        return
    try:
        target = path.resolve()
    except (OSError, RuntimeError) as error:  # links in a circle
        raise ConfigError(
            f"out: expected a file to write, got {path}, a link that leads to itself. Name another with --out."
        ) from error
    with replace_files(target.parent) as folder:
        write_text(folder / target.name, text)


def is_stream(path: Path) -> bool:
    """Whether a path is a pipe, a terminal or its like, or the very file that stdout or stderr goes to."""
    try:
        status = path.stat()
    except OSError:
        return False
    is_plain = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    return not is_plain or _standard_stream(status) is not None


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 with the line ends of `text`, whatever the platform's are."""
    write_lines(path, (text,))


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines, which end as they do in the file, as they come; all of them need never be held."""
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(lines)


def files_below(folder: Path) -> list[str]:
    """Every file below a folder, relative to it, with `/`, sorted."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _write_straight(path: Path, text: str) -> None:
    try:
        stream = _standard_stream(path.stat())
        # By its descriptor: opened anew, a file would be written from its start, over what was printed.
        with open(path if stream is None else os.dup(stream), "w", encoding="utf-8", newline="") as file:  # noqa: PTH123
            file.write(text)
    except OSError as error:
        raise ConfigError(
            f"out: expected a file to write, got {path} ({error.strerror or error}). Name another with --out."
        ) from error


def _standard_stream(status: os.stat_result) -> int | None:
    """The descriptor of stdout or stderr, where that is what the status is of."""
    for stream in _STANDARD_STREAMS:
        with suppress(OSError):  # a process may have closed it
            if os.path.samestat(status, os.fstat(stream)):
                return stream
    return None


def _sweep(out: Path) -> None:
    """Remove the temporary folders of processes that were killed while they wrote."""
    for folder in out.glob(f"{_PREFIX}*"):
        with suppress(OSError):  # somebody else removes it too, or alone may do so
            if _is_stale(folder) and is_free(folder / _WRITING):
                shutil.rmtree(folder)


def _is_stale(folder: Path) -> bool:
    """Whether a folder is a temporary one of ours, made long ago; `.chunkgap-cache` is somebody's."""
    if not _TEMPORARY.fullmatch(folder.name) or folder.is_symlink():
        return False
    names = {path.name for path in folder.iterdir()}
    is_ours = _FRESH in names and names <= {_FRESH, _PREVIOUS, _WRITING}
    return is_ours and time.time() - folder.stat().st_mtime > _STALE


def _swap(fresh: Path, out: Path, previous: Path, written: Sequence[str], obsolete: Collection[str]) -> None:
    """Move the new files in, the obsolete ones out; put everything back if one of them cannot be moved."""
    gone = [name for name in obsolete if name not in written]
    changed = [*written, *gone]
    _copy_existing(changed, out, previous)
    try:
        for name in written:
            (out / name).parent.mkdir(exist_ok=True)
            (fresh / name).replace(out / name)
        for name in gone:
            (out / name).unlink(missing_ok=True)
    except BaseException:
        _restore(changed, previous, out)
        raise


def _copy_existing(names: Sequence[str], source: Path, target: Path) -> None:
    for name in names:
        if (source / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, target / name)


def _restore(names: Sequence[str], previous: Path, out: Path) -> None:
    for name in names:
        if (previous / name).exists():
            (previous / name).replace(out / name)
        else:
            (out / name).unlink(missing_ok=True)
