"""TREC files: judgements (qrels, also BEIR's of three columns) and runs."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from chunkgap.datasets.files import Decoding, read_lines
from chunkgap.datasets.findings import Findings, shown
from chunkgap.datasets.labels import read_grade
from chunkgap.datasets.record import FieldError, normal, read_number

_RUN_SHAPE = "Write: query Q0 document rank score tag."
_HEADS = (
    {"query", "queryid", "qid", "topic", "topicid"},
    {"iter", "iteration", "q0", "0", "unused"},
    {"document", "documentid", "doc", "docid", "docno", "corpus", "corpusid", "passageid", "pid"},
    {"grade", "score", "relevance", "rel", "relevant", "label", "judgement", "judgment"},
)
"""What the columns of judgements are called in headers, letters and digits alone."""
_HEADER_HINT = " A header reads query-id, corpus-id, score."


@dataclass(frozen=True)
class Qrels:
    """Judgements.

    Attributes:
        judgements: Grade by document id, by query id, both in file order.
        source: The file.
        warnings: What the user has to know.
    """

    judgements: Mapping[str, Mapping[str, float]]
    source: str
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        """How many judgements there are."""
        return sum(len(grades) for grades in self.judgements.values())


class RunLine(NamedTuple):
    """One result of a run.

    Attributes:
        query_id: The query.
        doc_id: What was retrieved, a document or a chunk.
        rank: As written in the file, where a tool may count from 0 or from 1.
        score: Higher is better.
        tag: The name that the run gives itself.
        line: Its 1-based line in the file.
    """

    query_id: str
    doc_id: str
    rank: int
    score: float
    tag: str
    line: int


def read_qrels(path: Path, *, encoding: str = "utf-8") -> Qrels:
    """Read `query 0 document grade`, or BEIR's `query document grade`, with a header or without.

    Fields are apart by tabs or blanks; where tabs do it, a field may hold blanks. Lines that begin with `#`
    and blank lines are left out. The first line of data tells how many fields each line has; it is a header
    if its fields are words for them, such as `query-id`, `corpus-id`, `score`, and else a judgement.

    Raises:
        InputError: With all faulty lines.
    """
    findings = Findings()
    judgements: dict[str, dict[str, float]] = {}
    places: dict[tuple[str, str], int] = {}
    width = 0
    for number, fields in _rows(path, Decoding(encoding), findings, _is_judgement):
        is_first = not width
        if is_first:
            width = 3 if len(fields) == 3 else 4
            if _is_header(fields):
                continue
        if len(fields) != width:
            findings.problem(f"{path}:{number}: expected {width} fields, got {len(fields)}. {_shape(width)}")
            continue
        query_id, doc_id = normal(fields[0]), normal(fields[-2])
        try:
            grade = read_grade(fields[-1])
        except FieldError as error:
            findings.problem(f"{path}:{number}: {error}{_HEADER_HINT if is_first else ''}")
            continue
        earlier = judgements.setdefault(query_id, {}).setdefault(doc_id, grade)
        first = places.setdefault((query_id, doc_id), number)
        if earlier != grade:
            findings.problem(
                f"{path}:{number}: expected one grade of {shown(doc_id)} for the query {shown(query_id)}, "
                f"got {grade:g} after {earlier:g} at line {first}. Remove one."
            )
        elif first != number:
            findings.warn("judgements given twice", f"{path}:{number}: the same judgement as at line {first}")
    if not judgements and not findings.has_problems:
        findings.problem(f"{path}: expected judgements, got none. {_shape(4)}")
    findings.raise_problems()
    return Qrels(judgements, str(path), findings.warnings)


def read_run(path: Path, *, encoding: str = "utf-8") -> Iterator[RunLine]:
    """Stream `query Q0 document rank score tag`, plain, `.gz` or `.zst`, in file order.

    Raises:
        InputError: At the end, with all faulty lines; earlier if the file cannot be read at all.
    """
    findings = Findings()
    is_empty = True
    for number, fields in _rows(path, Decoding(encoding), findings, _is_result):
        is_empty = False
        if len(fields) != 6:
            findings.problem(f"{path}:{number}: expected 6 fields, got {len(fields)}. {_RUN_SHAPE}")
            continue
        query_id, _, doc_id, rank, score, tag = fields
        try:
            yield RunLine(normal(query_id), normal(doc_id), _rank(rank), _score(score), tag, number)
        except FieldError as error:
            findings.problem(f"{path}:{number}: {error}")
    if is_empty and not findings.has_problems:
        findings.problem(f"{path}: expected results, got none. {_RUN_SHAPE}")
    findings.raise_problems()


def _rows(
    path: Path, decoding: Decoding, findings: Findings, is_row: Callable[[list[str]], bool]
) -> Iterator[tuple[int, list[str]]]:
    """Number and fields of every line that is no comment; one of an id that begins with `#` is none."""
    for number, line in read_lines(path, decoding, findings):
        line = line.strip()
        fields = _split(line)
        if line and (not line.startswith("#") or (fields[0] != "#" and is_row(fields))):
            yield number, fields


def _is_header(fields: list[str]) -> bool:
    heads = _HEADS if len(fields) == 4 else (_HEADS[0], *_HEADS[2:])
    words = ["".join(filter(str.isalnum, field.casefold())) for field in fields]
    return len(words) == len(heads) and all(word in head for word, head in zip(words, heads, strict=True))


def _is_judgement(fields: list[str]) -> bool:
    return len(fields) in (3, 4) and read_number(fields[-1]) is not None


def _is_result(fields: list[str]) -> bool:
    return len(fields) == 6 and read_number(fields[4]) is not None


def _split(line: str) -> list[str]:
    """By tabs where they alone separate the fields, so that an id may hold blanks; else by white space."""
    if "\t" in line:
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) > 2 and all(fields):
            return fields
    return line.split()


def _shape(width: int) -> str:
    return "Write: query, document, grade." if width == 3 else "Write: query 0 document grade."


def _rank(text: str) -> int:
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) < 20):
        raise FieldError(f"expected a whole number as rank, got {shown(text)}. Mend the line.")
    return int(text)


def _score(text: str) -> float:
    score = read_number(text)
    if score is None:
        raise FieldError(f"expected a number as score, got {shown(text)}. Mend the line.")
    if not math.isfinite(score):  # no order can rest on NaN
        raise FieldError(f"expected a finite score, got {shown(text)}. Mend the line.")
    return score
