"""One pass over the corpus: ids, lengths, and a sample of the documents; the texts are not kept."""

import heapq
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from chunkgap.checking.reading import stream_documents
from chunkgap.config import Settings
from chunkgap.datasets.findings import Findings
from chunkgap.progress import NO_PROGRESS, Progress
from chunkgap.records import Document

SAMPLE_CHARACTERS = 20_000_000
"""Of a corpus with more text than this a sample of so much is kept and tokenised."""

SAMPLE_DOCUMENTS = 100_000
"""Likewise of one with more documents, whose lengths are known well enough from so many."""

_CLIPPED = 1_000_000  # one long document must not stand for all others
_SEED = 13


@dataclass(frozen=True, eq=False)
class Survey:
    """What is known of a corpus after it has been read once.

    Attributes:
        has_text: For each `doc_id` whether the document holds anything but white space.
        characters: Code points of each document, in file order, shape (documents,).
        sample: All documents, or a seeded sample of them, sorted by `doc_id`.
        is_complete: Whether `sample` is the whole corpus.
        warnings: What the user has to know.
        skipped: Files or records left out, by reason.
    """

    has_text: Mapping[str, bool]
    characters: NDArray[np.int64]
    sample: tuple[Document, ...]
    is_complete: bool
    warnings: tuple[str, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)


def survey_corpus(
    settings: Settings, *, sample_characters: int = SAMPLE_CHARACTERS, progress: Progress = NO_PROGRESS
) -> Survey:
    """Stream the corpus, validating every document.

    Args:
        settings: Where the corpus is and how it is read.
        sample_characters: Code points of text to keep at most; a corpus that has no more, and no more than
            `SAMPLE_DOCUMENTS` documents, is kept whole.
        progress: Told of every document.

    Raises:
        InputError: With all problems of all files.
    """
    findings, sampler = Findings(), _Sampler(sample_characters, SAMPLE_DOCUMENTS)
    has_text: dict[str, bool] = {}
    characters = array("q")
    with progress.step("reading the corpus", None) as advance:
        for document in stream_documents(settings, findings):
            text = document.text
            has_text[document.doc_id] = bool(text) and not text.isspace()
            characters.append(len(text))
            sampler.add(document)
            advance(1)
    return Survey(
        has_text,
        np.array(characters, dtype=np.int64),
        sampler.documents,
        sampler.is_complete,
        findings.warnings,
        dict(findings.skipped),
    )


class _Sampler:
    """Keeps the documents with the lowest random keys, as many as fit, so that all are equally likely.

    Attributes:
        is_complete: Whether every document so far is kept whole.
    """

    def __init__(self, limit: int, most: int) -> None:
        self.is_complete = True
        self._limit = limit
        self._most = most
        self._random = Random(_SEED)  # noqa: S311  a sample, not a secret
        self._kept: list[tuple[float, int, Document]] = []
        self._size = 0
        self._seen = 0

    @property
    def documents(self) -> tuple[Document, ...]:
        """What is kept, sorted by `doc_id`."""
        return tuple(sorted((kept[2] for kept in self._kept), key=lambda document: document.doc_id))

    def add(self, document: Document) -> None:
        """See one more document."""
        if self.is_complete and self._overflows(document):
            self.is_complete = False
            self._kept = [(key, number, _clipped(held)) for key, number, held in self._kept]
            self._size = sum(len(held.text) for _, _, held in self._kept)
        held = document if self.is_complete else _clipped(document)
        self._seen += 1
        key = -self._random.random()
        if self._kept and key < self._kept[0][0] and self._overflows(held):
            return  # it would be the first to go
        heapq.heappush(self._kept, (key, self._seen, held))
        self._size += len(held.text)
        while (self._size > self._limit or len(self._kept) > self._most) and len(self._kept) > 1:
            self._size -= len(heapq.heappop(self._kept)[2].text)

    def _overflows(self, document: Document) -> bool:
        """Whether there is no room for one more document."""
        return len(self._kept) >= self._most or self._size + len(document.text) > self._limit


def _clipped(document: Document) -> Document:
    return document if len(document.text) <= _CLIPPED else replace(document, text=document.text[:_CLIPPED])
