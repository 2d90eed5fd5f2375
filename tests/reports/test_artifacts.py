import errno
import json
from dataclasses import replace
from pathlib import Path

import pytest

from chunkgap.config import Settings
from chunkgap.errors import ResultsError
from chunkgap.reports import artifacts
from chunkgap.reports.artifacts import read_results, write_artifacts
from chunkgap.reports.manifest import make_manifest
from chunkgap.results import Results

from .results_builder import build_results
from .retrieval_builder import build_documents, build_fused, build_retrieval

NAMES = [
    "hits.parquet",
    "manifest.json",
    "per_query.csv",
    "qrels.txt",
    "report.md",
    "results.json",
    "runs/2.run",
    "runs/3.run",
    "runs/5.run",
    "runs/fused.run",
    "slices.csv",
    "summary.csv",
]


def write(out: Path, results: Results | None = None, *, first: int = 0, seed: int = 1) -> list[Path]:
    """Write a measurement without its first scales."""
    whole = build_retrieval(seed=seed)
    retrieval = replace(whole, scales=whole.scales[first:], runs=whole.runs[first:])
    results = results or build_results(scales=("50", "100"), queries=5)
    return write_artifacts(
        out,
        results=results,
        retrieval=retrieval,
        fused=build_fused(retrieval),
        documents=build_documents(),
        manifest=make_manifest(results, Settings()),
        reports={"report.md": "# Report\n"},
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_all_files_are_written(tmp_path: Path) -> None:
    written = write(tmp_path / "out")
    assert written == [tmp_path / "out" / name for name in NAMES]
    assert sorted(contents(tmp_path / "out")) == NAMES


def test_a_second_measurement_writes_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path / "one")
    write(tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_times_change_results_json_alone(tmp_path: Path) -> None:
    results = build_results(scales=("50", "100"), queries=5)
    assert results.timings is not None
    write(tmp_path / "one", results)
    write(tmp_path / "two", replace(results, timings=replace(results.timings, total=99.0)))
    one, two = contents(tmp_path / "one"), contents(tmp_path / "two")
    assert [name for name in one if one[name] != two[name]] == ["results.json"]
    first, second = json.loads(one["results.json"]), json.loads(two["results.json"])
    assert [key for key in first if first[key] != second[key]] == ["timings"]


def test_results_read_back_equal(tmp_path: Path) -> None:
    results = build_results(hostile=True)
    write(tmp_path, results)
    assert read_results(tmp_path) == results


def test_runs_of_sizes_no_longer_measured_go_and_other_files_stay(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "runs" / "mine.run").write_text("not chunkgap's", "utf-8")
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    write(tmp_path, first=1)
    gone = {"runs/2.run"}
    assert sorted(contents(tmp_path)) == sorted({*NAMES, "runs/mine.run", "notes.txt"} - gone)


@pytest.mark.parametrize("name", ["../victim", "notes.txt", "runs/../../victim", "/etc/hostname", 7])
def test_a_forged_manifest_removes_nothing(tmp_path: Path, name: object) -> None:
    out = tmp_path / "out"
    write(out)
    (out / "notes.txt").write_text("mine", "utf-8")
    (tmp_path / "victim").write_text("mine", "utf-8")
    (out / "manifest.json").write_text(json.dumps({"files": [name]}), "utf-8")
    write(out)
    assert (out / "notes.txt").exists()
    assert (tmp_path / "victim").exists()


def test_a_broken_manifest_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("[", "utf-8")
    write(tmp_path)
    assert sorted(contents(tmp_path)) == NAMES


def test_a_failed_measurement_leaves_the_previous_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path)
    before = contents(tmp_path)

    def fail(*_args: object, **_kwargs: object) -> None:
        raise MemoryError

    monkeypatch.setattr(artifacts.hits, "write_hits", fail)
    with pytest.raises(MemoryError):
        write(tmp_path, seed=2)
    assert contents(tmp_path) == before
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_hits_and_runs_follow_the_documents_given(tmp_path: Path) -> None:
    write(tmp_path)
    first = (tmp_path / "runs" / "fused.run").read_text("utf-8").splitlines()[0].split()
    assert len(first) == 6
    assert first[:2] == ["q%201", "Q0"]
    assert first[3] == "1"


def test_a_missing_folder_says_what_to_name(tmp_path: Path) -> None:
    with pytest.raises(ResultsError) as caught:
        read_results(tmp_path / "gone")
    assert str(caught.value) == (
        f"{tmp_path / 'gone'}: expected the folder of a measurement with results.json, got no such folder. "
        "Name the folder that `chunkgap measure --out` wrote."
    )


def test_a_folder_without_results_says_so(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="got no such file in it"):
        read_results(tmp_path)


def test_results_that_may_not_be_read_are_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_arguments: object, **_options: object) -> str:
        raise PermissionError(errno.EACCES, "Permission denied", "results.json")

    monkeypatch.setattr(Path, "read_text", denied)
    with pytest.raises(ResultsError, match=r"got: permission denied\. Check its permissions\.$"):
        read_results(tmp_path)


def test_results_in_another_encoding_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "results.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(ResultsError, match=r"results\.json: expected the results of a measurement"):
        read_results(tmp_path)
