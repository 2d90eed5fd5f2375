"""What was measured: the declared endpoint, the corpus, the queries, the model, every scale and its price."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PrimaryEndpoint:
    """The primary endpoint, declared before the measurement: one measure, one cutoff, one fusion preset."""

    measure: str
    cutoff: str
    fusion: str

    @property
    def name(self) -> str:
        """The measure with its cutoff, as `recall@5`."""
        return f"{self.measure}@{self.cutoff}"


@dataclass(frozen=True)
class CorpusFacts:
    """What was read as the corpus.

    Attributes:
        digest: SHA-256 of ids and texts; for `score` of the ids that runs and judgements name, by which alone
            it knows its corpus.
        tokens: Tokens in all documents, None where no tokenizer ran (`score`).
        token_lengths: Tokens per document in corpus order.
        skipped: Files left out, by reason.
    """

    source: str
    digest: str
    documents: int
    tokens: int | None = None
    token_lengths: tuple[int, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class QueryFacts:
    """What was read as queries: `given` in the file, `evaluated` after `excluded` (reason by query_id) are left out.

    Attributes:
        digest: SHA-256 over everything in the file, in its order.
        evaluated_digest: SHA-256 over all that the evaluated queries are scored by, whatever their order: ids,
            texts, relevant documents with their grades, evidence, answers. Empty in older files.
        labels_digest: The same without evidence, whose place changes with the corpus where it is given as text.
    """

    source: str
    digest: str
    given: int
    evaluated: int
    clusters: int
    with_spans: int = 0
    excluded: Mapping[str, str] = field(default_factory=dict)
    evaluated_digest: str = ""
    labels_digest: str = ""


@dataclass(frozen=True)
class ModelFacts:
    """The embedding model as it was used; `window` counts word pieces, special tokens included."""

    name: str
    identity: str
    dimension: int
    window: int | None
    query_prompt: str
    document_prompt: str
    long_chunks: str
    precision: str
    tokenizer: str


@dataclass(frozen=True)
class PhaseFacts:
    """One scale in one phase: what was cut, indexed and found.

    Attributes:
        chunks: Chunks in the index, equal texts counted each.
        vectors: Distinct vectors among them.
        blank: Chunks of white space alone, dropped.
        single: Documents that are one chunk, the same in every phase.
        long: Share of chunks longer than the model's window, in [0, 1].
        unread: Share of word pieces that the model never read, in [0, 1].
        ef: Search breadth of HNSW, None for exact search.
        found: Share of the exact top `depth` that the index found, in [0, 1].
        flipped: Queries whose primary measure differs from exact search.
        tied: Queries with equal scores on both sides of the primary cutoff.
    """

    phase: int
    chunks: int
    vectors: int
    mean_tokens: float
    blank: int
    single: int
    long: float
    unread: float
    ef: int | None
    found: float
    flipped: int
    tied: int


@dataclass(frozen=True)
class ScaleFacts:
    """One scale and its price; numbers of `phases[0]` are the ones a production index would have.

    Attributes:
        vector_bytes: Vectors times dimension times bytes of a number.
        index_bytes: Size of the HNSW index file, None for exact search and `score`.
        truncated: Whether chunks were cut at the model's window (`long_chunks: truncate`).
    """

    name: str
    size: int | None
    overlap: int | None
    vector_bytes: int
    index_bytes: int | None
    truncated: bool
    phases: tuple[PhaseFacts, ...]
