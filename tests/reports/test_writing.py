import errno
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock

from chunkgap.errors import ConfigError
from chunkgap.reports.writing import check_folder, is_stream, replace_files, replace_text, write_lines


def contents(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_text("utf-8") for p in folder.rglob("*") if p.is_file()}


def old_folder(tmp_path: Path) -> Path:
    out = tmp_path / "out"
    (out / "runs").mkdir(parents=True)
    (out / "a.csv").write_text("old a", "utf-8")
    (out / "runs" / "50.run").write_text("old run", "utf-8")
    (out / "notes.txt").write_text("mine", "utf-8")
    return out


def test_files_are_replaced_and_obsolete_ones_go(tmp_path: Path) -> None:
    out = old_folder(tmp_path)
    with replace_files(out, obsolete=["runs/50.run", "a.csv", "never-there"]) as folder:
        (folder / "a.csv").write_text("new a", "utf-8")
        (folder / "runs").mkdir()
        (folder / "runs" / "100.run").write_text("new run", "utf-8")
        assert contents(out)["a.csv"] == "old a"
    assert contents(out) == {"a.csv": "new a", "runs/100.run": "new run", "notes.txt": "mine"}


def test_a_failure_while_writing_changes_nothing(tmp_path: Path) -> None:
    out = old_folder(tmp_path)
    before = contents(out)
    with pytest.raises(KeyboardInterrupt), replace_files(out, obsolete=["runs/50.run"]) as folder:
        (folder / "a.csv").write_text("new a", "utf-8")
        raise KeyboardInterrupt
    assert contents(out) == before
    assert sorted(path.name for path in out.iterdir()) == ["a.csv", "notes.txt", "runs"]


def test_a_failure_while_moving_puts_everything_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = old_folder(tmp_path)
    before = contents(out)
    replace = Path.replace

    def fail_on_z(self: Path, target: Path) -> Path:
        if target == out / "z.csv":
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fail_on_z)
    with pytest.raises(ConfigError, match="No space left on device"), replace_files(out) as folder:
        for name in ("a.csv", "new.csv", "z.csv"):
            (folder / name).write_text("new", "utf-8")
    assert contents(out) == before


def test_a_folder_made_for_nothing_is_removed(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="stop"), replace_files(tmp_path / "out"):
        raise ValueError("stop")
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_way_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("mine", "utf-8")
    with pytest.raises(ConfigError) as caught:
        check_folder(path)
    assert str(caught.value) == f"out: expected a folder, got the file {path}. Name another with --out."
    assert path.read_text("utf-8") == "mine"


def test_a_folder_where_a_file_should_be_changes_nothing(tmp_path: Path) -> None:
    out = old_folder(tmp_path)
    (out / "b.csv").mkdir()
    before = contents(out)
    with pytest.raises(ConfigError, match="Is a directory"), replace_files(out) as folder:
        (folder / "a.csv").write_text("new", "utf-8")
        (folder / "b.csv").write_text("new", "utf-8")
    assert contents(out) == before


def test_a_path_through_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", "utf-8")
    with pytest.raises(ConfigError, match=r"^out: expected a folder to write to, got .*--out"):
        check_folder(tmp_path / "file" / "out")


def test_a_check_leaves_nothing_behind(tmp_path: Path) -> None:
    for name in ("out", "x1/x2/x3"):
        check_folder(tmp_path / name)
        assert list(tmp_path.iterdir()) == []


def test_a_check_that_fails_leaves_nothing_behind_either(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="File name too long"):
        check_folder(tmp_path / "x1" / ("x" * 300))
    assert list(tmp_path.iterdir()) == []


def test_one_text_is_replaced_with_its_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    path.write_text("old", "utf-8")
    replace_text(path, "new\r\nné\n")
    assert path.read_bytes() == "new\r\nné\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_in_folders_that_are_missing_is_written(tmp_path: Path) -> None:
    replace_text(tmp_path / "x1" / "x2" / "a.md", "new")
    assert contents(tmp_path) == {"x1/x2/a.md": "new"}


def test_lines_are_written_as_they_come(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "50.run"

    def lines():
        yield "one\r\n"
        assert path.exists()
        yield "né\n"

    write_lines(path, lines())
    assert path.read_bytes() == "one\r\nné\n".encode()


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path, exists: bool) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "a.jsonl", tmp_path / "link.jsonl"
    if exists:
        target.write_text("old", "utf-8")
    link.symlink_to(Path("real") / "a.jsonl")
    replace_text(link, "new")
    assert (link.is_symlink(), target.is_symlink(), target.read_text("utf-8")) == (True, False, "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.jsonl", "real"]


def test_links_in_a_circle_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(ConfigError) as caught:
        replace_text(tmp_path / "a", "new")
    assert len(caught.value.problems) == 1
    assert str(caught.value).startswith("out: expected a file to write, got ")


