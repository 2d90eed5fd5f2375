"""`manifest.json`: what a measurement was made from, so that it can be made again; no times, no results."""

import json
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from chunkgap.config import Settings
from chunkgap.results import Results

FILE_NAME = "manifest.json"

_DISTRIBUTIONS = (
    "hnswlib",
    "numpy",
    "pyarrow",
    "sentence-transformers",
    "tiktoken",
    "tokenizers",
    "torch",
    "transformers",
)


def make_manifest(
    results: Results, settings: Settings, *, model_files: Mapping[str, str] | None = None
) -> dict[str, object]:
    """All that a second measurement needs to be the same.

    Versions are those that are installed; nothing is imported to read them.

    Args:
        results: What was measured.
        settings: Every key with its value; `out` is left out, since where results lie does not change them.
        model_files: SHA-256 of each file of the model, None for `score`.
    """
    configuration = settings.to_mapping()
    configuration.pop("out")
    model = results.model
    return {
        "chunkgap": results.chunkgap_version,
        "command": results.command,
        "configuration": configuration,
        "corpus": {"source": results.corpus.source, "sha256": results.corpus.digest},
        "queries": {"source": results.queries.source, "sha256": results.queries.digest},
        "model": model
        and {"name": model.name, "identity": model.identity, "sha256": dict(model_files or {})},
        "versions": {"python": platform.python_version(), **_versions()},
        "platform": {"system": platform.system(), "machine": platform.machine()},
        "seed": settings.statistics.seed,
        "threads": settings.worker_count(),
        "counts": _counts(results),
    }


def manifest_text(manifest: Mapping[str, object], *, files: list[str]) -> str:
    """The text of the file.

    Args:
        manifest: What `make_manifest` gave.
        files: Every file written beside it, so that the next measurement knows which are its own.
    """
    return json.dumps({**manifest, "files": files}, ensure_ascii=False, indent=1) + "\n"


def _versions() -> dict[str, str | None]:
    return {name: _version(name) for name in _DISTRIBUTIONS}


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _counts(results: Results) -> dict[str, object]:
    scales = {
        scale.name: [{"phase": p.phase, "chunks": p.chunks, "vectors": p.vectors} for p in scale.phases]
        for scale in results.scales
    }
    return {"documents": results.corpus.documents, "queries": results.queries.evaluated, "scales": scales}
