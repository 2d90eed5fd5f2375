"""A small made-up corpus with labelled queries, as files, for tests of whole measurements."""

import json
from pathlib import Path

import numpy as np

from chunkgap.config import Settings, load_settings

WORDS = [
    f"{first}{second}"
    for first in ("ba", "ko", "li", "mu", "ne", "po")
    for second in ("ra", "so", "ti", "vu")
]


def write_corpus(folder: Path, *, documents: int = 24, words: int = 120, seed: int = 3) -> Path:
    """A folder of documents of random words, each with one passage of words of its own in the middle."""
    random = np.random.default_rng(seed)
    corpus = folder / "corpus"
    corpus.mkdir()
    for row in range(documents):
        before, after = (" ".join(random.choice(WORDS, words // 2)) for _ in range(2))
        (corpus / f"d{row:02d}.txt").write_text(f"{before} {passage(row)} {after}\n", encoding="utf-8")
    return corpus


def passage(row: int) -> str:
    return f"the harbour number{row} opens at gate{row * 7} for crew{row}"


def write_queries(folder: Path, *, queries: int = 24, documents: int = 24, seed: int = 5) -> Path:
    """Queries that share some words with the passage of their document, and some with all documents."""
    random = np.random.default_rng(seed)
    lines = []
    for row in range(queries):
        own = [f"gate{row % documents * 7}", f"crew{row % documents}", f"number{row % documents}"]
        asked = [*random.choice(own, 1), *random.choice(WORDS, int(random.integers(2, 9)))]
        query = {
            "_id": f"q{row:02d}",
            "text": " ".join(asked),
            "relevant": [f"d{row % documents:02d}.txt"],
            "spans": [{"doc": f"d{row % documents:02d}.txt", "text": passage(row % documents)}],
            "tags": {"half": "first" if row < queries // 2 else "second"},
        }
        lines.append(json.dumps(query))
    path = folder / "queries.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def settings_for(folder: Path, **overrides: object) -> Settings:
    """Settings over a corpus and queries made in `folder`; nested keys as `retrieval__index`."""
    if not (folder / "corpus").exists():
        write_corpus(folder)
        write_queries(folder)
    chosen = {
        "corpus": folder / "corpus",
        "queries": folder / "queries.jsonl",
        "sizes": [16, 32, 64],
        "cutoffs": ["1", "3", "5"],
        "primary": "recall@3",
        "cache": False,
        "statistics.resamples": 200,
        "out": folder / "out",
    }
    chosen.update({key.replace("__", "."): value for key, value in overrides.items()})
    return load_settings(None, chosen)
