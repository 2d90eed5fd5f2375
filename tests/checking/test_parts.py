import numpy as np
import pytest

from chunkgap.checking.parts import is_markdown, part_lengths
from chunkgap.records import Document

TEXT = """\
Before any heading.

# One

A paragraph
of two lines.

- a list
- of two

```python
code = 1

more = 2
```

## Two

| a | b |
|---|---|
| 1 | 2 |

    indented code
"""


def characters(document: Document) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """One token per code point, so that lengths can be read off the text."""
    return np.arange(len(document.text) + 1)


def lengths(doc_id: str, text: str) -> dict[str, list[int]]:
    document = Document(doc_id, text)
    return {kind: found.tolist() for kind, found in part_lengths([document], [characters(document)]).items()}


def test_markdown_has_sections_paragraphs_code_and_tables() -> None:
    found = lengths("a.md", TEXT)
    first, one, two = (
        "Before any heading.\n\n",
        TEXT[TEXT.index("# One") : TEXT.index("## Two")],
        TEXT[TEXT.index("## Two") :],
    )
    assert found["sections"] == [len(first), len(one), len(two)]
    assert found["paragraphs"] == [len("Before any heading.\n"), len("A paragraph\nof two lines.\n")]
    assert found["code blocks"] == [len("```python\ncode = 1\n\nmore = 2\n```\n"), len("    indented code\n")]
    assert found["tables"] == [len("| a | b |\n|---|---|\n| 1 | 2 |\n")]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_do_not_change_what_is_found(end: str) -> None:
    found, expected = lengths("a.md", TEXT.replace("\n", end)), lengths("a.md", TEXT)
    assert {kind: len(parts) for kind, parts in found.items()} == {
        kind: len(parts) for kind, parts in expected.items()
    }


def test_sections_tile_the_document() -> None:
    assert sum(lengths("a.md", TEXT)["sections"]) == len(TEXT)


def test_a_heading_inside_code_starts_no_section() -> None:
    assert len(lengths("a.md", "# One\n\n```\n# not a heading\n```\n")["sections"]) == 1


def test_other_texts_have_paragraphs_between_blank_lines() -> None:
    assert lengths("a", "one\ntwo\n\n\nthree\r\n \r\nfour") == {"paragraphs": [len("one\ntwo"), 5, 4]}


def test_without_blank_lines_every_line_is_a_paragraph() -> None:
    assert lengths("a", "one\ntwo!\n") == {"paragraphs": [3, 4]}


def test_empty_documents_have_no_parts() -> None:
    assert lengths("a", "") == {}
    assert lengths("a.md", " \n") == {}


def test_tokens_are_those_that_start_in_the_part() -> None:
    document = Document("a", "one two\n\nthree")
    assert part_lengths([document], [np.array([0, 3, 7, 9, 14])])["paragraphs"].tolist() == [2, 1]


def test_markdown_is_told_by_the_ending() -> None:
    assert is_markdown(Document("guides/Plan.MD", ""))
    assert not is_markdown(Document("md", ""))
