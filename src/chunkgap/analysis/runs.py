"""What analysis knows of each run: its ranked chunks, and where they lie in the text."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from chunkgap.chunking import ChunkTable, end_after
from chunkgap.measures.answer_recall import NormalisedTexts
from chunkgap.measures.evidence import Evidence
from chunkgap.measures.judgements import Judgements
from chunkgap.measures.retrieved import Retrieved
from chunkgap.ranking import Cutoff, DocumentRanking, Ranking, to_documents, within
from chunkgap.records import Query


@dataclass(frozen=True, eq=False)
class Text:
    """Where the chunks of one scale and phase lie; `score` has none of it.

    Attributes:
        table: The chunks, one row each.
        offsets: Token offsets of every document.
        corpus: Digest of the corpus that both were made from; empty where nobody compares it.
    """

    table: ChunkTable
    offsets: Sequence[NDArray[np.int64]]
    corpus: str = ""


@dataclass(frozen=True, eq=False)
class Run:
    """The ranked results of one scale in one phase, for all queries.

    Attributes:
        scale: Its name.
        ranking: The ranked chunks.
        text: Where they lie; None for `score`.
        vectors: Vectors in the index that was searched; 0 for `score`.
    """

    scale: str
    ranking: Ranking
    text: Text | None = None
    vectors: int = 0

    @cached_property
    def documents(self) -> DocumentRanking:
        """The distinct documents, by place of their best chunk."""
        return to_documents(self.ranking)

    def retrieved(self, cutoff: Cutoff) -> Retrieved:
        """The chunks that a cutoff takes, as ranges of code points; a first chunk larger than a token budget is cut.

        Raises:
            ValueError: The run has no text.
        """
        if self.text is None:
            raise ValueError(f"the run of scale {self.scale} names documents only, it has no text")
        chunk = self.ranking.chunk.clip(min=0)
        end = self.text.table.end[chunk]
        if cutoff.unit == "tokens":
            for query in np.flatnonzero(self.ranking.tokens[:, :1].ravel() > cutoff.amount):
                end[query, 0] = end_after(
                    self.text.offsets, self.text.table, int(chunk[query, 0]), cutoff.amount
                )
        return Retrieved(
            self.ranking.document, self.text.table.start[chunk], end, within(self.ranking, cutoff)
        )


@dataclass(frozen=True, eq=False)
class Labels:
    """What the queries are judged by, prepared once.

    Attributes:
        queries: The evaluated queries, Q.
        judgements: Grades of documents.
        evidence: Evidence spans.
        texts: Text of every document, by corpus row; empty for `score`.
    """

    queries: Sequence[Query]
    judgements: Judgements
    evidence: Evidence
    texts: Sequence[str]

    @cached_property
    def normalised(self) -> NormalisedTexts:
        """Slices of the texts as answers are compared with them."""
        return NormalisedTexts(self.texts)

    @classmethod
    def of(cls, queries: Sequence[Query], doc_ids: Sequence[str], texts: Sequence[str] = ()) -> "Labels":
        """Prepare the labels of `queries` over the corpus whose rows are `doc_ids`."""
        return cls(queries, Judgements.of(queries, doc_ids), Evidence.of(queries, doc_ids), texts)
