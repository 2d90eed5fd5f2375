"""A configuration for a corpus at hand: looked at, then written with the reason for every choice."""

import json
import os
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chunkgap.checking.corpus import describe_corpus, document_tokens, suggest_for
from chunkgap.checking.facts import CheckedCorpus
from chunkgap.checking.forecasts import Windows
from chunkgap.checking.labels import read_labels
from chunkgap.checking.sizes import Suggestion
from chunkgap.checking.storage import storage_warning
from chunkgap.checking.survey import Survey, survey_corpus
from chunkgap.config import Settings, load_settings
from chunkgap.datasets.beir import is_beir
from chunkgap.datasets.guessing import guess_document_fields, guess_query_fields
from chunkgap.datasets.queries import QuerySet
from chunkgap.datasets.validation import LabelledQueries, validate
from chunkgap.formatting import counted
from chunkgap.inputs import query_path
from chunkgap.placing import Cutter, open_model
from chunkgap.progress import NO_PROGRESS, Progress

_CUTOFFS = (1, 3, 5, 10, 20)
_PRIMARY = 5
_DOCUMENTS_PER_CUTOFF = 5  # a cutoff that covers more than a fifth of the corpus finds much by chance
_CHUNKS_IN_BUDGET = 5
_WIDTH = 100
_PLAIN = re.compile(r"(?!~)[\w./][\w./ -]*[\w./]|[A-Za-z_]")
_NO_TEXT = re.compile(r"[-+]?\.?\d.*|[-+]?\.(inf|nan)|true|false|null|~|yes|no|on|off", re.IGNORECASE)


@dataclass(frozen=True)
class Proposal:
    """A configuration that works.

    Attributes:
        text: The YAML, commented.
        warnings: What the user has to know of the files.
        has_queries: Whether it names queries; without them it is not complete.
    """

    text: str
    warnings: tuple[str, ...]
    has_queries: bool


def propose(
    corpus: Path, queries: Path | None, *, folder: Path, progress: Progress = NO_PROGRESS
) -> Proposal:
    """Look at a corpus and its queries, and write a configuration for them.

    Args:
        corpus: As `measure` takes it.
        queries: As `measure` takes it; None for a BEIR folder that holds them, or where there are none yet.
        folder: Where the configuration will lie, from which its paths count.
        progress: Told of every step.

    Raises:
        InputError: With all problems of the files.
        ModelError: The tokenizer cannot be had.
    """
    fields = guess_document_fields(corpus)
    survey = survey_corpus(_settings(corpus, None, fields, {}), progress=progress)
    query_fields = guess_query_fields(queries, survey.has_text) if queries else {}
    settings = _settings(corpus, queries, fields, query_fields)
    found = _read_labels(settings, survey) if queries or is_beir(corpus) else None
    cutter = Cutter.of(survey.sample, settings, open_model(settings), progress)
    facts = describe_corpus(settings, survey, cutter)
    suggestion = suggest_for(facts, settings)
    suggested = settings.model_copy(update={"sizes": suggestion.sizes})
    storage = _storage_warning(suggested, document_tokens(survey, cutter))
    sketch = _Sketch(settings, facts, suggestion, storage, found, folder)
    warnings = survey.warnings + (found.warnings if found else ())
    return Proposal(sketch.text(), warnings, found is not None)


@dataclass(frozen=True)
class _Labels:
    """The queries, and which of them take part."""

    queries: QuerySet
    labelled: LabelledQueries

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.queries.warnings + self.labelled.warnings


def _settings(
    corpus: Path, queries: Path | None, fields: Mapping[str, str], query_fields: Mapping[str, str]
) -> Settings:
    """Defaults, and where the files are."""
    named = {f"fields.{name}": key for name, key in fields.items()}
    named |= {f"query_fields.{name}": key for name, key in query_fields.items()}
    return load_settings(None, {"corpus": corpus, "queries": queries, **named})


def _storage_warning(settings: Settings, tokens: NDArray[np.int64]) -> str:
    """What `check` says of the sizes' storage, from the lengths of the documents."""
    chunks = {scale.name: int(Windows(scale, tokens).chunks.sum()) for scale in settings.scales()}
    return storage_warning(chunks, settings.decision.max_storage)


def _read_labels(settings: Settings, survey: Survey) -> _Labels:
    queries = read_labels(settings, survey)
    return _Labels(queries, validate(survey.has_text, queries))


