import json
from pathlib import Path

import pytest

from chunkgap.datasets.queries import read_queries

from ..stored import stored
from .running import run


@pytest.fixture()
def out(tmp_path: Path) -> Path:
    return stored(tmp_path)


def test_a_file_is_written_and_the_reasons_are_printed(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = out.parent / "small.jsonl"
    assert run("promote", out, "3", "--out", small) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("Queries on which scales disagree most\n")
    assert captured.err == ""
    queries = read_queries(small).queries
    whole = {query.query_id: query for query in read_queries(out.parent / "queries.jsonl").queries}
    assert len(queries) == 3
    for query in queries:
        source = whole[query.query_id]
        assert (query.text, query.relevant, query.tags) == (source.text, source.relevant, source.tags)
        assert query.spans  # located now, by text in the source
    assert all(json.loads(line)["why"] for line in small.read_text("utf-8").splitlines())


def test_a_link_stays_and_what_it_leads_to_is_written(out: Path) -> None:
    link, target = out.parent / "link.jsonl", out.parent / "small.jsonl"
    link.symlink_to(target.name)
    assert run("promote", out, "3", "--out", link) == 0
    assert link.is_symlink()
    assert len(target.read_text("utf-8").splitlines()) == 3


def test_without_a_file_the_lines_alone_go_to_stdout(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("promote", out, "2") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [next(iter(json.loads(line))) for line in lines] == ["_id", "_id"]


def test_what_changed_is_a_warning(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (out.parent / "corpus" / "d99.txt").write_text("new", encoding="utf-8")
    assert run("promote", out, "2") == 0
    assert capsys.readouterr().err.startswith("warning: The corpus has changed since it was measured")


def test_no_query_is_an_error(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("promote", out, "0") == 2
    assert capsys.readouterr().err.startswith("error: N: expected a number of queries, at least 1, got 0.")


def test_a_folder_is_no_file(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(out.iterdir())
    assert run("promote", out, "2", "--out", out) == 2
    assert capsys.readouterr().err == f"error: --out: expected a file, got the folder {out}. Name a file.\n"
    assert sorted(out.iterdir()) == before


def test_each_thing_that_is_missing_stands_on_its_own_line(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (out.parent / "corpus").rename(out.parent / "moved")
    (out.parent / "queries.jsonl").unlink()
    assert run("promote", out, "2") == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("error: ") for line in lines)
