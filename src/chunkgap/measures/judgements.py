"""The judgements of all queries as arrays: grades of retrieved documents, and what could have been found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from chunkgap.records import Query


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """Who is relevant to whom. Grades of 0 and below mean not relevant and are not kept.

    Attributes:
        relevant: Relevant documents of each query, shape (Q,); those missing from the corpus count, as in
            trec_eval.
        ideal: Grades of each query in descending order, shape (Q, X), padded with 0; missing documents
            included.
        judged: `query * documents + document` of every judged pair in the corpus, ascending, shape (J,).
        judged_grades: Their grades, shape (J,).
        documents: Number of documents in the corpus.
    """

    relevant: NDArray[np.int64]
    ideal: NDArray[np.float64]
    judged: NDArray[np.int64]
    judged_grades: NDArray[np.float64]
    documents: int

    @classmethod
    def of(cls, queries: Sequence[Query], doc_ids: Sequence[str]) -> Self:
        """Collects the judgements of `queries` over the corpus whose rows are `doc_ids`."""
        positive = [{doc: grade for doc, grade in query.relevant.items() if grade > 0} for query in queries]
        row_of = {doc_id: row for row, doc_id in enumerate(doc_ids)}
        pairs = sorted(
            (row * len(doc_ids) + row_of[doc], grade)
            for row, grades in enumerate(positive)
            for doc, grade in grades.items()
            if doc in row_of
        )
        return cls(
            relevant=np.array([len(grades) for grades in positive], np.int64),
            ideal=_ideal([list(grades.values()) for grades in positive]),
            judged=np.array([pair for pair, _ in pairs], np.int64),
            judged_grades=np.array([grade for _, grade in pairs], np.float64),
            documents=len(doc_ids),
        )

    def grades(self, document: NDArray[np.int32]) -> NDArray[np.float64]:
        """The grade of each ranked document for its query.

        Args:
            document: Corpus rows in rank order, one line per query, shape (Q, M), padded with -1.

        Returns:
            Grades, shape (Q, M); 0 for padding, unjudged documents, and grades of 0 and below.

        >>> queries = [Query("q", "?", relevant={"a": 2.0, "gone": 1.0, "c": 0.0})]
        >>> Judgements.of(queries, ["a", "b", "c"]).grades(np.array([[2, 0, 1, -1]], np.int32)).tolist()
        [[0.0, 2.0, 0.0, 0.0]]
        """
        if not len(self.judged):
            return np.zeros(document.shape)
        pair = np.arange(len(document), dtype=np.int64)[:, None] * self.documents + document
        place = np.searchsorted(self.judged, pair).clip(max=len(self.judged) - 1)
        known = (self.judged[place] == pair) & (document >= 0)
        return np.where(known, self.judged_grades[place], 0.0)


def _ideal(grades: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    ideal = np.zeros((len(grades), max(map(len, grades), default=0)))
    for row, values in enumerate(grades):
        ideal[row, : len(values)] = sorted(values, reverse=True)
    return ideal
