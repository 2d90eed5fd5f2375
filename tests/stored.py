"""A small measurement with all its files, made once and copied for each test that reads one back."""

import json
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from chunkgap.measurement import measure
from chunkgap.reports.artifacts import write_artifacts
from chunkgap.reports.html import render_html
from chunkgap.reports.manifest import make_manifest
from chunkgap.reports.markdown import render_markdown
from chunkgap.reports.measured_hits import query_hits

from .fake_embedder import FakeEmbedder
from .made_up import settings_for


def stored(folder: Path) -> Path:
    """Put corpus, queries and results into an empty folder; return the folder of the results."""
    made = Path(_made().name)
    shutil.copytree(made, folder, dirs_exist_ok=True)
    for name in ("manifest.json", "results.json", "report.html"):
        path = folder / "out" / name
        path.write_text(path.read_text("utf-8").replace(str(made), str(folder)), encoding="utf-8")
    return folder / "out"


def with_relative_paths(out: Path) -> None:
    """Let the manifest name corpus and queries as a measurement from the folder that holds `out` would."""
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    manifest["configuration"] |= {"corpus": "corpus", "queries": "queries.jsonl"}
    (out / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


@cache
def _made() -> "TemporaryDirectory[str]":
    folder = TemporaryDirectory()
    settings = settings_for(Path(folder.name), name="made up", sizes=[16, 48], retrieval__index="exact")
    measured = measure(settings, model=FakeEmbedder())
    results, fused = measured.results, measured.analysis.fused
    manifest = make_manifest(results, settings)
    hits = query_hits(results, measured.retrieval, fused, measured.documents)
    write_artifacts(
        settings.out,
        results=results,
        retrieval=measured.retrieval,
        fused=fused,
        documents=measured.documents,
        manifest=manifest,
        reports={
            "report.html": render_html(results, hits, manifest=manifest),
            "report.md": render_markdown(results),
        },
    )
    return folder
