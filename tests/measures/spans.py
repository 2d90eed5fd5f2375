"""Retrieved chunks and spans for tests: written by hand, or made up by hypothesis."""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from chunkgap.measures.retrieved import Retrieved
from chunkgap.records import Query, Span

DOC_IDS = ("a", "b", "c")
Place = tuple[str, int, int]  # document, start, end


def retrieved(*runs: Sequence[Place], cutoff: int | None = None) -> Retrieved:
    """The chunks of each query in rank order, the first `cutoff` of them inside."""
    depth = max(map(len, runs), default=0)
    table = np.full((len(runs), depth, 3), -1)
    for row, chunks in enumerate(runs):
        for place, (doc_id, start, end) in enumerate(chunks):
            table[row, place] = DOC_IDS.index(doc_id), start, end
    inside = (table[:, :, 0] >= 0) & (np.arange(depth) < (depth if cutoff is None else cutoff))
    return Retrieved(table[:, :, 0].astype(np.int32), table[:, :, 1], table[:, :, 2], inside)


def query(*spans: Place) -> Query:
    return Query("q", "?", spans=tuple(Span(*span) for span in spans))


def characters(places: Sequence[Place]) -> set[tuple[str, int]]:
    """The slow and obvious way: every character by itself."""
    return {(doc_id, offset) for doc_id, start, end in places for offset in range(start, end)}


@st.composite
def places(draw: st.DrawFn, doc_ids: Sequence[str] = DOC_IDS) -> Place:
    start = draw(st.integers(0, 30))
    return draw(st.sampled_from(doc_ids)), start, start + draw(st.integers(1, 15))


runs = st.lists(places(), max_size=8)
evidence = st.lists(places((*DOC_IDS, "gone")), max_size=5)
