"""From one record to one document: its id, unique and NFC, its text, and its title, joined or not."""

from dataclasses import dataclass, field

from chunkgap.datasets.findings import Findings, is_whole, printable, shown, whole
from chunkgap.datasets.record import FieldError, Fields, Record, make_id
from chunkgap.records import Document


@dataclass(frozen=True)
class DocumentMaker:
    """Makes documents of the records of one source.

    Attributes:
        fields: What the fields of a record may be called.
        joins_title: Whether a title becomes part of the text.
        ids: The place of every id so far, over all sources.
        findings: Where faulty records are noted.
    """

    fields: Fields
    joins_title: bool
    ids: dict[str, str]
    findings: Findings
    _unnormal: dict[str, str] = field(default_factory=dict)

    def make(self, record: Record) -> Document | None:
        """The document, or None where a problem was noted."""
        place, values = record
        keys = self.fields.among(tuple(values))
        try:
            doc_id = self._id(place, values.get(keys["id"]) if "id" in keys else self._missing("id"))
            text = _text(doc_id, values.get(keys["text"]) if "text" in keys else self._missing("text"))
            title = _title(doc_id, values.get(keys["title"])) if "title" in keys else ""
        except FieldError as error:
            self.findings.problem(f"{place}: {error}")
            return None
        if not (is_whole(text) and is_whole(title)):
            self._warn_of_surrogate(place, doc_id)
            text, title = whole(text), whole(title)
        if not (self.joins_title and title.strip()):
            return Document(doc_id, text, title)
        return Document(doc_id, f"{title}\n{text}", title, len(title) + 1)

    def _missing(self, name: str) -> object:
        raise FieldError(
            f"expected a field {self.fields.expected(name)}, got none. Name it with {self.fields.naming(name)}."
        )

    def _id(self, place: str, value: object) -> str:
        doc_id = make_id(value)
        written = value if isinstance(value, str) else doc_id
        if not is_whole(written):
            self._warn_of_surrogate(place, doc_id)
        earlier = self.ids.setdefault(doc_id, place)
        if earlier is not place:
            first = self._unnormal.get(doc_id, doc_id)
            by_form = f", written {first!a} there and {written!a} here" if first != written else ""
            raise FieldError(
                f"expected each document id once, got {shown(doc_id)} again (first at {earlier}{by_form}). "
                "Rename or remove one."
            )
        if written != doc_id:
            self._unnormal[doc_id] = written
        return doc_id

    def _warn_of_surrogate(self, place: str, doc_id: str) -> None:
        self.findings.warn(
            "lone surrogates",
            f"{place}: a lone surrogate in the document {printable(doc_id)} was replaced by U+FFFD",
        )


def _text(doc_id: str, value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise FieldError(
            f"expected the text of the document {shown(doc_id)}, got {shown(value)}. Write it as text."
        )
    return value


def _title(doc_id: str, value: object) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise FieldError(
        f"expected the title of the document {shown(doc_id)}, got {shown(value)}. Write it as text."
    )
