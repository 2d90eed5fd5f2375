"""What Markdown documents are made of: sections, paragraphs, code blocks, tables, and their lengths."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from chunkgap.records import Document

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

PARTS = ("sections", "paragraphs", "code blocks", "tables")

_CHARACTERS = 2_000_000  # of documents looked at: the parser reads a few megabytes a second
_SEED = 13
_LINE_END = re.compile(r"\r\n?|\n")
_BLANK_LINES = re.compile(r"(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)\s*")
_KINDS = {
    "paragraph_open": "paragraphs",
    "fence": "code blocks",
    "code_block": "code blocks",
    "table_open": "tables",
}

Range = tuple[int, int]


def part_lengths(
    documents: Sequence[Document], offsets: Sequence[NDArray[np.int64]]
) -> Mapping[str, NDArray[np.int64]]:
    """Tokens of every part of a sample of documents, by kind; kinds that do not occur are left out.

    A section runs from a heading to the next one of any level. Paragraphs inside lists and quotations are not
    counted, code blocks and tables are. A document that is not Markdown (`.md`) has paragraphs alone: what
    stands between blank lines or, where there are none, each line.

    Args:
        documents: Any documents.
        offsets: `Tokenizer.offsets` of each of them.
    """
    lengths: dict[str, list[int]] = {part: [] for part in PARTS}
    for row in _sample(documents):
        text = documents[row].text
        for kind, (start, end) in _parts(documents[row]):
            if text[start:end].strip():
                first, last = np.searchsorted(offsets[row][:-1], (start, end))
                lengths[kind].append(int(last - first))
    return {kind: np.array(found, dtype=np.int64) for kind, found in lengths.items() if found}


def is_markdown(document: Document) -> bool:
    """Whether the id has the ending of a Markdown file."""
    return PurePosixPath(document.doc_id.casefold()).suffix in {".md", ".markdown"}


def _sample(documents: Sequence[Document]) -> Iterator[int]:
    """Rows in random order, until enough text has been looked at; at least one."""
    rows = list(range(len(documents)))
    Random(_SEED).shuffle(rows)  # noqa: S311  a sample, not a secret
    seen = 0
    for row in rows:
        if seen > _CHARACTERS:
            return
        seen += len(documents[row].text)
        yield row


def _parts(document: Document) -> Iterator[tuple[str, Range]]:
    if is_markdown(document):
        yield from _markdown_parts(document.text)
        return
    text = document.text
    gaps = list(_BLANK_LINES.finditer(text)) or list(_LINE_END.finditer(text))
    starts = [0, *(gap.end() for gap in gaps)]
    ends = [*(gap.start() for gap in gaps), len(text)]
    for start, end in zip(starts, ends, strict=True):
        yield "paragraphs", (start, end)


def _markdown_parts(text: str) -> Iterator[tuple[str, Range]]:
    starts = [0, *(match.end() for match in _LINE_END.finditer(text)), len(text)]
    heads = [0]
    for token in _parser().parse(text):
        if token.map is None:
            continue
        start, end = (starts[min(line, len(starts) - 1)] for line in token.map)
        if token.type == "heading_open" and token.level == 0:
            heads.append(start)
        kind = _KINDS.get(token.type)
        if kind and (kind != "paragraphs" or token.level == 0):
            yield kind, (start, end)
    for start, end in zip(heads, [*heads[1:], len(text)], strict=True):
        yield "sections", (start, end)


@lru_cache(maxsize=1)
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable("inline")
