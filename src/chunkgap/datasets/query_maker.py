"""From one record to one query: its id, its text, and its labels, checked against the corpus."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from chunkgap.datasets import labels
from chunkgap.datasets.findings import Findings, is_whole, printable, shown, whole
from chunkgap.datasets.record import FieldError, Fields, Record, make_id
from chunkgap.datasets.trec import Qrels
from chunkgap.records import Document, Query, Span

T = TypeVar("T")


@dataclass
class QueryMaker:
    """Makes queries of the records of one file.

    Attributes:
        fields: What the fields of a record may be called.
        documents: The corpus, where spans are checked and located; None: they are not.
        judged: Judgements that replace those of the records.
        findings: Where faults are noted.
        needs_id: Whether a record without an id is a fault; else the queries are numbered from 1.
        numbered: Whether any query was numbered.
    """

    fields: Fields
    documents: Mapping[str, Document] | None
    judged: Qrels | None
    findings: Findings
    needs_id: bool
    numbered: bool = False
    _places: dict[str, str] = field(default_factory=dict)

    def make(self, record: Record) -> Query | None:
        """The query, or None where a problem was noted that leaves none."""
        place, values = record
        keys = self.fields.among(tuple(values))
        for key, meant in self.fields.misspelt(tuple(values)).items():
            told = f"{place}: {shown(key)} is not read. Did you mean {shown(meant)}?"
            self.findings.warn("fields that look misspelt", told)

        def value(name: str) -> object:
            return values.get(keys[name]) if name in keys else None

        try:
            query_id = self._id(place, value("id"), has_id="id" in keys)
            where = f"{place}: query {shown(query_id)}"
            text = self._text(place, query_id, value("text"))
        except FieldError as error:
            self.findings.problem(f"{place}: {error}")
            return None
        entries: list[object] = self._attempt(where, labels.span_entries, value("spans"), [])
        spans = tuple(span for entry in entries if (span := self._attempt(where, self._span, entry, None)))
        return Query(
            query_id,
            text,
            self._relevant(where, query_id, value("relevant"), spans),
            spans,
            self._attempt(where, labels.read_answers, value("answers"), ()),
            self._attempt(where, labels.read_tags, value("tags"), {}),
        )

    def _attempt(self, where: str, read: Callable[[object], T], value: object, fallback: T) -> T:
        try:
            return read(value)
        except FieldError as error:
            self.findings.problem(f"{where}: {error}")
            return fallback

    def _id(self, place: str, value: object, *, has_id: bool) -> str:
        if not has_id and not self.needs_id:
            self.numbered = True
            value = len(self._places) + 1
        query_id = make_id(value)
        earlier = self._places.setdefault(query_id, place)
        if earlier is not place:
            raise FieldError(
                f"expected each query id once, got {shown(query_id)} again (first at {earlier}). "
                "Rename or remove one."
            )
        if isinstance(value, str) and not is_whole(value):
            self._warn_of_surrogate(place, query_id)
        return query_id

    def _text(self, place: str, query_id: str, value: object) -> str:
        if not isinstance(value, str) or not value.strip():
            raise FieldError(
                f"expected the text of the query {shown(query_id)}, got {shown(value)}. "
                "Write the question, or remove it."
            )
        if not is_whole(value):
            self._warn_of_surrogate(place, query_id)
        return whole(value)

    def _span(self, entry: object) -> Span | None:
        return labels.read_span(entry, self.documents)

    def _relevant(
        self, where: str, query_id: str, value: object, spans: Sequence[Span]
    ) -> Mapping[str, float]:
        """The judgements of the query; a document that holds one of its spans is relevant."""
        given: dict[str, float] = self._attempt(where, labels.read_relevant, value, {})
        if self.judged is not None:
            if given:
                self.findings.warn("", "the qrels file replaces the relevant documents that the queries name")
            given = dict(self.judged.judgements.get(query_id, {}))
        for doc_id in dict.fromkeys(span.doc_id for span in spans):
            if given.get(doc_id, 1.0) <= 0:
                self.findings.problem(
                    f"{where}: expected spans in relevant documents, got one in {shown(doc_id)}, "
                    f"of grade {given[doc_id]:g}. Mend the grade, or leave the span out."
                )
            elif given and doc_id not in given:
                self.findings.warn(
                    "documents with a span, counted as relevant",
                    f"{where}: {printable(doc_id)} holds a span, so it is counted as relevant",
                )
        return {**dict.fromkeys((span.doc_id for span in spans), 1.0), **given}

    def _warn_of_surrogate(self, place: str, query_id: str) -> None:
        self.findings.warn(
            "lone surrogates",
            f"{place}: a lone surrogate in the query {printable(query_id)} was replaced by U+FFFD",
        )
