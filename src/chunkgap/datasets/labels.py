"""The labels of a query: graded relevant documents, evidence spans, answers and tags."""

import math
import sys
from collections.abc import Iterator, Mapping

from chunkgap.datasets.findings import is_whole, printable, shown, whole
from chunkgap.datasets.record import FieldError, make_id, make_ids, read_number
from chunkgap.formatting import counted
from chunkgap.records import Document, Span

_SPAN_EXAMPLE = 'Write {"doc": ..., "start": ..., "end": ...} or {"doc": ..., "text": ...}.'


def read_relevant(value: object) -> dict[str, float]:
    """Grade by document id, from a list of ids (grade 1 each), an object of grades, or one id.

    Raises:
        FieldError: If it is none of these, or spells one id in two ways.
    """
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return {
            doc_id: read_grade(grade) for doc_id, grade in zip(make_ids(value), value.values(), strict=True)
        }
    return dict.fromkeys(make_ids(value if isinstance(value, list) else [value]), 1.0)


def read_grade(value: object) -> float:
    """A grade, finite.

    Raises:
        FieldError: If it is not a finite number.
    """
    grade: float | None = None
    if isinstance(value, str):
        grade = read_number(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        grade = float(value) if abs(value) <= sys.float_info.max else None
    if grade is None or not math.isfinite(grade):
        raise FieldError(f"expected a grade, got {shown(value)}. Write a number, above 0 for relevant.")
    return grade


def span_entries(value: object) -> list[object]:
    """The list of spans as it was given.

    Raises:
        FieldError: If it is not a list.
    """
    if value is None:
        return []
    if not isinstance(value, list):
        raise FieldError(f"expected spans as a list, got {shown(value)}. {_SPAN_EXAMPLE}")
    return value


def read_span(entry: object, documents: Mapping[str, Document] | None) -> Span | None:
    """One evidence span, found in its document.

    Args:
        entry: `doc` with `start` and `end`, half-open code points of the body, or with `text` to be located
            there, or with both, which have to agree.
        documents: The corpus; None: only the form is checked.

    Returns:
        The span in code points of `Document.text`; None for one by text without a corpus.

    Raises:
        FieldError: If it lies outside, holds but white space, is not there, or is there more than once.
    """
    if not isinstance(entry, Mapping) or "doc" not in entry or not ({"start", "text"} & entry.keys()):
        raise FieldError(f"expected a span, got {shown(entry)}. {_SPAN_EXAMPLE}")
    doc_id = make_id(entry["doc"])
    if documents is None:
        return Span(doc_id, *_offsets(entry)) if "start" in entry else None
    document = documents.get(doc_id)
    if document is None:
        raise FieldError(f"expected a span in a document of the corpus, got {shown(doc_id)}. Mend the id.")
    start, end = _in_body(entry, document) if "start" in entry else _located(entry["text"], document)
    return Span(doc_id, start + document.body_start, end + document.body_start)


def read_answers(value: object) -> tuple[str, ...]:
    """Accepted answers.

    Raises:
        FieldError: If it is not a list of texts, or one text.
    """
    answers = [value] if isinstance(value, str) else ([] if value is None else value)
    if not isinstance(answers, list):
        raise FieldError(f"expected answers as a list of texts, got {shown(value)}. Write [...].")
    for answer in answers:
        if not isinstance(answer, str):
            raise FieldError(
                f"expected answers as a list of texts, got {shown(answer)} in it. Write it as text."
            )
    return tuple(whole(answer) for answer in answers)


def read_tags(value: object) -> dict[str, str]:
    """Tags by name, every value as text; null values are left out.

    Raises:
        FieldError: If it is not an object of single values, or spells one name in two ways.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise FieldError(f'expected tags as an object, got {shown(value)}. Write {{"type": "fact"}}.')
    given = {name: tag for name, tag in value.items() if tag is not None}
    return {name: _tag(name, tag) for name, tag in zip(make_ids(given), given.values(), strict=True)}


def _tag(name: object, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and is_whole(value):
        return value
    if isinstance(value, list | Mapping):
        raise FieldError(
            f"expected one value of the tag {shown(name)}, got {shown(value)}. Write it as text."
        )
    return whole(str(value))


def _offsets(entry: Mapping[str, object]) -> tuple[int, int]:
    start, end = entry.get("start"), entry.get("end")
    if type(start) is not int or type(end) is not int:
        raise FieldError(
            f"expected whole numbers as start and end, got {shown(start)} and {shown(end)}. {_SPAN_EXAMPLE}"
        )
    return start, end


def _in_body(entry: Mapping[str, object], document: Document) -> tuple[int, int]:
    start, end = _offsets(entry)
    length = len(document.text) - document.body_start
    name = shown(document.doc_id)
    if not 0 <= start < end <= length:
        raise FieldError(
            f"expected 0 <= start < end <= {length} in a span of {name}, got [{start}, {end}). "
            "Count code points from the start of the text."
        )
    found = document.text[document.body_start + start : document.body_start + end]
    if found.isspace():
        raise FieldError(
            f"expected text in the span [{start}, {end}) of {name}, got white space. Mend the offsets."
        )
    text = entry.get("text")
    if isinstance(text, str) and whole(text) != found:
        raise FieldError(
            f"expected {shown(text)} in the span [{start}, {end}) of {name}, got {shown(found)}. Mend either."
        )
    return start, end


def _located(text: object, document: Document) -> tuple[int, int]:
    name = shown(document.doc_id)
    if not isinstance(text, str) or not text.strip():
        raise FieldError(f"expected the text of a span of {name}, got {shown(text)}. {_SPAN_EXAMPLE}")
    text = whole(text)
    places = [start - document.body_start for start in _occurrences(text, document)]
    if not places:
        raise FieldError(
            f"expected text that stands in {name}, got {shown(text)}. Copy it from the document."
        )
    if len(places) > 1:
        first = ", ".join(str(place) for place in places[:3])
        raise FieldError(
            f"expected text that stands once in {name}, got {shown(text)}, {counted(len(places), 'time')} "
            f"(at {printable(first)}). Give start and end."
        )
    return places[0], places[0] + len(text)


def _occurrences(text: str, document: Document) -> Iterator[int]:
    place = document.text.find(text, document.body_start)
    while place >= 0:
        yield place
        place = document.text.find(text, place + 1)
