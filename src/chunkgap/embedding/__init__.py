"""Turns texts into vectors: the model, what it reads of a long text, and the cache of what it has read."""

from chunkgap.embedding.cache import MemoryCache, VectorCache
from chunkgap.embedding.function import FunctionEmbedder
from chunkgap.embedding.protocol import Embedder, Pieces, Role
from chunkgap.embedding.sentence_transformers_adapter import SentenceTransformerEmbedder, load_embedder
from chunkgap.embedding.sqlite_cache import SqliteCache
from chunkgap.embedding.texts import EmbeddedTexts, embed_texts

__all__ = [
    "EmbeddedTexts",
    "Embedder",
    "FunctionEmbedder",
    "MemoryCache",
    "Pieces",
    "Role",
    "SentenceTransformerEmbedder",
    "SqliteCache",
    "VectorCache",
    "embed_texts",
    "load_embedder",
]
