import pytest

from chunkgap.datasets.guessing import guess_document_fields, guess_query_fields
from tests.datasets.inputs import write, write_jsonl


def test_nothing_is_guessed_where_the_usual_names_stand() -> None:
    path = write("c.csv", "id,text,notes\n1,some text,a much longer remark that is no text\n")
    assert guess_document_fields(path) == {}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_table_is_guessed_from_its_cells(delimiter: str) -> None:
    rows = (
        ("Art", "Inhalt", "Nr"),
        ("x", "pumps are primed first", "7"),
        ("x", "valves are opened later", "8"),
    )
    path = write("c.csv", "".join(delimiter.join(row) + "\n" for row in rows))
    assert guess_document_fields(path) == {"text": "Inhalt", "id": "Nr"}


def test_json_lines_are_guessed_from_their_values() -> None:
    path = write_jsonl(
        "c.jsonl", {"url": "a", "markdown": "long enough"}, {"url": "b", "markdown": "also long"}
    )
    assert guess_document_fields(path) == {"text": "markdown", "id": "url"}


def test_a_column_that_is_called_like_an_id_goes_before_another_that_is_distinct() -> None:
    path = write_jsonl("c.jsonl", {"date": "1", "page_id": "a", "body": "long text here"})
    assert guess_document_fields(path) == {"id": "page_id"}


def test_a_column_with_repeated_or_missing_cells_is_no_id() -> None:
    path = write_jsonl(
        "c.jsonl", {"key": "a", "text": "t", "slug": "x"}, {"key": "a", "text": "u", "slug": ""}
    )
    assert guess_document_fields(path) == {}


def test_relevant_documents_are_where_ids_of_the_corpus_stand() -> None:
    path = write("q.csv", "Question,Answer,Source\nwhat?,because it is so,a.md;b.md\nwhy?,so it is,b.md\n")
    assert guess_query_fields(path, {"a.md": True, "b.md": True}) == {"relevant": "Source"}


def test_a_column_that_names_few_documents_is_not_taken() -> None:
    path = write("q.csv", "Question,Source\nwhat?,a.md\nwhy?,z.md\nwho?,y.md\n")
    assert guess_query_fields(path, {"a.md": True}) == {}


def test_queries_in_json_lines_need_an_id() -> None:
    path = write_jsonl("q.jsonl", {"nr": 1, "ask": "what is it?", "relevant": ["a"]})
    assert guess_query_fields(path, {"a": True}) == {"text": "ask", "id": "nr"}


def test_spans_say_which_documents_are_relevant() -> None:
    path = write_jsonl(
        "q.jsonl", {"id": "1", "text": "what?", "spans": [{"doc": "a", "text": "t"}], "from": "a"}
    )
    assert guess_query_fields(path, {"a": True}) == {}


def test_a_file_that_cannot_be_read_is_left_to_its_reader() -> None:
    assert guess_document_fields(write("c.jsonl", b"\xff\xfe\x00")) == {}
    assert guess_document_fields(write("c.csv", "")) == {}
    assert guess_document_fields(write("folder/a.md", "text").parent) == {}
