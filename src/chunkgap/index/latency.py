"""How long a single query takes, warm, over one index and over the indexes of several scales."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from chunkgap.index import Index

_WARM_UP = 5  # searches that are not timed: the first ones find nothing in the caches of the processor
_ENOUGH_SECONDS = (
    1.0  # of timed searches, for slow ones: exact search over a million vectors takes a second for ten
)
_FEWEST = 10


def latency(
    index: Index, queries: NDArray[np.float32], *, depth: int, repeats: int = 3
) -> NDArray[np.float64]:
    """Time the search of one query after another.

    Args:
        index: What is searched.
        queries: (Q, d).
        depth: Vectors fetched.
        repeats: Times each query is measured, after a few that are not; slow searches are not all timed.

    Returns:
        Seconds (n,) of n searches, at most repeats x Q, for percentiles over all of them.
    """
    return _timed(lambda query: index.search(query, depth), queries, repeats)


def latency_in_turn(
    indexes: Sequence[Index], queries: NDArray[np.float32], *, depth: int, repeats: int = 3
) -> NDArray[np.float64]:
    """Time each query over all indexes, one after the other; as `latency`."""

    def search(query: NDArray[np.float32]) -> None:
        for index in indexes:
            index.search(query, depth)

    return _timed(search, queries, repeats)


def latency_in_parallel(
    indexes: Sequence[Index], queries: NDArray[np.float32], *, depth: int, repeats: int = 3
) -> NDArray[np.float64]:
    """Time each query over all indexes at once, each in a thread of its own; as `latency`."""
    with ThreadPoolExecutor(max_workers=max(1, len(indexes))) as pool:

        def search(query: NDArray[np.float32]) -> None:
            for found in [pool.submit(index.search, query, depth) for index in indexes]:
                found.result()

        return _timed(search, queries, repeats)


def _timed(
    search: Callable[[NDArray[np.float32]], object], queries: NDArray[np.float32], repeats: int
) -> NDArray[np.float64]:
    for position in range(min(_WARM_UP, len(queries))):
        search(queries[position : position + 1])
    seconds: list[float] = []
    for position in repeats * list(range(len(queries))):
        start = time.perf_counter()
        search(queries[position : position + 1])
        seconds.append(time.perf_counter() - start)
        if len(seconds) >= _FEWEST and sum(seconds) > _ENOUGH_SECONDS:
            break
    return np.array(seconds)
