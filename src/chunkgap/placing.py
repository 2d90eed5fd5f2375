"""From documents to placements: cut at every size and phase, every distinct text embedded once."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from chunkgap.analysis.runs import Text
from chunkgap.chunking import MODEL, chunk_corpus, load_tokenizer, tokenize
from chunkgap.config import Settings
from chunkgap.embedding import (
    EmbeddedTexts,
    Embedder,
    MemoryCache,
    SentenceTransformerEmbedder,
    SqliteCache,
    VectorCache,
    embed_texts,
    load_embedder,
)
from chunkgap.errors import ConfigError, InputError
from chunkgap.progress import Progress
from chunkgap.records import Document, Scale
from chunkgap.results import tells_speed
from chunkgap.searching import Placement


def open_model(settings: Settings) -> SentenceTransformerEmbedder:
    """Find the model and read what its folder says; its weights are loaded when a vector is first asked for.

    Raises:
        ModelError: It cannot be had.
    """
    chosen = settings.embedding
    return load_embedder(
        chosen.model,
        revision=chosen.revision,
        query_prompt=chosen.query_prompt,
        document_prompt=chosen.document_prompt,
        max_seq_length=chosen.max_seq_length,
        normalize=chosen.normalize,
        trust_remote_code=chosen.trust_remote_code,
    )


def check_cache(settings: Settings, *, place: str = "cache") -> None:
    """Make sure, before hours of work, that a folder that was asked for can keep vectors.

    Args:
        settings: Where they are to be kept.
        place: What named the folder, for the message.

    Raises:
        ConfigError: It is a file, or cannot be made or written to.
    """
    if isinstance(settings.cache, Path) and (hindrance := _hindrance(settings.cache)):
        raise ConfigError(
            f"{place}: expected a folder to write to, got {settings.cache} ({hindrance}). "
            "Name another, or give --no-cache."
        )


def cache_folder(settings: Settings) -> Path | None:
    """Where vectors and indexes are kept; None when nothing is, and when the user's own folder cannot be used."""
    if isinstance(settings.cache, Path):
        return settings.cache
    if not settings.cache or _hindrance(_user_folder()):
        return None
    return _user_folder()


@contextmanager
def open_cache(settings: Settings) -> Iterator[VectorCache]:
    """The cache of vectors; closed, with all that was embedded in it, however the work ends.

    Where the user's own folder cannot be used, the vectors last as long as the process, with a warning.

    Raises:
        ConfigError: As `check_cache`.
    """
    check_cache(settings)
    folder = cache_folder(settings)
    if folder is None:
        yield MemoryCache(_unusable() if settings.cache is True else ())
        return
    with SqliteCache(folder) as cache:
        yield cache


def _user_folder() -> Path:
    return user_cache_path("chunkgap")


def _unusable() -> tuple[str, ...]:
    folder = _user_folder()
    return (
        f"{folder}: expected a folder to write to, got none ({_hindrance(folder)}); vectors and indexes are not "
        "kept. Name another with --cache.",
    )


