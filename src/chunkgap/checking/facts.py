"""What a check finds, as frozen values; `--json` prints them as they are."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from chunkgap.checking.detection import Detection
from chunkgap.checking.forecasts import Forecast, SizeForecast
from chunkgap.checking.lengths import Lengths
from chunkgap.checking.sizes import Suggestion
from chunkgap.checking.storage import storage_warning


@dataclass(frozen=True, slots=True)
class CheckedCorpus:
    """The corpus.

    Attributes:
        source: The path or paths as given.
        characters: Code points of all documents.
        tokenised: Documents that were tokenised.
        is_complete: Whether these are all; if not, lengths in tokens are estimated from those in characters.
        lengths: Tokens of the documents.
        parts: Tokens of sections, paragraphs, code blocks and tables, where there are any.
        skipped: Files or records left out, by reason.
    """

    source: str
    documents: int
    characters: int
    tokenised: int
    is_complete: bool
    lengths: Lengths
    parts: Mapping[str, Lengths]
    skipped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CheckedQueries:
    """The queries.

    Attributes:
        source: The path as given.
        given: Queries in the file.
        evaluated: Queries that take part.
        with_spans: Those of them that have evidence spans.
        excluded: Why a query takes no part, by id.
        detection: What those that take part can detect.
    """

    source: str
    given: int
    evaluated: int
    with_spans: int
    excluded: Mapping[str, str]
    detection: Detection


@dataclass(frozen=True, slots=True)
class Check:
    """Everything that a check found.

    Attributes:
        model: Name of the embedding model.
        window: Word pieces that it reads at once; None: all.
        suggestion: Sizes worth comparing.
        are_sizes_given: Whether `sizes` are those of the configuration, or else the suggested ones.
        phases: Placements of each size.
        sizes: One forecast per size.
        forecast: Of the whole measurement.
        max_storage: The most that all sizes together may hold, in chunks of the best one, for a `go`.
        warnings: What the user has to know.
    """

    corpus: CheckedCorpus
    queries: CheckedQueries
    model: str
    window: int | None
    suggestion: Suggestion
    are_sizes_given: bool
    phases: int
    sizes: tuple[SizeForecast, ...]
    forecast: Forecast
    max_storage: float
    warnings: tuple[str, ...] = ()

    def storage(self, size: SizeForecast) -> float:
        """Chunks of all sizes together / those of one: what fusion costs if that one is the best fixed size."""
        return sum(other.chunks for other in self.sizes) / size.chunks

    @property
    def storage_warning(self) -> str:
        """Which sizes would cost fusion its `go` if they were the best; empty where none would."""
        return storage_warning({size.name: size.chunks for size in self.sizes}, self.max_storage)
