"""A folder of files, each one document, and single files of that kind."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from chunkgap.datasets import office
from chunkgap.datasets.archives import unreadable
from chunkgap.datasets.files import Decoding, UndecodableError, read_bytes
from chunkgap.datasets.findings import Findings, escaped
from chunkgap.datasets.html import visible_text
from chunkgap.datasets.record import FieldError, Record
from chunkgap.errors import InputError
from chunkgap.formatting import counted

TEXT_ENDINGS = frozenset({".txt", ".md", ".markdown"})
HTML_ENDINGS = frozenset({".html", ".htm"})
ENDINGS = TEXT_ENDINGS | HTML_ENDINGS | office.ENDINGS

_RESULTS = ("manifest.json", "results.json", "qrels.txt")
"""What a measurement always writes into its folder."""

_NO_DOCUMENTS = frozenset({"thumbs.db", "desktop.ini"})  # what Windows hides and other systems show


def read_folder(folder: Path, decoding: Decoding, findings: Findings) -> Iterator[Record]:
    """Each readable file below the folder; its id is the path from there, with `/` and the ending.

    Hidden entries and folders with the results of a measurement, which hold every query, are counted in
    `findings.skipped`; so is all else that is left out, and warned of.
    Links to folders come once everything that is really there has been read; no real folder is entered twice.
    """
    for path in _walk(folder, findings):
        yield from read_document(path, folder, decoding, findings)


def read_document(path: Path, base: Path, decoding: Decoding, findings: Findings) -> Iterator[Record]:
    """The one record of a file, or none where it has to be left out, which `findings` then tells."""
    # Names are bytes; what Python makes of them depends on the locale, an id must not.
    doc_id = os.fsencode(path.relative_to(base).as_posix()).decode("utf-8", "replace")
    place = escaped(str(path))
    try:
        content = _content(path, decoding, findings)
    except UndecodableError as error:
        decoding.settle(error, findings)
    except InputError as error:
        findings.problem(str(error))
    except FieldError as error:
        findings.problem(f"{place}: {error}")
    else:
        if content is not None:
            yield Record(place, {"id": doc_id, "title": content[0], "text": content[1]})


def _content(path: Path, decoding: Decoding, findings: Findings) -> tuple[str, str] | None:
    """Title and text, None for a file that is no text."""
    place = escaped(str(path))
    suffix = path.suffix.lower()
    if suffix in office.ENDINGS:
        return _converted(path, findings)
    data = read_bytes(path)
    if decoding.keeps_lines and b"\0" in data and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        findings.skipped["binary"] += 1
        findings.warn("binary files, skipped", f"{place}: skipped, for it is binary (it holds NUL bytes)")
        return None
    text = decoding.text(data, place)
    return visible_text(text) if suffix in HTML_ENDINGS else ("", text)


def _converted(path: Path, findings: Findings) -> tuple[str, str] | None:
    if office.is_installed():
        return "", office.convert(path)
    findings.skipped["needs chunkgap[documents]"] += 1
    findings.warn(
        "files that need chunkgap[documents]",
        f"{escaped(str(path))}: skipped, for it needs an extra. Install chunkgap[documents] to read it.",
    )
    return None


def _walk(root: Path, findings: Findings) -> Iterator[Path]:
    # A link that leads to the folder itself or above it would bring in everything again.
    entered = {_identity(folder) for folder in (root.resolve(), *root.resolve().parents)} - {_identity(root)}
    folders, links = [root], list[Path]()
    while folders or links:
        folder = folders.pop() if folders else links.pop(0)
        identity = _identity(folder)
        if identity in entered:
            continue
        entered.add(identity)
        for path in _entries(folder, findings):
            if path.is_dir():
                if _holds_results(path):
                    findings.skipped["results of a measurement"] += 1
                else:
                    (links if path.is_symlink() else folders).append(path)
            elif _is_wanted(path, findings):
                yield path


def _entries(folder: Path, findings: Findings) -> Sequence[Path]:
    """What is in a folder, by name, hidden entries left out."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        findings.problem(str(unreadable(folder, error)))
        return ()
    seen = [path for path in entries if not is_hidden(path.name)]
    if len(seen) < len(entries):
        findings.skipped["hidden"] += len(entries) - len(seen)
    return seen


def _is_wanted(path: Path, findings: Findings) -> bool:
    suffix = path.suffix.lower()
    if path.is_file() and suffix in ENDINGS:
        return True
    if path.is_symlink() and not path.exists():
        findings.skipped["broken link"] += 1
        findings.warn("broken links", f"{escaped(str(path))}: skipped, for the link leads nowhere")
    elif not path.is_file():
        findings.leave_out("pipe or device", path)
    else:
        leave_out_by_ending(path, findings)
    return False


def _holds_results(folder: Path) -> bool:
    return all((folder / name).is_file() for name in _RESULTS)


def is_hidden(name: str) -> bool:
    """Whether a file or folder is there for programs alone: hidden, or the lock of an office program."""
    return name.startswith((".", "~$")) or name.casefold() in _NO_DOCUMENTS


def leave_out_by_ending(path: Path, findings: Findings) -> None:
    """Note that a file is left out for its ending, which none that is read has."""
    suffix = path.suffix.lower()
    findings.leave_out(f"ending {escaped(suffix)}" if suffix else "no ending", path)


def _identity(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino


def skipped_in_words(findings: Findings) -> str:
    """What was left out, as part of a message."""
    return ", ".join(
        counted(count, f"file ({reason})", f"files ({reason})") for reason, count in findings.skipped.items()
    )
