"""Imports point downward only: the layers of the package, checked by parsing every module."""

import ast
from pathlib import Path

import pytest

import chunkgap

ROOT = Path(chunkgap.__file__).parent

LAYERS = (
    {"errors", "records", "progress", "formatting", "ranking", "clock"},
    {
        "measures", "oracle", "size_excess", "scale_sets", "fusion", "statistics", "router", "decision", "results",
    },
    {"datasets", "config", "chunking", "embedding", "index"},
    {
        "analysis", "inputs", "placing", "searching", "prices", "measurement", "facts", "checking", "run_files",
        "run_matching",
        "scoring_runs", "proposing", "gating", "comparing", "explaining", "promoting", "rereading",
    },
    {"reports"},
    {"cli"},
    {"__main__"},
)  # fmt: skip

LIBRARIES = {
    "errors": set(),
    "records": set(),
    "progress": set(),
    "clock": set(),
    "formatting": set(),
    "ranking": {"numpy"},
    "measures": {"numpy"},
    "oracle": {"numpy"},
    "size_excess": {"numpy"},
    "scale_sets": {"numpy"},
    "fusion": {"numpy"},
    "statistics": {"numpy"},
    "router": {"numpy"},
    "decision": set(),
    "results": {"pydantic", "pydantic_core"},
    "config": {"yaml", "pydantic", "pydantic_core"},
    "chunking": {"numpy", "tiktoken", "tokenizers", "requests"},
    "embedding": {
        "numpy", "tokenizers", "sentence_transformers", "torch", "transformers", "huggingface_hub", "filelock",
    },
    "index": {"numpy", "hnswlib"},
}  # fmt: skip

ONE_HOME = {
    "hnswlib": {"index/hnsw.py"},
    "rich": {
        "reports/check_report.py",
        "reports/terminal.py",
        "reports/screen.py",
        "reports/explanation.py",
        "cli/lines.py",
        "cli/watching.py",
    },
    "plotly": {"reports/plotly_figures.py"},
    "pyarrow": {"reports/hits.py", "datasets/parquet.py"},
    "sentence_transformers": {"embedding/sentence_transformers_adapter.py"},
    "yaml": {"config/yaml_reading.py", "config/yaml_tree.py"},
}


def modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def part_of(path: Path) -> str:
    """The module or package directly below `chunkgap` that a file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def layer(part: str) -> int:
    return next(number for number, parts in enumerate(LAYERS) if part in parts)


def imported(path: Path) -> set[str]:
    """Every dotted module that a file imports, wherever in the file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names if node.module == "chunkgap")
    return found


def own_parts(path: Path) -> set[str]:
    parts = {name.split(".")[1] for name in imported(path) if name.startswith("chunkgap.")}
    return {part for part in parts if (ROOT / part).is_dir() or (ROOT / f"{part}.py").is_file()}


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_never_point_upward(path: Path) -> None:
    if part_of(path) == "__init__":
        assert not own_parts(path)
        return
    upward = {part for part in own_parts(path) if layer(part) > layer(part_of(path))}
    assert not upward


def test_parts_of_one_layer_do_not_import_each_other_in_a_circle() -> None:
    edges = {
        part: {other for path in modules() if part_of(path) == part for other in own_parts(path)} - {part}
        for parts in LAYERS
        for part in parts
    }
    while leaves := {part for part, others in edges.items() if not others & edges.keys()}:
        edges = {part: others for part, others in edges.items() if part not in leaves}
    assert edges == {}


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_lower_layers_know_only_their_libraries(path: Path) -> None:
    import sys

    allowed = LIBRARIES.get(part_of(path))
    if allowed is None:
        return
    roots = {name.split(".")[0] for name in imported(path)}
    assert roots - set(sys.stdlib_module_names) - {"chunkgap"} <= allowed


@pytest.mark.parametrize(("library", "homes"), ONE_HOME.items())
def test_a_library_is_known_in_its_own_files_alone(library: str, homes: set[str]) -> None:
    known = {
        path.relative_to(ROOT).as_posix()
        for path in modules()
        if library in {name.split(".")[0] for name in imported(path)}
    }
    assert known <= homes


def test_no_module_has_a_name_that_says_nothing() -> None:
    banned = {"utils", "helpers", "common", "core", "manager", "factory", "service"}
    assert not banned & {path.stem for path in modules()}
