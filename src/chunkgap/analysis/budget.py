"""Fusion under a token budget: which chunks a fused document ranking puts before the reader.

A fused ranking names documents; a budget is spent on text. So documents are taken in fused order, each giving its best
chunk (the highest similarity at any scale; ties: the smaller chunk). When all have given one and budget is left, they
give their second best in the same order, and so on. A chunk that overlaps text which its document has already given is
skipped, one that no longer fits is passed over, and a first chunk larger than the budget is cut at it.
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


@dataclass(frozen=True, slots=True)
class _Piece:
    """A chunk that could be given; pieces of one document sort best first."""

    similarity: float
    tokens: int
    start: int
    end: int
    scale: int
    row: int

    @property
    def key(self) -> tuple[float, int, int, int]:
        return (-self.similarity, self.tokens, self.start, self.scale)

    def overlaps(self, other: "_Piece") -> bool:
        return self.start < other.end and other.start < self.end


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
    """Fill a budget of tokens with the chunks of a fused ranking.

    Args:
        runs: One run with text per scale, over the same queries: where the chunks come from.
        fused: The fused documents of these queries.
        budget: Tokens to spend, at least 1.
    """
    given = [_give(runs, documents, query, budget) for query, documents in enumerate(fused.document)]
    shape = (len(given), max(map(len, given), default=0))
    document, start, end = np.full(shape, -1, np.int32), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for query, pieces in enumerate(given):
        for place, (row, piece) in enumerate(pieces):
            document[query, place], start[query, place], end[query, place] = row, piece.start, piece.end
    return Retrieved(document, start, end, document >= 0)


def _give(
    runs: Sequence[Run], documents: NDArray[np.int32], query: int, budget: int
) -> list[tuple[int, _Piece]]:
    """The pieces of one query that go into the budget, in the order in which they are given."""
    offered = _offers(runs, query)
    given: list[tuple[int, _Piece]] = []
    left = budget
    for document, piece in _in_turns([int(row) for row in documents if row >= 0], offered):
        if not given and piece.tokens > budget:
            return [(document, _cut(runs, piece, budget))]
        taken = piece.tokens <= left and not any(
            row == document and piece.overlaps(other) for row, other in given
        )
        if taken:
            given.append((document, piece))
            left -= piece.tokens
        if not left:
            break
    return given


def _offers(runs: Sequence[Run], query: int) -> dict[int, list[_Piece]]:
    """The retrieved chunks of one query at all scales, by document, best first."""
    offers: dict[int, list[_Piece]] = {}
    for scale, run in enumerate(runs):
        if run.text is None:
            raise ValueError(
                f"the run of scale {run.scale} names documents only: no token budget can be filled"
            )
        ranking, table = run.ranking, run.text.table
        places = int((ranking.chunk[query] >= 0).sum())
        rows = ranking.chunk[query, :places]
        columns = (
            ranking.score[query, :places],
            table.tokens[rows],
            table.start[rows],
            table.end[rows],
            rows,
        )
        for document, score, tokens, start, end, row in zip(
            ranking.document[query, :places].tolist(), *(column.tolist() for column in columns), strict=True
        ):
            offers.setdefault(document, []).append(_Piece(score, tokens, start, end, scale, row))
    return {document: sorted(pieces, key=lambda piece: piece.key) for document, pieces in offers.items()}


def _in_turns(documents: Sequence[int], offered: dict[int, list[_Piece]]) -> Iterator[tuple[int, _Piece]]:
    """Every document's best piece in fused order, then every second best, and so on."""
    turns = max((len(offered.get(document, ())) for document in documents), default=0)
    for turn in range(turns):
        for document in documents:
            if turn < len(offered.get(document, ())):
                yield document, offered[document][turn]


def _cut(runs: Sequence[Run], piece: _Piece, budget: int) -> _Piece:
    """The first `budget` tokens of a piece."""
    text = runs[piece.scale].text
    if text is None:
        raise ValueError("a piece comes from a run with text")
    end = end_after(text.offsets, text.table, piece.row, budget)
    return _Piece(piece.similarity, budget, piece.start, end, piece.scale, piece.row)
