"""Files as strictly decoded text, by the line or whole."""

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from chunkgap.datasets.archives import open_bytes, unreadable
from chunkgap.datasets.findings import Findings
from chunkgap.errors import ConfigError, InputError

MAX_LINE = 512 * 2**20
"""Bytes of one line beyond which a file is refused."""

_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_MARKS = {_UTF8_MARK: "UTF-8", **dict.fromkeys(_UTF16_MARKS, "UTF-16")}


class UndecodableError(InputError):
    """Bytes that are not text in the expected encoding; a reader may skip them when it was told to.

    Attributes:
        fault: What is wrong.
        remedy: The encoding to set.
    """

    def __init__(self, fault: str, remedy: str) -> None:
        super().__init__(f"{fault}. {remedy}, or on_undecodable: skip to leave it out.")
        self.fault = fault
        self.remedy = remedy


@dataclass(frozen=True)
class Decoding:
    """How bytes become text.

    Attributes:
        encoding: Any text encoding that Python knows.
        on_undecodable: Whether bytes in another encoding are an error or are left out, with a warning.
    """

    encoding: str = "utf-8"
    on_undecodable: Literal["error", "skip"] = "error"

    def __post_init__(self) -> None:
        """Refuse an encoding that Python does not know."""
        try:
            b"".decode(self.encoding)
            "\n".encode(self.encoding)
        except (LookupError, UnicodeError, ValueError) as error:
            raise ConfigError(
                f'encoding: expected a text encoding, got "{self.encoding}". Use utf-8 or latin-1, say.'
            ) from error

    @property
    def is_utf8(self) -> bool:
        """Whether it is UTF-8, with or without a byte order mark."""
        return codecs.lookup(self.encoding).name in {"utf-8", "utf-8-sig"}

    @property
    def keeps_lines(self) -> bool:
        """Whether the byte 0x0A is a line feed and nothing else, so that bytes may be split at it."""
        return "\n".encode(self.encoding) == b"\n"

    def text(self, data: bytes, place: str, offset: int = 0) -> str:
        """Decode strictly; a byte order mark of the encoding is dropped, one of another is refused.

        Args:
            data: Bytes that end at the end of a character.
            place: File, or file and line, for the message.
            offset: Bytes of the file before `data`.

        Raises:
            UndecodableError: With the 0-based offset of the first bad byte in the file.
        """
        if offset == 0:
            self._refuse_foreign_mark(data, place)
            if self.is_utf8 and data.startswith(_UTF8_MARK):
                data, offset = data[len(_UTF8_MARK) :], len(_UTF8_MARK)
        try:
            text = data.decode(self.encoding)
        except UnicodeError as error:
            start = getattr(error, "start", 0)
            raise UndecodableError(
                f"{place}: not {self._name} at byte {offset + start} (0x{data[start]:02x}), expected {self._name}",
                "Set --encoding (latin-1, say)",
            ) from error
        # utf-16-le and its like leave the mark in the text
        return text.removeprefix("\ufeff") if offset == 0 else text

    @property
    def _name(self) -> str:
        return "UTF-8" if self.is_utf8 else self.encoding

    def _refuse_foreign_mark(self, data: bytes, place: str) -> None:
        """Refuse bytes that say themselves that they are in another encoding: latin-1 would read any."""
        encoding = codecs.lookup(self.encoding).name
        for mark, name in _MARKS.items():
            if data.startswith(mark) and not encoding.startswith((name.lower(), "utf-32")):
                raise UndecodableError(
                    f"{place}: not {self._name} at byte 0, expected {self._name}, got the byte order mark of {name}",
                    f"Set --encoding {name.lower()}",
                )

    def settle(self, error: UndecodableError, findings: Findings, *, part: str = "") -> None:
        """Note undecodable bytes as the problem that they are, or as skipped where that was asked for.

        Args:
            error: Where they are.
            findings: Where it is noted.
            part: What is skipped with them, where that is more than their line or file.
        """
        if self.on_undecodable == "error":
            findings.problem(str(error))
            return
        findings.skipped["undecodable"] += 1
        findings.warn("undecodable, skipped", f"skipped {part}{error.fault}")


class Line(NamedTuple):
    """One line of a file.

    Attributes:
        number: From 1.
        text: With its line end; bytes that are no text in the encoding are U+FFFD.
        fault: What is wrong with such bytes.
    """

    number: int
    text: str
    fault: UndecodableError | None = None


def ending(path: Path) -> str:
    """The ending that tells the format, in lower case, that of a compression left aside.

    >>> ending(Path("corpus.JSONL.gz"))
    '.jsonl'
    """
    stem = path.with_suffix("") if path.suffix.lower() in {".gz", ".zst"} else path
    return stem.suffix.lower()


def read_bytes(path: Path) -> bytes:
    """All (decompressed) bytes of a file.

    Raises:
        InputError: As `open_bytes`, and for a file of more than `MAX_LINE` bytes.
    """
    with open_bytes(path) as stream:
        try:
            data = stream.read(MAX_LINE + 1)
        except OSError as error:
            raise unreadable(path, error) from error
    if len(data) > MAX_LINE:
        raise InputError(
            f"{path}: expected at most {MAX_LINE >> 20} MiB in one document, got more. Split it."
        )
    return data


def read_text(path: Path, decoding: Decoding) -> str:
    """The whole text of a file, a byte order mark dropped, its line ends as they are.

    Raises:
        InputError: As `read_bytes` and `Decoding.text`.
    """
    return decoding.text(read_bytes(path), str(path))


def read_lines(path: Path, decoding: Decoding, findings: Findings) -> Iterator[tuple[int, str]]:
    r"""The lines of a file with their 1-based numbers, each with its line end, which is `\n` or `\r\n` only.

    Undecodable lines are settled with `findings` and left out, so a record must not be longer than a line.
    """
    for line in read_every_line(path, decoding):
        if line.fault is None:
            yield line.number, line.text
        else:
            decoding.settle(line.fault, findings)


def read_every_line(path: Path, decoding: Decoding) -> Iterator[Line]:
    """As `read_lines`, the undecodable lines included, for records of several lines."""
    if not decoding.keeps_lines:
        yield from _lines_of_text(path, decoding)
        return
    offset = 0
    for number, data in enumerate(_byte_lines(path), 1):
        try:
            yield Line(number, decoding.text(data, f"{path}:{number}", offset))
        except UndecodableError as error:
            yield Line(number, data.decode(decoding.encoding, "replace"), error)
            if data.startswith(_UTF16_MARKS):
                return  # cut at every 0x0A, the other lines would say nothing of use
        offset += len(data)


def _lines_of_text(path: Path, decoding: Decoding) -> Iterator[Line]:
    try:
        text = read_text(path, decoding)
    except UndecodableError as error:
        yield Line(1, "", error)
        return
    for number, line in enumerate(io.StringIO(text, newline="\n"), 1):
        yield Line(number, line)


def _byte_lines(path: Path) -> Iterator[bytes]:
    with open_bytes(path) as stream:
        try:
            for line in iter(partial(stream.readline, MAX_LINE), b""):
                if len(line) == MAX_LINE and not line.endswith(b"\n"):
                    raise InputError(
                        f"{path}: expected lines of at most {MAX_LINE >> 20} MiB, got a longer one. Split it."
                    )
                yield line
        except OSError as error:
            raise unreadable(path, error) from error
