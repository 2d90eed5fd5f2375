"""Fusion under a token budget: which chunks a ranking of documents puts before the reader.

A fused ranking names documents; a budget is spent on text. So documents are taken in fused order, each giving its best
chunk (the highest similarity at any scale; ties: the smaller chunk). When all have given one and budget is left, they
give their second best in the same order, and so on. A chunk that overlaps text which its document has already given is
skipped, one that no longer fits is passed over, and a first chunk larger than the budget is cut at it.

A single scale fills a budget chunk by chunk instead. Where fusion is held against single scales, these are therefore
packed by the rule above as well, so that the difference is that of the rankings and not of the filling.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis.runs import Labels, Run
from chunkgap.chunking import end_after
from chunkgap.measures.answer_recall import answer_recall
from chunkgap.measures.retrieved import Retrieved
from chunkgap.measures.scoring import score_documents, score_evidence
from chunkgap.measures.specification import ANSWER_MEASURES, DOCUMENT_MEASURES
from chunkgap.ranking import Cutoff, DocumentRanking, first_of_document


def score_packed(measure: str, cutoff: Cutoff, packed: Retrieved, labels: Labels) -> NDArray[np.float64]:
    """One measure of what `pack` put into the budget, shape (Q,)."""
    if measure in ANSWER_MEASURES:
        return answer_recall([query.answers for query in labels.queries], packed, labels.normalised)
    if measure in DOCUMENT_MEASURES:
        document = np.where(packed.inside, packed.document, -1)
        first = first_of_document(document)
        return score_documents(measure, document, first, labels.judgements, cutoff)
    return score_evidence(measure, labels.evidence.coverage(packed))


def pack(runs: Sequence[Run], fused: DocumentRanking, budget: int) -> Retrieved:
    """Fill a budget of tokens with the chunks of a ranking of documents.

    Args:
        runs: One run with text per scale, over the same queries: where the chunks come from.
        fused: The ranked documents of these queries.
        budget: Tokens to spend, at least 1.

    Raises:
        ValueError: A run has no text.
    """
    offers = _Offers.of(runs)
    given = [_give(offers, documents, query, budget) for query, documents in enumerate(fused.document)]
    shape = (len(given), max(map(len, given), default=0))
    document, start, end = np.full(shape, -1, np.int32), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for query, pieces in enumerate(given):
        for place, piece in enumerate(pieces):
            document[query, place], start[query, place], end[query, place] = piece
    return Retrieved(document, start, end, document >= 0)


_Piece = tuple[int, int, int]
"""Document row, start and end of what is given."""


@dataclass(frozen=True, eq=False)
class _Offers:
    """The retrieved chunks of all scales, one scale after the other, each array (Q, D1 + ... + DW)."""

    runs: Sequence[Run]
    chunk: NDArray[np.int32]
    document: NDArray[np.int32]
    score: NDArray[np.float64]
    tokens: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    scale: NDArray[np.intp]

    @classmethod
    def of(cls, runs: Sequence[Run]) -> "_Offers":
        texts = [run.text for run in runs if run.text is not None]
        if len(texts) < len(runs):
            raise ValueError("a run names documents only, so no token budget can be filled")
        chunks = [run.ranking.chunk for run in runs]
        rows = [chunk.clip(min=0) for chunk in chunks]
        tables = [text.table for text in texts]
        return cls(
            runs=runs,
            chunk=np.hstack(chunks),
            document=np.hstack([run.ranking.document for run in runs]),
            score=np.hstack([run.ranking.score for run in runs]),
            tokens=np.hstack([run.ranking.tokens for run in runs]).astype(np.int64),
            start=np.hstack([table.start[row] for table, row in zip(tables, rows, strict=True)]),
            end=np.hstack([table.end[row] for table, row in zip(tables, rows, strict=True)]),
            scale=np.repeat(np.arange(len(runs)), [chunk.shape[1] for chunk in chunks]),
        )

    def in_turns(self, documents: NDArray[np.int32], query: int) -> NDArray[np.intp]:
        """Columns of one query: every document's best piece in fused order, then every second best, and so on."""
        place_of = np.full(int(max(self.document[query].max(initial=0), documents.max(initial=0))) + 1, -1)
        ranked = documents[documents >= 0]
        place_of[ranked] = np.arange(len(ranked))
        column = np.flatnonzero(self.chunk[query] >= 0)
        place = place_of[self.document[query, column]]
        column, place = column[place >= 0], place[place >= 0]
        best_first = np.lexsort(
            (
                self.scale[column],
                self.start[query, column],
                self.tokens[query, column],
                -self.score[query, column],
                place,
            )
        )
        column, place = column[best_first], place[best_first]
        turn = np.arange(len(place)) - np.searchsorted(place, place)
        return np.asarray(column[np.lexsort((place, turn))])


def _give(offers: _Offers, documents: NDArray[np.int32], query: int, budget: int) -> list[_Piece]:
    """What goes into the budget of one query, in the order in which it is given."""
    columns = offers.in_turns(documents, query)
    given: dict[int, list[_Piece]] = {}
    pieces: list[_Piece] = []
    left, smallest = budget, int(offers.tokens[query, columns].min(initial=budget))
    for column, tokens, piece in _in_order(offers, query, columns):
        if not pieces and tokens > budget:
            return [_cut(offers, query, column, budget)]
        own = given.setdefault(piece[0], [])
        if tokens <= left and not any(piece[1] < other[2] and other[1] < piece[2] for other in own):
            own.append(piece)
            pieces.append(piece)
            left -= tokens
        if left < smallest:
            break
    return pieces


def _in_order(offers: _Offers, query: int, columns: NDArray[np.intp]) -> Iterator[tuple[int, int, _Piece]]:
    """Column, tokens and piece of each offer."""
    arrays = (offers.tokens, offers.document, offers.start, offers.end)
    for column, tokens, document, start, end in zip(
        columns.tolist(), *(values[query, columns].tolist() for values in arrays), strict=True
    ):
        yield column, tokens, (document, start, end)


def _cut(offers: _Offers, query: int, column: int, budget: int) -> _Piece:
    """The first `budget` tokens of a chunk."""
    text = offers.runs[int(offers.scale[column])].text
    if text is None:
        raise ValueError("a piece comes from a run with text")
    end = end_after(text.offsets, text.table, int(offers.chunk[query, column]), budget)
    return int(offers.document[query, column]), int(offers.start[query, column]), end
