"""Tokenise documents: the code point at which each token starts."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from chunkgap.errors import InputError, ModelError
from chunkgap.progress import NO_PROGRESS, Progress
from chunkgap.records import Document

if TYPE_CHECKING:
    import tiktoken

MODEL = "model"
"""The name by which the configuration asks for the embedding model's own tokenizer."""

_AT_ONCE = 16  # documents that one thread takes on


class Tokenizer(Protocol):
    """What cuts a text into tokens that tile it."""

    name: str

    def offsets(self, text: str) -> NDArray[np.int64]:
        """Say where the tokens of `text` start.

        Token i is `text[offsets[i]:offsets[i + 1]]`, and the tokens joined are the text. A token that begins
        inside a character starts where that character starts, so that the token before it may be empty.

        Returns:
            Code points, shape (tokens + 1,), non-decreasing; the last is `len(text)`. `[0]` when empty.

        Raises:
            UnicodeEncodeError: The text holds a lone surrogate.
        """
        ...


class TiktokenTokenizer:
    """A byte-pair encoding of tiktoken; control tokens such as `<|endoftext|>` are ordinary text.

    Args:
        name: What users call the encoding.
        encoding: The encoding itself.
    """

    def __init__(self, name: str, encoding: "tiktoken.Encoding") -> None:
        self.name = name
        self._encoding = encoding
        self._byte_lengths = np.zeros(encoding.max_token_value + 1, dtype=np.int64)
        for token in encoding.token_byte_values():
            self._byte_lengths[encoding.encode_single_token(token)] = len(token)

    def offsets(self, text: str) -> NDArray[np.int64]:
        """Code point of the character that holds each token's first byte, then `len(text)`."""
        tokens = self._encoding.encode_to_numpy(text, disallowed_special=())
        first_bytes = np.zeros(len(tokens) + 1, dtype=np.int64)
        np.cumsum(self._byte_lengths[tokens], out=first_bytes[1:])
        if text.isascii():
            return first_bytes
        return np.append(_code_points(text)[first_bytes[:-1]], len(text))


class ModelTokenizer:
    """The embedding model's own tokenizer, without the special tokens, truncation and padding of embedding.

    White space and characters that it drops belong to the token before them, at the start of the text to the
    first token. A text of which it keeps nothing has no tokens.

    Args:
        path: The model's `tokenizer.json`.
    """

    name = MODEL

    def __init__(self, path: Path) -> None:
        import tokenizers

        try:
            tokenizer = tokenizers.Tokenizer.from_file(str(path))
        except Exception as error:  # tokenizers raises Exception itself
            raise ModelError(
                f"{path}: expected the embedding model's tokenizer.json, got {' '.join(str(error).split())}. "
                f"Use a tiktoken encoding, for example cl100k_base."
            ) from error
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True  # "[SEP]" in a document is ordinary text
        self._tokenizer = tokenizer

    def offsets(self, text: str) -> NDArray[np.int64]:
        """Code point at which each word piece starts, then `len(text)`."""
        text.encode()  # a lone surrogate is told here, where tokenizers would only say TypeError
        pieces = self._tokenizer.encode(text, add_special_tokens=False).offsets
        starts = np.array([start for start, _ in pieces] + [len(text)], dtype=np.int64)
        if pieces:
            starts[0] = 0
        # The library does not promise ascending starts, without which slices would overlap.
        return np.maximum.accumulate(starts)


def load_tokenizer(name: str, *, model_tokenizer: Path | None = None) -> Tokenizer:
    """Load the tokenizer of the configuration key `tokenizer`.

    Args:
        name: A tiktoken encoding, or `"model"`.
        model_tokenizer: The embedding model's `tokenizer.json`, which `"model"` needs.

    Raises:
        ConfigError: No encoding has that name.
        ModelError: The tokenizer cannot be loaded, for example without a network.
    """
    if name != MODEL:
        from chunkgap.chunking.encodings import load_encoding

        return TiktokenTokenizer(name, load_encoding(name))
    if model_tokenizer is None:
        raise ModelError(
            f"tokenizer {MODEL!r}: expected a tokenizer.json in the embedding model's folder, got none. "
            f"Use a tiktoken encoding, for example cl100k_base."
        )
    return ModelTokenizer(model_tokenizer)


def tokenize(
    documents: Sequence[Document],
    tokenizer: Tokenizer,
    *,
    workers: int = 1,
    progress: Progress = NO_PROGRESS,
) -> list[NDArray[np.int64]]:
    """Tokenise each document once; every size, overlap and phase is cut from the result.

    Args:
        documents: What is tokenised.
        tokenizer: By what.
        workers: Threads; tiktoken runs beside others.
        progress: Told of every document.

    Returns:
        `Tokenizer.offsets` of each document, in their order.

    Raises:
        InputError: A document that the tokenizer cannot take, by its `doc_id`.
    """
    with progress.step("tokenising", len(documents)) as advance, ThreadPoolExecutor(workers) as pool:

        def offsets(start: int) -> list[NDArray[np.int64]]:
            part = [
                _document_offsets(document, tokenizer) for document in documents[start : start + _AT_ONCE]
            ]
            advance(len(part))
            return part

        parts = list(pool.map(offsets, range(0, len(documents), _AT_ONCE)))
    return [offsets for part in parts for offsets in part]


def _document_offsets(document: Document, tokenizer: Tokenizer) -> NDArray[np.int64]:
    try:
        return tokenizer.offsets(document.text)
    except UnicodeEncodeError as error:
        found = f"the lone surrogate U+{ord(document.text[error.start]):04X} at code point {error.start}"
        raise InputError(
            f"document {document.doc_id!r}: expected Unicode text, got {found}. Replace it, say by U+FFFD."
        ) from error
    except BaseException as error:
        # A panic in Rust arrives as pyo3's PanicException, which is no Exception and cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise InputError(
            f"document {document.doc_id!r}: expected text that tokenizer {tokenizer.name!r} can take, "
            f"got its failure ({' '.join(str(error).split())}). Break up its longest run without white space."
        ) from error


def _code_points(text: str) -> NDArray[np.int64]:
    """For each UTF-8 byte of `text`, the code point it belongs to."""
    encoded = np.frombuffer(text.encode(), dtype=np.uint8)
    starts_character = (encoded & 0xC0) != 0x80
    return np.cumsum(starts_character, dtype=np.int64) - 1
