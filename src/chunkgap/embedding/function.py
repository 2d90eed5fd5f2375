"""An embedder out of a function: a provider's API, a server of one's own, another library."""

import json
from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import sha256

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chunkgap.chunking import Tokenizer, load_tokenizer
from chunkgap.embedding.protocol import Pieces, Role
from chunkgap.errors import ModelError


class FunctionEmbedder:
    """Calls a function for vectors, and counts tokens of a tiktoken encoding as its word pieces.

    Vectors are cached under the name: give another one whenever the function gives other vectors.

    Args:
        embed: From at most `embedding.texts.BATCH_SIZE` texts, one or more, and what they are (`query` or `document`)
            to their vectors, `(texts, dimension)`, of any length; a row of zeros where there is none. Called from one
            thread, again for every batch; what it raises ends the measurement, and what came before stays in the
            cache.
        name: Of the model, with its version.
        dimension: Numbers in a vector.
        window: Tokens that the model reads; longer texts follow `embedding.long_chunks`, and none is ever given to
            `embed`. None: it reads all.
        tokenizer: The tiktoken encoding that `window` counts.
    """

    def __init__(
        self,
        embed: Callable[[Sequence[str], Role], ArrayLike],
        *,
        name: str,
        dimension: int,
        window: int | None = None,
        tokenizer: str = "cl100k_base",
    ) -> None:
        self.name = name
        self.dimension = dimension
        self.window = window
        self._embed = embed
        self._encoding = tokenizer

    @cached_property
    def identity(self) -> str:
        """Hex digest of name, dimension, window and tokenizer."""
        return sha256(
            json.dumps(["function", self.name, self.dimension, self.window, self._encoding]).encode()
        ).hexdigest()

    def prompt(self, role: Role) -> str:
        """Return nothing: what is put before a text, the function puts there."""
        del role
        return ""

    def count(self, texts: Sequence[str], role: Role) -> NDArray[np.int64]:
        """Count the tokens of every text: int64 (n,)."""
        del role
        return np.array([len(self._tokenizer.offsets(text)) - 1 for text in texts], dtype=np.int64)

    def pieces(self, text: str) -> Pieces:
        """Find where the tokens of a text start; each counts as a word, for white space is looked at first."""
        starts = self._tokenizer.offsets(text)[:-1]
        return Pieces(starts, np.arange(len(starts)))

    def embed(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        """Embed every text: float32 (n, dimension).

        Raises:
            ModelError: The function gives something else than a finite vector of that dimension for each text.
        """
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        vectors = _as_array(self._embed([self._within_window(text) for text in texts], role))
        found = "no array of numbers" if vectors is None else str(vectors.shape)
        if vectors is not None and vectors.shape == (len(texts), self.dimension):
            if np.isfinite(vectors).all():
                return vectors
            found = "some that are not"
        raise ModelError(
            f"{self.name}: expected finite vectors of shape {(len(texts), self.dimension)}, got {found}. "
            "Mend the function that embeds."
        )

    def _within_window(self, text: str) -> str:
        """As many whole tokens of a text as the model reads."""
        if self.window is None:
            return text
        offsets = self._tokenizer.offsets(text)
        return text if len(offsets) <= self.window + 1 else text[: offsets[self.window]]

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return load_tokenizer(self._encoding)


def _as_array(vectors: ArrayLike) -> NDArray[np.float32] | None:
    """What a function gave, as numbers; None where it gave rows of unequal length, or no numbers."""
    try:
        return np.asarray(vectors, dtype=np.float32)
    except (TypeError, ValueError):
        return None
