from dataclasses import replace

from chunkgap.comparing import Setting
from chunkgap.comparing.settings import different_settings

from ..reports.results_builder import build_results

MANIFEST = {
    "chunkgap": "0.1.0",
    "configuration": {"sizes": [50, 100], "name": None, "retrieval": {"index": "hnsw"}, "strict": False},
    "model": {"identity": "e" * 64},
    "versions": {"numpy": "2.0.0"},
    "counts": {"documents": 5},
    "files": ["results.json"],
    "threads": 4,
}


def test_manifests_tell_nested_keys_with_both_values() -> None:
    results = build_results(queries=3)
    changed = {
        **MANIFEST,
        "configuration": {
            "sizes": [50, 200],
            "name": "new",
            "retrieval": {"index": "exact"},
            "strict": False,
        },
        "versions": {"numpy": "2.1.0"},
        "counts": {"documents": 6},
        "files": [],
        "threads": 8,
    }
    assert different_settings(results, results, (MANIFEST, changed)) == (
        Setting("configuration.sizes", "50, 100", "50, 200"),
        Setting("configuration.retrieval.index", "hnsw", "exact"),
        Setting("versions.numpy", "2.0.0", "2.1.0"),
        Setting("configuration.name", None, "new"),
    )


def test_results_alone_tell_what_they_know() -> None:
    results = build_results(scales=("50", "100"), queries=3)
    assert results.model is not None
    model = replace(results.model, identity="f" * 64)
    changed = replace(results, model=model, index="exact", endpoint=replace(results.endpoint, fusion="rrf60"))
    assert different_settings(results, changed, None) == (
        Setting("configuration.fusion", "ai21", "rrf60"),
        Setting("configuration.retrieval.index", "hnsw", "exact"),
        Setting("model.identity", "e" * 64, "f" * 64),
    )


def test_run_files_have_no_model() -> None:
    results = build_results(queries=3)
    found = different_settings(results, replace(results, model=None), None)
    assert Setting("model.name", "all-MiniLM-L6-v2", None) in found
