"""Puts finished files in place of old ones: all of them or none, never half of one."""

import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from chunkgap.errors import ConfigError

_PREFIX = ".chunkgap-"


def check_folder(out: Path) -> None:
    """Make sure, before hours of work, that results can be written to a folder; it is not left behind.

    Raises:
        ConfigError: It is a file, or cannot be made or written to.
    """
    with replace_files(out):
        pass


@contextmanager
def replace_files(out: Path, *, obsolete: Collection[str] = ()) -> Iterator[Path]:
    """Collect files in a temporary folder and move them to `out` together at the end.

    When the block raises, or a file cannot be moved, `out` is as it was. Other files in it are left alone.

    Args:
        out: The folder, made when missing.
        obsolete: Files of `out`, relative to it, that go away unless they are written again.

    Yields:
        An empty folder to write into, subfolders included.

    Raises:
        ConfigError: `out` is a file, or cannot be written to.
    """
    if out.exists() and not out.is_dir():
        raise ConfigError(f"out: expected a folder, got the file {out}. Name another with --out.")
    existed = out.exists()
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out, prefix=_PREFIX) as name:
            fresh, previous = Path(name) / "fresh", Path(name) / "previous"
            fresh.mkdir()
            yield fresh
            _swap(fresh, out, previous, obsolete)
    except OSError as error:
        raise ConfigError(
            f"out: expected a folder to write to, got {out} ({error.strerror or error}). "
            "Name another with --out, or make room."
        ) from error
    finally:
        if not existed:
            with suppress(OSError):  # it holds the results
                out.rmdir()


def replace_text(path: Path, text: str) -> None:
    """Write one file as UTF-8 in place of an older one, at once.

    Raises:
        ConfigError: As `replace_files`.
    """
    with replace_files(path.parent) as folder:
        write_text(folder / path.name, text)


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 with the line ends of `text`, whatever the platform's are."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def files_below(folder: Path) -> list[str]:
    """Every file below a folder, relative to it, with `/`, sorted."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _swap(fresh: Path, out: Path, previous: Path, obsolete: Collection[str]) -> None:
    """Move the new files in, the obsolete ones out; put everything back if one of them cannot be moved."""
    written = files_below(fresh)
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
