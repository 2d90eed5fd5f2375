import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chunkgap.checking.lengths import describe


@given(st.lists(st.integers(0, 100_000), min_size=1, max_size=50))
def test_every_length_is_in_one_bin(tokens: list[int]) -> None:
    found = describe(np.array(tokens))
    for part in found.histogram:
        assert part.count == sum(part.low <= length < part.high for length in tokens)
    assert sum(part.count for part in found.histogram) == found.count == len(tokens)


def test_bins_start_and_end_where_there_is_something() -> None:
    found = describe(np.array([40, 300]))
    assert [(part.low, part.high, part.count) for part in found.histogram] == [
        (32, 64, 1),
        (64, 128, 0),
        (128, 256, 0),
        (256, 512, 1),
    ]


def test_percentiles_and_sums() -> None:
    found = describe(np.arange(101))
    assert (found.shortest, found.p10, found.median, found.p90, found.longest) == (0, 10, 50, 90, 100)
    assert (found.total, found.mean) == (5050, 50.0)


def test_a_corpus_of_empty_documents_has_a_bin() -> None:
    assert [(part.low, part.high, part.count) for part in describe(np.zeros(3, np.int64)).histogram] == [
        (0, 16, 3)
    ]
