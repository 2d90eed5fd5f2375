from pathlib import Path

import pytest

from chunkgap.datasets import files
from chunkgap.datasets.files import Decoding, ending, read_every_line, read_lines, read_text
from chunkgap.datasets.findings import Findings
from chunkgap.errors import ConfigError

from .inputs import problems, write

BOM = b"\xef\xbb\xbf"


def lines(path: Path, decoding: Decoding | None = None) -> list[tuple[int, str]]:
    findings = Findings()
    found = list(read_lines(path, decoding or Decoding(), findings))
    findings.raise_problems()
    return found


def test_a_byte_order_mark_is_dropped_and_line_ends_are_kept() -> None:
    path = write("a.txt", BOM + b"one\r\ntwo\rthree\n")
    assert read_text(path, Decoding()) == "one\r\ntwo\rthree\n"
    assert lines(path) == [(1, "one\r\n"), (2, "two\rthree\n")]


def test_a_mark_inside_the_file_is_text() -> None:
    assert lines(write("a.txt", b"one\n" + BOM + b"two")) == [(1, "one\n"), (2, "\ufefftwo")]


def test_only_a_line_feed_ends_a_line() -> None:
    text = "a\u2028b\u2029c\x85d\x0be\x0cf\n"
    assert lines(write("a.txt", text)) == [(1, text)]


def test_another_encoding_is_named_with_its_offset_from_zero() -> None:
    path = write("old.txt", "Le café".encode("latin-1"))
    assert problems(lambda: read_text(path, Decoding())) == [
        "old.txt: not UTF-8 at byte 6 (0xe9), expected UTF-8. "
        "Set --encoding (latin-1, say), or on_undecodable: skip to leave it out."
    ]


def test_the_offset_of_a_line_counts_from_the_start_of_the_file() -> None:
    path = write("old.jsonl", BOM + b"one\n\xe9\n")
    assert problems(lambda: lines(path)) == [
        "old.jsonl:2: not UTF-8 at byte 7 (0xe9), expected UTF-8. "
        "Set --encoding (latin-1, say), or on_undecodable: skip to leave it out."
    ]


def test_utf_16_is_refused_by_name() -> None:
    path = write("wide.txt", "one\ntwo\n".encode("utf-16"))
    expected = (
        "not UTF-8 at byte 0, expected UTF-8, got the byte order mark of UTF-16. "
        "Set --encoding utf-16, or on_undecodable: skip to leave it out."
    )
    assert problems(lambda: read_text(path, Decoding())) == [f"wide.txt: {expected}"]
    assert problems(lambda: lines(path)) == [f"wide.txt:1: {expected}"]


@pytest.mark.parametrize(
    ("mark", "encoding"), [("utf-16", "latin-1"), ("utf-8", "cp1252"), ("utf-8", "utf-16")]
)
def test_a_mark_of_another_encoding_is_refused_even_where_the_bytes_could_be_read(
    mark: str, encoding: str
) -> None:
    path = write("marked.txt", "\ufeffone".encode("utf-16-le" if mark == "utf-16" else mark))
    assert problems(lambda: read_text(path, Decoding(encoding))) == [
        f"marked.txt: not {encoding} at byte 0, expected {encoding}, got the byte order mark of {mark.upper()}. "
        f"Set --encoding {mark}, or on_undecodable: skip to leave it out."
    ]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32", "utf-8"])
def test_the_mark_of_the_encoding_itself_is_no_text(encoding: str) -> None:
    path = write("marked.txt", "\ufeffone".encode(encoding))
    assert read_text(path, Decoding(encoding)) == "one"


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1", "cp1252", "UTF_8", "utf-8-sig"])
def test_an_encoding_that_is_set_is_used(encoding: str) -> None:
    path = write("a.txt", "café\nà\n".encode(encoding))
    assert read_text(path, Decoding(encoding)) == "café\nà\n"
    assert lines(path, Decoding(encoding)) == [(1, "café\n"), (2, "à\n")]


@pytest.mark.parametrize("encoding", ["klingon", "hex", "rot13", ""])
def test_an_unknown_encoding_is_refused(encoding: str) -> None:
    with pytest.raises(ConfigError, match="encoding: expected a text encoding"):
        Decoding(encoding)


def test_undecodable_lines_are_skipped_on_request_and_told() -> None:
    findings = Findings()
    path = write("old.jsonl", b"one\n\xe9\nthree\n")
    found = list(read_lines(path, Decoding(on_undecodable="skip"), findings))
    assert found == [(1, "one\n"), (3, "three\n")]
    assert findings.skipped == {"undecodable": 1}
    assert findings.warnings == ("skipped old.jsonl:2: not UTF-8 at byte 4 (0xe9), expected UTF-8",)


def test_a_line_above_the_bound_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 2**20)
    path = write("a.jsonl", b"x" * (2**20 + 1))
    assert problems(lambda: lines(path)) == [
        "a.jsonl: expected lines of at most 1 MiB, got a longer one. Split it."
    ]


def test_the_ending_looks_through_a_compression() -> None:
    assert [ending(Path(name)) for name in ("a.CSV", "a.b.jsonl.zst", "a.gz", "a")] == [
        ".csv",
        ".jsonl",
        "",
        "",
    ]


def test_undecodable_lines_are_there_with_their_fault_for_those_who_need_every_line() -> None:
    found = list(read_every_line(write("a.txt", b'a,"b\n\xe9"c\n'), Decoding()))
    assert [(line.number, line.text) for line in found] == [(1, 'a,"b\n'), (2, '\ufffd"c\n')]
    assert [str(line.fault).partition(",")[0] for line in found if line.fault] == [
        "a.txt:2: not UTF-8 at byte 5 (0xe9)"
    ]
