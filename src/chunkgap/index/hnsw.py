"""HNSW search by hnswlib, which is known to this module alone.

Malkov, Yashunin, "Efficient and robust approximate nearest neighbor search using Hierarchical Navigable Small
World graphs", 2016 (arXiv 1603.09320). The graph proposes rows; their scores come from `scoring`, as for
exact search.
"""

import importlib.metadata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chunkgap.errors import ConfigError
from chunkgap.index import Hits
from chunkgap.index.exact import ExactIndex
from chunkgap.index.scoring import best_of, pair_scores, search_defined

SHARE_WANTED = 0.999
"""Share of the exact hits that an automatic `ef` must find."""

_SPARE = 16
"""Hits fetched beyond the depth, so that rows tied at the cut are ordered here and not by the graph."""

_ADDED_AT_ONCE = 1000

_COMPARED_AT_ONCE = 64
"""Queries between two looks at whether an `ef` can still do."""


class _Graph(Protocol):
    """What is used of `hnswlib.Index`."""

    def init_index(
        self,
        max_elements: int,
        M: int,  # noqa: N803
        ef_construction: int,
        random_seed: int,
    ) -> None: ...
    def add_items(self, data: NDArray[np.float32], ids: NDArray[np.intp], num_threads: int) -> None: ...
    def knn_query(
        self, data: NDArray[np.float32], k: int, num_threads: int
    ) -> tuple[NDArray[np.uint64], NDArray[np.float32]]: ...
    def set_ef(self, ef: int) -> None: ...
    def save_index(self, path: str) -> None: ...
    def load_index(self, path: str) -> None: ...
    def get_current_count(self) -> int: ...
    def index_file_size(self) -> int: ...


@dataclass(frozen=True, slots=True)
class EfReport:
    """How well an index agrees with exact search.

    Attributes:
        ef: The search breadth in force.
        share_found: Share in [0, 1] of the exact hits that were found; 1 when there was nothing to find.
        queries_missing: Queries of which at least one exact hit was not found.
        fallbacks: Queries that the graph could not answer and exact search did.
    """

    ef: int
    share_found: float
    queries_missing: int
    fallbacks: int


