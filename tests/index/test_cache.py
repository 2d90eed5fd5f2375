import json
import multiprocessing
import os
import pickle
import time
from pathlib import Path

import numpy as np
import pytest

from chunkgap.index import files
from chunkgap.index.cache import CachedIndex, cached_index
from chunkgap.index.hnsw import HnswIndex

from .vectors import clustered

VECTORS = clustered(300)
QUERIES = clustered(10, seed=1)
EXPECTED = HnswIndex.build(VECTORS, m=8, ef_construction=50, seed=13).search(QUERIES, 5)[0].tolist()


def opened(folder: Path | None, vectors: np.ndarray = VECTORS, **changed: int) -> CachedIndex:
    parameters = {"m": 8, "ef_construction": 50, "seed": 13} | changed
    return cached_index(vectors, folder=folder, **parameters)


def test_an_index_is_built_once(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    first, second = opened(folder), opened(folder)
    assert (first.hit, second.hit) == (False, True)
    assert (first.warning, second.warning) == ("", "")
    assert first.index.search(QUERIES, 5)[0].tolist() == EXPECTED
    assert second.index.search(QUERIES, 5)[0].tolist() == EXPECTED


def test_what_the_building_took_is_kept_with_an_index(tmp_path: Path) -> None:
    first, second = opened(tmp_path), opened(tmp_path)
    assert first.build_seconds is not None
    assert first.build_seconds > 0
    assert second.build_seconds == first.build_seconds
    sidecar = next(tmp_path.glob("*.json"))
    described = json.loads(sidecar.read_text())
    described.pop("build_seconds")
    for unknown in ({}, {"build_seconds": "long"}):  # of before it was kept, or meddled with
        sidecar.write_text(json.dumps(described | unknown))
        again = opened(tmp_path)
        assert (again.hit, again.build_seconds) == (True, None)


def test_no_folder_keeps_nothing() -> None:
    assert not opened(None).hit


def test_only_whole_files_are_left(tmp_path: Path) -> None:
    opened(tmp_path)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".hnsw", ".json"]


def test_indexes_used_longest_ago_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = {seed: opened(tmp_path, seed=seed).index.size_bytes for seed in (1, 2, 3)}
    paths = sorted(tmp_path.glob("*.hnsw"), key=lambda path: path.stat().st_mtime_ns)
    hours = 3600 * np.array([9, 8, 7])
    for path, age in zip(paths, hours, strict=True):
        os.utime(path, (time.time() - age, time.time() - age))
    assert opened(tmp_path, seed=1).hit  # the oldest file, now the one used last
    monkeypatch.setattr(files, "MOST_BYTES", int(3.5 * max(made.values())))
    assert not opened(tmp_path, seed=4).hit
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".hnsw"] * 3 + [".json"] * 3
    assert [opened(tmp_path, seed=seed).hit for seed in (1, 3, 4)] == [True] * 3


def test_an_index_in_use_is_kept_however_large_all_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 1)
    assert [opened(tmp_path, seed=seed).hit for seed in (1, 2, 1, 2)] == [False, False, True, True]


def test_what_a_killed_process_left_half_made_is_removed_once_it_is_old(tmp_path: Path) -> None:
    for name, age in ((".making-old", 2 * 3600), (".making-new", 60)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "torn.hnsw").write_bytes(b"torn")
        os.utime(tmp_path / name, (time.time() - age, time.time() - age))
    opened(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == [".making-new"]


@pytest.mark.parametrize("changed", [{"m": 9}, {"ef_construction": 51}, {"seed": 14}])
def test_other_parameters_are_another_index(tmp_path: Path, changed: dict[str, int]) -> None:
    opened(tmp_path)
    assert not opened(tmp_path, **changed).hit


def test_other_vectors_are_another_index(tmp_path: Path) -> None:
    opened(tmp_path)
    grown = np.concatenate([VECTORS, clustered(1, seed=5)])
    index = opened(tmp_path, grown)
    assert not index.hit
    assert index.index.search(grown[-1:], 1)[0].tolist() == [[300]]
    reshaped = opened(tmp_path, VECTORS.reshape(600, 8))
    assert (reshaped.hit, reshaped.warning) == (False, "")


@pytest.mark.parametrize("suffix", [".hnsw", ".json"])
@pytest.mark.parametrize(
    "content",
    [b"", b"torn", pickle.dumps({"planted": 1}), b'{"sha256": "0", "vectors": 300}', b"[" * 100_000],
)
def test_a_file_that_is_not_whole_is_made_again(tmp_path: Path, suffix: str, content: bytes) -> None:
    opened(tmp_path)
    next(tmp_path.glob(f"*{suffix}")).write_bytes(content)
    again = opened(tmp_path)
    assert not again.hit
    assert again.warning.endswith("It was made again.")
    assert "\n" not in again.warning
    assert again.index.search(QUERIES, 5)[0].tolist() == EXPECTED
    assert opened(tmp_path).hit


def test_a_file_that_was_half_written_is_made_again(tmp_path: Path) -> None:
    opened(tmp_path)
    file = next(tmp_path.glob("*.hnsw"))
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    assert "expected a whole index" in opened(tmp_path).warning
    assert opened(tmp_path).hit


def test_a_planted_index_of_fewer_vectors_is_made_again(tmp_path: Path) -> None:
    from chunkgap.index.cache import _description

    opened(tmp_path)
    file = next(tmp_path.glob("*.hnsw"))
    HnswIndex.build(VECTORS[:7], m=8, ef_construction=50, seed=13).save(file)
    file.with_suffix(".json").write_text(json.dumps(_description(file, 300)))
    again = opened(tmp_path)
    assert "7 vectors, not 300" in again.warning
    assert again.index.search(QUERIES, 5)[0].tolist() == EXPECTED


def test_an_index_without_its_description_is_made_again_in_silence(tmp_path: Path) -> None:
    opened(tmp_path)
    next(tmp_path.glob("*.json")).unlink()
    again = opened(tmp_path)
    assert (again.hit, again.warning) == (False, "")


def test_a_folder_that_cannot_be_written_is_no_reason_to_stop(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    index = opened(tmp_path / "file")
    assert index.warning == (
        f"{tmp_path / 'file'}: expected to keep indexes, got a fault: file exists. They are made anew each time."
    )
    assert index.index.search(QUERIES, 5)[0].tolist() == EXPECTED
    assert opened(tmp_path / "file", seed=14).warning == index.warning  # told once of many indexes


def test_a_hit_advances_by_all_vectors(tmp_path: Path) -> None:
    done: list[int] = []
    for _ in range(2):
        cached_index(VECTORS, m=8, ef_construction=50, seed=13, folder=tmp_path, advance=done.append)
    assert done == [300, 300]


def test_processes_can_share_a_folder(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(_fill_ten_folders, [tmp_path, tmp_path])
    assert found == [[(EXPECTED, "")] * 10] * 2
    assert all(opened(tmp_path / str(number)).hit for number in range(10))


def _fill_ten_folders(folder: Path) -> list[tuple[list[list[int]], str]]:
    indexes = [opened(folder / str(number)) for number in range(10)]
    return [(cached.index.search(QUERIES, 5)[0].tolist(), cached.warning) for cached in indexes]
