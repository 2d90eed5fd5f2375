import itertools
from contextlib import contextmanager

import numpy as np
import pytest

from chunkgap.embedding import MemoryCache, SqliteCache, embed_texts
from chunkgap.errors import InputError, ModelError

from ..fake_embedder import FakeEmbedder


def embed(texts, embedder=None, cache=None, role="document", **settings):
    return embed_texts(texts, role, embedder or FakeEmbedder(), cache or MemoryCache(), **settings)


def test_repeated_texts_share_a_row_and_are_embedded_once():
    embedder = FakeEmbedder()
    result = embed(["red fox", "blue", "red fox"], embedder)
    assert result.rows.tolist() == [0, 1, 0]
    assert result.vectors.shape == (2, 64)
    assert sorted(embedder.asked) == ["blue", "red fox"]
    assert (result.embedded, result.cached, result.embedded_pieces) == (2, 0, 2 + 1)


def test_a_row_is_what_the_model_gives_for_the_text():
    embedder = FakeEmbedder()
    texts = ["red fox", "a b c d e", "blue"]
    result = embed(texts, embedder)
    np.testing.assert_allclose(result.vectors[result.rows], embedder.embed(texts, "document"), atol=1e-7)


def test_the_longest_texts_are_embedded_first():
    embedder = FakeEmbedder()
    embed(["one", "one two three", "one two"], embedder)
    assert embedder.asked == ["one two three", "one two", "one"]


def test_no_texts_give_no_rows_and_ask_for_no_model():
    embedder = FakeEmbedder()
    result = embed([], embedder)
    assert result.vectors.shape == (0, 64)
    assert result.rows.shape == result.pieces.shape == result.unread.shape == (0,)
    assert embedder.loads == 0


def test_a_second_time_comes_from_the_cache_without_the_model():
    cache, embedder = MemoryCache(), FakeEmbedder(window=2)
    first = embed(["a b c d", "x y", "z"], embedder, cache)
    again = FakeEmbedder(window=2)
    second = embed(["z", "x y", "a b c d"], again, cache)
    assert (again.asked, again.loads) == ([], 0)
    assert (second.embedded, second.cached, second.seconds) == (0, 3, 0.0)
    assert second.pieces.tolist() == [1, 2, 4]
    np.testing.assert_array_equal(second.vectors[second.rows], first.vectors[first.rows][::-1])


def test_a_text_without_letters_has_a_zero_vector():
    result = embed(["words", "--- 123"])
    assert not result.vectors[1].any()
    assert np.linalg.norm(result.vectors[0]) == pytest.approx(1)


def test_a_long_text_is_the_weighted_average_of_its_slices():
    embedder = FakeEmbedder(window=3)
    result = embed(["a b c d"], embedder)
    first, second = embedder.embed(["a b c", "d"], "document").astype(float)
    mean = (3 * first + 1 * second) / 4
    np.testing.assert_allclose(result.vectors[0], mean / np.linalg.norm(mean), atol=1e-6)
    assert result.pieces.tolist() == [4]
    assert result.unread.tolist() == [0]
    assert result.long.tolist() == [True]


def test_the_prompt_does_not_weigh_in_the_average():
    embedder = FakeEmbedder(window=5, prompts={"document": "p p "})  # room for three words
    result = embed(["a b c d"], embedder)
    first, second = embedder.embed(["a b c", "d"], "document").astype(float)
    mean = (3 * first + 1 * second) / 4  # not 5 and 3
    np.testing.assert_allclose(result.vectors[0], mean / np.linalg.norm(mean), atol=1e-6)


def test_a_slice_that_is_also_a_text_is_embedded_once():
    embedder = FakeEmbedder(window=2)
    result = embed(["a b c d", "c d", "a b e"], embedder)
    assert sorted(embedder.asked) == ["a b", "c d", "e"]
    assert result.embedded == 3


def test_truncate_reads_the_first_window_and_counts_the_rest():
    embedder = FakeEmbedder(window=3)
    result = embed(["a b c d e", "a b c"], embedder, long_chunks="truncate")
    np.testing.assert_array_equal(result.vectors[0], result.vectors[1])
    assert result.unread.tolist() == [5 - 3, 0]
    assert result.long.tolist() == [True, False]


