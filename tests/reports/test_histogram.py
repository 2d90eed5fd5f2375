from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgap.reports.histogram import histogram, round_numbers


@given(st.lists(st.integers(0, 100_000), min_size=1, max_size=200))
@settings(max_examples=60)
def test_histogram_counts_every_document_once(lengths: list[int]) -> None:
    edges, counts = histogram(lengths)
    assert sum(counts) == len(lengths)
    assert len(edges) == len(counts) + 1
    assert edges == sorted(edges)
    assert edges[-1] >= max(lengths)


def test_one_document_is_one_bar() -> None:
    edges, counts = histogram([7])
    assert (edges[0], counts) == (7, [1])


def test_round_numbers_are_one_two_and_five_times_powers_of_ten() -> None:
    assert round_numbers(8, 250) == [10, 20, 50, 100, 200]
    assert round_numbers(1, 2) == [1, 2]
