import errno
import os
import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock

from chunkgap.errors import ConfigError
from chunkgap.reports import locking
from chunkgap.reports.locking import is_free, locked


def test_a_lock_is_held_inside_the_block_and_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locked(path):
        assert not is_free(path)
    assert list(tmp_path.iterdir()) == []
    assert is_free(path)


def test_one_goes_in_at_a_time(tmp_path: Path) -> None:
    inside, most = 0, 0

    def enter() -> None:
        nonlocal inside, most
        for _ in range(3):
            with locked(tmp_path / "lock"):
                inside += 1
                most = max(most, inside)
                time.sleep(0.002)
                inside -= 1

    workers = [threading.Thread(target=enter) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert most == 1


def test_a_lock_that_is_not_given_back_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locking, "_PATIENCE", 0)
    with FileLock(tmp_path / "lock"), pytest.raises(ConfigError) as caught, locked(tmp_path / "lock"):
        pass
    assert str(caught.value) == (
        f"out: expected a folder that nobody else writes to, got {tmp_path}, locked for 0 s. "
        "Wait for the other measurement, or name another folder with --out."
    )


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOLCK, os.strerror(errno.ENOLCK)), NotImplementedError("no flock")]
)
def test_a_file_system_without_locks_is_written_to_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(self: FileLock) -> None:
        raise error

    monkeypatch.setattr(FileLock, "acquire", fail)
    with locked(tmp_path / "lock"):
        (tmp_path / "a.csv").write_text("new", "utf-8")
    assert not is_free(tmp_path / "lock")


def test_any_other_fault_of_a_lock_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"), locked(tmp_path / "file" / "lock"):
        pass
