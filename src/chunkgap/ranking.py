"""The one order of results, the way from chunks to documents, and cutoffs.

The one order (search, pooling, fusion): score descending, then `doc_id` ascending, then place in the
document. A corpus is sorted by `doc_id` and a chunk table by document and start, so row numbers are the tie
order: **score descending, then row ascending**. Similarities are `rounded` where they are computed, so that the
last bits of a matrix product decide no tie; the scores of a run file are another's, and are compared as they are.

Everything is an array over all queries at once: row q of a matrix is query q, column p is the place p,
counted from 0. Rows are shorter or longer from query to query and padded at the right.
"""

import re
from dataclasses import dataclass, fields
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from chunkgap.errors import ConfigError

SCORE_DECIMALS = 6
PADDING = -1

Unit = Literal["documents", "chunks", "tokens"]
_T = TypeVar("_T", bound=np.generic)
_SUFFIX: dict[Unit, str] = {"documents": "", "chunks": "c", "tokens": "t"}


@dataclass(frozen=True, eq=False)
class Ranking:
    """Ranked chunks of one scale and phase for Q queries, at most D each, best first.

    Attributes:
        chunk: int32 (Q, D), row in the chunk table, -1 in the padding.
        document: int32 (Q, D), row in the corpus, -1 in the padding.
        score: float64 (Q, D), higher is better, -inf in the padding.
        tokens: int32 (Q, D), tokens of the chunk, 0 in the padding.
    """

    chunk: NDArray[np.int32]
    document: NDArray[np.int32]
    score: NDArray[np.float64]
    tokens: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class DocumentRanking:
    """Ranked distinct documents for Q queries, at most M each, best first.

    Attributes:
        document: int32 (Q, M), row in the corpus, -1 in the padding.
        place: int32 (Q, M), place (from 0) of the document's best chunk in the chunk list it came from; -1 in
            the padding, and everywhere when the ranking was fused from several lists.
        score: float64 (Q, M), that chunk's score, or the fused score; -inf in the padding.
    """

    document: NDArray[np.int32]
    place: NDArray[np.int32]
    score: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cutoff:
    """How much of a ranking a measure counts: the first `amount` documents, chunks or tokens."""

    amount: int
    unit: Unit

    @classmethod
    def parse(cls, text: str) -> "Cutoff":
        """Read a cutoff as users write it.

        Args:
            text: `5` for documents, `5c` for chunks, `2000t` for tokens; at least 1.

        Raises:
            ConfigError: Anything else.

        >>> Cutoff.parse("2000t")
        Cutoff(amount=2000, unit='tokens')
        """
        match = re.fullmatch(r"(0*[1-9][0-9]*)([ct]?)", text.strip())
        if match is None:
            raise ConfigError(
                f"cutoffs: expected a number of documents (5), chunks (5c) or tokens (2000t), at least 1, "
                f"got {text!r}. Write a cutoff in one of these three ways."
            )
        unit = next(unit for unit, suffix in _SUFFIX.items() if suffix == match[2])
        return cls(int(match[1]), unit)

    def __str__(self) -> str:
        """The cutoff as users write it, in its shortest form."""
        return f"{self.amount}{_SUFFIX[self.unit]}"


def rounded(score: NDArray[np.floating]) -> NDArray[np.float64]:
    """Similarities as they are ordered, compared and written: float64, `SCORE_DECIMALS` decimals, never -0."""
    return np.asarray(np.round(score.astype(np.float64), SCORE_DECIMALS) + 0.0, dtype=np.float64)


def order(
    score: NDArray[np.floating], row: NDArray[np.integer], group: NDArray[np.integer] | None = None
) -> NDArray[np.intp]:
    """The permutation that puts results into the one order.

    Args:
        score: (..., n), finite or -inf; ordered along the last axis.
        row: (..., n), the tie order: chunk rows, or document rows.
        group: (..., n), results of several queries in one flat array: groups ascending, the one order in
            each.

    Returns:
        (..., n) positions. It does not depend on the order of the input as long as rows differ.

    >>> order(np.array([0.2, 0.9, 0.9]), np.array([5, 8, 3])).tolist()
    [2, 1, 0]
    """
    keys = (row, -score)
    return np.lexsort(keys if group is None else (*keys, group), axis=-1)


