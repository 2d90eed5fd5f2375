"""Where documents stand in the lists of one query, and who voted for them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from chunkgap.explaining.explanation import FusedDocument, Miss, RelevantDocument
from chunkgap.fusion import Fusion, Reach, fuse_lists, votes_of
from chunkgap.ranking import Cutoff, DocumentRanking, Ranking, documents_within, to_documents, truncate
from chunkgap.records import Span


@dataclass(frozen=True, eq=False)
class QueryLists:
    """The ranked chunks of one query at every scale, and how they are fused.

    Attributes:
        rankings: By scale, each over one query.
        doc_ids: The documents that the rankings name by number, sorted, the relevant ones among them.
        relevant: The query's relevant documents.
        rule: The fusion.
        reach: How much of each list is fused.
        spans: The query's evidence; empty where it has none, or where it is not known any more.
        places: By scale, the half-open range of code points of each ranked chunk in its document, shape
            (D, 2); a scale whose run came without text is not in it.
    """

    rankings: Mapping[str, Ranking]
    doc_ids: Sequence[str]
    relevant: Sequence[str]
    rule: Fusion
    reach: Reach
    spans: Sequence[Span] = ()
    places: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)

    @cached_property
    def voting(self) -> list[Ranking]:
        """What fusion reads of each scale."""
        return [truncate(ranking, self.reach.depth) for ranking in self.rankings.values()]

    @cached_property
    def fused(self) -> DocumentRanking:
        """The documents as fusion ranks them."""
        return fuse_lists(list(self.rankings.values()), self.rule, self.reach)

    @cached_property
    def fused_ranks(self) -> dict[str, int]:
        """The rank of each document in the fusion, from 1."""
        return self.ranks(self.fused)

    def ranks(self, documents: DocumentRanking) -> dict[str, int]:
        """The rank of each document, from 1, in rank order."""
        found = documents.document[0].tolist()
        return {self.doc_ids[document]: rank for rank, document in enumerate(found, start=1)}

    def counted(self, documents: Sequence[int]) -> Mapping[str, int]:
        """How many of some chunks' documents are each document, in the order of their first."""
        return Counter(self.doc_ids[document] for document in documents)


def first_fused(lists: QueryLists, top: int) -> tuple[FusedDocument, ...]:
    """The first documents of the fusion."""
    scores = lists.fused.score[0].tolist()
    first = list(lists.fused_ranks.items())[:top]
    return tuple(
        FusedDocument(rank, doc_id, scores[rank - 1], doc_id in lists.relevant) for doc_id, rank in first
    )


def find_miss(lists: QueryLists, scale: str, cutoff: Cutoff) -> Miss | None:
    """The relevant document nearest to the cutoff outside of it, None when all are inside."""
    ranking = lists.rankings[scale]
    documents = to_documents(ranking)
    ranks = lists.ranks(documents)
    inside = documents_within(ranking, documents, cutoff)[0]
    outside = [doc_id for doc_id in lists.relevant if doc_id not in ranks or not inside[ranks[doc_id] - 1]]
    if not outside:
        return None
    doc_id = min(outside, key=lambda name: ranks.get(name, len(ranks) + 1))
    chunks = ranking.document[0]
    if doc_id not in ranks:
        return Miss(doc_id, None, None, None, lists.counted(chunks.tolist()))
    first = int(np.argmax(chunks == lists.doc_ids.index(doc_id)))
    return Miss(
        doc_id=doc_id,
        rank=ranks[doc_id],
        chunk_rank=first + 1,
        score=float(ranking.score[0, first]),
        above=lists.counted(chunks[:first].tolist()),
    )


def find_relevant(lists: QueryLists, doc_id: str) -> RelevantDocument:
    """Where one relevant document stands at every scale and in the fusion, and what voted for it."""
    rule, row = lists.rule, lists.doc_ids.index(doc_id)
    votes = votes_of(lists.voting, 0, row, rrf_k=rule.rrf_k, votes=rule.votes)
    return RelevantDocument(
        doc_id=doc_id,
        ranks={
            name: lists.ranks(to_documents(ranking)).get(doc_id) for name, ranking in lists.rankings.items()
        },
        fused_rank=lists.fused_ranks.get(doc_id),
        votes={name: tuple(found) for name, found in zip(lists.rankings, votes, strict=True)},
    )
