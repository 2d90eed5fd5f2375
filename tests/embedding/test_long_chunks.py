import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkgap.embedding.long_chunks import _cut_places, average, refuse_long, slice_text
from chunkgap.errors import ConfigError, InputError

from ..fake_embedder import FakeEmbedder


def test_slices_are_consecutive_and_as_full_as_the_window_allows():
    assert slice_text("a b c d e f g", "document", FakeEmbedder(window=3)) == ["a b c", "d e f", "g"]


def test_the_prompt_takes_its_share_of_the_window():
    embedder = FakeEmbedder(window=3, prompts={"document": "passage: "})
    assert slice_text("a b c d e", "document", embedder) == ["a b", "c d", "e"]
    assert slice_text("a b c d e", "query", embedder) == ["a b c", "d e"]


def test_a_prompt_that_fills_the_window_is_refused():
    embedder = FakeEmbedder(window=2, prompts={"query": "find me "})
    with pytest.raises(
        ConfigError, match=r"query_prompt: expected a prompt that leaves room .* 2 word pieces"
    ):
        slice_text("a b c", "query", embedder)


def test_a_model_without_a_window_takes_a_text_whole():
    assert slice_text("a b c", "document", FakeEmbedder()) == ["a b c"]


@given(st.text(alphabet="ab \n\t東é", max_size=80), st.integers(1, 6))
def test_slices_fit_and_make_up_the_text(text, window):
    embedder = FakeEmbedder(window=window)
    slices = slice_text(text, "document", embedder)
    assert "".join("".join(slices).split()) == "".join(text.split())
    assert (embedder.count(slices, "document") <= window).all()


def places(text: str, starts: list[int], words: list[int], room: int) -> list[int]:
    return list(_cut_places(text, np.array(starts), np.array(words), room))


def test_a_cut_falls_at_white_space_before_a_word_that_does_not_fit():
    # pieces: un|believ|able|facts|here; four fit, but the fourth is the last that starts a slice
    assert places("unbelievable facts here", [0, 2, 8, 13, 19], [0, 0, 0, 1, 2], 4) == [4]
    assert places("facts unbelievable", [0, 6, 8, 14], [0, 1, 1, 1], 2) == [1, 3]


def test_a_script_without_spaces_is_cut_at_the_tokenizers_words():
    # words of two pieces each: 0-1, 2-3, 4-5; three pieces fit
    assert places("abcdef", [0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 2, 2], 3) == [2, 4]


def test_one_giant_word_is_cut_between_word_pieces():
    assert places("abcdefg", list(range(7)), [0] * 7, 3) == [3, 6]


def test_a_lone_space_far_ahead_does_not_make_a_tiny_slice():
    # the only space is after the first of ten pieces: the word boundary is taken instead
    starts = [0, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert places("x abcdefghi", starts, list(range(10)), 6) == [6]


class SpreadingEmbedder(FakeEmbedder):
    """Counts a text that begins with d one piece longer than in its place, as byte-pair tokenizers can."""

    def count(self, texts, role):
        return super().count(texts, role) + np.array([text.startswith("d") for text in texts], dtype=np.int64)


def test_a_slice_that_tokenises_longer_than_in_place_is_cut_again():
    embedder = SpreadingEmbedder(window=3)
    slices = slice_text("a b c d e f g", "document", embedder)
    assert (embedder.count(slices, "document") <= 3).all()
    assert " ".join(slices) == "a b c d e f g"


def test_average_is_weighted_by_word_pieces():
    vectors = np.array([[1, 0], [0, 1]], dtype=np.float32)
    expected = [(300 * 1 + 100 * 0) / 400, (300 * 0 + 100 * 1) / 400]
    np.testing.assert_allclose(average(vectors, np.array([300, 100])), expected)


def test_average_of_slices_that_weigh_nothing_is_zero():
    assert average(np.ones((2, 3), dtype=np.float32), np.array([0, 0])).tolist() == [0, 0, 0]


def test_long_texts_are_refused_with_how_many_and_how_long():
    with pytest.raises(InputError) as refused:
        refuse_long(np.array([256, 257, 1300]), 256, "document")
    assert str(refused.value) == (
        "embedding.long_chunks: expected every chunk within the model's window of 256 word pieces, "
        "got 2 longer (the longest has 1,300). Choose smaller sizes, or set long_chunks to average or "
        "truncate."
    )


def test_texts_within_the_window_are_not_refused():
    refuse_long(np.array([256, 3]), 256, "document")
    refuse_long(np.array([10_000]), None, "document")
    refuse_long(np.array([], dtype=np.int64), 256, "query")
