import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkgap.checking.forecasts import BYTES_OF_MODEL, Windows, forecast, index_bytes, vector_bytes
from chunkgap.chunking import windows
from chunkgap.config import Settings, load_settings
from chunkgap.index.hnsw import HnswIndex
from chunkgap.records import Scale


def cut(size: int, *tokens: int, overlap: int = 0) -> Windows:
    return Windows(Scale(str(size), size, overlap), np.array(tokens))


@given(st.integers(0, 400), st.integers(1, 60), st.data())
def test_windows_are_counted_as_they_are_cut(tokens: int, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    ranges = windows(tokens, size, overlap)
    found = cut(size, tokens, overlap=overlap)
    assert found.chunks.tolist() == [len(ranges)]
    assert found.read.tolist() == [int((ranges[:, 1] - ranges[:, 0]).sum())]


def test_vectors_take_their_dimension_in_bytes() -> None:
    assert vector_bytes(10, 384, "float32") == 10 * 384 * 4
    assert vector_bytes(10, 384, "float16") == 10 * 384 * 2


def test_the_index_is_about_as_large_as_hnswlib_makes_it() -> None:
    vectors = np.random.default_rng(1).normal(size=(2000, 48)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    real = HnswIndex.build(vectors, m=16, ef_construction=40, seed=1).size_bytes
    assert index_bytes(2000, 48, 16) == pytest.approx(real, rel=0.05)


def settings(**keys: object) -> Settings:
    return load_settings(None, {"phases": 2, **keys})


def test_a_document_of_one_chunk_is_embedded_once_for_all_sizes_and_placements() -> None:
    cuts = [cut(10, 5, 40), cut(20, 5, 40)]
    found = forecast(cuts, settings(), characters=100, dimension=4, seconds_per_token=None)
    assert found.vectors == 1 + 2 * (4 + 2)  # the short one; 40 / 10 and 40 / 20 in two placements
    assert found.vector_bytes == 13 * 4 * 4
    assert found.seconds is None


def test_seconds_follow_the_speed_of_each_size() -> None:
    cuts = [cut(10, 40), cut(20, 40)]
    found = forecast(cuts, settings(), characters=100, dimension=4, seconds_per_token=(0.5, 0.25))
    assert found.seconds == 2 * 40 * 0.5 + 2 * 40 * 0.25


def test_memory_is_text_offsets_vectors_model_and_the_indexes_held_at_once() -> None:
    def memory(index: str, workers: int) -> int:
        chosen = settings(**{"retrieval.index": index, "phases": 4, "workers": workers})
        cuts = [cut(10, 40), cut(20, 40)]  # 4 chunks and 2, each in four placements
        found = forecast(cuts, chosen, characters=100, dimension=4, seconds_per_token=None)
        return found.memory_bytes - 100 - 40 * 8 - BYTES_OF_MODEL

    distinct, first = 4 * (4 + 2), 4 + 2  # the first placement of each size stays
    for workers, side_by_side in ((1, 4), (2, 4 + 4), (4, 4 + 4 + 4 + 2), (99, 3 * (4 + 2))):
        held = first + side_by_side
        assert memory("exact", workers) == (distinct + held) * 4 * 4
        assert memory("hnsw", workers) == memory("exact", workers) + index_bytes(held, 4, 16)
