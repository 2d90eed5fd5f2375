import pytest

from chunkgap.datasets.cells import answers_cell, json_cell, relevant_cell, tags_cell
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
    with pytest.raises(FieldError, match="expected tags as name=value"):
        tags_cell("fact")
