"""Which files a path means, and in which format each is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chunkgap.datasets import beir, folder
from chunkgap.datasets.files import ending
from chunkgap.datasets.findings import Findings
from chunkgap.errors import ConfigError, InputError

CORPUS_FORMATS = ("folder", "beir", "jsonl", "csv", "tsv", "parquet", "json", "squad")
QUERY_FORMATS = ("beir", "jsonl", "csv", "tsv", "parquet", "json", "squad", "chroma")

_BY_ENDING = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".json": "json",
}
_WILDCARDS = frozenset("*?[")


@dataclass(frozen=True)
class Source:
    """One file or folder to be read.

    Attributes:
        path: Where it is.
        format: One of the formats above, or "document" for a file that is one document.
        base: The folder from which the id of a document is counted.
    """

    path: Path
    format: str
    base: Path


def corpus_sources(paths: Sequence[Path], form: str | None, findings: Findings) -> list[Source]:
    """The sources that a corpus is made of, wildcards resolved.

    Raises:
        InputError: If a path is not there, or in no format that is read.
    """
    check_format(form, CORPUS_FORMATS)
    base = _common_folder(paths)
    sources: dict[Path, Source] = {}
    for path in paths:
        for source in _sources(path, base, form, findings):
            sources.setdefault(source.path.resolve(), source)
    return list(sources.values())


def query_format(path: Path, form: str | None) -> str:
    """The format of a file or folder of queries.

    Raises:
        InputError: If it is not there, or in no format that is read.
    """
    check_format(form, QUERY_FORMATS)
    check_exists(path)
    if form is None and path.is_dir() and not beir.holds_queries(path):
        raise InputError(
            f"{path}: expected a query file or a BEIR folder, got a folder without queries.jsonl. "
            "Name the file of queries."
        )
    found = form or ("beir" if path.is_dir() else _BY_ENDING.get(ending(path)))
    if found is None:
        raise InputError(
            f"{path}: expected queries as {', '.join(dict.fromkeys(_BY_ENDING))} or a BEIR folder, "
            f'got "{path.suffix}". Convert it, or set format.'
        )
    return found


def check_format(form: str | None, formats: Sequence[str]) -> None:
    """Refuse the name of a format that is none.

    Raises:
        ConfigError: With those that are.
    """
    if form is not None and form not in formats:
        raise ConfigError(
            f'format: expected one of {", ".join(formats)}, got "{form}". Leave it out to go by the name.'
        )


def check_exists(path: Path) -> None:
    """Refuse a path where nothing is.

    Raises:
        InputError: With the path.
    """
    if not path.exists():
        raise InputError(f"{path}: expected a file or folder, got nothing there. Check the path.")


def _sources(path: Path, base: Path, form: str | None, findings: Findings) -> Iterator[Source]:
    if _WILDCARDS & set(str(path)) and not path.exists():
        yield from _matches(path, form, findings)
        return
    check_exists(path)
    yield Source(path, form or _corpus_format(path), base)


def _corpus_format(path: Path) -> str:
    if path.is_dir():
        return "beir" if beir.is_beir(path) else "folder"
    found = _BY_ENDING.get(ending(path))
    if found is None and path.suffix.lower() not in folder.ENDINGS:
        endings = ", ".join((*sorted(folder.ENDINGS), *_BY_ENDING))
        raise InputError(
            f'{path}: expected a folder or one of {endings}, got "{path.suffix}". Convert it, or set format.'
        )
    return found or "document"


def _matches(pattern: Path, form: str | None, findings: Findings) -> Iterator[Source]:
    """The files that a path with wildcards names; what a folder would leave out is left out here as well."""
    fixed = next(i for i, part in enumerate(pattern.parts) if _WILDCARDS & set(part))
    base = Path(*pattern.parts[:fixed])
    try:
        found = sorted(path for path in base.glob(str(Path(*pattern.parts[fixed:]))) if path.is_file())
    except (ValueError, OSError) as error:
        raise InputError(
            f"{pattern}: expected a path with wildcards, got a fault: {error}. Mend it."
        ) from error
    if not found:
        raise InputError(f"{pattern}: expected files that match, got none. Check the pattern.")
    for path in found:
        if any(map(folder.is_hidden, path.relative_to(base).parts)):
            findings.skipped["hidden"] += 1
        elif form is None and ending(path) not in _BY_ENDING and path.suffix.lower() not in folder.ENDINGS:
            folder.leave_out_by_ending(path, findings)
        else:
            yield Source(path, form or _corpus_format(path), base)


def _common_folder(paths: Sequence[Path]) -> Path:
    """The deepest folder that holds all the files, from which their ids are counted."""
    folders = [path if path.is_dir() else path.parent for path in paths]
    return next(
        (
            folder
            for folder in (folders[0], *folders[0].parents)
            if all(other.is_relative_to(folder) for other in folders)
        ),
        Path(),
    )
