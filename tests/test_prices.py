from types import SimpleNamespace

import numpy as np
import pytest

from chunkgap.index import latency
from chunkgap.prices import Latencies, latencies


class Instant:
    """An index that finds nothing."""

    def search(self, queries: np.ndarray, depth: int) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((1, depth), np.int32), np.zeros((1, depth))


def timed(queries: int) -> Latencies:
    searched = [SimpleNamespace(index=Instant())] * 2
    return latencies(searched, np.ones((queries, 1), np.float32), depth=1)  # type: ignore[arg-type]


def searches(found: Latencies) -> list[int | None]:
    return [one.searches for one in (*found.scales, found.in_turn, found.in_parallel)]


def test_the_first_fifty_queries_are_timed_twice_each() -> None:
    assert searches(timed(3)) == [3 * 2] * 4
    assert searches(timed(70)) == [50 * 2] * 4


def test_slow_searches_are_counted_as_far_as_they_were_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latency, "_ENOUGH_SECONDS", 0.0)
    assert searches(timed(50)) == [10] * 4
