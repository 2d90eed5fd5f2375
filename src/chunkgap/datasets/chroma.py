"""Chroma's questions: a CSV of `question,references,corpus_id`, the references a JSON list of spans."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from chunkgap.datasets.findings import Findings, shown
from chunkgap.datasets.folder import TEXT_ENDINGS
from chunkgap.datasets.jsonl import parse_value
from chunkgap.datasets.record import FieldError, Record, normal

COLUMNS = ("question", "references", "corpus_id")


def is_chroma(header: Mapping[str, object]) -> bool:
    """Whether a row has the columns of the format."""
    return all(column in header for column in COLUMNS)


def queries(
    path: Path, rows: Iterator[Record], known: Mapping[str, object], findings: Findings
) -> Iterator[Record]:
    """The questions, numbered from 1 in file order, for they have no ids.

    A `corpus_id` names a document of the corpus, or the file of that name with an ending of text.
    """
    for number, (place, row) in enumerate(rows, 1):
        corpus_id = str(row["corpus_id"])
        doc_id = _document(corpus_id, known)
        if doc_id != corpus_id:
            findings.warn(
                "", f"{path}: the corpus_id {shown(corpus_id)} is taken for the document {shown(doc_id)}"
            )
        try:
            yield Record(
                place,
                {
                    "id": number,
                    "text": row["question"],
                    "spans": [_span(reference, doc_id) for reference in _references(str(row["references"]))],
                    "tags": {"corpus": corpus_id},
                },
            )
        except FieldError as error:
            findings.problem(f"{place}: {error}")


def _document(corpus_id: str, known: Mapping[str, object]) -> str:
    candidates = (corpus_id, *(f"{corpus_id}{ending}" for ending in sorted(TEXT_ENDINGS)))
    return next((candidate for candidate in candidates if normal(candidate) in known), corpus_id)


def _references(cell: str) -> list[object]:
    references = parse_value(cell)
    if not isinstance(references, list):
        raise FieldError(f"expected references as a JSON list, got {shown(references)}. Write [{{...}}].")
    return references


def _span(reference: object, doc_id: str) -> dict[str, object]:
    if not isinstance(reference, Mapping):
        raise FieldError(f"expected a reference, got {shown(reference)}. Write an object.")
    return {
        "doc": doc_id,
        "start": reference.get("start_index"),
        "end": reference.get("end_index"),
        "text": reference.get("content"),
    }
