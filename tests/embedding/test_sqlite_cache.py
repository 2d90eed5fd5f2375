import pickle
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from chunkgap.embedding.cache import vector_keys
from chunkgap.embedding.sqlite_cache import FILE_NAME, KEYS_PER_QUERY, SqliteCache

KEYS = vector_keys(["one", "two"], ["model"])
VECTORS = np.array([[1, 0, 0], [0, 0.6, 0.8]], dtype=np.float32)
PIECES = np.array([3, 4])


def fill(folder: Path) -> None:
    with SqliteCache(folder) as cache:
        cache.write(KEYS, VECTORS, PIECES)


def change(folder: Path, statement: str) -> None:
    connection = sqlite3.connect(folder / FILE_NAME)
    with connection:
        connection.execute(statement)
    connection.close()


def test_vectors_survive_the_process(tmp_path):
    fill(tmp_path)
    with SqliteCache(tmp_path) as cache:
        np.testing.assert_array_equal(cache.read(KEYS, 3).vectors, VECTORS)
        assert cache.warnings == []


def test_more_keys_than_one_query_takes(tmp_path):
    n = 2 * KEYS_PER_QUERY + 7
    keys = vector_keys([str(i) for i in range(n)], [])
    with SqliteCache(tmp_path) as cache:
        cache.write(keys, np.ones((n, 2), dtype=np.float32), np.arange(n))
        assert cache.read(keys, 2).pieces.tolist() == list(range(n))


def test_what_waits_is_committed_after_the_interval(tmp_path):
    with SqliteCache(tmp_path, commit_seconds=0) as eager, SqliteCache(tmp_path, commit_seconds=1e9) as lazy:
        lazy.write(KEYS[:1], VECTORS[:1], PIECES[:1])
        eager.write(KEYS[1:], VECTORS[1:], PIECES[1:])
        with SqliteCache(tmp_path) as other:
            assert other.read(KEYS, 3).found.tolist() == [False, True]


def test_an_entry_of_another_dimension_is_a_miss(tmp_path):
    fill(tmp_path)
    with SqliteCache(tmp_path) as cache:
        assert not cache.read(KEYS, 4).found.any()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE embeddings SET vector = substr(vector, 1, 5)",
        "UPDATE embeddings SET vector = 'text'",
        "UPDATE embeddings SET pieces = 'many'",
        "UPDATE embeddings SET pieces = -1",
        "UPDATE embeddings SET pieces = pieces + 1",
        "UPDATE embeddings SET vector = substr(vector, 1, 8) || x'0000003f'",  # another last number, 0.5
        "UPDATE embeddings SET checksum = 'none'",
        "UPDATE embeddings SET vector = x'0000c07f00000000' || x'00000000'",  # NaN, 0, 0
    ],
)
def test_an_unreadable_entry_is_a_miss_and_can_be_written_again(statement, tmp_path):
    fill(tmp_path)
    change(tmp_path, statement)
    with SqliteCache(tmp_path) as cache:
        entries = cache.read(KEYS, 3)
        assert not entries.found.any()
        assert not entries.vectors.any()
        cache.write(KEYS, VECTORS, PIECES)
        assert cache.read(KEYS, 3).found.all()
        assert cache.warnings == []


def halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def scribble(path: Path) -> None:
    path.write_bytes(b"not a database, but long enough to be taken for one" * 100)


@pytest.mark.parametrize("damage", [halve, empty, scribble])
def test_a_damaged_file_is_made_again_with_a_warning(damage, tmp_path):
    fill(tmp_path)
    for path in tmp_path.iterdir():
        damage(path)
    with SqliteCache(tmp_path) as cache:
        assert not cache.read(KEYS, 3).found.any()
        cache.write(KEYS, VECTORS, PIECES)
        assert cache.read(KEYS, 3).found.all()
        assert len(cache.warnings) == 1
        assert f"{FILE_NAME}: the vector cache was" in cache.warnings[0]
        assert "made again" in cache.warnings[0]
    with SqliteCache(tmp_path) as cache:
        assert cache.read(KEYS, 3).found.all()
        assert cache.warnings == []


def test_a_file_that_is_damaged_while_it_is_open_is_made_again(tmp_path):
    with SqliteCache(tmp_path) as cache:
        n = 500
        keys = vector_keys([str(i) for i in range(n)], [])
        cache.write(keys, np.ones((n, 64), dtype=np.float32), np.ones(n, dtype=np.int64))
    with SqliteCache(tmp_path) as cache:
        with (tmp_path / FILE_NAME).open("r+b") as file:
            file.seek(8192)
            file.write(b"\xff" * 100_000)
        found = cache.read(keys, 64).found
        assert not found.all()
        assert len(cache.warnings) == 1
        cache.write(KEYS, VECTORS, PIECES)
        assert cache.read(KEYS, 3).found.all()


