"""Embeds the texts of a measurement: each distinct text once, and only those that the cache lacks."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from chunkgap.embedding.cache import Entries, VectorCache, vector_keys
from chunkgap.embedding.long_chunks import LongChunks, average, refuse_long, slice_text
from chunkgap.embedding.protocol import Embedder, Role
from chunkgap.errors import ModelError
from chunkgap.progress import NO_PROGRESS, Progress

Precision = Literal["float32", "float16"]

BATCH_SIZE = 32  # texts of nearly one length, so that the model pads little


@dataclass(frozen=True)
class EmbeddedTexts:
    """The vectors of n texts, of which m are distinct.

    Attributes:
        vectors: float32 (m, dimension), one for each distinct text in the order of first appearance; of
            length 1, or zero where the model defines none.
        rows: int64 (n,), the row in `vectors` of each text.
        pieces: int64 (n,), word pieces of each text, special tokens and prompt included.
        unread: int64 (n,), those of them that the model did not read; 0 unless long texts are truncated.
        window: Word pieces that the model reads; None: all.
        embedded: Distinct texts that went through the model now, slices of long ones included.
        embedded_pieces: Their word pieces.
        cached: Distinct texts whose vectors came from the cache.
        seconds: Wall clock of the model's work, its loading apart.
    """

    vectors: NDArray[np.float32]
    rows: NDArray[np.int64]
    pieces: NDArray[np.int64]
    unread: NDArray[np.int64]
    window: int | None
    embedded: int
    embedded_pieces: int
    cached: int
    seconds: float

    @property
    def each(self) -> NDArray[np.float32]:
        """The vector of each of the n texts: (n, dimension)."""
        return self.vectors[self.rows]

    @property
    def long(self) -> NDArray[np.bool_]:
        """Which of the n texts are longer than the window: bool (n,)."""
        return self.pieces > (self.window or np.inf)


def embed_texts(
    texts: Sequence[str],
    role: Role,
    embedder: Embedder,
    cache: VectorCache,
    *,
    long_chunks: LongChunks = "average",
    precision: Precision = "float32",
    progress: Progress = NO_PROGRESS,
) -> EmbeddedTexts:
    """Embed texts that may repeat.

    What was embedded is in the cache even when this is interrupted.

    Args:
        texts: Chunks of all scales and phases, or queries; none is fine.
        role: What they are.
        embedder: The model; asked for vectors only if the cache lacks some.
        cache: Where vectors come from and go to.
        long_chunks: What becomes of texts longer than the window.
        precision: What the vectors are rounded to in the end.
        progress: Told of the word pieces embedded.

    Raises:
        InputError: If `long_chunks` is `error` and a text is longer than the window; no model is loaded then.
        ModelError: If the model cannot be loaded, or gives vectors of another dimension than its files say.
    """
    distinct = list(dict.fromkeys(texts))
    model = _CachedModel(embedder, role, cache, long_chunks, precision, progress)
    known = model.look_up(distinct)
    pieces = model.count(distinct, known)
    if long_chunks == "error":
        refuse_long(pieces, embedder.window, role)
    missing = np.flatnonzero(~known.found).tolist()
    sliced = _slices(distinct, pieces, missing, embedder, role) if long_chunks == "average" else {}
    atoms = list(dict.fromkeys(atom for i in missing for atom in sliced.get(i, [distinct[i]])))
    done = model.embed(atoms, {distinct[i]: int(pieces[i]) for i in missing})
    weights = done.pieces - (model.overhead if sliced else 0)
    vectors = known.vectors
    _fill_in(vectors, {i: sliced.get(i, [distinct[i]]) for i in missing}, atoms, done, weights)
    long = list(sliced)
    model.keep([distinct[i] for i in long], vectors[long], pieces[long])
    _normalise(vectors)
    places = {text: row for row, text in enumerate(distinct)}
    rows = np.fromiter((places[text] for text in texts), dtype=np.int64, count=len(texts))
    return EmbeddedTexts(
        vectors=vectors.astype(np.float16).astype(np.float32) if precision == "float16" else vectors,
        rows=rows,
        pieces=pieces[rows],
        unread=_unread(pieces, embedder.window if long_chunks == "truncate" else None)[rows],
        window=embedder.window,
        embedded=done.embedded,
        embedded_pieces=done.embedded_pieces,
        cached=len(distinct) - len(missing),
        seconds=done.seconds,
    )


@dataclass(frozen=True)
class _Embedded:
    """Vectors (a, d) and word pieces (a,) of texts that need no slicing, and what they cost."""

    vectors: NDArray[np.float32]
    pieces: NDArray[np.int64]
    embedded: int
    embedded_pieces: int
    seconds: float


@dataclass(frozen=True)
class _CachedModel:
    """An embedder in one role behind its cache."""

    embedder: Embedder
    role: Role
    cache: VectorCache
    long_chunks: LongChunks
    precision: Precision
    progress: Progress

    @property
    def overhead(self) -> int:
        """Word pieces of special tokens and prompt alone."""
        return int(self.embedder.count([""], self.role)[0])

    def look_up(self, texts: Sequence[str]) -> Entries:
        """Read what the cache holds."""
        return self.cache.read(self._keys(texts), self.embedder.dimension)

    def keep(self, texts: Sequence[str], vectors: NDArray[np.float32], pieces: NDArray[np.int64]) -> None:
        """Write to the cache, and see to it that all is kept."""
        if texts:
            self.cache.write(self._keys(texts), vectors, pieces)
        self.cache.flush()

    def count(self, texts: Sequence[str], known: Entries) -> NDArray[np.int64]:
        """Count the word pieces of what the cache does not know."""
        pieces = known.pieces.copy()
        unknown = np.flatnonzero(~known.found).tolist()
        pieces[unknown] = self.embedder.count([texts[i] for i in unknown], self.role)
        return pieces

    def embed(self, texts: Sequence[str], counted: Mapping[str, int]) -> _Embedded:
        """Embed what the cache lacks, longest first: the model pads little, and the end comes as foretold."""
        known = self.look_up(texts)
        todo = np.flatnonzero(~known.found)
        pieces = known.pieces
        uncounted = [i for i in todo.tolist() if texts[i] not in counted]
        pieces[uncounted] = self.embedder.count([texts[i] for i in uncounted], self.role)
        others = [i for i in todo.tolist() if texts[i] in counted]
        pieces[others] = [counted[texts[i]] for i in others]
        todo = todo[np.argsort(-pieces[todo], kind="stable")]
        seconds = self._embed_into(known.vectors, texts, todo, pieces)
        return _Embedded(known.vectors, pieces, len(todo), int(pieces[todo].sum()), seconds)

    def _embed_into(
        self,
        vectors: NDArray[np.float32],
        texts: Sequence[str],
        todo: NDArray[np.int64],
        pieces: NDArray[np.int64],
    ) -> float:
        if not len(todo):
            return 0.0
        self.embedder.embed([], self.role)  # loading is not the work that a user pays for at each measurement
        started = time.perf_counter()
        try:
            with self.progress.step("embedding", int(pieces[todo].sum())) as advance:
                for first in range(0, len(todo), BATCH_SIZE):
                    rows = todo[first : first + BATCH_SIZE]
                    batch = [texts[i] for i in rows]
                    vectors[rows] = self._checked(self.embedder.embed(batch, self.role))
                    self.cache.write(self._keys(batch), vectors[rows], pieces[rows])
                    advance(int(pieces[rows].sum()))
        finally:
            self.cache.flush()
        return time.perf_counter() - started

    def _checked(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        if vectors.shape[1] != self.embedder.dimension:
            raise ModelError(
                f"embedding.model: expected vectors of {self.embedder.dimension} numbers from "
                f"{self.embedder.name}, got {vectors.shape[1]}. Check the JSON files in the model's folder."
            )
        return vectors

    def _keys(self, texts: Sequence[str]) -> list[bytes]:
        prompt = self.embedder.prompt(self.role)
        return vector_keys(
            texts, (self.embedder.identity, self.role, prompt, self.long_chunks, self.precision)
        )


def _slices(
    texts: Sequence[str], pieces: NDArray[np.int64], missing: Sequence[int], embedder: Embedder, role: Role
) -> dict[int, list[str]]:
    """Cut every missing text that is longer than the window."""
    window = embedder.window
    if window is None:
        return {}
    return {i: slice_text(texts[i], role, embedder) for i in missing if pieces[i] > window}


def _fill_in(
    vectors: NDArray[np.float32],
    parts: Mapping[int, Sequence[str]],
    atoms: Sequence[str],
    done: _Embedded,
    weights: NDArray[np.int64],
) -> None:
    """Write into the missing rows a text's own vector, or the average over its slices."""
    places = {atom: place for place, atom in enumerate(atoms)}
    for row, texts in parts.items():
        at = [places[text] for text in texts]
        vectors[row] = done.vectors[at[0]] if len(at) == 1 else average(done.vectors[at], weights[at])


def _unread(pieces: NDArray[np.int64], window: int | None) -> NDArray[np.int64]:
    return np.zeros_like(pieces) if window is None else np.maximum(pieces - window, 0)


def _normalise(vectors: NDArray[np.float32]) -> None:
    """Give every vector the length 1, undefined ones 0. In place: a second copy of all of them takes time to make."""
    length = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    defined = np.isfinite(length) & (length > 0)
    vectors /= np.where(defined, length, 1.0).astype(np.float32)[:, None]
    vectors[~defined] = 0
