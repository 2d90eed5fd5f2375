"""The output folder of a measurement: every file that docs/files.md describes, and the way back."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from chunkgap.analysis.fusions import Fused
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.errors import ResultsError
from chunkgap.records import Document
from chunkgap.reports import hits
from chunkgap.reports import manifest as manifests
from chunkgap.reports.csv_files import per_query_csv, slices_csv, summary_csv
from chunkgap.reports.trec import FUSED_NAME, qrels_lines, run_file_names, run_lines
from chunkgap.reports.writing import files_below, replace_files, write_lines, write_text
from chunkgap.results import Results, from_json, to_json, unreadable

RESULTS = "results.json"

_OWN = re.compile(
    r"summary\.csv|per_query\.csv|slices\.csv|results\.json|hits\.parquet|qrels\.txt|report\.html|report\.md"
    r"|runs/[A-Za-z0-9][A-Za-z0-9._-]*\.run",
    re.ASCII,
)


def write_artifacts(
    out: Path,
    *,
    results: Results,
    retrieval: Retrieval,
    fused: Fused,
    documents: Sequence[Document],
    manifest: Mapping[str, object],
    reports: Mapping[str, str] | None = None,
) -> list[Path]:
    """Write all files of a measurement in place of those of an earlier one.

    Either all are written or `out` stays as it was. Files that an earlier measurement wrote there and this
    one does not, such as the run of a size no longer measured, are removed; nothing else in the folder is
    touched.

    Args:
        out: The folder, made when missing.
        results: What was found.
        retrieval: The runs and labels behind it.
        fused: The fusion of the primary endpoint.
        documents: The corpus by row; may be empty for `score`.
        manifest: What `manifest.make_manifest` gave.
        reports: Text of `report.html` and `report.md`, by file name.

    Returns:
        The files, by name.

    Raises:
        ConfigError: `out` is a file or cannot be written to.
    """
    with replace_files(out, obsolete=partial(_written_before, out)) as folder:
        write_text(folder / RESULTS, to_json(results))
        write_text(folder / "summary.csv", summary_csv(results))
        write_text(folder / "per_query.csv", per_query_csv(results))
        if results.slices:
            write_text(folder / "slices.csv", slices_csv(results))
        _write_trec(folder, retrieval, fused)
        _write_hits(folder / hits.FILE_NAME, retrieval, documents)
        for name, text in (reports or {}).items():
            write_text(folder / name, text)
        names = files_below(folder)
        write_text(folder / manifests.FILE_NAME, manifests.manifest_text(manifest, files=names))
    return [out / name for name in sorted([*names, manifests.FILE_NAME])]


def read_results(out: Path) -> Results:
    """Read back the results of a measurement.

    Raises:
        ResultsError: There are none in the folder, or they cannot be read.
    """
    path = out / RESULTS
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError) as error:
        found = "no such file in it" if out.is_dir() else "no such folder"
        raise ResultsError(
            f"{out}: expected the folder of a measurement with {RESULTS}, got {found}. "
            "Name the folder that `chunkgap measure --out` wrote."
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(path, error, expected="the results of a measurement") from error
    return from_json(text, place=str(path))


def _write_trec(folder: Path, retrieval: Retrieval, fused: Fused) -> None:
    queries = retrieval.labels.queries
    query_ids = [query.query_id for query in queries]
    names = run_file_names(retrieval.names)
    for run in retrieval.first:
        file_name = names[run.scale]
        lines = run_lines(run.documents, query_ids, retrieval.doc_ids, tag=Path(file_name).stem)
        write_lines(folder / "runs" / file_name, lines)
    lines = run_lines(fused.ranking, query_ids, retrieval.doc_ids, tag=FUSED_NAME)
    write_lines(folder / "runs" / f"{FUSED_NAME}.run", lines)
    write_lines(folder / "qrels.txt", qrels_lines(queries))


def _write_hits(path: Path, retrieval: Retrieval, documents: Sequence[Document]) -> None:
    query_ids = [query.query_id for query in retrieval.labels.queries]
    hits.write_hits(
        path, retrieval.first, query_ids=query_ids, doc_ids=retrieval.doc_ids, documents=documents
    )


def _written_before(out: Path) -> list[str]:
    """The files that the manifest in `out` names, as far as they are of a kind that chunkgap writes."""
    try:
        files = json.loads((out / manifests.FILE_NAME).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    named = files if isinstance(files, list) else []
    return [name for name in named if isinstance(name, str) and _OWN.fullmatch(name)]
