"""Vectors that tests of the index share."""

import numpy as np
from numpy.typing import NDArray


def unit(rows: NDArray[np.floating] | list[list[float]]) -> NDArray[np.float32]:
    """Rows of length 1; rows of zeros stay."""
    rows = np.asarray(rows, dtype=np.float64)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(length == 0, 1, length)).astype(np.float32)


def clustered(count: int, *, dimension: int = 16, seed: int = 0) -> NDArray[np.float32]:
    """Unit vectors in clusters, as embeddings of text are."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((max(1, count // 20), dimension))
    near = centres[random.integers(0, len(centres), count)]
    return unit(near + 0.5 * random.standard_normal((count, dimension)))
