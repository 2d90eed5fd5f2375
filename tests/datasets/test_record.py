import pytest

from chunkgap.datasets.record import DOCUMENT_FIELDS, QUERY_FIELDS, FieldError, Fields, JsonFloat, make_id
from chunkgap.errors import ConfigError


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("007", "007"),
        ("NA", "NA"),
        ("null", "null"),
        (7, "7"),
        (JsonFloat("1.50"), "1.50"),
        (JsonFloat("1e3"), "1e3"),
    ],
)
def test_an_id_keeps_how_it_was_written(value: object, expected: str) -> None:
    assert make_id(value) == expected


def test_an_id_is_in_composed_form() -> None:
    assert make_id("re\u0301sume\u0301.md") == "r\u00e9sum\u00e9.md"


@pytest.mark.parametrize("value", [None, "", " \t", True, [], {}, 1.5])
def test_what_is_no_id_is_refused(value: object) -> None:
    with pytest.raises(FieldError, match=r"expected an id, got .*\. Write it as text\."):
        make_id(value)


def test_fields_are_found_under_their_usual_names_the_first_first() -> None:
    fields = Fields(DOCUMENT_FIELDS)
    assert fields.among(("id", "_id", "content")) == {"id": "_id", "text": "content"}
    assert fields.among(("ID", "Body", "Title")) == {"id": "ID", "text": "Body", "title": "Title"}


def test_a_given_name_replaces_the_usual_ones() -> None:
    fields = Fields(DOCUMENT_FIELDS, {"text": "Inhalt"})
    assert fields.among(("id", "text")) == {"id": "id"}
    assert fields.among(("id", "text", "inhalt")) == {"id": "id", "text": "inhalt"}


def test_an_unknown_field_is_refused_with_the_nearest() -> None:
    with pytest.raises(ConfigError) as caught:
        Fields(DOCUMENT_FIELDS, {"txt": "body"})
    assert str(caught.value) == 'fields: expected id, text, title, got "txt". Did you mean text?'


def test_messages_name_the_key_of_documents_and_that_of_queries() -> None:
    assert Fields(DOCUMENT_FIELDS).naming("id") == "fields: {id: ...}"
    assert Fields(QUERY_FIELDS).naming("id") == "query_fields: {id: ...}"


def test_a_needed_field_without_a_column_is_named_with_the_columns_there_are() -> None:
    fields = Fields(DOCUMENT_FIELDS)
    assert fields.without_column(("id", "text"), ("id", "text")) == []
    (told,) = fields.without_column(("id", "size"), ("id", "text"))
    assert told.startswith('expected a column "text" (or ')
    assert told.endswith('got "id", "size". Name the column with fields: {text: ...}')
    assert "got nothing at all." in fields.without_column((), ("id",), empty="nothing at all")[0]


def test_a_key_that_looks_like_a_missing_field_is_told() -> None:
    fields = Fields(QUERY_FIELDS)
    assert fields.misspelt(("_id", "text", "relevnt")) == {"relevnt": "relevant"}
    assert fields.misspelt(("_id", "text", "Spans ", "tag", "answer")) == {"answer": "answers", "tag": "tags"}
    # what is there cannot be meant, and what is like nothing is the user's own
    assert fields.misspelt(("_id", "text", "relevant", "relevnt", "author")) == {}
