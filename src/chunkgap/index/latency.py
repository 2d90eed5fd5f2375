"""How long a single query takes, warm, over one index and over the indexes of several scales."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from chunkgap.index import Index

_WARM_UP = 5  # searches that are not timed: the first ones find nothing in the caches of the processor
_ENOUGH_SECONDS = (
    0.5  # of timed searches, for slow ones: exact search over a million vectors takes a second for ten
)
_FEWEST = 10


def latency_in_turn(
    indexes: Sequence[Index], queries: NDArray[np.float32], *, depth: int, repeats: int = 3
) -> NDArray[np.float64]:
    """Time one query after another, each over all indexes, one after the other.

    Args:
        indexes: What is searched, one or more.
        queries: (Q, d).
        depth: Vectors fetched.
        repeats: Times each query is measured, after a few that are not; slow searches are not all timed.

    Returns:
        Seconds (n, indexes) of n queries, at most repeats x Q, for percentiles over all of them; the sum of a row is
        what the query takes over all.
    """

    def search(query: NDArray[np.float32]) -> list[float]:
        return [_seconds(partial(index.search, query, depth)) for index in indexes]

    return _timed(search, queries, repeats)


def latency_in_parallel(
    indexes: Sequence[Index], queries: NDArray[np.float32], *, depth: int, repeats: int = 3
) -> NDArray[np.float64]:
    """Time each query over all indexes at once, each in a thread of its own: seconds (n,), else as above."""
    with ThreadPoolExecutor(max_workers=max(1, len(indexes))) as pool:

        def search(query: NDArray[np.float32]) -> None:
            for found in [pool.submit(index.search, query, depth) for index in indexes]:
                found.result()

        return _timed(lambda query: [_seconds(partial(search, query))], queries, repeats)[:, 0]


def _timed(
    search: Callable[[NDArray[np.float32]], list[float]], queries: NDArray[np.float32], repeats: int
) -> NDArray[np.float64]:
    """What `search` tells of each query in turn, (n, told)."""
    for position in range(min(_WARM_UP, len(queries))):
        search(queries[position : position + 1])
    seconds: list[list[float]] = []
    began = time.perf_counter()
    for position in repeats * list(range(len(queries))):
        seconds.append(search(queries[position : position + 1]))
        if len(seconds) >= _FEWEST and time.perf_counter() - began > _ENOUGH_SECONDS:
            break
    return np.array(seconds)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
