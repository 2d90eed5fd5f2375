import importlib.metadata
import sys
from pathlib import Path

import numpy as np
import pytest

from chunkgap.errors import ConfigError
from chunkgap.index.cache import cached_index
from chunkgap.index.exact import ExactIndex
from chunkgap.index.hnsw import EfReport, HnswIndex, library_version, tune_ef
from chunkgap.index.scoring import UNDEFINED

from .vectors import clustered, unit

PARAMETERS = {"m": 16, "ef_construction": 200, "seed": 13}


def test_it_finds_what_exact_search_finds_with_the_same_scores() -> None:
    vectors, queries = clustered(2000), clustered(100, seed=1)
    rows, scores = HnswIndex.build(vectors, **PARAMETERS).search(queries, 20)
    exact_rows, exact_scores = ExactIndex(vectors).search(queries, 20)
    assert rows.tolist() == exact_rows.tolist()
    assert scores.tolist() == exact_scores.tolist()


def test_the_same_vectors_give_the_same_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        HnswIndex.build(clustered(2500), **PARAMETERS).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_number_of_threads_changes_nothing() -> None:
    index, queries = HnswIndex.build(clustered(1000), **PARAMETERS), clustered(100, seed=1)
    index.ef, index.threads = 10, 1
    rows, _ = index.search(queries, 10)
    index.threads = 4
    assert index.search(queries, 10)[0].tolist() == rows.tolist()


def test_progress_counts_every_vector() -> None:
    added: list[int] = []
    HnswIndex.build(clustered(2300), **PARAMETERS, advance=added.append)
    assert added == [1000, 1000, 300]


def test_depth_above_the_number_of_vectors_gives_them_all() -> None:
    index = HnswIndex.build(unit([[0, 1], [1, 0], [1, 1]]), **PARAMETERS)
    assert index.search(unit([[1, 0]]), 50)[0].tolist() == [[1, 2, 0]]


def test_vectors_tied_at_the_cut_are_taken_by_row() -> None:
    # the last rows are a little nearer, by less than what is rounded away
    nearly_equal = unit([*([1, 6e-5 * row, 0] for row in reversed(range(12))), [1, 0, 1]])
    index = HnswIndex.build(nearly_equal, **PARAMETERS)
    rows, scores = index.search(unit([[1, 0, 0]]), 5)
    assert (rows.tolist(), scores.tolist()) == ([[0, 1, 2, 3, 4]], [[1, 1, 1, 1, 1]])


def test_many_equal_vectors_hide_nothing() -> None:
    # the lone vectors are out of the reach of a graph of 400 copies: those queries are searched exactly
    vectors = np.concatenate([np.tile(unit([[1, 0, 0]]), (400, 1)), unit([[0, 1, 0], [0, 0, 1]])])
    index = HnswIndex.build(vectors, **PARAMETERS)
    rows, scores = index.search(vectors, 402)
    exact_rows, exact_scores = ExactIndex(vectors).search(vectors, 402)
    assert rows.tolist() == exact_rows.tolist()
    assert scores.tolist() == exact_scores.tolist()


def test_a_query_that_the_graph_cannot_fill_is_searched_exactly_and_counted() -> None:
    vectors = np.concatenate([np.tile(unit([[1, 0, 0]]), (400, 1)), clustered(100, dimension=3)])
    index = HnswIndex.build(vectors, m=2, ef_construction=2, seed=13)
    index.ef = 1
    rows, _ = index.search(vectors[-20:], 500)
    assert 0 < index.fallbacks <= 20
    assert all(sorted(found) == list(range(500)) for found in rows.tolist())


def test_other_faults_of_the_library_are_not_taken_for_missing_results() -> None:
    class Broken:
        def set_ef(self, ef: int) -> None: ...

        def knn_query(self, data: np.ndarray, k: int, num_threads: int) -> None:
            raise RuntimeError("no such luck")

    with pytest.raises(RuntimeError, match="no such luck"):
        HnswIndex(unit([[1, 0], [0, 1]]), Broken()).search(unit([[1, 0]]), 1)


def test_a_zero_vector_comes_after_opposite_ones() -> None:
    index = HnswIndex.build(unit([[0, 0], [-1, 0], [1, 0]]), **PARAMETERS)
    rows, scores = index.search(unit([[1, 0]]), 3)
    assert rows.tolist() == [[2, 1, 0]]
    assert scores.tolist() == [[1, -1, UNDEFINED]]


def test_a_zero_query_finds_the_rows_in_order() -> None:
    index = HnswIndex.build(clustered(30), **PARAMETERS)
    rows, scores = index.search(np.zeros((1, 16), np.float32), 4)
    assert (rows.tolist(), scores.tolist()) == ([[0, 1, 2, 3]], [[UNDEFINED] * 4])


