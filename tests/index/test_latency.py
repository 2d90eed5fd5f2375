import threading
from collections.abc import Callable

import numpy as np
import pytest

from chunkgap.index import latency as module
from chunkgap.index.latency import latency_in_parallel, latency_in_turn


class Clocked:
    """An index that notes what it is asked, and meets the others at a barrier when it has one."""

    def __init__(self, barrier: threading.Barrier | None = None) -> None:
        self.asked: list[tuple[list[float], int]] = []
        self.barrier = barrier

    def __len__(self) -> int:
        return 1

    def search(self, queries: np.ndarray, depth: int) -> tuple[np.ndarray, np.ndarray]:
        self.asked.append((queries[:, 0].tolist(), depth))
        if self.barrier:
            self.barrier.wait(timeout=10)
        return np.zeros((1, 1), np.int32), np.zeros((1, 1))


QUERIES = np.array([[1.0], [2.0]], dtype=np.float32)
A_ROUND = [([1.0], 7), ([2.0], 7)]


def test_queries_are_timed_one_at_a_time_after_a_warm_round() -> None:
    index = Clocked()
    seconds = latency_in_turn([index], QUERIES, depth=7, repeats=2)
    assert index.asked == A_ROUND * 3
    assert seconds.shape == (4, 1)
    assert (seconds > 0).all()


@pytest.mark.parametrize("measured", [latency_in_turn, latency_in_parallel])
def test_every_scale_is_asked_every_query(measured: Callable[..., np.ndarray]) -> None:
    indexes = [Clocked(), Clocked(), Clocked()]
    assert len(measured(indexes, QUERIES, depth=7, repeats=1)) == 2
    assert [index.asked for index in indexes] == [A_ROUND * 2] * 3


def test_slow_searches_are_not_all_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    index = Clocked()
    monkeypatch.setattr(module, "_ENOUGH_SECONDS", 0.0)
    assert latency_in_turn([index], np.ones((50, 1), np.float32), depth=1, repeats=2).shape == (10, 1)
    assert len(index.asked) == 5 + 10


def test_parallel_searches_run_at_the_same_time() -> None:
    barrier = threading.Barrier(2)
    latency_in_parallel([Clocked(barrier), Clocked(barrier)], QUERIES, depth=7, repeats=1)
    assert not barrier.broken
