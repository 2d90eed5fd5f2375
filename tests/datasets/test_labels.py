import pytest

from chunkgap.datasets.labels import read_answers, read_relevant, read_span, read_tags
from chunkgap.datasets.record import FieldError, JsonFloat
from chunkgap.records import Document, Span

BODY = "Kites need wind. 北 wind is cold.   "
DOCUMENTS = {
    "a": Document("a", BODY),
    "t": Document("t", "Kites\n" + BODY, "Kites", body_start=6),
}


def fault(entry: object) -> str:
    with pytest.raises(FieldError) as caught:
        read_span(entry, DOCUMENTS)
    return str(caught.value)


def test_a_span_by_offsets_counts_code_points_of_the_body() -> None:
    assert read_span({"doc": "a", "start": 17, "end": 23}, DOCUMENTS) == Span("a", 17, 23)
    assert BODY[17:23] == "北 wind"
    assert read_span({"doc": "t", "start": 17, "end": 23}, DOCUMENTS) == Span("t", 23, 29)


def test_a_span_by_text_is_located_in_the_body_alone() -> None:
    assert read_span({"doc": "a", "text": "need"}, DOCUMENTS) == Span("a", 6, 10)
    assert read_span({"doc": "t", "text": "Kites"}, DOCUMENTS) == Span("t", 6, 11)  # not the title's


def test_offsets_and_text_have_to_agree() -> None:
    entry = {"doc": "a", "start": 6, "end": 10, "text": "need"}
    assert read_span(entry, DOCUMENTS) == Span("a", 6, 10)
    assert (
        fault({**entry, "start": 5})
        == 'expected "need" in the span [5, 10) of "a", got " need". Mend either.'
    )


def test_places_that_overlap_are_ambiguous_too() -> None:
    with pytest.raises(FieldError, match=r"2 times \(at 1, 3\)"):
        read_span({"doc": "b", "text": "ana"}, {"b": Document("b", "banana")})


def test_without_a_corpus_offsets_are_taken_as_they_are() -> None:
    assert read_span({"doc": "b", "start": 0, "end": 9}, None) == Span("b", 0, 9)
    assert read_span({"doc": "b", "text": "wind"}, None) is None


@pytest.mark.parametrize(("start", "end"), [(-1, 5), (5, 5), (6, 5), (30, 36)])
def test_a_span_out_of_range_is_refused(start: int, end: int) -> None:
    assert fault({"doc": "t", "start": start, "end": end}) == (
        f'expected 0 <= start < end <= 35 in a span of "t", got [{start}, {end}). '
        "Count code points from the start of the text."
    )


def test_other_faulty_spans_are_told_apart() -> None:
    shape = 'Write {"doc": ..., "start": ..., "end": ...} or {"doc": ..., "text": ...}.'
    assert fault({"doc": "a", "start": 32, "end": 35}) == (
        'expected text in the span [32, 35) of "a", got white space. Mend the offsets.'
    )
    assert fault({"doc": "b", "start": 0, "end": 1}) == (
        'expected a span in a document of the corpus, got "b". Mend the id.'
    )
    assert fault({"doc": "a", "text": "rain"}) == (
        'expected text that stands in "a", got "rain". Copy it from the document.'
    )
    assert fault({"doc": "a", "text": "wind"}) == (
        'expected text that stands once in "a", got "wind", 2 times (at 11, 19). Give start and end.'
    )
    assert fault({"doc": "a", "text": " "}) == f'expected the text of a span of "a", got " ". {shape}'
    assert fault({"doc": "a", "start": "6", "end": 7.5}) == (
        f'expected whole numbers as start and end, got "6" and 7.5. {shape}'
    )
    assert fault({"start": 1, "end": 2}) == f"expected a span, got an object. {shape}"
    assert fault("a") == f'expected a span, got "a". {shape}'


def test_relevant_documents_have_grades() -> None:
    assert read_relevant(["a", 7]) == {"a": 1.0, "7": 1.0}
    assert read_relevant({"a": 2, "b": JsonFloat("0.5"), "c": 0}) == {"a": 2.0, "b": 0.5, "c": 0.0}
    assert read_relevant("a") == {"a": 1.0}
    assert read_relevant(None) == {}


@pytest.mark.parametrize("grade", [None, "high", True, JsonFloat("1e999"), 10**400, []])
def test_a_grade_is_a_finite_number(grade: object) -> None:
    with pytest.raises(FieldError, match="expected a grade"):
        read_relevant({"a": grade})


def test_tags_are_text() -> None:
    assert read_tags({"type": "fact", "hops": 2, "hard": True, "none": None}) == {
        "type": "fact",
        "hops": "2",
        "hard": "true",
    }
    with pytest.raises(FieldError, match='expected one value of the tag "type", got a list'):
        read_tags({"type": ["fact"]})
    with pytest.raises(FieldError, match="expected tags as an object, got a list"):
        read_tags(["fact"])


def test_answers_are_texts() -> None:
    assert read_answers("yes") == ("yes",)
    assert read_answers(["yes", "no"]) == ("yes", "no")
    assert read_answers(None) == ()
    with pytest.raises(
        FieldError, match=r"expected answers as a list of texts, got 1 in it\. Write it as text"
    ):
        read_answers(["yes", 1])
    with pytest.raises(FieldError, match="expected answers as a list of texts, got an object"):
        read_answers({"yes": 1})


COMPOSED, DECOMPOSED = "\u00e9", "e\u0301"


@pytest.mark.parametrize("value", [{DECOMPOSED: 0, COMPOSED: 1}, [DECOMPOSED, COMPOSED]])
def test_two_spellings_of_one_document_are_refused(value: object) -> None:
    with pytest.raises(FieldError) as caught:
        read_relevant(value)
    assert str(caught.value) == (
        f'expected one spelling of each id, got "{COMPOSED}" as {DECOMPOSED!a} and as {COMPOSED!a}. Keep one.'
    )


def test_a_document_named_again_in_a_list_is_relevant_once() -> None:
    assert read_relevant(["a", "b", "a"]) == {"a": 1.0, "b": 1.0}


def test_two_spellings_of_one_tag_are_refused() -> None:
    with pytest.raises(FieldError, match="expected one spelling of each id"):
        read_tags({DECOMPOSED: "x", COMPOSED: "y"})
