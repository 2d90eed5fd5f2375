"""A deterministic embedder with no model: hashed bags of words, for tests that need vectors and no torch."""

import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from chunkgap.embedding import Pieces, Role

_WORD = re.compile(r"\S+")


class FakeEmbedder:
    """Counts words that white space separates as word pieces, and reads the first `window` of them.

    A vector is the sum of one signed unit per word, at a place that the word's hash chooses, made one long; a
    text without any letter has the zero vector.

    Attributes:
        asked: Every text that was embedded, in order.
        loads: How often an empty list made the model ready.
    """

    def __init__(
        self,
        *,
        name: str = "fake",
        window: int | None = None,
        dimension: int = 64,
        prompts: Mapping[Role, str] | None = None,
        identity: str | None = None,
    ) -> None:
        self.name = name
        self.window = window
        self.dimension = dimension
        self.identity = identity or f"{name}/{window}/{dimension}"
        self.asked: list[str] = []
        self.loads = 0
        self._prompts = prompts or {}

    def prompt(self, role: Role) -> str:
        return self._prompts.get(role, "")

    def count(self, texts: Sequence[str], role: Role) -> NDArray[np.int64]:
        return np.array([len(_WORD.findall(self.prompt(role) + text)) for text in texts], dtype=np.int64)

    def pieces(self, text: str) -> Pieces:
        starts = np.array([match.start() for match in _WORD.finditer(text)], dtype=np.int64)
        return Pieces(starts, np.arange(len(starts), dtype=np.int64))

    def embed(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        self.loads += not texts
        self.asked += texts
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            if any(character.isalpha() for character in text):
                vectors[row] = self._vector(self.prompt(role) + text)
        return vectors

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = np.zeros(self.dimension)
        for word in _WORD.findall(text.lower())[: self.window]:
            digest = blake2b(word.strip(".,;:!?()\"'").encode("utf-8", "replace"), digest_size=8).digest()
            vector[int.from_bytes(digest[:4]) % self.dimension] += 1 if digest[4] & 1 else -1
        length = np.linalg.norm(vector)
        return (vector / length if length else vector).astype(np.float32)
