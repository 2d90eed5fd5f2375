import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgap.measures.unions import Ranges, lengths, unions

from .spans import DOC_IDS, characters, runs


def ranges(*rows):
    return Ranges(*np.array(rows, np.int64).reshape(-1, 4).T)


def test_overlap_counts_once_and_nested_ranges_add_nothing():
    found = unions(ranges((0, 0, 0, 10), (0, 0, 5, 15), (0, 0, 6, 8)), queries=1)
    assert found.length.tolist() == [15]
    assert found.regions.tolist() == [1]


def test_touching_ranges_are_one_region_and_a_hole_makes_two():
    assert unions(ranges((0, 0, 0, 5), (0, 0, 5, 9)), queries=1).regions.tolist() == [1]
    assert unions(ranges((0, 0, 0, 5), (0, 0, 6, 9)), queries=1).regions.tolist() == [2]


def test_documents_and_queries_never_meet():
    # The end of the longest document and the start of the next one, in both directions.
    found = unions(ranges((0, 0, 0, 9), (0, 1, 0, 9), (1, 0, 0, 9), (1, 1, 0, 3)), queries=2)
    assert found.length.tolist() == [9 + 9, 9 + 3]
    assert found.regions.tolist() == [2, 2]


def test_empty_ranges_and_queries_without_ranges_count_nothing():
    found = unions(ranges((1, 0, 4, 4), (1, 2, 1, 2)), queries=3)
    assert found.length.tolist() == [0, 1, 0]
    assert found.regions.tolist() == [0, 1, 0]
    assert unions(ranges(), queries=2).length.tolist() == [0, 0]


def test_huge_rows_and_offsets_do_not_overflow():
    far = 10**12
    found = unions(ranges((10**6, 10**9, far, far + 5), (10**6, 0, far + 3, far + 9)), queries=10**6 + 1)
    assert found.length[-1] == 5 + 6


@settings(max_examples=60)
@given(st.lists(runs, max_size=4))
def test_equal_to_counting_every_character(queries):
    rows = [(q, DOC_IDS.index(doc), start, end) for q, run in enumerate(queries) for doc, start, end in run]
    found = unions(ranges(*rows), queries=len(queries))
    assert found.length.tolist() == [len(characters(run)) for run in queries]
    assert found.regions.tolist() == [
        sum((doc, offset - 1) not in characters(run) for doc, offset in characters(run)) for run in queries
    ]
    assert lengths(ranges(*rows), queries=len(queries)).tolist() == [
        sum(end - start for _, start, end in run) for run in queries
    ]