@dataclass(frozen=True)
class _Sketch:
    """What the configuration is written from."""

    settings: Settings
    corpus: CheckedCorpus
    suggestion: Suggestion
    storage: str
    found: _Labels | None
    folder: Path

    def text(self) -> str:
        """The whole file, ending with a line feed."""
        parts = (
            _HEAD,
            self._files(),
            self._fields(),
            self._sizes(),
            _MODEL.format(model=self.settings.embedding.model),
            self._measures(),
            _GATE,
        )
        return "\n".join(part for part in parts if part)

    def _files(self) -> str:
        documents = (
            f"{counted(self.corpus.documents, 'document')}, {counted(self.corpus.characters, 'character')}"
        )
        lines = [f"corpus: {self._path(self.settings.corpus[0])}  # {documents}"]
        if self.found is None:
            lines.append("# queries: queries.jsonl  # to be made; docs/formats.md says how")
            return "\n".join(lines) + "\n"
        given, evaluated = len(self.found.queries.queries), len(self.found.labelled.evaluated)
        told = counted(evaluated, "query with labels", "queries with labels")
        told += f" of {given:,}" if given > evaluated else ""
        lines.append(f"queries: {self._path(query_path(self.settings))}  # {told}")
        return "\n".join(lines) + "\n"

    def _fields(self) -> str:
        lines = []
        for key, fields in (("fields", self.settings.fields), ("query_fields", self.settings.query_fields)):
            named = fields.model_dump(exclude_none=True)
            if named:
                pairs = ", ".join(f"{name}: {_yaml(column)}" for name, column in named.items())
                lines.append(f"{key}: {{{pairs}}}  # a guess: look whether it is right")
        return "\n".join(lines) + "\n" if lines else ""

    def _sizes(self) -> str:
        sizes = ", ".join(str(size) for size in self.suggestion.sizes)
        why = f"Window sizes in tokens, an index for each: {self.suggestion.reason}."
        comments = "\n".join(_comment(line) for line in (why, self.storage) if line)
        return f'{comments}\nsizes: [{sizes}]\noverlap: 0  # tokens, or a share such as "10%"\n{_PHASES}'

    def _measures(self) -> str:
        measures, cutoffs = ["recall"], [str(cutoff) for cutoff in self._cutoffs()]
        why = f"Cutoffs in documents, for {self.corpus.documents:,} of them"
        if self._has("spans"):
            measures += ["evidence_recall", "evidence_precision"]
        if self._has("answers"):
            measures.append("answer_recall")
        if len(measures) > 1:
            cutoffs.append(f"{self._budget()}t")
            why += f"; {cutoffs[-1]}: in tokens, about {_CHUNKS_IN_BUDGET} chunks, for measures of text"
        primary = _PRIMARY if str(_PRIMARY) in cutoffs else max(self._cutoffs())
        return (
            f"{_comment(why + '.')}\nmeasures: [{', '.join(measures)}]\ncutoffs: [{', '.join(cutoffs)}]\n"
            f"primary: recall@{primary}  # what the verdict is about; all else is exploratory\n"
        )

    def _cutoffs(self) -> Sequence[int]:
        return [cut for cut in _CUTOFFS if cut * _DOCUMENTS_PER_CUTOFF <= self.corpus.documents] or [1]

    def _budget(self) -> int:
        sizes = self.suggestion.sizes
        return _CHUNKS_IN_BUDGET * sizes[len(sizes) // 2]

    def _has(self, label: str) -> bool:
        return self.found is not None and any(
            getattr(query, label) for query in self.found.labelled.evaluated
        )

    def _path(self, path: Path) -> str:
        """The path from the folder of the configuration, with `/`."""
        relative = path if path.is_absolute() else _relative(path, self.folder)
        return _yaml(relative.as_posix())


def _relative(path: Path, folder: Path) -> Path:
    """The path from a folder; what `path` itself is called stays, where that is a link."""
    # `..` leaves a linked folder by its real parent, which relpath, counting names alone, does not know
    return Path(os.path.relpath(path.parent.resolve() / path.name, folder.resolve()))


def _comment(text: str) -> str:
    return "\n".join(f"# {line}" for line in textwrap.wrap(text, _WIDTH, break_on_hyphens=False))


def _yaml(text: str) -> str:
    """Text as a YAML scalar, in quotes where it could be taken for anything else."""
    is_plain = _PLAIN.fullmatch(text) and not _NO_TEXT.fullmatch(text) and " #" not in text
    return text if is_plain else json.dumps(text, ensure_ascii=False)


_HEAD = """\
# A configuration for chunkgap, made by looking at the files below. Every key has a default;
# docs/configuration.md lists them all. Paths count from the folder of this file.
"""

_PHASES = "phases: 2  # placements of each size; with 1, an effect of size cannot be told from luck\n"

_MODEL = """\
embedding:
  model: {model}
  long_chunks: average  # average | truncate | error: chunks longer than the model's window
"""

_GATE = """\
# For CI: exit code 1 where a limit is not kept, at the primary endpoint.
# gate:
#   min_best_fixed: 0.80
#   max_reproducible_gap: 0.05
"""
