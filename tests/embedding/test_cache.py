import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkgap.embedding import MemoryCache, SqliteCache
from chunkgap.embedding.cache import vector_keys

KEYS = vector_keys(["one", "two"], ["model"])
VECTORS = np.array([[1, 0, 0], [0, 0.6, 0.8]], dtype=np.float32)
PIECES = np.array([3, 4])


@pytest.mark.parametrize("make", [MemoryCache, None], ids=["memory", "sqlite"])
def test_what_was_written_is_read_back_in_the_order_asked_for(make, tmp_path):
    cache = make() if make else SqliteCache(tmp_path)
    cache.write(KEYS, VECTORS, PIECES)
    entries = cache.read([KEYS[1], b"never written...", KEYS[0]], 3)
    assert entries.found.tolist() == [True, False, True]
    assert entries.pieces.tolist() == [4, 0, 3]
    np.testing.assert_array_equal(entries.vectors, [VECTORS[1], [0, 0, 0], VECTORS[0]])
    if not make:
        cache.close()


def test_keys_tell_apart_how_the_parts_are_divided():
    keys = {
        *vector_keys(["c"], ["a", "b"]),
        *vector_keys(["c"], ["ab", ""]),
        *vector_keys(["bc"], ["a"]),
        *vector_keys(["c"], ["b", "a"]),
    }
    assert len(keys) == 4
    assert all(len(key) == 16 for key in keys)


@given(st.lists(st.text(), unique=True, max_size=20))
def test_distinct_texts_have_distinct_keys(texts):
    assert len(set(vector_keys(texts, ["model", "query"]))) == len(texts)


def test_a_lone_surrogate_has_a_key():
    assert vector_keys(["\ud83d"], []) != vector_keys(["\ud83c"], [])