class HnswIndex:
    """An approximate index; make one with `build` or `load`.

    Zero vectors, whose cosine is undefined, stay out of the graph and come after all others.

    Attributes:
        vectors: (n, d) what it was built of.
        ef: The search breadth; searching deeper widens it for that search.
        threads: Threads of a search, -1 for all cores; results do not depend on it.
        fallbacks: Queries so far for which the graph held fewer reachable rows than asked, and which exact
            search answered instead.
    """

    def __init__(
        self, vectors: NDArray[np.float32], graph: _Graph, *, ef: int = 200, threads: int = -1
    ) -> None:
        self.vectors = vectors
        self._undefined = np.flatnonzero(~vectors.any(axis=1))
        self._reachable = len(vectors) - len(self._undefined)
        self._graph = graph
        self.threads = threads
        self.fallbacks = 0
        self.ef = ef

    @classmethod
    def build(
        cls,
        vectors: NDArray[np.float32],
        *,
        m: int,
        ef_construction: int,
        seed: int,
        advance: Callable[[int], None] = lambda _vectors: None,
    ) -> "HnswIndex":
        """Build the graph on one thread in row order, so that the same vectors always give the same graph.

        Args:
            vectors: (n, d) distinct unit vectors, or zero vectors where undefined; n may be 0.
            m: Links of a node and layer.
            ef_construction: Breadth of the search for a new node's neighbours.
            seed: Of the random levels.
            advance: Called with the number of vectors added, every thousand or so.

        Raises:
            ConfigError: hnswlib is not installed.
        """
        vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        rows = np.flatnonzero(vectors.any(axis=1))
        graph = _new_graph(vectors.shape[1])
        graph.init_index(max_elements=len(rows), M=m, ef_construction=ef_construction, random_seed=seed)
        for start in range(0, len(rows), _ADDED_AT_ONCE):  # in slices, so that Ctrl-C is heard between them
            added = rows[start : start + _ADDED_AT_ONCE]
            graph.add_items(vectors[added], added, num_threads=1)
            advance(len(added))
        if graph.get_current_count() != len(rows):
            raise RuntimeError(f"{graph.get_current_count()} vectors in the index, not {len(rows)}")
        return cls(vectors, graph)

    @classmethod
    def load(cls, vectors: NDArray[np.float32], path: Path) -> "HnswIndex":
        """Read a graph that `save` wrote for the same vectors.

        Raises:
            ConfigError: hnswlib is not installed.
            RuntimeError: The file is not such a graph, or holds another number of vectors.
        """
        vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        graph = _new_graph(vectors.shape[1])
        graph.load_index(str(path))
        index = cls(vectors, graph)  # also sets ef, which the file does not hold (nmslib/hnswlib#358)
        if graph.get_current_count() != index._reachable:
            raise RuntimeError(f"{graph.get_current_count()} vectors, not {index._reachable}")
        return index

    def save(self, path: Path) -> None:
        """Write the graph.

        Raises:
            OSError: The file could not be written whole; hnswlib itself does not notice a full disk.
            RuntimeError: The file could not be opened.
        """
        self._graph.save_index(str(path))
        if path.stat().st_size != self.size_bytes:
            raise OSError(f"{path.stat().st_size} of {self.size_bytes} bytes written")

    @property
    def size_bytes(self) -> int:
        """Bytes of the index as a file, its copy of the vectors included."""
        return self._graph.index_file_size()

    @property
    def ef(self) -> int:
        """The search breadth."""
        return self._ef

    @ef.setter
    def ef(self, ef: int) -> None:
        self._ef = ef
        self._graph.set_ef(ef)

    def __len__(self) -> int:
        """How many vectors it holds, zero vectors included."""
        return len(self.vectors)

    def search(self, queries: NDArray[np.float32], depth: int) -> Hits:
        """Find the nearest vectors of each query, nearly always; see `Index.search`."""
        return search_defined(queries, min(depth, len(self)), self._search_defined)

    def _search_defined(self, queries: NDArray[np.float32], k: int) -> Hits:
        proposed = self._propose(queries, min(k + _SPARE, self._reachable))
        if proposed.shape[1] < k:
            zeros = np.broadcast_to(self._undefined, (len(queries), len(self._undefined)))
            proposed = np.concatenate([proposed, zeros], axis=1)
        query, row = np.repeat(np.arange(len(queries)), proposed.shape[1]), proposed.ravel()
        scores = pair_scores(queries, self.vectors, query, row)
        return best_of(query, row, scores, queries=len(queries), depth=k)

    def _propose(self, queries: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        """Rows (Q, count) from the graph; a query that it cannot fill is searched exactly."""
        if not count:
            return np.empty((len(queries), 0), dtype=np.int64)
        try:
            return self._graph.knn_query(queries, k=count, num_threads=self.threads)[0].astype(np.int64)
        except RuntimeError as error:
            # one query that reaches too few rows fails the whole batch (nmslib/hnswlib#244)
            if "contiguous" not in str(error):
                raise
        if len(queries) > 1:
            return np.concatenate([self._propose(query[None], count) for query in queries])
        self.fallbacks += 1
        return ExactIndex(self.vectors).search(queries, count)[0].astype(np.int64)


def tune_ef(
    index: HnswIndex,
    queries: NDArray[np.float32],
    exact_scores: NDArray[np.float64],
    *,
    depth: int,
    ef: int | None = None,
) -> tuple[EfReport, Hits]:
    """Raise the index's `ef` until it agrees with exact search, or report on a given one.

    It starts at max(200, 2 x depth) and doubles until `SHARE_WANTED` of the exact hits are found or it
    reaches the number of vectors. A found row counts when its score is not below the last exact one: tied
    rows are as good as one another.

    Args:
        index: Left with the `ef` that is reported.
        queries: (Q, d).
        exact_scores: (Q, k) what `ExactIndex.search` gives to `depth`, k = min(depth, n).
        depth: Hits per query.
        ef: Fixed by the user; None raises it.

    Returns:
        The report, and what the index found at that `ef`, as `search` gives it.
    """
    index.ef = max(200, 2 * depth) if ef is None else ef
    while True:
        last = ef is not None or index.ef >= len(index)
        found = _agreement(index, queries, exact_scores, depth, wanted=0.0 if last else SHARE_WANTED)
        if found is not None:
            return found
        index.ef = min(2 * index.ef, len(index))


def library_version() -> str:
    """The version of hnswlib, which the files of an index depend on.

    Raises:
        ConfigError: hnswlib is not installed.
    """
    try:
        return importlib.metadata.version("hnswlib")
    except ImportError as error:
        raise _missing_library(error) from error


def _agreement(
    index: HnswIndex,
    queries: NDArray[np.float32],
    exact_scores: NDArray[np.float64],
    depth: int,
    *,
    wanted: float,
) -> tuple[EfReport, Hits] | None:
    """Search all queries; None, and no query more than that takes, where the share found stays below `wanted`."""
    before, missed = index.fallbacks, np.zeros(len(queries), dtype=np.int64)
    rows, scores = np.empty(exact_scores.shape, np.int32), np.empty(exact_scores.shape)
    for start in range(0, len(queries), _COMPARED_AT_ONCE):
        part = slice(start, start + _COMPARED_AT_ONCE)
        rows[part], scores[part] = index.search(queries[part], depth)
        missed[part] = (scores[part] < exact_scores[part, -1:]).sum(axis=1)
        if _share(scores.size - missed.sum(), scores.size) < wanted:
            return None
    report = EfReport(
        ef=index.ef,
        share_found=_share(scores.size - missed.sum(), scores.size),
        queries_missing=int((missed > 0).sum()),
        fallbacks=index.fallbacks - before,
    )
    return report, (rows, scores)


def _share(part: int, whole: int) -> float:
    return float(part / whole) if whole else 1.0


def _new_graph(dimension: int) -> _Graph:
    try:
        import hnswlib
    except ImportError as error:
        raise _missing_library(error) from error
    graph: _Graph = hnswlib.Index(space="cosine", dim=dimension)
    return graph


def _missing_library(error: ImportError) -> ConfigError:
    return ConfigError(
        f"retrieval.index: expected hnswlib to be installed, got {type(error).__name__}. "
        "Set `index: exact`, or install a C++ compiler and `pip install hnswlib`."
    )
