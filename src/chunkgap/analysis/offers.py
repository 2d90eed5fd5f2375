"""What a ranking of documents can give a reader: the retrieved chunks of several runs, each document's best first."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis.runs import Run, Text
from chunkgap.chunking import end_after

Integers = NDArray[np.int64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Offers:
    """The retrieved chunks of several runs over the same Q queries, sorted once, when they are first asked for.

    An offer is one retrieved chunk, known by its number. Those of one query and document follow one another: score
    descending; ties: the smaller chunk, the earlier one, the earlier run.

    Attributes:
        runs: One or more.
    """

    runs: Sequence[Run]

    @property
    def have_text(self) -> bool:
        """Whether all runs say where their chunks lie."""
        return all(run.text is not None for run in self.runs)

    @cached_property
    def listed(self) -> "Listed":
        """The offers themselves.

        Raises:
            ValueError: A run has no text.
        """
        return Listed.of(self.runs, self._texts)

    def of_documents(self, document: NDArray[np.int32]) -> tuple[Rows, Rows]:
        """The offers of ranked documents.

        Args:
            document: (Q, M), rows in the corpus, -1 in the padding.

        Returns:
            First offer, and number of offers, of the document at each place, both (Q, M); 0 where it has none.
        """
        keys, starts, counts = self._groups
        query, place = np.nonzero((document >= 0) & (document < self._stride))
        wanted = query * self._stride + document[query, place]
        at = np.searchsorted(keys, wanted)
        known = at < len(keys)
        known[known] = keys[at[known]] == wanted[known]
        query, place, at = query[known], place[known], at[known]
        first, count = np.zeros((2, *document.shape), dtype=np.intp)
        first[query, place], count[query, place] = starts[at], counts[at]
        return first, count

    def smallest(self, queries: int, *, most: int) -> Integers:
        """Tokens of the smallest offer of each of so many queries, (Q,); `most` where there is none as small."""
        found = np.full(queries, most, dtype=np.int64)
        starts = np.flatnonzero(np.diff(self.listed.query, prepend=-1))
        if len(starts):
            found[self.listed.query[starts]] = np.minimum.reduceat(self.listed.tokens, starts).clip(max=most)
        return found

    def end_of_part(self, offer: int, tokens: int) -> int:
        """Past the last code point of the first so many tokens of an offer."""
        text = self._texts[self.listed.run[offer]]
        return end_after(text.offsets, text.table, int(self.listed.chunk[offer]), tokens)

    @cached_property
    def _texts(self) -> list[Text]:
        texts = [run.text for run in self.runs if run.text is not None]
        if len(texts) < len(self.runs):
            raise ValueError("a run names documents only, so no token budget can be filled")
        return texts

    @cached_property
    def _stride(self) -> int:
        """What a query's row is multiplied by to make one key of query and document."""
        return 1 + int(self.listed.document.max(initial=0))

    @cached_property
    def _groups(self) -> tuple[Integers, Rows, Rows]:
        """Key, first offer and number of offers of each query and document, ascending."""
        key = self.listed.query * self._stride + self.listed.document
        starts = np.flatnonzero(np.diff(key, prepend=-1))
        return key[starts], starts, np.diff(starts, append=len(key))


@dataclass(frozen=True, eq=False)
class Listed:
    """Offers in their order, one array of shape (offers,) for each thing that is known of them.

    Attributes:
        query, document: Rows.
        start, end: First code point, and past the last.
        tokens: Their number.
        run: Which run an offer comes from.
        chunk: Its row in that run's table.
    """

    query: Integers
    document: Integers
    start: Integers
    end: Integers
    tokens: Integers
    run: Integers
    chunk: Integers

    @classmethod
    def of(cls, runs: Sequence[Run], texts: Sequence[Text]) -> "Listed":
        """Sort the chunks of runs, whose texts are given beside them."""
        chunks = [run.ranking.chunk for run in runs]
        tables = [(text.table, chunk.clip(min=0)) for text, chunk in zip(texts, chunks, strict=True)]
        chunk = np.hstack(chunks)
        document = np.hstack([run.ranking.document for run in runs])
        score = np.hstack([run.ranking.score for run in runs])
        tokens = np.hstack([run.ranking.tokens for run in runs])
        start = np.hstack([table.start[rows] for table, rows in tables])
        end = np.hstack([table.end[rows] for table, rows in tables])
        run = np.broadcast_to(np.repeat(np.arange(len(runs)), [c.shape[1] for c in chunks]), chunk.shape)
        order = np.lexsort((run, start, tokens, -score, document), axis=-1)
        order = order[chunk[np.arange(len(chunk))[:, None], order] >= 0]
        query = np.repeat(np.arange(len(chunk)), (chunk >= 0).sum(axis=1))
        return cls(
            query,
            *(values[query, order].astype(np.int64) for values in (document, start, end, tokens, run, chunk)),
        )