def _hindrance(folder: Path) -> str:
    """Why nothing can be written to a folder; empty when all is well. It is made when missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except FileExistsError:
        return "it is a file"
    except NotADirectoryError:
        return "a folder above it is a file"
    except OSError as error:
        return (error.strerror or "it cannot be written").lower()


@dataclass(frozen=True, eq=False)
class Cutter:
    """The tokenised corpus, ready to be cut at any size and phase.

    Attributes:
        documents: The corpus.
        offsets: Token offsets of each document.
        digest: Of the corpus; what is cut carries it, so that no hit of another corpus passes for one of this.
    """

    documents: Sequence[Document]
    offsets: Sequence[NDArray[np.int64]]
    digest: str = ""

    @classmethod
    def of(
        cls,
        documents: Sequence[Document],
        settings: Settings,
        model: Embedder,
        progress: Progress,
        *,
        digest: str = "",
    ) -> "Cutter":
        """Tokenise every document once.

        Raises:
            ModelError: The tokenizer cannot be had.
        """
        own = model.files.tokenizer if isinstance(model, SentenceTransformerEmbedder) else None
        tokenizer = load_tokenizer(
            settings.tokenizer, model_tokenizer=own if settings.tokenizer == MODEL else None
        )
        offsets = tokenize(documents, tokenizer, workers=settings.worker_count(), progress=progress)
        return cls(documents, offsets, digest)

    @property
    def tokens(self) -> tuple[int, ...]:
        """Tokens of each document."""
        return tuple(len(offsets) - 1 for offsets in self.offsets)

    def cut(self, scale: Scale, phases: int) -> tuple[Text, ...]:
        """All phases of one scale.

        Raises:
            InputError: The corpus has no text at all.
        """
        tables = [
            chunk_corpus(self.documents, self.offsets, scale, phase=phase, phases=phases)
            for phase in range(phases)
        ]
        if not len(tables[0]):
            raise InputError(
                "corpus: expected text to cut into chunks, got none. Check the folder and its endings."
            )
        return tuple(Text(table, self.offsets, self.digest) for table in tables)


@dataclass(frozen=True, eq=False)
class Embedded:
    """The chunks of several placements, embedded together.

    Attributes:
        texts: Where the chunks lie, one entry per placement.
        read: All their texts, one placement after the other.
        seconds_per_piece: Speed of the model, measured now or when the cache was filled; None where nobody knows.
    """

    texts: Sequence[Text]
    read: EmbeddedTexts
    seconds_per_piece: float | None

    @property
    def placements(self) -> list[Placement]:
        """The placements with their vectors, in the order of `texts`."""
        return [Placement(text, self.read.vectors, self.read.rows[part]) for text, part in self._parts()]

    def long(self) -> list[NDArray[np.bool_]]:
        """Per placement, chunks longer than the model's window."""
        return [self.read.long[part] for _, part in self._parts()]

    def pieces(self) -> list[NDArray[np.int64]]:
        """Per placement, word pieces of each chunk."""
        return [self.read.pieces[part] for _, part in self._parts()]

    def unread(self) -> list[NDArray[np.int64]]:
        """Per placement, word pieces of each chunk that the model did not read."""
        return [self.read.unread[part] for _, part in self._parts()]

    def undefined(self) -> list[NDArray[np.bool_]]:
        """Per placement, chunks for which the model defines no vector: theirs is zero."""
        zero = np.logical_not(np.any(self.read.vectors, axis=1))
        return [zero[self.read.rows[part]] for _, part in self._parts()]

    def _parts(self) -> Iterator[tuple[Text, slice]]:
        start = 0
        for text in self.texts:
            yield text, slice(start, start + len(text.table))
            start += len(text.table)


def embed_chunks(
    texts: Sequence[Text],
    documents: Sequence[Document],
    model: Embedder,
    cache: VectorCache,
    settings: Settings,
    progress: Progress,
) -> Embedded:
    """Embed the chunks of several placements, each distinct text once.

    Raises:
        InputError: `long_chunks: error`, or `strict` with `truncate`, and a chunk is longer than the model's window.
        ModelError: The model cannot be loaded.
    """
    chosen = settings.embedding
    read = embed_texts(
        [piece for text in texts for piece in text.table.texts(documents)],
        "document",
        model,
        cache,
        long_chunks="error" if settings.strict and chosen.long_chunks == "truncate" else chosen.long_chunks,
        precision=chosen.precision,
        progress=progress,
    )
    return Embedded(texts, read, _speed(read, model, cache))


def _speed(read: EmbeddedTexts, model: Embedder, cache: VectorCache) -> float | None:
    """Seconds per word piece: of this time, if enough was embedded to tell, else as the cache has it."""
    if not read.embedded_pieces or not tells_speed(read.embedded, read.cached):
        return cache.speed(model.identity)
    speed = read.seconds / read.embedded_pieces
    cache.keep_speed(model.identity, speed)
    return speed


def embed_queries(
    queries: Sequence[str], model: Embedder, cache: VectorCache, settings: Settings, progress: Progress
) -> EmbeddedTexts:
    """Embed queries; one past the window is averaged over slices or cut, as chunks are."""
    long_chunks = settings.embedding.long_chunks
    return embed_texts(
        queries,
        "query",
        model,
        cache,
        long_chunks="average" if long_chunks == "error" else long_chunks,
        precision=settings.embedding.precision,
        progress=progress,
    )
