"""SQuAD JSON: each context a document, each question a query with its answer as evidence."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from chunkgap.datasets.findings import Findings, shown
from chunkgap.datasets.record import FieldError, Record


def is_squad(value: object) -> bool:
    """Whether a JSON value has the outermost shape of the format."""
    return isinstance(value, Mapping) and isinstance(value.get("data"), list)


def documents(path: Path, value: object, findings: Findings) -> Iterator[Record]:
    """The contexts; a document's id is its article's title, a slash, and its number there, from 0."""
    for place, doc_id, title, paragraph in _paragraphs(path, value, findings):
        yield Record(place, {"id": doc_id, "title": title, "text": paragraph.get("context")})


def queries(path: Path, value: object, findings: Findings) -> Iterator[Record]:
    """The questions; a question that its context does not answer has no relevant document.

    The answers of several annotators are alternatives to one another, so the first alone is the evidence.
    """
    for place, doc_id, title, paragraph in _paragraphs(path, value, findings):
        for number, question in enumerate(_list(paragraph, "qas", place, findings)):
            where = f"{place}.qas[{number}]"
            try:
                yield Record(where, _query(question, doc_id, title))
            except FieldError as error:
                findings.problem(f"{where}: {error}")


def _query(question: object, doc_id: str, title: str) -> dict[str, object]:
    if not isinstance(question, Mapping):
        raise FieldError(f"expected a question, got {shown(question)}. Write an object.")
    answers = question.get("answers") or []
    if not isinstance(answers, list) or not all(_is_answer(answer) for answer in answers):
        raise FieldError(f"expected answers with text and answer_start, got {shown(answers)}. Mend them.")
    spans = [
        {"doc": doc_id, "start": start, "end": start + len(answer["text"]), "text": answer["text"]}
        for answer in answers[:1]
        for start in (answer["answer_start"],)
    ]
    return {
        "id": question.get("id"),
        "text": question.get("question"),
        "relevant": [] if question.get("is_impossible") else [doc_id],
        "spans": [] if question.get("is_impossible") else spans,
        "answers": list(dict.fromkeys(answer["text"] for answer in answers)),
        "tags": {"article": title},
    }


def _is_answer(answer: object) -> bool:
    if not isinstance(answer, Mapping):
        return False
    return isinstance(answer.get("text"), str) and type(answer.get("answer_start")) is int


def _paragraphs(
    path: Path, value: object, findings: Findings
) -> Iterator[tuple[str, str, str, Mapping[str, object]]]:
    """Place, document id, title and paragraph, counted on where two articles share a title."""
    count: Counter[str] = Counter()
    for number, article in enumerate(_list(value, "data", str(path), findings)):
        where = f"{path}:data[{number}]"
        name = article.get("title") if isinstance(article, Mapping) else None
        title = name if isinstance(name, str) and name.strip() else f"article-{number}"
        for index, paragraph in enumerate(_list(article, "paragraphs", where, findings)):
            place = f"{where}.paragraphs[{index}]"
            if isinstance(paragraph, Mapping):
                yield place, f"{title}/{count[title]}", title, paragraph
                count[title] += 1
            else:
                findings.problem(f"{place}: expected a paragraph, got {shown(paragraph)}. Write an object.")


def _list(value: object, key: str, place: str, findings: Findings) -> list[object]:
    items = value.get(key) if isinstance(value, Mapping) else None
    if isinstance(items, list):
        return items
    findings.problem(f"{place}: expected {key} as a list, got {shown(items)}. Write SQuAD JSON.")
    return []
