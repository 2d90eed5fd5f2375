"""An embedder out of a function: what it is asked, what it may give, and a whole measurement with one."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from chunkgap.embedding import FunctionEmbedder, MemoryCache, Role, embed_texts
from chunkgap.errors import ModelError
from chunkgap.measurement import measure

from ..fake_embedder import FakeEmbedder
from ..made_up import settings_for


class Provider:
    """Stands in for an API: bags of words, and every call."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, Role]] = []

    def __call__(self, texts: Sequence[str], role: Role) -> list[list[float]]:
        self.calls.append((len(texts), role))
        vectors: list[list[float]] = (3 * FakeEmbedder().embed(texts, role)).tolist()
        return vectors


def embedder(provider: Provider, **options: object) -> FunctionEmbedder:
    return FunctionEmbedder(provider, name="provider/v1", dimension=64, **options)  # type: ignore[arg-type]


def recording(window: int) -> tuple[FunctionEmbedder, list[str]]:
    """An embedder that gives the same vector to all texts, and the texts that it was given."""
    seen: list[str] = []

    def embed(texts: Sequence[str], _role: Role) -> np.ndarray:
        seen.extend(texts)
        return np.ones((len(texts), 4))

    return FunctionEmbedder(embed, name="m", dimension=4, window=window), seen


def test_a_measurement_with_a_function_equals_one_with_the_embedder_behind_it(tmp_path: Path) -> None:
    provider, settings = Provider(), settings_for(tmp_path, cache=tmp_path / "cache")
    found = measure(settings, model=embedder(provider)).results
    expected = measure(settings, model=FakeEmbedder()).results
    assert found.rows == expected.rows
    assert found.model is not None
    assert found.model.name == "provider/v1"
    assert {role for _, role in provider.calls} == {"query", "document"}
    assert max(texts for texts, _ in provider.calls) <= 32
    asked = len(provider.calls)
    again = measure(settings, model=embedder(provider)).results
    assert again.rows == found.rows
    assert len(provider.calls) == asked  # all from the cache


def test_other_names_windows_and_tokenizers_are_other_models() -> None:
    provider = Provider()
    models = [
        embedder(provider),
        FunctionEmbedder(provider, name="provider/v2", dimension=64),
        FunctionEmbedder(provider, name="provider/v1", dimension=32),
        embedder(provider, window=512),
        embedder(provider, tokenizer="o200k_base"),
    ]
    assert len({model.identity for model in models}) == len(models)
    assert embedder(Provider()).identity == models[0].identity


def test_texts_past_the_window_reach_the_function_in_slices_that_fit() -> None:
    model, seen = recording(window=5)
    text = " ".join(f"word{number}" for number in range(20))
    found = embed_texts([text, "short"], "document", model, MemoryCache())
    assert len(seen) > 2
    assert model.count(seen, "document").max() <= 5
    assert "".join(sorted(seen, key=lambda part: (part == "short", text.find(part)))[:-1]).replace(
        " ", ""
    ) == (text.replace(" ", ""))
    assert found.vectors == pytest.approx(np.full((2, 4), 0.5))


def test_texts_past_the_window_are_cut_before_the_function_where_they_are_to_be_truncated() -> None:
    model, seen = recording(window=3)
    found = embed_texts(
        ["one two three four five", "one two"], "document", model, MemoryCache(), long_chunks="truncate"
    )
    assert sorted(seen) == ["one two", "one two three"]
    assert found.unread.tolist() == [2, 0]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (np.ones((2, 3)), r"got \(2, 3\)"),
        (np.ones((1, 4)), r"got \(1, 4\)"),
        (np.ones(8), r"got \(8,\)"),
        (np.array([[1, 2, 3, 4], [1, 2, 3, np.nan]]), "got some that are not"),
        ([[1, 2, 3, 4], [1, 2]], "got no array of numbers"),
        (None, r"got \(\)"),
        ("text", "got no array of numbers"),
    ],
)
def test_what_is_no_vector_for_each_text_is_an_error(given: object, told: str) -> None:
    model = FunctionEmbedder(lambda _texts, _role: given, name="m", dimension=4)  # type: ignore[arg-type,return-value]
    with pytest.raises(ModelError, match=rf"^m: expected finite vectors of shape \(2, 4\), {told}"):
        model.embed(["a", "b"], "document")


def test_no_texts_are_no_call() -> None:
    provider = Provider()
    assert embedder(provider).embed([], "document").shape == (0, 64)
    assert embedder(provider).count(["one two", ""], "query").tolist() == [2, 0]
    assert provider.calls == []
