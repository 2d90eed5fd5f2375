"""What the rest of the program knows of an embedding model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Role = Literal["query", "document"]


@dataclass(frozen=True, slots=True)
class Pieces:
    """The word pieces of one text, without special tokens and without a prompt.

    Attributes:
        starts: int64 (n,), the code point at which each piece starts, non-decreasing.
        words: int64 (n,), the number of the word that each piece belongs to, non-decreasing. What a word is,
            the tokenizer says: a Chinese character is one to many of them.
    """

    starts: NDArray[np.int64]
    words: NDArray[np.int64]


class Embedder(Protocol):
    """Turns texts into vectors, and counts what it reads of them."""

    @property
    def name(self) -> str:
        """The model as it was asked for."""
        ...

    @property
    def identity(self) -> str:
        """Hex digest of all that changes a vector, the prompt and the role apart."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        ...

    @property
    def window(self) -> int | None:
        """Word pieces that it reads, special tokens and prompt included; None: all of them."""
        ...

    def prompt(self, role: Role) -> str:
        """Return what is put before a text in this role; empty for nothing."""
        ...

    def count(self, texts: Sequence[str], role: Role) -> NDArray[np.int64]:
        """Count the word pieces of every text, special tokens and prompt included: int64 (n,)."""
        ...

    def pieces(self, text: str) -> Pieces:
        """Find where the word pieces of a text start."""
        ...

    def embed(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        """Embed every text: float32 (n, dimension).

        A text past the window is cut there. The order of the rows is that of the texts; a row that the model
        leaves undefined is zero. No texts: the model is made ready, and nothing else.
        """
        ...
