"""The one place that knows sentence-transformers: counts without torch, loads it when it must embed."""

import logging
import os
import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from chunkgap.embedding.model_files import ModelFiles
from chunkgap.embedding.models import BUNDLED_MODEL, find_model
from chunkgap.embedding.protocol import Pieces, Role
from chunkgap.errors import ConfigError, ModelError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer

BATCH_SIZE = 32
_COUNTED_AT_ONCE = 1024  # what the tokenizer returns is far larger than the text
_IDENTITY_VERSION = "1"


def load_embedder(
    model: str = BUNDLED_MODEL,
    *,
    base: Path | None = None,
    revision: str | None = None,
    query_prompt: str | None = None,
    document_prompt: str | None = None,
    max_seq_length: int | None = None,
    normalize: bool = True,
    trust_remote_code: bool = False,
) -> "SentenceTransformerEmbedder":
    """Find a model and read what its folder says of it; neither torch nor the weights are loaded.

    Args:
        model: A name, a folder or a hub id; see `find_model`.
        base: The folder that a relative path starts from; None: the current one.
        revision: Branch, tag or commit of a hub id.
        query_prompt: What is put before queries; None: what the model's configuration says.
        document_prompt: What is put before chunks; None: what the model's configuration says.
        max_seq_length: A window other than the model's, in word pieces, special tokens included.
        normalize: Whether vectors are made one long; False: left as the model gives them.
        trust_remote_code: Whether code that comes with the model may run.

    Raises:
        ConfigError: If a folder is missing, or the window larger than the model can be given.
        ModelError: If the model cannot be had, its files are not those that they should be, or its weights are
            a pickle and its code is not trusted.
    """
    files = ModelFiles(find_model(model, base=base, revision=revision))
    if not trust_remote_code and (pickled := files.pickled):
        raise ModelError(
            f"{pickled}: expected weights as .safetensors, got a pickle alone, which can hold code. Convert it, "
            "or set embedding.trust_remote_code: true if you trust whoever made it."
        )
    limit = files.positions or max_seq_length
    if max_seq_length is not None and limit is not None and not 3 <= max_seq_length <= limit:
        raise ConfigError(
            f"embedding.max_seq_length: expected a number from 3 to {limit}, got {max_seq_length}. "
            "Choose a window that the model has positions for."
        )
    return SentenceTransformerEmbedder(
        model,
        files,
        prompts={
            "query": files.prompt("query") if query_prompt is None else query_prompt,
            "document": files.prompt("document") if document_prompt is None else document_prompt,
        },
        window=max_seq_length or files.window,
        normalize=normalize,
        trust_remote_code=trust_remote_code,
        revision=revision,
    )


