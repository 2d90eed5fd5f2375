"""The one result object: everything a report shows, frozen, to and from JSON under a format version.

Undefined numbers are None here and null in JSON, never NaN. Numbers are unrounded; rounding belongs to reports.
All blocks but `timings` are the same for the same input on the same machine.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from chunkgap.errors import ResultsError
from chunkgap.records import Interval

if TYPE_CHECKING:
    from pydantic import TypeAdapter

FORMAT_VERSION = 1

RowKind = Literal["scale", "best fixed", "fusion", "oracle", "control", "router"]


@dataclass(frozen=True)
class Endpoint:
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
    """What was read as queries: `given` in the file, `evaluated` after `excluded` (reason by query_id) are left out."""

    source: str
    digest: str
    given: int
    evaluated: int
    clusters: int
    with_spans: int = 0
    excluded: Mapping[str, str] = field(default_factory=dict)


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


@dataclass(frozen=True)
class Row:
    """One line of the table of means: a scale, the best fixed scale, a fusion, a control, a router or the oracle.

    Attributes:
        value: Mean over the evaluated queries, None where the measure is undefined for this row.
        interval: Of the mean, by cluster bootstrap.
        primary: Whether this is the declared endpoint; every other row is exploratory.
        vectors: Vectors of all indexes that the row searches; None where that is not one thing (the oracle, a router).
    """

    kind: RowKind
    name: str
    measure: str
    cutoff: str
    value: float | None
    interval: Interval | None
    primary: bool
    vectors: int | None = None


@dataclass(frozen=True)
class Headroom:
    """What one fixed size costs at one measure and cutoff, and how much of that is luck (docs/statistics.md).

    Without a second phase only `gap` exists and `corrected` is False. Matrices are in scale order.

    Attributes:
        placebo: Placebo gap by scale: the oracle gap over phases of that one size.
        like_for_like: Mean gap over all sets of as many scales as there are phases.
        matched_placebo: Gap over as many phases of the best fixed size as there are scales, when asked for.
        pair_same: Oracle over two placements of one size.
        pair_different: Oracle over two different sizes, one placement each.
        excess: `pair_different - pair_same`: what size is worth.
        excess_matrix: The excess of each pair of scales, None on the diagonal.
    """

    measure: str
    cutoff: str
    best_fixed: str
    best_fixed_value: float
    cross_fitted_value: float | None
    oracle: float
    gap: Interval
    corrected: bool
    placebo: Mapping[str, float] = field(default_factory=dict)
    like_for_like: float | None = None
    matched_placebo: float | None = None
    pair_same: float | None = None
    pair_different: float | None = None
    excess: Interval | None = None
    interaction: Interval | None = None
    reproducible: Interval | None = None
    excess_matrix: tuple[tuple[Interval | None, ...], ...] = ()
    share_closed: float | None = None

    @property
    def name(self) -> str:
        """The measure with its cutoff, as `recall@5`."""
        return f"{self.measure}@{self.cutoff}"


@dataclass(frozen=True)
class Comparison:
    """One paired difference at the primary endpoint: `row` minus `against`.

    Attributes:
        difference: Estimate and interval of the mean difference.
        p: Two-sided p-value of the sign-flip test over clusters; `p_holm` after Holm over all comparisons reported.
        detectable: Smallest difference that this query set finds in 80% of cases at 5%.
        queries_needed: Queries that would make `min_gain` detectable, None when it cannot be said.
    """

    row: str
    against: str
    difference: Interval
    p: float
    p_holm: float
    detectable: float | None
    queries_needed: int | None


@dataclass(frozen=True)
class VerdictFacts:
    """The verdict `go`, `no-go` or `cannot decide` with its rule, numbers filled in.

    Attributes:
        gain: The main fusion minus the cross-fitted best fixed scale; None where fusion has no form.
        storage: Vectors of all scales / vectors of the best fixed scale; None for `score`, which knows no vectors.
    """

    word: Literal["go", "no-go", "cannot decide"]
    rule: str
    reasons: tuple[str, ...]
    gain: Interval | None
    storage: float | None
    min_gain: float
    max_storage: float
    queries_needed: int | None


@dataclass(frozen=True)
class HeadroomVerdict:
    """Whether size is query-dependent here, in one sentence, with the sentence that tells luck from effect."""

    dependent: bool | None
    sentence: str
    headline: str


@dataclass(frozen=True)
class ScaleSet:
    """One subset of the scales, fused: its score at the primary endpoint and its price."""

    scales: tuple[str, ...]
    value: float
    vectors: int
    vector_bytes: int
    pareto: bool
    recommended: bool


@dataclass(frozen=True)
class Slice:
    """The primary endpoint on the queries of one tag value; `small` when there are too few to say anything."""

    tag: str
    value: str
    queries: int
    small: bool
    means: Mapping[str, float]
    best: str
    reproducible: float | None
    gap: float
    gain: Interval | None
    p_holm: float | None


@dataclass(frozen=True)
class WinTable:
    """Neighbouring scales on the same queries: how often each has the higher measure; `tag` None means all queries."""

    tag: str | None
    value: str | None
    left: str
    right: str
    left_wins: int
    right_wins: int
    ties: int
    missing: int


@dataclass(frozen=True)
class Diagnosis:
    """What explains a winner: per scale, means over queries inside the primary cutoff."""

    scale: str
    values: Mapping[str, float | None]


@dataclass(frozen=True)
class Wins:
    """For how many queries a scale alone has the highest measure; `tied` share it, `none` are 0 everywhere."""

    alone: Mapping[str, int]
    tied: int
    none: int


@dataclass(frozen=True)
class Loss:
    """A query that the best fixed scale loses to another; ranks, from 1, are of the first relevant document."""

    query_id: str
    text: str
    best_fixed_value: float
    best_fixed_rank: int | None
    scale: str
    value: float
    rank: int | None


@dataclass(frozen=True)
class QueryScores:
    """Per query values of one measure at one cutoff, in the order of `PerQuery.query_ids`.

    Attributes:
        scales: One list per scale, phase 0. None where the measure is undefined for the query.
        fusion: Of the primary preset; empty for chunk cutoffs, which fusion does not have.
    """

    scales: tuple[tuple[float | None, ...], ...]
    fusion: tuple[float | None, ...]


@dataclass(frozen=True)
class PerQuery:
    """The evaluated queries, one entry each in every list, in file order.

    Attributes:
        scores: By measure and cutoff, as `recall@5`.
        ranks: Rank of the first relevant document, from 1, one list per scale (phase 0), None when not retrieved.
        fused_ranks: The same in the primary fusion.
        relevant: Number of relevant documents.
    """

    query_ids: tuple[str, ...]
    texts: tuple[str, ...]
    tags: tuple[Mapping[str, str], ...]
    clusters: tuple[int, ...]
    relevant: tuple[int, ...]
    scores: Mapping[str, QueryScores]
    ranks: tuple[tuple[int | None, ...], ...]
    fused_ranks: tuple[int | None, ...]


@dataclass(frozen=True)
class Notice:
    """One warning: a stable `code`, a sentence, and whether it forbids a verdict."""

    code: str
    message: str
    blocking: bool = False


@dataclass(frozen=True)
class Latency:
    """Seconds per single query, warm."""

    p50: float
    p95: float
    p99: float


@dataclass(frozen=True)
class ScaleTimings:
    """Seconds spent on one scale; `embed` and `build` are None when all vectors, or the index, came from the cache."""

    scale: str
    embed: float | None
    build: float | None
    latency: Latency | None


@dataclass(frozen=True)
class Timings:
    """The one block that differs between two equal measurements: seconds of wall clock, and what the cache saved."""

    total: float
    steps: Mapping[str, float]
    scales: tuple[ScaleTimings, ...]
    multi_scale: Latency | None
    multi_scale_parallel: Latency | None
    texts_embedded: int
    texts_cached: int


@dataclass(frozen=True)
class Results:
    """Everything that one measurement found."""

    chunkgap_version: str
    command: Literal["measure", "score"]
    name: str | None
    endpoint: Endpoint
    corpus: CorpusFacts
    queries: QueryFacts
    model: ModelFacts | None
    index: Literal["hnsw", "exact", "runs"]
    phases: int
    confidence: float
    scales: tuple[ScaleFacts, ...]
    rows: tuple[Row, ...]
    headroom: tuple[Headroom, ...]
    comparisons: tuple[Comparison, ...]
    verdict: VerdictFacts
    headroom_verdict: HeadroomVerdict
    sets: tuple[ScaleSet, ...]
    wins: Wins
    losses: tuple[Loss, ...]
    slices: tuple[Slice, ...]
    win_tables: tuple[WinTable, ...]
    diagnoses: tuple[Diagnosis, ...]
    notices: tuple[Notice, ...]
    per_query: PerQuery
    timings: Timings | None
    format_version: int = FORMAT_VERSION

    @property
    def primary(self) -> Headroom:
        """The headroom at the primary endpoint."""
        return next(found for found in self.headroom if found.name == self.endpoint.name)

    def row(self, kind: RowKind, name: str, measure: str, cutoff: str) -> Row | None:
        """The row with this name at this measure and cutoff, None when it was not computed."""
        wanted = (kind, name, measure, cutoff)
        return next(
            (row for row in self.rows if (row.kind, row.name, row.measure, row.cutoff) == wanted), None
        )

    @property
    def endpoints(self) -> tuple[tuple[str, str], ...]:
        """Every (measure, cutoff) that was computed, in configured order."""
        return tuple((found.measure, found.cutoff) for found in self.headroom)


@lru_cache(maxsize=1)
def _adapter() -> "TypeAdapter[Results]":
    from pydantic import TypeAdapter  # kept out of `chunkgap --help`

    return TypeAdapter(Results)


def to_json(results: Results) -> str:
    """The text of `results.json`: indented by one blank, ends with a line feed; an undefined number is null."""
    return _adapter().dump_json(results, indent=1).decode() + "\n"


def from_json(text: str, *, place: str = "results.json") -> Results:
    """Read back what `to_json` wrote.

    Raises:
        ResultsError: When the text is not JSON, of another format version, or lacks a part.
    """
    from pydantic import ValidationError
    from pydantic_core import from_json as parse

    try:
        found = parse(text)
        version = found.get("format_version")
    except (ValueError, AttributeError) as error:
        raise ResultsError(
            f"{place}: expected the JSON object that chunkgap writes, got {error}. Measure again."
        ) from error
    if version != FORMAT_VERSION:
        raise ResultsError(
            f"{place}: expected format_version {FORMAT_VERSION}, got {version!r}. "
            "Read it with the chunkgap that wrote it, or measure again."
        )
    try:
        return _adapter().validate_python(_with_open_ends(found))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ResultsError(
            f"{place}: expected the results of a measurement, got a fault at {where}: {first['msg']}."
        ) from error


def _with_open_ends(value: object) -> object:
    """The parsed JSON with NaN for the ends of intervals that have none: null there, since JSON has no NaN."""
    if isinstance(value, list):
        return [_with_open_ends(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"estimate", "low", "high"}:
        return {key: math.nan if end is None else end for key, end in value.items()}
    return {key: _with_open_ends(item) for key, item in value.items()}
