"""The input of analysis: everything that was retrieved, and everything to judge it by."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis.offers import Offers
from chunkgap.analysis.runs import Labels, Run
from chunkgap.results import ScaleFacts


@dataclass(frozen=True, eq=False)
class Retrieval:
    """All runs of one measurement.

    Attributes:
        scales: The scales and their prices, W.
        runs: `[scale][phase]`, over the same Q queries.
        labels: The judgements of these queries.
        doc_ids: The corpus, ascending.
        query_vectors: `(Q, d)`, what the router may look at; None for `score`.
        document_tokens: Tokens of each document; empty for `score`.
        deeper: The best fixed scale's list at W times the depth, None where that was not retrieved.
        matched: W phases of the best fixed scale for `placebo: matched`, else empty.
        whole: Whether the corpus itself is known; `score` knows only what run files and judgements name of it, and
            neither its size nor what its vectors cost.
    """

    scales: tuple[ScaleFacts, ...]
    runs: tuple[tuple[Run, ...], ...]
    labels: Labels
    doc_ids: Sequence[str]
    query_vectors: NDArray[np.float32] | None = None
    document_tokens: tuple[int, ...] = ()
    deeper: Run | None = None
    matched: tuple[Run, ...] = ()
    whole: bool = True

    @property
    def first(self) -> tuple[Run, ...]:
        """Phase 0 of each scale: what a production index would hold."""
        return tuple(phases[0] for phases in self.runs)

    @cached_property
    def offers(self) -> Offers:
        """The chunks of phase 0 of all scales, for every ranking of documents that fusion makes of them."""
        return Offers(self.first)

    @cached_property
    def by_size(self) -> tuple[int, ...]:
        """Rows of the scales, the smallest size first; in the given order where a scale has no size."""
        sizes = [scale.size for scale in self.scales if scale.size is not None]
        if len(sizes) < len(self.scales):
            return tuple(range(len(self.scales)))
        return tuple(np.argsort(sizes, kind="stable").tolist())

    @cached_property
    def documents_with_chunks(self) -> int:
        """Documents that can be found at all: those with text to cut, or all where there are run files alone."""
        tables = [run.text.table for run in self.first if run.text is not None]
        return len(np.unique(tables[0].document)) if tables else len(self.doc_ids)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the scales."""
        return tuple(scale.name for scale in self.scales)

    @property
    def vectors(self) -> tuple[int, ...]:
        """Distinct vectors in the index of each scale."""
        return tuple(scale.phases[0].vectors for scale in self.scales)