@pytest.mark.parametrize("vectors", [np.empty((0, 4), np.float32), np.zeros((3, 4), np.float32)])
def test_an_index_without_a_defined_vector_can_be_searched(vectors: np.ndarray) -> None:
    rows, _ = HnswIndex.build(vectors, **PARAMETERS).search(clustered(2, dimension=4), 5)
    assert rows.tolist() == [list(range(len(vectors)))] * 2


def test_a_loaded_index_searches_as_the_built_one(tmp_path: Path) -> None:
    vectors, queries = clustered(3000, dimension=64), clustered(200, dimension=64, seed=1)
    built = HnswIndex.build(vectors, m=4, ef_construction=10, seed=13)
    built.save(tmp_path / "index")
    loaded = HnswIndex.load(vectors, tmp_path / "index")
    assert loaded.ef == built.ef == 200
    assert loaded.search(queries, 5)[0].tolist() == built.search(queries, 5)[0].tolist()
    loaded.ef = 10  # what hnswlib falls back to finds something else, so the above does see the ef
    assert loaded.search(queries, 5)[0].tolist() != built.search(queries, 5)[0].tolist()


def test_an_index_of_other_vectors_is_not_loaded(tmp_path: Path) -> None:
    HnswIndex.build(clustered(10), **PARAMETERS).save(tmp_path / "index")
    with pytest.raises(RuntimeError, match="10 vectors, not 11"):
        HnswIndex.load(clustered(11), tmp_path / "index")


def test_the_size_is_that_of_the_file(tmp_path: Path) -> None:
    index = HnswIndex.build(clustered(100), **PARAMETERS)
    index.save(tmp_path / "index")
    assert index.size_bytes == (tmp_path / "index").stat().st_size


# -- ef


def test_ef_is_raised_until_the_exact_hits_are_found() -> None:
    vectors, queries = _hard(4000), _hard(100, seed=1)
    index = HnswIndex.build(vectors, m=8, ef_construction=20, seed=13)
    exact_scores = ExactIndex(vectors).search(queries, 10)[1]
    start, _ = tune_ef(index, queries, exact_scores, depth=10, ef=200)
    report, _ = tune_ef(index, queries, exact_scores, depth=10)
    assert start.share_found < 0.999 <= report.share_found
    assert report.ef in (400, 800, 1600, 3200, 4000)
    assert index.ef == report.ef


def test_a_fixed_ef_is_kept_and_its_share_reported() -> None:
    vectors, queries = _hard(4000), _hard(100, seed=1)
    index = HnswIndex.build(vectors, m=4, ef_construction=10, seed=13)
    exact_rows, exact_scores = ExactIndex(vectors).search(queries, 10)
    report, _ = tune_ef(index, queries, exact_scores, depth=10, ef=20)
    rows, _ = index.search(queries, 10)
    found = [len(set(a) & set(b)) for a, b in zip(rows.tolist(), exact_rows.tolist(), strict=True)]
    assert report == EfReport(20, sum(found) / 1000, sum(count < 10 for count in found), 0)
    assert 0 < report.share_found < 0.999


def test_ef_starts_at_twice_the_depth() -> None:
    vectors = clustered(50)
    index = HnswIndex.build(vectors, **PARAMETERS)
    exact_scores = ExactIndex(vectors).search(vectors, 300)[1]
    assert tune_ef(index, vectors, exact_scores, depth=300)[0] == EfReport(600, 1, 0, 0)


def test_a_hit_tied_with_the_last_exact_one_counts_as_found() -> None:
    vectors = unit([[1, 0], [1, 1e-8]])
    index = HnswIndex.build(vectors, **PARAMETERS)
    exact_scores = ExactIndex(vectors).search(vectors[:1], 1)[1]
    assert tune_ef(index, vectors[:1], exact_scores, depth=1)[0].share_found == 1


def _hard(count: int, seed: int = 0) -> np.ndarray:
    """Vectors without clusters in many dimensions."""
    return unit(np.random.default_rng(seed).standard_normal((count, 64)))


# -- the library


def test_a_missing_hnswlib_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hnswlib", None)
    with pytest.raises(ConfigError) as caught:
        HnswIndex.build(clustered(10), **PARAMETERS)
    assert str(caught.value) == (
        "retrieval.index: expected hnswlib to be installed, got ModuleNotFoundError. "
        "Set `index: exact`, or install a C++ compiler and `pip install hnswlib`."
    )


def test_a_missing_hnswlib_is_one_clear_line_where_indexes_are_kept_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "hnswlib", None)
    with pytest.raises(ConfigError, match=r"^retrieval.index: expected hnswlib to be installed"):
        cached_index(clustered(10), **PARAMETERS, folder=tmp_path)

    def no_such(_name: str) -> str:
        raise importlib.metadata.PackageNotFoundError

    monkeypatch.setattr(importlib.metadata, "version", no_such)
    with pytest.raises(ConfigError, match=r"^retrieval.index: expected hnswlib to be installed"):
        cached_index(clustered(10), **PARAMETERS, folder=tmp_path)


def test_the_version_of_the_library_is_known() -> None:
    assert library_version()[0].isdigit()
