"""The one result object: everything a report shows."""

from dataclasses import dataclass
from typing import Literal

from chunkgap.results.facts import CorpusFacts, ModelFacts, PrimaryEndpoint, QueryFacts, ScaleFacts
from chunkgap.results.findings import (
    Comparison,
    Headroom,
    HeadroomVerdict,
    Notice,
    Row,
    RowKind,
    ScaleSet,
    VerdictFacts,
)
from chunkgap.results.queries import Diagnosis, Loss, PerQuery, Slice, Wins, WinTable
from chunkgap.results.timings import Timings

FORMAT_VERSION = 1


@dataclass(frozen=True)
class Results:
    """Everything that one measurement found.

    Attributes:
        notices: Those that forbid a verdict first.
        lost: How many queries the best fixed scale loses to another; `losses` lists the strongest of them. None
            in older files.
        exclude_same_id: Whether a document with the id of the query was left out of its results; None in older
            files.
    """

    chunkgap_version: str
    command: Literal["measure", "score"]
    name: str | None
    endpoint: PrimaryEndpoint
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
    lost: int | None = None
    exclude_same_id: bool | None = None
    format_version: int = FORMAT_VERSION

    @property
    def primary(self) -> Headroom:
        """The headroom at the primary endpoint."""
        return next(found for found in self.headroom if found.name == self.endpoint.name)

    @property
    def lost_queries(self) -> int:
        """How many queries the best fixed scale loses, as far as the file tells."""
        return len(self.losses) if self.lost is None else self.lost

    def headroom_at(self, name: str) -> Headroom | None:
        """The headroom at an endpoint, named as `recall@5`; None when it was not computed."""
        return next((found for found in self.headroom if found.name == name), None)

    def comparison(self, row: str) -> Comparison | None:
        """A row compared with the best fixed scale, None when it was not."""
        return next((found for found in self.comparisons if found.row == row), None)

    @property
    def smaller_set(self) -> ScaleSet | None:
        """The recommended set of scales, where it is several and not all of them."""
        chosen = next((found for found in self.sets if found.recommended), None)
        return chosen if chosen and 1 < len(chosen.scales) < len(self.scales) else None

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
