"""Fusion: one document ranking out of the chunk lists of several scales.

Reciprocal rank fusion (RRF) adds up votes; for a document d, scales w, and the ranks r (from 1) that d has in
the list of w:

    S(d) = sum over w, over r, of 1 / (r + rrf_k)

A document absent from a list gets nothing from it. `votes: all` gives a rank to every retrieved chunk of d,
the form of AI21, "Chunk size is query-dependent" (2026). `votes: best` gives a document one rank per scale,
its place in the *document* ranking of that scale: Cormack, Clarke, Buettcher, "Reciprocal rank fusion
outperforms Condorcet and individual rank learning methods", SIGIR 2009, with k = 60. `votes: best_chunk` gives
it one rank per scale too, that of its best chunk among all chunks: what fusing chunk lists and keeping the first
chunk of each document comes to.

Two fusions of scores stand beside it for comparison: `comb_sum` and `pooled_best`. Every fused ranking is
ordered by score descending, then document row ascending, and knows no chunks (`place` is -1). Sums are
rounded to `FUSED_DECIMALS`, so that those which are equal on paper tie, in whatever order their terms were
added.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from chunkgap.ranking import DocumentRanking, Ranking, first_of_document, to_documents, truncate

FUSED_DECIMALS = 12

Votes = Literal["all", "best", "best_chunk"]
_T = TypeVar("_T", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Fusion:
    """A named setting of reciprocal rank fusion.

    Attributes:
        name: What tables call it.
        rrf_k: At least 0. With ranks from 1, 0 stands for the reading in which ranks start at 0 and rrf_k is
            1.
        votes: `all`, every retrieved chunk votes; `best` and `best_chunk`, a document votes once per scale, at
            its place among documents or at that of its best chunk.
    """

    name: str
    rrf_k: int
    votes: Votes


PRESETS = {
    fusion.name: fusion
    for fusion in (Fusion("ai21", 1, "all"), Fusion("ai21-rank0", 0, "all"), Fusion("rrf60", 60, "best"))
}


@dataclass(frozen=True, slots=True)
class Reach:
    """How much of every list is fused.

    Attributes:
        depth: Chunks of each list that vote; what a cutoff made a list longer does not.
        documents: Documents that a fused ranking holds if the lists do, those without a vote after all others.
    """

    depth: int
    documents: int = 0


@dataclass(frozen=True, slots=True)
class Vote:
    """One vote for a document: a rank from 1, and what it adds to the fused score."""

    rank: int
    value: float


@dataclass(frozen=True, eq=False)
class VoteTable:
    """The votes of every scale, added up per document, so that any set of scales is fused by one sum.

    Attributes:
        document: int32 (Q, M), the documents that any scale retrieved, ascending, -1 in the padding at the
            right.
        votes: float64 (W, Q, M), what each scale gives to each of them; 0 where it did not retrieve the
            document.
    """

    document: NDArray[np.int32]
    votes: NDArray[np.float64]


def reciprocal_rank_fusion(rankings: Sequence[Ranking], *, rrf_k: int, votes: Votes) -> DocumentRanking:
    """Fuse the lists of several scales by their ranks; formula and sources stand at the top of the module.

    Fusing one list with `votes="best"` leaves its document order as it was.

    Args:
        rankings: One list per scale, all over the same Q queries.
        rrf_k: The constant of RRF, at least 0.
        votes: Who votes.

    Raises:
        ValueError: No list, lists over different queries, or a negative `rrf_k`.
    """
    return fuse(vote_table(rankings, rrf_k=rrf_k, votes=votes))


def fuse_lists(rankings: Sequence[Ranking], rule: Fusion, reach: Reach) -> DocumentRanking:
    """Fuse whole lists as a measurement does: the first chunks of each vote, and no cutoff goes short of documents.

    Args:
        rankings: One list per scale, as long as cutoffs made it.
        rule: How chunks vote.
        reach: Which of them, and how many documents to hold.
    """
    voting = [truncate(ranking, reach.depth) for ranking in rankings]
    fused = reciprocal_rank_fusion(voting, rrf_k=rule.rrf_k, votes=rule.votes)
    return complete(fused, rankings, reach.documents)


def vote_table(rankings: Sequence[Ranking], *, rrf_k: int, votes: Votes) -> VoteTable:
    """Count the votes of each scale once, for the fusion of many sets of scales.

    Raises:
        ValueError: As `reciprocal_rank_fusion`.
    """
    if rrf_k < 0:
        raise ValueError(f"rrf_k must be at least 0, not {rrf_k}")
    lists = [_voters(ranking, votes) for ranking in rankings]
    pool = _Pool.of(lists)
    values = (
        np.broadcast_to(1 / (np.arange(1, voters.shape[1] + 1) + rrf_k), voters.shape) for voters in lists
    )
    return VoteTable(
        pool.document, np.stack([pool.add_up(*pair) for pair in zip(lists, values, strict=True)])
    )


def fuse(table: VoteTable, scales: Sequence[int] | None = None) -> DocumentRanking:
    """Fuse a set of scales.

    Args:
        table: Votes of all scales.
        scales: Which of its W scales, by position; None for all.
    """
    votes = table.votes if scales is None else table.votes[list(scales)]
    total = votes.sum(axis=0)
    return _ranked(table.document, np.where(total > 0, np.round(total, FUSED_DECIMALS), -np.inf))


def votes_of(
    rankings: Sequence[Ranking], query: int, document: int, *, rrf_k: int, votes: Votes
) -> list[list[Vote]]:
    """The votes behind one document's fused score, for an explanation.

    Returns:
        One list per scale, best rank first, empty where the scale did not retrieve the document. All values
        together are the fused score.
    """
    ranks = [np.flatnonzero(_voters(ranking, votes)[query] == document) + 1 for ranking in rankings]
    return [[Vote(int(rank), 1 / (int(rank) + rrf_k)) for rank in of_scale] for of_scale in ranks]


def comb_sum(rankings: Sequence[Ranking]) -> DocumentRanking:
    """Fuse by CombSUM over z-scores: Fox and Shaw, "Combination of multiple searches", TREC-2, 1994.

    Per query and scale, the scores of the documents (each its best chunk's) are shifted and scaled to mean 0
    and standard deviation 1 (over the n documents of the list; all 0 when they are equal), then added over
    the scales. A document that a scale did not retrieve takes the list's lowest z-score: the 0 that ranx
    gives it would be the mean of the list, and would put it above half of what was retrieved. An empty list
    changes nothing.
    """
    lists = [to_documents(ranking) for ranking in rankings]
    pool = _Pool.of([documents.document for documents in lists])
    total = np.zeros(pool.document.shape)
    for documents in lists:
        z, lowest = _z_scores(documents)
        # what is added up is the height above the lowest, so that the absent are those that nothing was added
        # to
        total += pool.add_up(documents.document, z - lowest) + lowest
    return _ranked(pool.document, np.where(pool.document >= 0, np.round(total, FUSED_DECIMALS), -np.inf))


def pooled_best(rankings: Sequence[Ranking]) -> DocumentRanking:
    """Fuse by the best score that any scale gives to a document: all chunks of all scales in one index."""
    lists = [to_documents(ranking) for ranking in rankings]
    pool = _Pool.of([documents.document for documents in lists])
    best = np.full(pool.document.shape, -np.inf)
    for documents in lists:
        row, column, present = pool.positions(documents.document)
        np.maximum.at(best, (row, column), documents.score[present])
    return _ranked(pool.document, best)


def complete(fused: DocumentRanking, rankings: Sequence[Ranking], documents: int) -> DocumentRanking:
    """Let documents without a vote follow, where a query's fused ranking holds fewer than a cutoff counts.

    Only the first chunks of a list vote, but the lists of single scales go on until they hold as many documents as
    the largest cutoff counts. Without these, fusion would be scored on fewer documents than each of its scales.

    Args:
        fused: What the votes gave.
        rankings: The whole lists of the same scales.
        documents: Documents that a query's ranking should hold.

    Returns:
        The fused documents as they were; where they are too few, all others that the lists hold come after them, in
        the order of `rrf60`, their scores one apart below the lowest.
    """
    held = (fused.document >= 0).sum(axis=1)
    short = np.flatnonzero(held < documents)
    if not len(short):
        return fused
    rest = reciprocal_rank_fusion(
        [_of_queries(ranking, short) for ranking in rankings], rrf_k=60, votes="best"
    )
    known = np.zeros(rest.document.shape, dtype=bool)
    for column in fused.document[short].T:
        known |= rest.document == column[:, None]
    added = np.where(known, -1, rest.document)
    lowest = np.where(np.isneginf(fused.score[short]), 0.0, fused.score[short]).min(axis=1, initial=0.0)
    below = lowest[:, None] - np.cumsum(added >= 0, axis=1)
    document, score = (
        _padded(fused.document, added.shape[1], -1),
        _padded(fused.score, added.shape[1], -np.inf),
    )
    document[short, fused.document.shape[1] :] = added
    score[short, fused.document.shape[1] :] = np.where(added >= 0, below, -np.inf)
    left = np.argsort(document < 0, axis=1, kind="stable")[
        :, : int((document >= 0).sum(axis=1).max(initial=0))
    ]
    document, score = np.take_along_axis(document, left, axis=1), np.take_along_axis(score, left, axis=1)
    return DocumentRanking(document, np.full_like(document, -1), score)


@dataclass(frozen=True, eq=False)
class _Pool:
    """The distinct documents of several lists: `document` as in `VoteTable`, and where each has its column.

    A key is query * stride + document; `key` holds the distinct ones, ascending.
    """

    document: NDArray[np.int32]
    key: NDArray[np.int64]
    column: NDArray[np.int64]
    stride: int

    @classmethod
    def of(cls, lists: Sequence[NDArray[np.int32]]) -> "_Pool":
        """Pool document lists of shape (Q, anything), padded with -1."""
        if len({len(documents) for documents in lists}) != 1:
            raise ValueError("expected one or more lists over the same queries")
        stride = 1 + max(int(documents.max(initial=0)) for documents in lists)
        key = _distinct(np.concatenate([_keys(documents, stride) for documents in lists]))
        query = key // stride
        column = np.arange(len(key)) - np.searchsorted(query, query)
        document = np.full((len(lists[0]), int(column.max(initial=-1)) + 1), -1, dtype=np.int32)
        document[query, column] = key % stride
        return cls(document, key, column, stride)

    def positions(
        self, documents: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Row and column of every present entry of a list, and the mask of these entries."""
        key = _keys(documents, self.stride)
        return key // self.stride, self.column[np.searchsorted(self.key, key)], documents >= 0

    def add_up(self, documents: NDArray[np.int32], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum (Q, M) of a list's values per document, added in the order of the list."""
        row, column, present = self.positions(documents)
        width = self.document.shape[1]
        flat = row * width + column
        total = np.bincount(flat, values[present], self.document.size)
        return np.asarray(total, dtype=np.float64).reshape(self.document.shape)


def _distinct(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """The distinct keys, ascending. By a sort: `numpy.unique` hashes, which takes several times as long here."""
    ascending = np.sort(keys)
    first = np.ones(len(ascending), dtype=bool)
    first[1:] = ascending[1:] != ascending[:-1]
    return ascending[first]


def _keys(documents: NDArray[np.int32], stride: int) -> NDArray[np.int64]:
    query, place = np.nonzero(documents >= 0)
    return query * stride + documents[query, place]


def _voters(ranking: Ranking, votes: Votes) -> NDArray[np.int32]:
    """The documents (Q, voters) in the order in which they get their ranks, -1 where a rank has no vote."""
    match votes:
        case "all":
            return ranking.document
        case "best":
            return to_documents(ranking).document
        case "best_chunk":
            return np.where(first_of_document(ranking.document), ranking.document, np.int32(-1))


def _of_queries(ranking: Ranking, queries: NDArray[np.intp]) -> Ranking:
    """The lists of some queries."""
    return Ranking(**{field.name: getattr(ranking, field.name)[queries] for field in fields(ranking)})


def _padded(values: NDArray[_T], columns: int, padding: float) -> NDArray[_T]:
    """A copy with so many more columns at the right."""
    return np.pad(values, ((0, 0), (0, columns)), constant_values=values.dtype.type(padding))


def _z_scores(documents: DocumentRanking) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Z-scores (Q, M) of each query's documents, 0 in the padding, and the lowest of each query (Q, 1)."""
    present = documents.document >= 0
    count = np.maximum(present.sum(axis=1, keepdims=True), 1)
    score = np.where(present, documents.score, 0.0)
    score = score / np.maximum(
        np.abs(score).max(axis=1, keepdims=True, initial=0.0), np.finfo(np.float64).tiny
    )
    centred = np.where(present, score - score.sum(axis=1, keepdims=True) / count, 0.0)
    deviation = np.sqrt((centred**2).sum(axis=1, keepdims=True) / count)
    # the largest is 1 now: a deviation below is the rounding of equal scores
    z = np.divide(centred, deviation, out=np.zeros_like(centred), where=deviation > 1e-9)
    return z, z.min(axis=1, keepdims=True, initial=0.0)


def _ranked(document: NDArray[np.int32], score: NDArray[np.float64]) -> DocumentRanking:
    """Order pooled documents (ascending in each row); a score of -inf leaves a document out."""
    score = score + 0.0  # no minus zero
    sequence = np.argsort(-score, axis=1, kind="stable")  # documents ascend, so ties stay in their order
    score = np.take_along_axis(score, sequence, axis=1)
    ranked = np.where(np.isneginf(score), -1, np.take_along_axis(document, sequence, axis=1))
    width = int((ranked >= 0).sum(axis=1).max(initial=0))
    ranked, score = ranked[:, :width], score[:, :width]
    return DocumentRanking(ranked, np.full_like(ranked, -1), score)