def rank_chunks(
    query: NDArray[np.integer],
    chunk: NDArray[np.integer],
    score: NDArray[np.floating],
    *,
    queries: int,
    document: NDArray[np.integer],
    tokens: NDArray[np.integer],
    depth: int | None = None,
) -> Ranking:
    """Order loose hits, given in any order, into one ranking.

    Args:
        query: (n,) query row of each hit.
        chunk: (n,) its chunk row; a chunk comes once per query.
        score: (n,) its score, finite.
        queries: Q; a query without a hit gets a row of padding.
        document: (chunks,) document row of every chunk of the table.
        tokens: (chunks,) tokens of every chunk of the table.
        depth: Keep the first `depth` hits of each query; None keeps all.
    """
    sequence = order(score, chunk, query)
    query, chunk, score = query[sequence], chunk[sequence], score[sequence]
    place = np.arange(len(query)) - np.searchsorted(query, query)
    if depth is not None:
        kept = place < depth
        query, chunk, score, place = query[kept], chunk[kept], score[kept], place[kept]
    shape = (queries, int(place.max(initial=-1)) + 1)
    return Ranking(
        chunk=_spread(chunk, query, place, shape, PADDING).astype(np.int32),
        document=_spread(document[chunk], query, place, shape, PADDING).astype(np.int32),
        score=_spread(score.astype(np.float64), query, place, shape, -np.inf),
        tokens=_spread(tokens[chunk], query, place, shape, 0).astype(np.int32),
    )


def to_documents(ranking: Ranking) -> DocumentRanking:
    """Rank distinct documents by the place of their best chunk.

    Documents keep the one order, since chunk rows ascend with document rows.
    """
    query, place = np.nonzero(first_of_document(ranking.document))
    rank = np.arange(len(query)) - np.searchsorted(query, query)
    shape = (len(ranking.document), int(rank.max(initial=-1)) + 1)
    return DocumentRanking(
        document=_spread(ranking.document[query, place], query, rank, shape, PADDING).astype(np.int32),
        place=_spread(place, query, rank, shape, PADDING).astype(np.int32),
        score=_spread(ranking.score[query, place], query, rank, shape, -np.inf),
    )


def lists_twice(ranking: Ranking) -> bool:
    """Whether any list shows a document more than once."""
    return bool((first_of_document(ranking.document) != (ranking.document >= 0)).any())


