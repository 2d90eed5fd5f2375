"""What a measurement is told: every key of the configuration with its type, default and range, frozen.

docs/configuration.md says what each key means; configs/default.yaml shows them all.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PlainSerializer,
    Tag,
    ValidationInfo,
    field_serializer,
    field_validator,
    model_validator,
)

from chunkgap.config import texts, values
from chunkgap.fusion import Reach
from chunkgap.ranking import Cutoff, Unit
from chunkgap.records import Scale

Whole = Annotated[int, BeforeValidator(values.read_whole)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Share = Annotated[Number, Field(ge=0, le=1)]
Difference = Annotated[Number, Field(ge=-1, le=1)]
Text = Annotated[str, BeforeValidator(texts.read_text)]
Prompt = Annotated[str, BeforeValidator(texts.read_prompt)]
Name = Annotated[str, BeforeValidator(texts.read_name)]
FilePath = Annotated[Path, BeforeValidator(texts.read_path), PlainSerializer(str)]
FilePaths = Annotated[tuple[Path, ...], BeforeValidator(texts.read_paths)]

FusionPreset = Literal["ai21", "ai21-rank0", "rrf60"]


class Section(BaseModel):
    """A mapping of the configuration: unknown keys refused, types strict (`true` is not 1), frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class CorpusFields(Section):
    """The names of the corpus' columns or JSON keys, where they are not found by themselves."""

    id: Text | None = None
    text: Text | None = None
    title: Text | None = None


class QueryFields(Section):
    """The names of the query file's columns or JSON keys, where they are not found by themselves."""

    id: Text | None = None
    text: Text | None = None
    relevant: Text | None = None
    spans: Text | None = None
    answers: Text | None = None
    tags: Text | None = None


class EmbeddingSettings(Section):
    """Which model embeds, and how texts are put to it."""

    model: Text = "all-MiniLM-L6-v2"
    revision: Text | None = None
    query_prompt: Prompt | None = None
    document_prompt: Prompt | None = None
    long_chunks: Literal["average", "truncate", "error"] = "average"
    precision: Literal["float32", "float16"] = "float32"
    normalize: bool = True
    max_seq_length: Whole | None = Field(default=None, ge=8)
    trust_remote_code: bool = False


class RetrievalSettings(Section):
    """The index, and how many chunks are fetched for each query and scale."""

    index: Literal["hnsw", "exact"] = "hnsw"
    m: Whole = Field(default=16, ge=2, le=512)
    ef_construction: Whole = Field(default=200, ge=1, le=100_000)
    ef: Whole | None = Field(default=None, ge=1)
    depth: Whole = Field(default=100, ge=1, le=1_000_000)
    grow: bool = True


class FusionRule(Section):
    """Reciprocal rank fusion with a constant and a way to vote of one's own."""

    rrf_k: Whole = Field(ge=0, le=1_000_000)
    votes: Literal["all", "best", "best_chunk"]


class StatisticsSettings(Section):
    """Resampling: how often, how confident, from which seed."""

    resamples: Whole = Field(default=10_000, ge=50, le=1_000_000)
    confidence: Number = Field(default=0.95, gt=0, le=0.9999)
    interval: Literal["standard", "percentile", "bca"] = "standard"
    folds: Whole = Field(default=5, ge=2, le=1_000)
    seed: Whole = Field(default=13, ge=0, lt=2**63)


class DecisionSettings(Section):
    """What a gain must be worth, and how much storage it may cost."""

    min_gain: Share = 0.02
    max_storage: Number = Field(default=5.0, gt=0)


class GateSettings(Section):
    """Limits at the primary endpoint that make `measure` and `score` exit with 1; None is no limit."""

    min_best_fixed: Share | None = None
    max_gap: Share | None = None
    max_reproducible_gap: Difference | None = None
    min_fusion: Share | None = None
    min_fusion_gain: Difference | None = None

    @property
    def limits(self) -> dict[str, float]:
        """The limits that are set, by key."""
        return {key: limit for key, limit in self if limit is not None}


