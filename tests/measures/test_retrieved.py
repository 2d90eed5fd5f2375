import numpy as np

from chunkgap.measures.retrieved import reached

from .spans import retrieved


def test_only_chunks_inside_the_cutoff_become_ranges():
    chunks = retrieved([("a", 0, 5), ("b", 2, 4)], [], [("c", 1, 9)], cutoff=1)
    ranges = chunks.ranges()
    assert len(chunks) == 3
    assert ranges.query.tolist() == [0, 2]
    assert ranges.document.tolist() == [0, 2]
    assert ranges.start.tolist() == [0, 1]
    assert ranges.end.tolist() == [5, 9]


def test_nothing_marked_reaches_no_column():
    assert reached(np.zeros((2, 5), bool)) == 0
    assert reached(np.zeros((0, 5), bool)) == 0
