"""The text that was retrieved: where the chunks of each query lie, and which of them a cutoff takes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkgap.measures.unions import Ranges


@dataclass(frozen=True, slots=True, eq=False)
class Retrieved:
    """The ranked chunks of all queries, as ranges of code points.

    Attributes:
        document: Corpus row of each chunk in rank order, shape (Q, D).
        start: First code point, shape (Q, D).
        end: Past the last code point, half-open, shape (Q, D). Where a token budget cuts the first chunk,
            this is the end of the part that is kept.
        inside: Which chunks the cutoff takes, shape (Q, D). What stands outside, padding included, is not
            looked at.
    """

    document: NDArray[np.int32]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    inside: NDArray[np.bool_]

    def __len__(self) -> int:
        """Number of queries."""
        return len(self.inside)

    def ranges(self) -> Ranges:
        """The chunks inside the cutoff, one range each."""
        query, place = np.nonzero(self.inside)
        return Ranges(
            query,
            self.document[query, place].astype(np.int64),
            self.start[query, place].astype(np.int64),
            self.end[query, place].astype(np.int64),
        )


def reached(inside: NDArray[np.bool_]) -> int:
    """Columns of a mask of shape (Q, D) up to the last that is marked for any query.

    One query whose list had to grow long makes the arrays of all queries wide; what a cutoff takes is narrow.

    >>> reached(np.array([[True, False, False], [False, True, False]]))
    2
    """
    return int(np.flatnonzero(inside.any(axis=0)).max(initial=-1)) + 1