def _fusion_kind(value: object) -> str:
    return "rule" if isinstance(value, (dict, FusionRule)) else "preset"


Fusion = Annotated[
    Annotated[FusionPreset, Tag("preset")] | Annotated[FusionRule, Tag("rule")],
    Discriminator(_fusion_kind),
]


class Settings(Section):
    """The whole configuration, defaults filled in.

    Paths are as `load_settings` resolved them. `primary` is never None after validation, and always one of
    `endpoints`: `cutoffs` get its cutoff where they lack it. `sizes`, `measures` and `cutoffs` keep the order
    given and hold nothing twice.
    """

    name: Text | None = None
    corpus: FilePaths = ()
    queries: FilePath | None = None
    qrels: FilePath | None = None
    runs: dict[Annotated[str, BeforeValidator(texts.read_scale_name)], FilePath] = Field(
        default_factory=dict, max_length=values.MOST_SCALES
    )
    run_ids: Literal["document", "chunk"] = "document"
    run_separator: Text = "#"
    exclude_same_id: bool = False
    format: Literal["folder", "beir", "jsonl", "csv", "tsv", "parquet", "json", "squad"] | None = None
    query_format: Literal["beir", "jsonl", "csv", "tsv", "parquet", "json", "squad", "chroma"] | None = None
    encoding: Annotated[str, BeforeValidator(texts.read_encoding)] = "utf-8"
    on_undecodable: Literal["error", "skip"] = "error"
    title: Literal["auto", "join", "ignore"] = "auto"
    fields: CorpusFields = CorpusFields()
    query_fields: QueryFields = QueryFields()
    delimiter: Annotated[str, BeforeValidator(texts.read_delimiter)] | None = None
    split: Name | None = None
    sizes: Annotated[tuple[int, ...], BeforeValidator(values.read_sizes)] = (50, 100, 200, 500)
    overlap: Annotated[int | str, BeforeValidator(values.read_overlap)] = 0
    tokenizer: Text = "cl100k_base"
    phases: Whole = Field(default=2, ge=1, le=16)
    placebo: Annotated[Literal["off", "matched"], BeforeValidator(texts.read_switch)] = "off"
    embedding: EmbeddingSettings = EmbeddingSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    measures: Annotated[tuple[str, ...], BeforeValidator(values.read_measures)] = ("recall",)
    cutoffs: Annotated[tuple[str, ...], BeforeValidator(values.read_cutoffs)] = Field(
        default=("1", "3", "5", "10", "20"), validate_default=True
    )
    primary: str = Field(default=None, validate_default=True)
    fusion: Fusion = "ai21"
    statistics: StatisticsSettings = StatisticsSettings()
    decision: DecisionSettings = DecisionSettings()
    gate: GateSettings = GateSettings()
    cache: Annotated[Path | bool, BeforeValidator(texts.read_cache)] = True
    workers: Whole | None = Field(default=None, ge=1, le=1_024)
    strict: bool = False
    out: FilePath = Path("chunkgap-out")

    @model_validator(mode="before")
    @classmethod
    def _primary_brings_its_cutoff(cls, written: object) -> object:
        if not isinstance(written, dict) or "primary" not in written:
            return written
        measures, cutoffs = (
            written.get(key, cls.model_fields[key].default) for key in ("measures", "cutoffs")
        )
        brought = values.with_cutoff_of(written["primary"], measures, cutoffs)
        return written if brought is cutoffs else written | {"cutoffs": brought}

    @field_validator("overlap")
    @classmethod
    def _overlap_leaves_a_step(cls, overlap: int | str, info: ValidationInfo) -> int | str:
        if "sizes" in info.data:
            values.check_overlap(overlap, info.data["sizes"])
        return overlap

    @field_validator("phases")
    @classmethod
    def _phases_differ(cls, phases: int, info: ValidationInfo) -> int:
        if {"sizes", "overlap"} <= info.data.keys():
            values.check_phases(phases, info.data["overlap"], info.data["sizes"])
        return phases

    @field_validator("placebo")
    @classmethod
    def _matched_phases_differ(cls, placebo: str, info: ValidationInfo) -> str:
        if placebo == "matched" and {"sizes", "overlap"} <= info.data.keys():
            values.check_matched(info.data["overlap"], info.data["sizes"])
        return placebo

    @model_validator(mode="after")
    def _default_phases_differ(self) -> Self:
        """Lower the number of phases that nobody wrote to what the steps of all windows allow."""
        if "phases" not in self.model_fields_set:
            most = min(scale.step for scale in self.scales())
            # frozen for everybody else: the value is not out before this has run
            object.__setattr__(self, "phases", min(self.phases, most))
        return self

    @field_validator("cutoffs")
    @classmethod
    def _cutoffs_suit_the_measures(cls, cutoffs: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        values.check_cutoffs(cutoffs, info.data.get("measures", ()))
        return cutoffs

    @field_validator("primary", mode="before")
    @classmethod
    def _primary_is_computed(cls, primary: object, info: ValidationInfo) -> object:
        if not {"measures", "cutoffs"} <= info.data.keys():
            return "recall@5"
        return values.read_primary(primary, values.at_cutoffs(info.data["measures"], info.data["cutoffs"]))

    @field_serializer("corpus", when_used="json")
    def _corpus_as_written(self, corpus: tuple[Path, ...]) -> str | list[str] | None:
        paths = [str(path) for path in corpus]
        return paths[0] if len(paths) == 1 else paths or None

    def scales(self) -> tuple[Scale, ...]:
        """One scale for each size, named by it, its overlap in tokens."""
        return tuple(Scale(str(size), size, values.overlap_tokens(self.overlap, size)) for size in self.sizes)

    def endpoints(self) -> tuple[tuple[str, str], ...]:
        """Every measure with every cutoff that it is defined at, `("recall", "5")`, in the order given."""
        return values.at_cutoffs(self.measures, self.cutoffs)

    def amounts(self, unit: Unit) -> tuple[int, ...]:
        """What the cutoffs of one unit count, each once, ascending."""
        cutoffs = [Cutoff.parse(cutoff) for _, cutoff in self.endpoints()]
        return tuple(sorted({cutoff.amount for cutoff in cutoffs if cutoff.unit == unit}))

    def primary_endpoint(self) -> tuple[str, str]:
        """Measure and cutoff of the primary endpoint."""
        measure, _, cutoff = self.primary.partition("@")
        return measure, cutoff

    def fetch_depth(self) -> int:
        """Chunks to fetch for each query and scale: `retrieval.depth`, or the largest cutoff if that is more.

        Cutoffs in tokens do not count here: how many chunks fit is known only once they are seen.
        """
        return max([self.retrieval.depth, *self.amounts("documents"), *self.amounts("chunks")])

    def document_depth(self) -> int:
        """Documents that a ranking must hold: the largest cutoff in documents, 0 without one."""
        return max(self.amounts("documents"), default=0)

    def reach(self) -> Reach:
        """How much of every list is fused."""
        return Reach(self.fetch_depth(), self.document_depth())

    def worker_count(self) -> int:
        """Threads to work with: `workers`, or one for each core."""
        return self.workers or os.cpu_count() or 1

    def to_mapping(self) -> dict[str, Any]:
        """Every key with its value, as JSON has them, for the manifest; `Settings` reads it back."""
        return self.model_dump(mode="json")


SECTIONS = frozenset(
    name for name, field in Settings.model_fields.items() if isinstance(field.default, Section)
)
"""The keys under which a mapping stands, always."""


def key_paths(section: type[BaseModel] = Settings, prefix: str = "") -> Iterator[str]:
    """Every key of the configuration in the order of its documentation, nested ones as `gate.min_fusion`."""
    for name, field in section.model_fields.items():
        yield prefix + name
        for nested in _sections(field.annotation):
            yield from key_paths(nested, f"{prefix}{name}.")


def _sections(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _sections(part)
