"""All files of a measurement: artifacts, manifest, and the two reports."""

from pathlib import Path

from chunkgap.config import Settings
from chunkgap.measurement import Measurement
from chunkgap.reports.artifacts import write_artifacts
from chunkgap.reports.html import render_html
from chunkgap.reports.manifest import make_manifest
from chunkgap.reports.markdown import render_markdown
from chunkgap.reports.measured_hits import query_hits


def write_measurement(measured: Measurement, settings: Settings) -> list[Path]:
    """Write every file into `settings.out`, in place of those of an earlier measurement; see `write_artifacts`.

    Returns:
        The files, by name.

    Raises:
        ConfigError: `settings.out` is a file or cannot be written to.
    """
    results = measured.results
    manifest = make_manifest(results, settings, model_files=measured.model_files)
    hits = query_hits(results, measured.retrieval, measured.analysis.fused, measured.documents)
    return write_artifacts(
        settings.out,
        results=results,
        retrieval=measured.retrieval,
        fused=measured.analysis.fused,
        documents=measured.documents,
        manifest=manifest,
        reports={
            "report.html": render_html(results, hits, manifest=manifest),
            "report.md": render_markdown(results),
        },
    )
