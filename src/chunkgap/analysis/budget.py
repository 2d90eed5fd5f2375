"""Fusion under a token budget: which chunks a ranking of documents puts before the reader.

A fused ranking names documents; a budget is spent on text. So documents are taken in fused order, each giving its best
chunk (the highest similarity at any scale; ties: the smaller chunk). When all have given one and budget is left, they
give their second best in the same order, and so on. A chunk that overlaps text which its document has already given is
skipped, one that no longer fits is passed over, and a first chunk larger than the budget is cut at it.

A single scale fills a budget chunk by chunk instead. Where fusion is held against single scales, these are therefore
packed by the rule above as well, so that the difference is that of the rankings and not of the filling.
"""

import numpy as np
from numpy.typing import NDArray

from chunkgap.analysis.offers import Offers
from chunkgap.analysis.runs import Labels
from chunkgap.measures.answer_recall import answer_recall
from chunkgap.measures.retrieved import Retrieved
from chunkgap.measures.scoring import score_documents, score_evidence
from chunkgap.measures.specification import ANSWER_MEASURES, DOCUMENT_MEASURES
from chunkgap.ranking import Cutoff, DocumentRanking, first_of_document

_PLACES_AT_ONCE = 32


def score_packed(measure: str, cutoff: Cutoff, packed: Retrieved, labels: Labels) -> NDArray[np.float64]:
    """One measure of what `pack` put into the budget, shape (Q,)."""
    if measure in ANSWER_MEASURES:
        return answer_recall([query.answers for query in labels.queries], packed, labels.normalised)
    if measure in DOCUMENT_MEASURES:
        document = np.where(packed.inside, packed.document, -1)
        first = first_of_document(document)
        return score_documents(measure, document, first, labels.judgements, cutoff)
    return score_evidence(measure, labels.evidence.coverage(packed))


def pack(offers: Offers, ranking: DocumentRanking, budget: int) -> Retrieved:
    """Fill a budget of tokens with the chunks of a ranking of documents, all queries side by side.

    Args:
        offers: Where the chunks come from.
        ranking: The ranked documents of the same queries.
        budget: Tokens to spend, at least 1.

    Raises:
        ValueError: A run has no text.
    """
    queries, places = ranking.document.shape
    budgets, seen = _Budgets(offers, budget, offers.smallest(queries, most=budget)), []
    for start in range(0, places, _PLACES_AT_ONCE):  # most budgets are spent long before the last document
        if not budgets.open.any():
            return budgets.spent()
        seen.append(offers.of_documents(ranking.document[:, start : start + _PLACES_AT_ONCE]))
        budgets.take_turn(0, *seen[-1])
    if seen:
        first, count = (np.hstack(blocks) for blocks in zip(*seen, strict=True))
        for turn in range(1, int(count.max(initial=0))):
            budgets.take_turn(turn, first, count)
    return budgets.spent()


class _Budgets:
    """The budgets of all queries while they are filled.

    Args:
        offers: What they are filled with.
        budget: Tokens of each.
        smallest: Tokens of the smallest chunk that each query has retrieved, (Q,); with less left nothing can fit.
    """

    def __init__(self, offers: Offers, budget: int, smallest: NDArray[np.int64]) -> None:
        self._offers = offers
        self._budget = budget
        self._smallest = smallest
        self._left = np.full(len(smallest), budget)
        self._count = np.zeros(len(smallest), dtype=np.intp)
        self._given = np.full(
            (len(smallest), 8), -1, dtype=np.intp
        )  # offers, in the order in which they were given
        self._cut_at: dict[int, int] = {}

    @property
    def open(self) -> NDArray[np.bool_]:
        """Which queries can still be given something, (Q,)."""
        return np.asarray(self._left >= self._smallest)

    def take_turn(self, turn: int, first: NDArray[np.intp], count: NDArray[np.intp]) -> None:
        """Offer of every document, place after place, the chunk that it offers in this turn.

        Args:
            turn: 0 for the best chunk of each document.
            first: (Q, M) first offer of the document at each place.
            count: (Q, M) its number of offers.
        """
        willing = count > turn
        for place in np.flatnonzero(willing[self.open].any(axis=0)):
            queries = np.flatnonzero(self.open & willing[:, place])
            self.offer(queries, first[queries, place] + turn)

    def offer(self, queries: NDArray[np.intp], offers: NDArray[np.intp]) -> None:
        """Offer one chunk to each of these queries; it is given if it fits and overlaps nothing given before."""
        tokens = self._offers.listed.tokens[offers]
        fits = tokens <= self._left[queries]
        fits[fits] = ~self._overlap(queries[fits], offers[fits])
        self._give(queries[fits], offers[fits], tokens[fits])
        too_large = (tokens > self._budget) & (self._count[queries] == 0)
        for query, offer in zip(queries[too_large].tolist(), offers[too_large].tolist(), strict=True):
            self._cut_at[query] = self._offers.end_of_part(offer, self._budget)
        self._give(queries[too_large], offers[too_large], np.int64(self._budget))

    def spent(self) -> Retrieved:
        """What the budgets hold."""
        listed = self._offers.listed
        given = self._given[:, : int(self._count.max(initial=0))]
        inside = given >= 0
        document, start, end = np.full(given.shape, -1, np.int32), np.zeros_like(given), np.zeros_like(given)
        document[inside] = listed.document[given[inside]]
        start[inside], end[inside] = listed.start[given[inside]], listed.end[given[inside]]
        for query, place in self._cut_at.items():
            end[query, 0] = place
        return Retrieved(document, start, end, inside)

    def _overlap(self, queries: NDArray[np.intp], offers: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether each offer shares text with what its query holds."""
        listed = self._offers.listed
        held = self._given[queries, : int(self._count[queries].max(initial=0))]
        offered = offers[:, None]
        shared = (listed.start[held] < listed.end[offered]) & (listed.start[offered] < listed.end[held])
        return np.asarray(
            np.any((held >= 0) & (listed.document[held] == listed.document[offered]) & shared, axis=1)
        )

    def _give(
        self, queries: NDArray[np.intp], offers: NDArray[np.intp], tokens: NDArray[np.int64] | np.int64
    ) -> None:
        if len(queries) and self._count[queries].max() == self._given.shape[1]:
            self._given = np.pad(self._given, ((0, 0), (0, self._given.shape[1])), constant_values=-1)
        self._given[queries, self._count[queries]] = offers
        self._count[queries] += 1
        self._left[queries] -= tokens
