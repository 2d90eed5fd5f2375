"""Cut documents into chunks: tokens, windows of tokens, and slices of the text."""

from chunkgap.chunking.table import ChunkTable, chunk_corpus, content_digest, end_after
from chunkgap.chunking.tokenizers import MODEL, Tokenizer, load_tokenizer, tokenize
from chunkgap.chunking.windows import windows

__all__ = [
    "MODEL",
    "ChunkTable",
    "Tokenizer",
    "chunk_corpus",
    "content_digest",
    "end_after",
    "load_tokenizer",
    "tokenize",
    "windows",
]