def first_of_document(document: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Mark the places (Q, D) at which a document is seen for the first time in its row; never the padding.

    >>> first_of_document(np.array([[4, 4, 2, 4, -1]])).tolist()
    [[True, False, True, False, False]]
    """
    by_document = np.argsort(document, axis=1, kind="stable")
    ascending = np.take_along_axis(document, by_document, axis=1)
    new = np.ones(document.shape, dtype=bool)
    new[:, 1:] = ascending[:, 1:] != ascending[:, :-1]
    first = np.empty_like(new)
    np.put_along_axis(first, by_document, new, axis=1)
    return first & (document >= 0)


def truncate(ranking: Ranking, depth: int) -> Ranking:
    """The first `depth` chunks of each query: fusion votes on these, however deep a cutoff grew a list."""
    return Ranking(**{field.name: getattr(ranking, field.name)[:, :depth] for field in fields(ranking)})


def without(ranking: Ranking, document: NDArray[np.integer]) -> Ranking:
    """Take one document out of each query's list: that of the query itself, where queries are documents too.

    Args:
        ranking: Ranked chunks.
        document: (Q,) corpus row to take out, -1 for none.

    Returns:
        The others in their order; lists are as much shorter as chunks were taken out.
    """
    out = (ranking.document == document[:, None]) & (ranking.document >= 0)
    kept_first = np.argsort(out, axis=1, kind="stable")

    def moved(values: NDArray[_T], padding: float) -> NDArray[_T]:
        return np.take_along_axis(np.where(out, values.dtype.type(padding), values), kept_first, axis=1)

    return Ranking(
        chunk=moved(ranking.chunk, PADDING),
        document=moved(ranking.document, PADDING),
        score=moved(ranking.score, -np.inf),
        tokens=moved(ranking.tokens, 0),
    )


def within(ranking: Ranking, cutoff: Cutoff) -> NDArray[np.bool_]:
    """Mark the chunks (Q, D) that a cutoff counts.

    - chunks: the first `amount`.
    - documents: those up to and including the best chunk of the last document counted.
    - tokens: greedy packing in rank order: a chunk that no longer fits is passed over and a later one may
      still fit; a first chunk larger than the budget is cut at it and taken alone. A larger budget can
      therefore pass over a chunk that a smaller one took.
    """
    present = ranking.chunk >= 0
    match cutoff.unit:
        case "chunks":
            return present & (np.arange(present.shape[1]) < cutoff.amount)
        case "documents":
            first = first_of_document(ranking.document)
            return present & (np.cumsum(first, axis=1) - first < cutoff.amount)
        case "tokens":
            return _pack(ranking.tokens, present, cutoff.amount)


def documents_within(
    ranking: Ranking | None, documents: DocumentRanking, cutoff: Cutoff
) -> NDArray[np.bool_]:
    """Mark the documents (Q, M) that a cutoff counts.

    A document counts under a chunk or token cutoff when any of its chunks does, its best one or not. Under a
    document or chunk cutoff a larger amount never counts fewer.

    Args:
        ranking: The chunk list that `documents` came from; None for a fused ranking.
        documents: Ranked documents.
        cutoff: What to count.

    Raises:
        ValueError: A chunk or token cutoff without a chunk list: a fused ranking holds documents alone.
    """
    present = documents.document >= 0
    if cutoff.unit == "documents":
        return present & (np.arange(present.shape[1]) < cutoff.amount)
    if ranking is None:
        raise ValueError(
            f"a fused ranking holds documents, so it has no cutoff of {cutoff.amount} {cutoff.unit}"
        )
    if cutoff.unit == "chunks":
        return present & (documents.place < cutoff.amount)
    stride = int(documents.document.max(initial=0)) + 1
    query, place = np.nonzero(within(ranking, cutoff))
    counted = query * stride + ranking.document[query, place]
    listed = np.arange(len(present))[:, None] * stride + documents.document
    return present & np.isin(listed, counted)


def ties_across(ranked: Ranking | DocumentRanking, amount: int) -> NDArray[np.bool_]:
    """Mark the queries (Q,) whose cut after `amount` places falls between two equal scores.

    Their measure depends on the tie order. A list must hold `amount + 1` places for a tie to be seen.
    """
    score = ranked.score
    if score.shape[1] <= amount:
        return np.zeros(len(score), dtype=bool)
    tied: NDArray[np.bool_] = score[:, amount - 1] == score[:, amount]
    return tied & np.isfinite(score[:, amount])


def _spread(
    values: NDArray[_T],
    row: NDArray[np.integer],
    column: NDArray[np.integer],
    shape: tuple[int, int],
    padding: float,
) -> NDArray[_T]:
    """A padded matrix with `values` at (`row`, `column`)."""
    matrix = np.full(shape, padding, dtype=values.dtype)
    matrix[row, column] = values
    return matrix


def _pack(tokens: NDArray[np.int32], present: NDArray[np.bool_], budget: int) -> NDArray[np.bool_]:
    """Greedy packing, one place of all queries at a time."""
    taken = np.zeros_like(present)
    left = np.full(len(tokens), budget, dtype=np.int64)
    smallest = tokens.min(initial=budget, where=present)
    for place in range(tokens.shape[1]):
        if (left < smallest).all():
            break
        size = tokens[:, place]
        taken[:, place] = present[:, place] & (size <= left)
        left -= np.where(taken[:, place], size, 0)
        if place == 0:
            cut = present[:, 0] & (size > budget)
            taken[:, 0] |= cut
            left[cut] = PADDING  # not even a chunk of 0 tokens fits beside a cut one
    return taken
