import json
import re
from pathlib import Path

import pytest

from ..made_up import passage
from ..stored import stored, with_relative_paths
from .running import run


@pytest.fixture()
def out(tmp_path: Path) -> Path:
    return stored(tmp_path)


def test_a_query_is_explained_on_stdout(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", out, "q03", "--top", "100", "--full") == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("q03: ")
    assert "[[" in captured.out
    assert passage(3).split()[0] in captured.out
    assert captured.err == ""


def test_json_is_the_only_thing_on_stdout(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", out, "q03", "--top", "4", "--json") == 0
    captured = capsys.readouterr()
    held = json.loads(captured.out)
    assert held["query_id"] == "q03"
    assert [len(scale["chunks"]) for scale in held["scales"]] == [4, 4]
    assert captured.err == ""


def test_json_of_a_query_that_is_not_there_is_an_error_alone(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("explain", out, "nothing like it", "--json") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: QUERY: expected ")


def test_a_part_of_several_texts_is_an_error_that_lists_them(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("explain", out, " ") == 2
    assert run("explain", out, "a") == 2
    assert re.search(r"got 'a', which stands in \d+: q\d\d \(", capsys.readouterr().err)


def test_a_corpus_elsewhere_can_be_named(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (out.parent / "corpus").rename(out.parent / "moved")
    assert run("explain", out, "q03") == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "texts are left out" in told
    assert "name it with --corpus." in told
    assert run("explain", out, "q03", "--corpus", out.parent / "moved") == 0
    assert "texts are left out" not in " ".join(capsys.readouterr().out.split())


def test_a_corpus_that_is_not_there_is_an_error(out: Path) -> None:
    assert run("explain", out, "q03", "--corpus", out / "nowhere") == 2


def test_queries_elsewhere_can_be_named(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (out.parent / "queries.jsonl").rename(out.parent / "moved.jsonl")
    assert run("explain", out, "q03", "--top", "100") == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "name them with --queries." in told
    assert "[[" not in told
    assert run("explain", out, "q03", "--top", "100", "--queries", out.parent / "moved.jsonl") == 0
    assert "[[" in capsys.readouterr().out
    assert run("explain", out, "q03", "--queries", out / "nowhere.jsonl") == 2


def test_a_measurement_is_explained_from_another_folder(
    out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_relative_paths(out)
    (out.parent / "elsewhere").mkdir()
    monkeypatch.chdir(out.parent / "elsewhere")
    assert run("explain", "../out", "q03", "--top", "100") == 0
    told = capsys.readouterr().out
    assert "[[" in told
    assert "!" not in told


def test_an_id_cut_short_suggests_those_that_begin_so(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", out, "q2") == 2
    assert "Did you mean q20, q21, q22 or q23?" in capsys.readouterr().err