def test_another_programs_table_is_set_aside(tmp_path):
    change(tmp_path, "CREATE TABLE embeddings (something TEXT)")
    with SqliteCache(tmp_path) as cache:
        cache.write(KEYS, VECTORS, PIECES)
        assert cache.read(KEYS, 3).found.all()
        assert len(cache.warnings) == 1
    assert (tmp_path / f"{FILE_NAME}.unreadable").exists()


class Trap:
    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self):
        return (Path.touch, (self.mark,))


def test_a_planted_pickle_is_never_run(tmp_path):
    mark = tmp_path / "mark"
    cache_folder = tmp_path / "cache"
    fill(cache_folder)
    for path in cache_folder.iterdir():
        path.write_bytes(pickle.dumps(Trap(mark)))
    with SqliteCache(cache_folder) as cache:
        assert not cache.read(KEYS, 3).found.any()
    assert not mark.exists()


def test_a_folder_that_cannot_be_made_means_no_cache_and_a_warning(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with SqliteCache(tmp_path / "file" / "cache") as cache:
        cache.write(KEYS, VECTORS, PIECES)
        assert not cache.read(KEYS, 3).found.any()
        assert len(cache.warnings) == 1
        assert "going on without it" in cache.warnings[0]


def test_an_interrupted_commit_loses_nothing(tmp_path, monkeypatch):
    with SqliteCache(tmp_path) as cache:
        cache.write(KEYS, VECTORS, PIECES)
        with monkeypatch.context() as patch:
            patch.setattr("chunkgap.embedding.sqlite_cache.time.monotonic", interrupt)
            with pytest.raises(KeyboardInterrupt):
                cache.flush()
    with SqliteCache(tmp_path) as cache:
        assert cache.read(KEYS, 3).found.all()


def interrupt() -> float:
    raise KeyboardInterrupt


WRITER = """
import sys, numpy as np
from pathlib import Path
from chunkgap.embedding.cache import vector_keys
from chunkgap.embedding.sqlite_cache import SqliteCache
keys = vector_keys([str(i) for i in range(300)], [])
with SqliteCache(Path(sys.argv[1]), commit_seconds=0) as cache:
    for first in range(0, 300, 10):
        cache.write(keys[first:first + 10], np.ones((10, 8), dtype=np.float32), np.ones(10, dtype=np.int64))
    assert not cache.warnings, cache.warnings
"""


def test_two_processes_start_on_an_empty_folder(tmp_path):
    for attempt in range(3):
        folder = tmp_path / str(attempt)
        command = [sys.executable, "-c", WRITER, str(folder)]
        writers = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(2)]
        assert [(writer.communicate()[1], writer.returncode) for writer in writers] == [(b"", 0)] * 2
        with SqliteCache(folder) as cache:
            assert cache.read(vector_keys([str(i) for i in range(300)], []), 8).found.all()
        connection = sqlite3.connect(folder / FILE_NAME)
        assert connection.execute("SELECT count(*) FROM embeddings").fetchone() == (300,)
        connection.close()


def test_the_one_that_finds_damage_later_keeps_the_new_file(tmp_path):
    fill(tmp_path)
    with SqliteCache(tmp_path) as first, SqliteCache(tmp_path) as second:
        damaged = sqlite3.DatabaseError("torn")
        damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        for cache in (first, second):
            with cache._forgiving():
                raise damaged
        first.write(KEYS[:1], VECTORS[:1], PIECES[:1])
        second.write(KEYS[1:], VECTORS[1:], PIECES[1:])
        first.flush()
        assert second.read(KEYS, 3).found.all()


def test_the_speed_of_a_model_is_kept_by_its_identity(tmp_path: Path) -> None:
    with SqliteCache(tmp_path) as cache:
        assert cache.speed("one") is None
        cache.keep_speed("one", 0.001)
        cache.keep_speed("one", 0.002)
    with SqliteCache(tmp_path) as cache:
        assert (cache.speed("one"), cache.speed("two")) == (0.002, None)


def test_a_cache_of_before_speeds_were_kept_goes_on(tmp_path: Path) -> None:
    with SqliteCache(tmp_path) as cache:
        cache.write([b"k" * 16], np.ones((1, 3), np.float32), np.array([5]))
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute("DROP TABLE speeds")
    connection.close()
    with SqliteCache(tmp_path) as cache:
        assert cache.speed("one") is None
        assert cache.read([b"k" * 16], 3).found.tolist() == [True]
        assert not cache.warnings
