"""How two measurements were made, as far as it differs."""

from collections.abc import Iterator, Mapping

from chunkgap.comparing.difference import Setting
from chunkgap.comparing.pairing import scale_names
from chunkgap.results import Results

_NOT_SETTINGS = frozenset({"counts", "files", "seed", "threads"})


def different_settings(
    a: Results, b: Results, manifests: tuple[Mapping[str, object], Mapping[str, object]] | None
) -> tuple[Setting, ...]:
    """What differs, in A's order and then B's."""
    in_a, in_b = (dict(_flat(manifest)) for manifest in manifests) if manifests else (_facts(a), _facts(b))
    return tuple(
        Setting(key, in_a.get(key), in_b.get(key))
        for key in dict.fromkeys((*in_a, *in_b))
        if in_a.get(key) != in_b.get(key)
    )


def _facts(results: Results) -> dict[str, str]:
    """How a measurement was made, as far as its results tell."""
    model = results.model
    facts = {
        "chunkgap": results.chunkgap_version,
        "command": results.command,
        "corpus.source": results.corpus.source,
        "corpus.sha256": results.corpus.digest,
        "queries.source": results.queries.source,
        "queries.sha256": results.queries.digest,
        "configuration.primary": results.endpoint.name,
        "configuration.fusion": results.endpoint.fusion,
        "configuration.phases": str(results.phases),
        "configuration.retrieval.index": results.index,
        "scales": ", ".join(scale_names(results)),
    }
    return {**facts, "model.name": model.name, "model.identity": model.identity} if model else facts


def _flat(facts: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Nested facts as text by path, `configuration.embedding.model`."""
    for name, value in facts.items():
        if not prefix and name in _NOT_SETTINGS:
            continue
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        elif isinstance(value, list | tuple):
            yield f"{prefix}{name}", ", ".join(str(item) for item in value)
        elif value is not None:
            yield f"{prefix}{name}", str(value)
