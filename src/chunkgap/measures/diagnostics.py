"""What explains a winner: how many places the retrieved text comes from, and how often it repeats itself."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkgap.measures.ratio import ratio
from chunkgap.measures.retrieved import Retrieved
from chunkgap.measures.unions import Ranges, lengths, unions


@dataclass(frozen=True, slots=True, eq=False)
class Diversity:
    """Where the text inside a cutoff comes from, one number per query, each of shape (Q,).

    Attributes:
        documents: Distinct documents.
        regions: Distinct source regions: pieces without a hole that the united chunks form. Chunks that
            overlap or touch are one region.
        redundancy: Characters of the chunks added up / characters of their union: 1 when no text is repeated,
            2 when all of it comes twice. NaN for a query without results.
    """

    documents: NDArray[np.int64]
    regions: NDArray[np.int64]
    redundancy: NDArray[np.float64]


def diversity(retrieved: Retrieved) -> Diversity:
    """Counts documents, regions and repetition among the chunks inside the cutoff.

    >>> chunks = Retrieved(*(np.array([row]) for row in ([0, 0, 4], [0, 50, 0], [100, 150, 50], [True] * 3)))
    >>> found = diversity(chunks)
    >>> found.documents.tolist(), found.regions.tolist(), found.redundancy.tolist()
    ([2], [2], [1.25])
    """
    chunks = retrieved.ranges()
    united = unions(chunks, queries=len(retrieved))
    return Diversity(
        documents=_distinct_documents(chunks, queries=len(retrieved)),
        regions=united.regions,
        redundancy=ratio(lengths(chunks, queries=len(retrieved)), united.length),
    )


def _distinct_documents(chunks: Ranges, *, queries: int) -> NDArray[np.int64]:
    documents = chunks.document.max(initial=0) + 1
    pairs = np.unique(chunks.query * documents + chunks.document)
    return np.bincount(pairs // documents, minlength=queries)
