"""Chunks of a corpus: exact slices, dropped blanks, ordinals, ids."""

import hashlib
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from chunkgap.chunking import ChunkTable, Tokenizer, chunk_corpus, end_after, load_tokenizer, tokenize
from chunkgap.records import Chunk, Document, Scale

from .test_tokenizers import MODEL
from .texts import TEXTS

CL100K = load_tokenizer("cl100k_base")


def one_token_per_character(documents: Sequence[Document]) -> list[NDArray[np.int64]]:
    return [np.arange(len(document.text) + 1) for document in documents]


def cut(text: str, size: int, overlap: int = 0) -> tuple[list[str], ChunkTable]:
    documents = [Document("d", text)]
    table = chunk_corpus(documents, one_token_per_character(documents), Scale(str(size), size, overlap))
    return table.texts(documents), table


@pytest.mark.parametrize("tokenizer", [CL100K, MODEL], ids=["encoding", "model"])
@given(texts=st.lists(TEXTS, max_size=3), size=st.integers(1, 12), phase=st.integers(0, 1))
def test_chunks_without_overlap_are_slices_that_tile_each_document(
    tokenizer: Tokenizer, texts: list[str], size: int, phase: int
) -> None:
    documents = [Document(str(i), text) for i, text in enumerate(texts)]
    offsets = tokenize(documents, tokenizer)
    table = chunk_corpus(documents, offsets, Scale("s", size), phase=phase, phases=2)
    for row, chunk_text in enumerate(table.texts(documents)):
        document = documents[table.document[row]]
        assert document.text[table.start[row] : table.end[row]] == chunk_text != ""
        assert not chunk_text.isspace()
    for number, document in enumerate(documents):
        of_document = table.document == number
        starts, ends = table.start[of_document].tolist(), table.end[of_document].tolist()
        gaps = [document.text[a:b] for a, b in zip([0, *ends], [*starts, len(document.text)], strict=True)]
        assert all(gap == "" or gap.isspace() for gap in gaps) or len(offsets[number]) == 1  # no token
        assert table.ordinal[of_document].tolist() == list(range(len(starts)))


@given(text=TEXTS, size=st.integers(2, 12), overlap=st.integers(1, 11), phase=st.integers(0, 2))
def test_overlapping_chunks_are_slices_of_at_most_the_size(
    text: str, size: int, overlap: int, phase: int
) -> None:
    documents = [Document("d", text)]
    scale = Scale("s", size, min(overlap, size - 1))
    table = chunk_corpus(documents, tokenize(documents, CL100K), scale, phase=phase, phases=3)
    assert all(text[a:b] == c for a, b, c in zip(table.start, table.end, table.texts(documents), strict=True))
    assert (table.tokens <= size).all()
    assert (np.diff(table.start) >= 0).all()


def test_character_across_a_window_edge_goes_whole_to_the_later_chunk() -> None:
    documents = [Document("d", "the 世 sat")]
    offsets = tokenize(documents, CL100K)
    pairs = chunk_corpus(documents, offsets, Scale("2", 2))
    assert pairs.texts(documents) == ["the ", "世", " sat"]
    assert list(zip(pairs.start, pairs.end, strict=True)) == [(0, 4), (4, 5), (5, 9)]


def test_window_in_which_no_character_starts_is_dropped_without_being_counted_as_blank() -> None:
    documents = [Document("d", "the 世 sat")]
    table = chunk_corpus(documents, tokenize(documents, CL100K), Scale("1", 1))
    assert table.texts(documents) == ["the", "世", " sat"]  # also " ", white space alone, and an empty one
    assert table.blank == 1
    assert table.first.tolist() == [0, 3, 4]


def test_blank_chunks_are_dropped_and_counted_and_ordinals_skip_them() -> None:
    texts, table = cut("ab \n  cd", 2)
    assert texts == ["ab", "cd"]
    assert table.blank == 2
    assert table.ordinal.tolist() == [0, 1]
    assert table.start.tolist() == [0, 6]


def test_overlap_repeats_tokens_and_no_tail_repeats_only_the_overlap() -> None:
    texts, table = cut("abcdefghij", 8, 4)
    assert texts == ["abcdefgh", "efghij"]
    assert table.tokens.tolist() == [8, 6]
    assert table.first.tolist() == [0, 4]


def test_later_phase_cuts_at_other_places() -> None:
    documents = [Document("d", "abcdefgh")]
    offsets = one_token_per_character(documents)
    table = chunk_corpus(documents, offsets, Scale("4", 4), phase=1, phases=2)
    assert table.texts(documents) == ["ab", "cdef", "gh"]


def test_chunks_run_in_document_order_and_ordinals_start_afresh() -> None:
    documents = [Document("a", "abc"), Document("b", ""), Document("c", "  "), Document("d", "defg")]
    table = chunk_corpus(documents, one_token_per_character(documents), Scale("2", 2))
    assert table.texts(documents) == ["ab", "c", "de", "fg"]
    assert table.document.tolist() == [0, 0, 3, 3]
    assert table.ordinal.tolist() == [0, 1, 0, 1]
    assert table.blank == 1
    assert len(table) == 4


def test_single_counts_documents_of_exactly_one_chunk() -> None:
    documents = [Document("a", "ab"), Document("b", "abc"), Document("c", ""), Document("d", "a")]
    table = chunk_corpus(documents, one_token_per_character(documents), Scale("2", 2))
    assert table.single == 2


def test_empty_corpus_gives_an_empty_table() -> None:
    table = chunk_corpus([], [], Scale("2", 2))
    assert len(table) == 0
    assert table.texts([]) == []
    assert (table.blank, table.single) == (0, 0)


def test_chunk_as_a_record_names_document_scale_phase_and_ordinal() -> None:
    documents = [Document("a", "abc"), Document("b#1", "defg")]
    offsets = one_token_per_character(documents)
    table = chunk_corpus(documents, offsets, Scale("2", 2), phase=1, phases=2)
    row = len(table) - 1
    assert table.chunk_id(row, documents) == "b#1#2.1.2"
    assert table.chunk(row, documents) == Chunk("b#1#2.1.2", "b#1", 3, 4, 1, "g")


def test_digest_is_that_of_the_text() -> None:
    documents = [Document("d", "ab世ab")]
    table = chunk_corpus(documents, one_token_per_character(documents), Scale("1", 1))
    digests = table.digests(documents)
    assert digests[2] == hashlib.blake2b("世".encode(), digest_size=16).hexdigest()
    assert digests[0] == digests[3]
    assert len(set(digests)) == 3


def test_end_after_is_where_the_first_tokens_of_a_chunk_end() -> None:
    documents = [Document("a", "x"), Document("d", "the 世 sat")]
    offsets = tokenize(documents, CL100K)
    table = chunk_corpus(documents, offsets, Scale("4", 4))
    assert table.texts(documents) == ["x", "the 世", " sat"]
    assert [end_after(offsets, table, 1, tokens) for tokens in (0, 1, 2, 3, 4, 9)] == [0, 3, 4, 4, 5, 5]
    assert end_after(offsets, table, 2, 1) == 9


def test_columns_have_the_stated_types() -> None:
    _, table = cut("abc", 2)
    assert [c.dtype for c in (table.document, table.ordinal, table.tokens)] == [np.int32] * 3
    assert [c.dtype for c in (table.start, table.end, table.first)] == [np.int64] * 3