class SentenceTransformerEmbedder:
    """An `Embedder` over a folder of sentence-transformers files.

    Args:
        name: The model as it was asked for.
        files: Its folder.
        prompts: What is put before a text, by role.
        window: Word pieces read, special tokens and prompt included; None: all.
        normalize: Whether vectors are made one long.
        trust_remote_code: Whether code in the folder may run.
        revision: The revision asked for, part of the identity.
    """

    def __init__(
        self,
        name: str,
        files: ModelFiles,
        *,
        prompts: Mapping[Role, str],
        window: int | None,
        normalize: bool = True,
        trust_remote_code: bool = False,
        revision: str | None = None,
    ) -> None:
        self.name = name
        self.files = files
        self.window = window
        self._prompts = prompts
        self._normalize = normalize
        self._trust_remote_code = trust_remote_code
        self._revision = revision

    @cached_property
    def identity(self) -> str:
        """Hex digest of the files' content (pooling and all), window, normalisation and revision."""
        settings = (self.window, self._normalize, self._trust_remote_code, self._revision)
        return sha256(
            repr((_IDENTITY_VERSION, self.files.digest, self.files.kind, *settings)).encode()
        ).hexdigest()

    @cached_property
    def dimension(self) -> int:
        """Numbers in a vector; loads the model if its files do not say."""
        return self.files.dimension or int(self.embed(["a"], "document").shape[1])

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a user should know of the model before trusting a number, one line each."""
        family = self.files.family_without_prompts(self.name, self._prompts)
        if family is None:
            return ()
        return (
            f"embedding.model: {self.name} is of the {family} family, which was trained with prompts, "
            "and lacks one here. Set embedding.query_prompt and document_prompt as its model card says.",
        )

    def prompt(self, role: Role) -> str:
        """Return what is put before a text in this role; empty for nothing."""
        return self._prompts[role]

    def count(self, texts: Sequence[str], role: Role) -> NDArray[np.int64]:
        """Count the word pieces of every text, special tokens and prompt included: int64 (n,)."""
        prompt = self._prompts[role]
        counts: list[int] = []
        for first in range(0, len(texts), _COUNTED_AT_ONCE):
            block = [prompt + text for text in texts[first : first + _COUNTED_AT_ONCE]]
            encoded = self._tokenizer.encode_batch_fast(block, add_special_tokens=self._has_special_tokens)
            counts += [len(encoding) for encoding in encoded]
        return np.array(counts, dtype=np.int64)

    def pieces(self, text: str) -> Pieces:
        """Find where the word pieces of a text start."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        starts = np.array([start for start, _ in encoding.offsets], dtype=np.int64)
        words = np.array([-1 if word is None else word for word in encoding.word_ids], dtype=np.int64)
        return Pieces(np.maximum.accumulate(starts), np.maximum.accumulate(words))

    def embed(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        """Embed every text: float32 (n, dimension), undefined rows zero. No texts: the model is loaded."""
        model = self._model
        if not texts:
            return np.zeros((0, self.files.dimension or 0), dtype=np.float32)
        encode = model.encode_query if role == "query" else model.encode_document
        vectors = encode(
            list(texts),
            prompt=self._prompts[role],
            batch_size=BATCH_SIZE,
            show_progress_bar=False,
            normalize_embeddings=self._normalize,
        )
        return _defined(np.asarray(vectors, dtype=np.float32))

    @property
    def _has_special_tokens(self) -> bool:
        return self.files.kind != "StaticEmbedding"

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        from tokenizers import Tokenizer, normalizers

        # One process that forks after counting would print a warning for each child, or hang in it.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        path = self.files.tokenizer
        if path is None:
            tokenizer = Tokenizer.from_str(self._model.tokenizer.backend_tokenizer.to_str())
        else:
            tokenizer = Tokenizer.from_file(str(path))
        tokenizer.no_truncation()  # many files ship with both, and would count every text alike
        tokenizer.no_padding()
        if self.files.lower_case:
            own = [tokenizer.normalizer] if tokenizer.normalizer else []
            tokenizer.normalizer = normalizers.Sequence([normalizers.Lowercase(), *own])
        return tokenizer

    @cached_property
    def _model(self) -> "SentenceTransformer":
        _ = self.files.digests  # refuse weights that are not the published ones before they are loaded
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        try:
            model = _load_quietly(self.files.folder, trust_remote_code=self._trust_remote_code)
        except Exception as error:  # four libraries, each with errors of its own, and the model's code
            reason = " ".join(str(error).split())[:200]
            raise ModelError(
                f"embedding.model: expected a model for sentence-transformers in {self.files.folder}, got "
                f"{type(error).__name__}: {reason}. Try SentenceTransformer on this folder."
            ) from error
        if self.window is not None:
            model.max_seq_length = self.window
        return model


def _load_quietly(folder: Path, *, trust_remote_code: bool) -> "SentenceTransformer":
    """Load a model without the bars, warnings and log lines of four libraries."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        for name in ("sentence_transformers", "transformers", "huggingface_hub"):
            logging.getLogger(name).setLevel(logging.ERROR)
        model = SentenceTransformer(str(folder), local_files_only=True, trust_remote_code=trust_remote_code)
        return model.float().eval()  # weights stored in half precision would otherwise be computed in it


def _defined(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Make a row that holds NaN or infinity zero: the model does not define it."""
    vectors[~np.isfinite(vectors).all(axis=1)] = 0
    return vectors
