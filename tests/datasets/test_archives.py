import gzip
from pathlib import Path

import pytest
import zstandard

from chunkgap.datasets import archives, files
from chunkgap.datasets.archives import open_bytes
from chunkgap.datasets.files import read_bytes

from .inputs import problems, write

TEXT = b"Kites need wind.\n" * 20_000


def test_a_gzip_file_of_two_members_is_read_whole() -> None:
    path = write("a.jsonl.gz", gzip.compress(b"one\n") + gzip.compress(b"two\n"))
    assert read_bytes(path) == b"one\ntwo\n"


def test_a_zstandard_file_of_two_frames_is_read_whole() -> None:
    packed = zstandard.ZstdCompressor().compress(TEXT)
    assert read_bytes(write("a.jsonl.zst", packed + packed)) == TEXT + TEXT


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_truncated_archive_is_named(ending: str) -> None:
    packed = gzip.compress(TEXT) if ending == "gz" else zstandard.ZstdCompressor().compress(TEXT)
    path = write(f"a.txt.{ending}", packed[:-3])
    assert problems(lambda: read_bytes(path)) == [
        f"a.txt.{ending}: expected a whole .{ending} archive, got a truncated one. Fetch or pack it again."
    ]


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_file_that_is_no_archive_is_named(ending: str) -> None:
    path = write(f"a.txt.{ending}", "plain text")
    assert problems(lambda: read_bytes(path)) == [
        f"a.txt.{ending}: expected a whole .{ending} archive, got something else or a damaged one. "
        "Fetch or pack it again."
    ]


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_an_archive_that_unpacks_beyond_the_bounds_is_refused(ending: str) -> None:
    zeros = bytes(archives.RATIO_FROM + 1)
    packed = gzip.compress(zeros, 9) if ending == "gz" else zstandard.ZstdCompressor().compress(zeros)
    path = write(f"bomb.{ending}", packed)
    assert problems(lambda: read_bytes(path)) == [
        f"bomb.{ending}: expected at most 200 times its size and 20 GiB decompressed, got more. "
        "Decompress it yourself if you trust it."
    ]


def test_the_size_of_an_archive_is_bounded_whatever_its_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_BYTES", 100)
    path = write("a.gz", gzip.compress(TEXT))
    assert len(problems(lambda: read_bytes(path))) == 1


def test_an_empty_archive_holds_nothing() -> None:
    assert read_bytes(write("a.zst", b"")) == b""
    assert read_bytes(write("a.gz", gzip.compress(b""))) == b""


def test_a_missing_file_is_named() -> None:
    assert problems(lambda: open_bytes(Path("none.txt"))) == [
        "none.txt: expected a readable file, got: no such file or directory. "
        "Check the path and its permissions."
    ]


def test_a_document_above_the_bound_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 2**20)
    path = write("a.txt", b"x" * (2**20 + 1))
    assert problems(lambda: read_bytes(path)) == [
        "a.txt: expected at most 1 MiB in one document, got more. Split it."
    ]
