import os
import threading
from pathlib import Path

import pytest

from chunkgap.cli import main
from chunkgap.config import load_settings


@pytest.fixture(autouse=True)
def _in_a_folder_with_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("docs/a.txt").write_text("some words to read. " * 40)
    Path("q.jsonl").write_text(
        '{"id": "q0", "text": "words?", "relevant": ["a.txt"]}\n{"id": "q1", "text": "?"}\n'
    )


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return int(left.value.code or 0)


def test_init_writes_a_configuration_and_says_what_is_next(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("init", "docs", "q.jsonl") == 0
    printed = capsys.readouterr()
    assert printed.out == "wrote chunkgap.yaml; next: chunkgap measure --config chunkgap.yaml\n"
    assert printed.err == "warning: 1 query without a label, left out (q1)\n"
    assert load_settings(Path("chunkgap.yaml")).corpus == (Path("docs"),)


def test_init_does_not_replace_a_file_unless_forced(capsys: pytest.CaptureFixture[str]) -> None:
    Path("chunkgap.yaml").write_text("mine")
    assert run("init", "docs", "q.jsonl") == 2
    assert capsys.readouterr().err == (
        "error: chunkgap.yaml: expected no such file, got one. Give --force or another --out.\n"
    )
    assert Path("chunkgap.yaml").read_text() == "mine"
    assert run("init", "docs", "q.jsonl", "--force") == 0
    assert Path("chunkgap.yaml").read_text().startswith("# A configuration")


def test_init_without_queries_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("init", "docs", "--out", "configs/c.yaml") == 0
    assert capsys.readouterr().out == "wrote configs/c.yaml; next: name queries in configs/c.yaml\n"


def test_a_faulty_corpus_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("init", "absent", "q.jsonl") == 2
    assert (
        capsys.readouterr().err
        == "error: absent: expected a file or folder, got nothing there. Check the path.\n"
    )
    assert not Path("chunkgap.yaml").exists()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["docs", "q.jsonl", "--out", "docs"],
            "--out: expected a file to write, got the folder docs. Name a file in it.",
        ),
        (["", "q.jsonl"], "CORPUS: expected a path, got an empty text. Name one; `.` is the current folder."),
        (["docs", ""], "QUERIES: expected a path, got an empty text. Name one; `.` is the current folder."),
    ],
)
def test_a_path_that_is_none_is_an_error(
    capsys: pytest.CaptureFixture[str], arguments: list[str], line: str
) -> None:
    assert run("init", *arguments) == 2
    assert capsys.readouterr().err == f"error: {line}\n"


def test_init_follows_a_link(capsys: pytest.CaptureFixture[str]) -> None:
    Path("configs").mkdir()
    Path("c.yaml").symlink_to("configs/real.yaml")
    assert run("init", "docs", "q.jsonl", "--out", "c.yaml") == 0
    assert Path("c.yaml").is_symlink()
    assert load_settings(Path("c.yaml")).corpus == (Path("docs"),)
    assert capsys.readouterr().out == "wrote c.yaml; next: chunkgap measure --config c.yaml\n"


def test_a_pipe_needs_no_force_and_paths_in_it_count_from_the_current_folder() -> None:
    os.mkfifo("pipe")
    Path("sub").mkdir()
    Path("sub/pipe").symlink_to("../pipe")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(Path("pipe").read_text("utf-8")))
    reader.start()
    assert run("init", "docs", "q.jsonl", "--out", "sub/pipe") == 0
    reader.join()
    assert "\ncorpus: docs " in read[0]