def test_a_pipe_gets_the_text(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    replace_text(pipe, "né\n")
    reader.join()
    assert (read, pipe.is_fifo()) == (["né\n".encode()], True)


def test_a_terminal_gets_the_text() -> None:
    # no test writes to a path in /dev itself: code that fails it, run by root, would replace the device
    master, slave = os.openpty()
    try:
        replace_text(Path(os.ttyname(slave)), "text\n")
        assert os.read(master, 100) == b"text\r\n"
    finally:
        os.close(master)
        os.close(slave)


def test_what_cannot_be_opened_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        with pytest.raises(ConfigError) as caught:
            replace_text(Path("socket"), "new")
    assert str(caught.value) == (
        f"out: expected a file to write, got socket ({os.strerror(errno.ENXIO)}). Name another with --out."
    )
    assert Path("socket").is_socket()


def test_a_device_is_a_stream_and_a_file_or_folder_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert is_stream(Path(os.devnull))
    assert not any(map(is_stream, (tmp_path, tmp_path / "file", tmp_path / "absent")))


WRITE = (
    "import sys; from pathlib import Path; from chunkgap.reports.writing import replace_text; "
    "replace_text(Path(sys.argv[1]), 'text\\n'); print('printed')"
)


@pytest.mark.skipif(not Path("/dev/fd/1").exists(), reason="no /dev/fd here")
def test_stdout_gets_the_text_as_a_pipe_and_as_a_file_that_is_appended_to(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITE, "/dev/fd/1"]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"text\nprinted\n"
    log = tmp_path / "log"
    log.write_text("before\n", "utf-8")
    with log.open("a") as file:
        subprocess.run(command, stdout=file, check=True)
    assert log.read_text("utf-8") == "before\ntext\nprinted\n"


def left_behind(out: Path, name: str = ".chunkgap-ab3_xyz9", age: float = 3600) -> Path:
    """What a process leaves that is killed while it writes."""
    folder = out / name
    for part in ("fresh", "previous"):
        (folder / part).mkdir(parents=True)
        (folder / part / "a.csv").write_text("half", "utf-8")
    os.utime(folder, (time.time() - age,) * 2)
    return folder


def write_one(out: Path) -> None:
    with replace_files(out) as folder:
        (folder / "a.csv").write_text("new", "utf-8")


def test_what_a_killed_process_left_is_swept_at_the_next_writing(tmp_path: Path) -> None:
    left_behind(tmp_path)
    write_one(tmp_path)
    assert contents(tmp_path) == {"a.csv": "new"}
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_what_a_process_is_just_making_or_holds_is_not_swept(tmp_path: Path) -> None:
    young, held = left_behind(tmp_path, age=0), left_behind(tmp_path, ".chunkgap-abcdefgh")
    with FileLock(held / "writing"):
        os.utime(held, (time.time() - 3600,) * 2)
        write_one(tmp_path)
        assert (young / "fresh" / "a.csv").exists()
        assert (held / "fresh" / "a.csv").exists()


@pytest.mark.parametrize("name", [".chunkgap-cache", ".chunkgap-mycaches", ".chunkgap-ab3_xyz99"])
def test_folders_of_others_are_not_swept(tmp_path: Path, name: str) -> None:
    (tmp_path / name / "kept").mkdir(parents=True)
    os.utime(tmp_path / name, (0, 0))
    write_one(tmp_path)
    assert (tmp_path / name / "kept").exists()


def test_a_link_to_a_temporary_folder_is_not_followed(tmp_path: Path) -> None:
    real = left_behind(tmp_path / "elsewhere", "real")
    out = tmp_path / "out"
    out.mkdir()
    (out / ".chunkgap-ab3_xyz9").symlink_to(real)
    write_one(out)
    assert (real / "fresh" / "a.csv").exists()


def test_files_are_moved_once_nobody_else_moves_theirs(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("old", "utf-8")
    writer = threading.Thread(target=write_one, args=(tmp_path,))
    with FileLock(tmp_path / ".chunkgap.lock"):
        writer.start()
        time.sleep(0.3)
        assert (tmp_path / "a.csv").read_text("utf-8") == "old"
    writer.join()
    assert (tmp_path / "a.csv").read_text("utf-8") == "new"


def listed(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_writers_of_different_files_leave_one_whole_set(tmp_path: Path) -> None:
    def write_set(name: str) -> None:
        with replace_files(tmp_path, obsolete=lambda: sorted(names & listed(tmp_path))) as folder:
            for part in range(20):
                (folder / f"{name}{part}").write_text(name, "utf-8")

    names = {f"{name}{part}" for name in "abcd" for part in range(20)}
    writers = [threading.Thread(target=write_set, args=(name,)) for name in "abcd"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    left = contents(tmp_path)
    assert (len(left), len(set(left.values()))) == (20, 1)


def test_obsolete_files_may_be_found_at_the_last_moment(tmp_path: Path) -> None:
    out = old_folder(tmp_path)
    with replace_files(out, obsolete=lambda: ["late.run"]) as folder:
        (folder / "a.csv").write_text("new a", "utf-8")
        (out / "late.run").write_text("of another writer", "utf-8")
    assert sorted(contents(out)) == ["a.csv", "notes.txt", "runs/50.run"]
