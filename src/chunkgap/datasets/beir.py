"""Where the parts of a BEIR folder lie: corpus.jsonl, queries.jsonl, qrels/<split>.tsv."""

from pathlib import Path

from chunkgap.errors import InputError

_COMPRESSIONS = ("", ".gz", ".zst")


def is_beir(folder: Path) -> bool:
    """Whether a folder holds a corpus.jsonl, compressed or not."""
    return _part(folder, "corpus.jsonl") is not None


def holds_queries(folder: Path) -> bool:
    """Whether a folder holds a corpus.jsonl or a queries.jsonl, compressed or not."""
    return is_beir(folder) or _part(folder, "queries.jsonl") is not None


def corpus_file(folder: Path) -> Path:
    """The documents.

    Raises:
        InputError: If there are none.
    """
    return _required(folder, "corpus.jsonl")


def queries_file(folder: Path) -> Path:
    """The queries.

    Raises:
        InputError: If there are none.
    """
    return _required(folder, "queries.jsonl")


def qrels_file(folder: Path, split: str) -> Path | None:
    """The judgements of a split; None where there are none of any split, so that the queries hold their own.

    Raises:
        InputError: If there are only other splits.
    """
    splits = sorted(path for path in (folder / "qrels").glob("*.tsv") if path.is_file())
    chosen = [path for path in splits if path.stem == split]
    if splits and not chosen:
        names = ", ".join(path.stem for path in splits)
        raise InputError(
            f"{folder / 'qrels'}: expected qrels of the split {split}, got {names}. Set split to one."
        )
    return chosen[0] if chosen else None


def _required(folder: Path, name: str) -> Path:
    part = _part(folder, name)
    if part is None:
        raise InputError(f"{folder}: expected a BEIR folder with {name}, got none. Check the path.")
    return part


def _part(folder: Path, name: str) -> Path | None:
    candidates = (folder / f"{name}{compression}" for compression in _COMPRESSIONS)
    return next((path for path in candidates if path.is_file()), None)
