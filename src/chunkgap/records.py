"""Frozen values that every layer speaks of: documents, queries, spans, scales, chunks, intervals."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """An evidence span: the half-open range `[start, end)` of code points of one document's text."""

    doc_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """One document of the corpus.

    Attributes:
        doc_id: The id, NFC, unique in the corpus.
        text: What is cut into chunks: the body, or the title joined to the body.
        title: The title as given, empty when there is none.
        body_start: Code point of `text` at which the body begins: 0, or past a joined title. Spans in query
            files count from the body; readers shift them, so that a `Span` always counts from `text`.
    """

    doc_id: str
    text: str
    title: str = ""
    body_start: int = 0


@dataclass(frozen=True, slots=True)
class Query:
    """One labelled question.

    Attributes:
        query_id: The id, unique among the queries.
        text: The question as it is embedded.
        relevant: Grade by `doc_id`; a document is relevant when its grade is above 0.
        spans: Evidence, in the code points of `Document.text`.
        answers: Accepted answer strings.
        tags: Named properties by which results are sliced.
    """

    query_id: str
    text: str
    relevant: Mapping[str, float] = field(default_factory=dict)
    spans: tuple[Span, ...] = ()
    answers: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scale:
    """One chunking condition under test: windows of `size` tokens, neighbours sharing `overlap`."""

    name: str
    size: int
    overlap: int = 0

    @property
    def step(self) -> int:
        """Tokens from the start of one window to the start of the next."""
        return self.size - self.overlap


@dataclass(frozen=True, slots=True)
class Chunk:
    """A contiguous piece of one document: `text == document.text[start:end]`."""

    chunk_id: str
    doc_id: str
    start: int
    end: int
    tokens: int
    text: str


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    """A chunk at its place in a run: `rank` counts from 1, a higher `score` is better."""

    chunk: Chunk
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Interval:
    """A point estimate with its confidence interval `[low, high]`."""

    estimate: float
    low: float
    high: float

    def contains(self, value: float) -> bool:
        """Whether the closed interval holds `value`."""
        return self.low <= value <= self.high
