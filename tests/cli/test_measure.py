"""`chunkgap measure` as a user meets it: exit codes, stderr to the letter, files, and a clean stdout."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from chunkgap import cli, measurement
from chunkgap.embedding import Embedder

from ..fake_embedder import FakeEmbedder
from ..made_up import write_corpus, write_queries

FILES = {
    "summary.csv", "per_query.csv", "results.json", "manifest.json", "hits.parquet", "qrels.txt", "report.html",
    "report.md", "slices.csv", "runs/16.run", "runs/32.run", "runs/fused.run",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a corpus and queries, in which the model is a fake one."""
    write_corpus(tmp_path)
    write_queries(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(measurement, "open_model", lambda _settings: FakeEmbedder())
    return tmp_path


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        cli.main(["measure", *arguments])
    return int(stopped.value.code or 0)


def measure_small(*more: str) -> int:
    return run("corpus", "queries.jsonl", "--sizes", "16,32", "--no-cache", *more)


def test_a_measurement_writes_every_file_and_exits_0(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert measure_small() == 0
    out = folder / "chunkgap-out"
    assert {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()} == FILES
    printed = capsys.readouterr()
    assert printed.err == ""
    assert "recall" in printed.out
    assert "\x1b" not in printed.out


def test_a_step_of_github_actions_gets_the_page_as_its_summary(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = folder / "summary.md"
    summary.write_text("before\n", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert measure_small() == 0
    page = (folder / "chunkgap-out" / "report.md").read_text("utf-8")
    assert summary.read_text("utf-8") == f"before\n{page}\n"


def test_a_second_measurement_writes_the_same_bytes_times_apart(folder: Path) -> None:
    measure_small("--out", "one")
    measure_small("--out", "two")
    for name in sorted(FILES - {"results.json", "report.html", "report.md"}):
        assert (folder / "one" / name).read_bytes() == (folder / "two" / name).read_bytes(), name
    one, two = (json.loads((folder / out / "results.json").read_text()) for out in ("one", "two"))
    assert one.pop("timings") is not None
    two.pop("timings")
    assert one == two


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["corpus", "queries.jsonl", "--sizes", "0"], "error: --sizes: "),
        (["corpus", "queries.jsonl", "--sizes", "32", "--overlap", "32"], "error: --overlap: "),
        (["nowhere", "queries.jsonl"], "error: nowhere: "),
        (["corpus", "nothing.jsonl"], "error: nothing.jsonl: "),
        (["corpus", "queries.jsonl", "--config", "missing.yaml"], "error: missing.yaml: "),
        ([], "error: corpus: "),
        (
            ["corpus"],
            "error: queries: expected a query file, got nothing. Name it on the command line or in the ",
        ),
        (["corpus", "corpus"], "error: corpus: expected a query file or a BEIR folder, got a folder without"),
        (
            ["", "queries.jsonl"],
            "error: CORPUS: expected a path, got an empty text. Name one; `.` is the current",
        ),
        (
            ["corpus", "queries.jsonl", "--out", ""],
            "error: --out: expected a path, got an empty text. Name one;",
        ),
        (
            ["corpus", "queries.jsonl", "--cache", "queries.jsonl"],
            "error: --cache: expected a folder to write to, got queries.jsonl (it is a file). Name another, or",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_2_and_leaves_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: Sequence[str], line: str
) -> None:
    assert run(*arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(line)
    assert printed.err.count("\n") == 1
    assert not (folder / "chunkgap-out").exists()


def test_a_failed_measurement_leaves_earlier_results_alone(folder: Path) -> None:
    measure_small()
    before = (folder / "chunkgap-out" / "results.json").read_bytes()
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "x", "relevant": ["no-such-document"]}\n')
    assert measure_small() == 2
    assert (folder / "chunkgap-out" / "results.json").read_bytes() == before


def test_an_output_folder_that_is_a_file_is_refused_before_the_work(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measurement, "open_model", lambda _settings: pytest.fail("the work had begun"))
    (folder / "taken").write_text("")
    assert measure_small("--out", "taken") == 2
    assert "taken" in capsys.readouterr().err


@pytest.mark.parametrize(("limit", "code"), [(0.0, 0), (1.0, 1)])
def test_the_gate_of_the_configuration_decides_the_exit_code(
    folder: Path, capsys: pytest.CaptureFixture[str], limit: float, code: int
) -> None:
    (folder / "gated.yaml").write_text(f"sizes: [16, 32]\ncache: off\ngate: {{min_best_fixed: {limit}}}\n")
    assert run("corpus", "queries.jsonl", "--config", "gated.yaml") == code
    assert ("gate passed" if code == 0 else "gate failed") in capsys.readouterr().out


def test_ctrl_c_exits_130_keeps_what_was_embedded_and_goes_on_from_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop_after_three(model: FakeEmbedder) -> Embedder:
        embed, calls = model.embed, []

        def interrupted(texts: Sequence[str], role: str) -> object:
            calls.append(texts)
            if len(calls) > 5:
                raise KeyboardInterrupt
            return embed(texts, role)

        model.embed = interrupted  # type: ignore[method-assign]
        return model

    small = ("corpus", "queries.jsonl", "--sizes", "16,32", "--cache", "cache")
    monkeypatch.setattr(measurement, "open_model", lambda _settings: stop_after_three(FakeEmbedder()))
    assert run(*small) == 130
    assert "Traceback" not in capsys.readouterr().err
    assert not (folder / "chunkgap-out").exists()
    resumed, fresh = FakeEmbedder(), FakeEmbedder()
    monkeypatch.setattr(measurement, "open_model", lambda _settings: resumed)
    assert run(*small) == 0
    monkeypatch.setattr(measurement, "open_model", lambda _settings: fresh)
    assert measure_small("--out", "fresh") == 0
    assert 0 < len(resumed.asked) < len(fresh.asked)
    assert (folder / "chunkgap-out/summary.csv").read_bytes() == (folder / "fresh/summary.csv").read_bytes()


def test_help_is_quick_and_loads_nothing_heavy() -> None:
    program = (
        "import sys\nfrom chunkgap.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "heavy = {'numpy', 'torch', 'sentence_transformers', 'pydantic', 'scipy', 'rich'} & set(sys.modules)\n"
        "sys.exit(1 if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "measure" in done.stdout


def test_a_summary_of_a_step_that_cannot_be_written_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "corpus")
    assert measure_small() == 2
    assert capsys.readouterr().err == (
        "error: GITHUB_STEP_SUMMARY: expected a file to write to, got corpus (is a directory). "
        "Name another, or unset it.\n"
    )
    assert (folder / "chunkgap-out" / "results.json").is_file()


def test_measures_and_a_primary_endpoint_of_another_cutoff_may_be_named(folder: Path) -> None:
    assert measure_small("--measures", "recall,ndcg", "--cutoffs", "1,3", "--primary", "ndcg@4") == 0
    rows = json.loads((folder / "chunkgap-out" / "results.json").read_text())["rows"]
    assert {(row["measure"], row["cutoff"]) for row in rows} == {
        (measure, cutoff) for measure in ("recall", "ndcg") for cutoff in ("1", "3", "4")
    }
    assert {(row["measure"], row["cutoff"]) for row in rows if row["primary"]} == {("ndcg", "4")}


def test_an_unusable_cache_folder_in_the_configuration_is_named_as_its_key(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "c.yaml").write_text("cache: queries.jsonl\n")
    assert run("corpus", "queries.jsonl", "--config", "c.yaml") == 2
    assert capsys.readouterr().err == (
        "error: cache: expected a folder to write to, got queries.jsonl (it is a file). "
        "Name another, or give --no-cache.\n"
    )


@pytest.mark.usefixtures("folder")
def test_a_cache_and_none_at_once_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert measure_small("--cache", "vectors") == 2
    assert capsys.readouterr().err == (
        "error: --no-cache: expected no --cache beside it, got vectors. Leave one out.\n"
    )
