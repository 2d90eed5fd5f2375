import pytest

from chunkgap.datasets.cells import all_tags, answers_cell, json_cell, relevant_cell, tags_cell
from chunkgap.datasets.record import FieldError

KNOWN = {"a, b.md": 1, "[slug].md": 1}


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("a", ["a"]),
        (" a ; b|c,d\ne ", ["a", "b", "c", "d", "e"]),
        ("", []),
        ('["a;b", "c"]', ["a;b", "c"]),
        ('{"a": 2}', {"a": 2}),
        ("a, b.md", ["a, b.md"]),
        ("[slug].md", ["[slug].md"]),
        ("[x]", ["[x]"]),
    ],
)
def test_relevant_documents_in_a_cell(cell: str, expected: object) -> None:
    assert relevant_cell(cell, KNOWN) == expected


def test_an_answer_may_hold_commas() -> None:
    assert answers_cell(" yes, always ") == ["yes, always"]
    assert answers_cell('["yes", "no"]') == ["yes", "no"]
    assert answers_cell("") == []


def test_a_blank_cell_holds_no_value() -> None:
    assert json_cell("  ") is None


def test_tags_that_are_no_pairs_are_refused() -> None:
    with pytest.raises(FieldError, match='expected tags as name=value; name=value, got "fact"'):
        tags_cell("fact")


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("[1] see note", ["[1] see note"]),
        (" [sic] ", ["[sic]"]),
        ('["yes", "no"', ['["yes", "no"']),
        ('{"a": 1}', ['{"a": 1}']),
        ("[]", []),
    ],
)
def test_an_answer_in_brackets_that_is_no_list_is_one_answer(cell: str, expected: object) -> None:
    assert answers_cell(cell) == expected


def test_a_document_graded_twice_in_a_cell_is_no_text_in_brackets() -> None:
    with pytest.raises(FieldError, match='expected each key once, got "a" again'):
        relevant_cell('{"a": 0, "a": 1}', KNOWN)


def test_a_tag_given_twice_is_refused() -> None:
    with pytest.raises(FieldError, match="expected each tag once, got type again"):
        tags_cell("type=fact; lang=en; type=procedure")
    with pytest.raises(FieldError, match='expected each key once, got "type" again'):
        tags_cell('{"type": "fact", "type": "procedure"}')
    with pytest.raises(FieldError, match="expected each tag once, got type in tags and in tag:type"):
        all_tags({"type": "fact"}, {"type": "procedure"})


def test_tags_of_columns_are_added_to_those_of_a_cell() -> None:
    assert all_tags(None, {"type": "fact"}) == {"type": "fact"}
    assert all_tags(["fact"], {"lang": "en"}) == ["fact"]  # refused by whoever reads it
