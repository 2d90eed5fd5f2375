"""What there is to say of one query, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass

from chunkgap.fusion import Fusion, Vote


@dataclass(frozen=True, slots=True)
class Miss:
    """A relevant document outside the primary cutoff at one scale: the one nearest to it.

    Attributes:
        rank: Its rank among the documents, from 1; like the two after it None when it was not retrieved.
        chunk_rank: Rank of its first chunk among the chunks.
        score: That chunk's score.
        above: The documents above it in their order, with the number of their chunks above its first one; all
            that were retrieved where it was not.
    """

    doc_id: str
    rank: int | None
    chunk_rank: int | None
    score: float | None
    above: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class EvidencePlace:
    """Where a query's evidence stands among the ranked chunks of one scale.

    Attributes:
        rank: Of the first chunk that shares a character with a span, from 1; like the two after it None when
            no retrieved chunk does.
        doc_id: That chunk's document.
        score: Its score.
        above: The documents of the chunks above it in their order, with the number of these chunks; of all
            that were retrieved where none touches evidence.
        inside: Whether the primary cutoff takes that chunk.
        required: Code points of the union of the spans.
        covered: Those that lie in the chunks inside the primary cutoff; None where a token budget cuts the
            first chunk, for where it does so is not kept.
    """

    rank: int | None
    doc_id: str | None
    score: float | None
    above: Mapping[str, int]
    inside: bool
    required: int
    covered: int | None


@dataclass(frozen=True, slots=True)
class RelevantDocument:
    """One relevant document.

    Attributes:
        ranks: Its rank among the documents by scale, from 1, None where it was not retrieved.
        fused_rank: The same in the fusion.
        votes: By scale, what made its fused score; empty where it got none.
    """

    doc_id: str
    ranks: Mapping[str, int | None]
    fused_rank: int | None
    votes: Mapping[str, tuple[Vote, ...]]

    @property
    def fused_score(self) -> float:
        """The sum of its votes."""
        return sum(vote.value for votes in self.votes.values() for vote in votes)


@dataclass(frozen=True, slots=True)
class FusedDocument:
    """One document of the fusion, `rank` from 1."""

    rank: int
    doc_id: str
    score: float
    relevant: bool


@dataclass(frozen=True, slots=True)
class ExplainedScale:
    """One scale.

    Attributes:
        value: The primary measure, None where it is not defined for the query.
        retrieved: Chunks that were retrieved.
        miss: None when every relevant document is inside the cutoff.
        evidence: None where the query has no spans, or where they lie is not known any more.
    """

    name: str
    best_fixed: bool
    value: float | None
    retrieved: int
    miss: Miss | None
    evidence: EvidencePlace | None = None


@dataclass(frozen=True, slots=True)
class MeasureValues:
    """One measure at one cutoff: its value at each scale, in their order, and fused; None where undefined."""

    name: str
    scales: tuple[float | None, ...]
    fused: float | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """One query.

    Attributes:
        endpoint: The primary endpoint, as `recall@5`.
        fusion: The rule of the primary endpoint.
        fused_value: Its primary measure, None where fusion has no such form.
        fused: Its first documents.
        relevant: By fused rank, those without one last.
        measures: Every other endpoint that was configured.
    """

    query_id: str
    text: str
    tags: Mapping[str, str]
    endpoint: str
    fusion: Fusion
    fused_value: float | None
    fused: tuple[FusedDocument, ...]
    scales: tuple[ExplainedScale, ...]
    relevant: tuple[RelevantDocument, ...]
    measures: tuple[MeasureValues, ...] = ()