def test_truncated_texts_are_counted_when_they_come_from_the_cache():
    cache = MemoryCache()
    embed(["a b c d e"], FakeEmbedder(window=3), cache, long_chunks="truncate")
    result = embed(["a b c d e"], FakeEmbedder(window=3), cache, long_chunks="truncate")
    assert (result.cached, result.unread.tolist()) == (1, [2])


def test_error_is_raised_before_the_model_is_loaded():
    embedder = FakeEmbedder(window=3)
    with pytest.raises(InputError, match=r"got 1 longer \(the longest has 5\)"):
        embed(["a b c d e", "a b c"], embedder, long_chunks="error")
    assert (embedder.loads, embedder.asked) == (0, [])


SETTINGS = {
    "plain": ({}, {}, "document"),
    "model": ({"identity": "another"}, {}, "document"),
    "window": ({"window": 9}, {}, "document"),
    "prompt": ({"prompts": {"document": "passage: "}}, {}, "document"),
    "role": ({}, {}, "query"),
    "precision": ({}, {"precision": "float16"}, "document"),
    "long_chunks": ({}, {"long_chunks": "truncate"}, "document"),
}


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(SETTINGS, 2)))
def test_the_cache_never_gives_a_vector_of_other_settings(first, second):
    cache = MemoryCache()
    for setting in (first, second):
        model, settings, role = SETTINGS[setting]
        shared = embed(["some words"], FakeEmbedder(**model), cache, role, **settings)
        alone = embed(["some words"], FakeEmbedder(**model), MemoryCache(), role, **settings)
        assert shared.cached == 0
        np.testing.assert_array_equal(shared.vectors, alone.vectors)


def test_float16_rounds_the_finished_vectors():
    exact = embed(["a b c d e f"], FakeEmbedder(window=4)).vectors
    rounded = embed(["a b c d e f"], FakeEmbedder(window=4), precision="float16").vectors
    np.testing.assert_array_equal(rounded, exact.astype(np.float16).astype(np.float32))
    assert rounded.dtype == np.float32


class Interrupted(FakeEmbedder):
    def embed(self, texts, role):
        if len(self.asked) >= 64:
            raise KeyboardInterrupt
        return super().embed(texts, role)


def test_an_interrupted_embedding_goes_on_where_it_stopped(tmp_path):
    texts = [f"word{i} " * 3 for i in range(100)]
    with SqliteCache(tmp_path) as cache, pytest.raises(KeyboardInterrupt):
        embed(texts, Interrupted(), cache)
    with SqliteCache(tmp_path) as cache:
        result = embed(texts, FakeEmbedder(), cache)
    assert (result.cached, result.embedded) == (64, 100 - 64)


def test_slices_of_an_interrupted_embedding_are_not_embedded_again():
    cache = MemoryCache()
    long = " ".join(f"w{i}" for i in range(100))  # slices of one word each
    with pytest.raises(KeyboardInterrupt):
        embed([long], Interrupted(window=1), cache)
    assert embed([long], FakeEmbedder(window=1), cache).embedded == 100 - 64


class Mistaken(FakeEmbedder):
    def embed(self, texts, role):
        return super().embed(texts, role)[:, :8]


def test_vectors_of_another_dimension_than_promised_are_refused():
    with pytest.raises(ModelError, match="expected vectors of 64 numbers from fake, got 8"):
        embed(["a"], Mistaken())


class Undefined(FakeEmbedder):
    def embed(self, texts, role):
        return np.full((len(texts), self.dimension), np.nan, dtype=np.float32)


def test_an_undefined_vector_is_zero():
    assert embed(["a"], Undefined()).vectors.tolist() == [[0.0] * 64]


class Listener:
    def __init__(self) -> None:
        self.total = 0
        self.done = 0

    @contextmanager
    def step(self, name, total):
        self.total += total

        def advance(units):
            self.done += units

        yield advance


def test_progress_counts_word_pieces_up_to_the_total():
    listener = Listener()
    embed(["a b c", "d"] + [f"w{i}" for i in range(70)], progress=listener)
    assert listener.total == listener.done == 3 + 1 + 70
