import json
import sys
from importlib.metadata import version
from pathlib import Path

from chunkgap.config import Settings
from chunkgap.reports.manifest import make_manifest, manifest_text

from .results_builder import build_results


def test_it_names_inputs_model_versions_and_counts() -> None:
    results = build_results(scales=("50", "100"))
    manifest = make_manifest(results, Settings(workers=3), model_files={"model.safetensors": "ab" * 32})
    first = results.scales[0].phases[0]
    assert manifest["corpus"] == {"source": "docs/", "sha256": "c" * 64}
    assert manifest["model"] == {
        "name": "all-MiniLM-L6-v2",
        "identity": "e" * 64,
        "sha256": {"model.safetensors": "ab" * 32},
    }
    assert manifest["seed"] == 13
    assert manifest["threads"] == 3
    versions = manifest["versions"]
    assert isinstance(versions, dict)
    assert versions["numpy"] == version("numpy")
    counts = json.loads(json.dumps(manifest["counts"]))
    assert counts["scales"]["50"][0] == {"phase": 0, "chunks": first.chunks, "vectors": first.vectors}


def test_the_configuration_reads_back() -> None:
    settings = Settings(sizes=(20, 40), out=Path("elsewhere"))
    configuration = make_manifest(build_results(), settings)["configuration"]
    assert isinstance(configuration, dict)
    assert Settings.model_validate_json(json.dumps(configuration)).sizes == (20, 40)


def test_where_results_are_written_does_not_change_it() -> None:
    results = build_results()
    one, two = (make_manifest(results, Settings(out=Path(name))) for name in ("one", "two"))
    assert manifest_text(one, files=[]) == manifest_text(two, files=[])


def test_rankings_made_elsewhere_have_no_model() -> None:
    assert make_manifest(build_results(command="score"), Settings())["model"] is None


def test_the_text_is_json_with_the_files() -> None:
    text = manifest_text({"name": "Münster"}, files=["a", "b"])
    assert text.endswith("\n")
    assert json.loads(text) == {"name": "Münster", "files": ["a", "b"]}
    assert "Münster" in text


def test_nothing_heavy_is_imported_for_a_version() -> None:
    loaded = set(sys.modules)
    make_manifest(build_results(), Settings())
    assert not {"torch", "sentence_transformers", "hnswlib"} & (set(sys.modules) - loaded)
