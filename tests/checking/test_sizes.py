from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from chunkgap.checking.sizes import LARGEST, MOST, SMALLEST, suggest_sizes

lengths = st.floats(1, 200_000)


@given(lengths, lengths)
def test_neighbours_are_at_least_twice_apart(paragraph: float, document: float) -> None:
    sizes = suggest_sizes(paragraph, document).sizes
    assert 1 <= len(sizes) <= MOST
    assert all(2 * small <= large for small, large in pairwise(sizes))


@given(lengths, lengths)
def test_sizes_stay_within_bounds(paragraph: float, document: float) -> None:
    sizes = suggest_sizes(paragraph, document).sizes
    assert sizes[0] >= SMALLEST
    assert sizes[-1] <= 1.25 * max(SMALLEST, min(document, LARGEST)) + 5  # what rounding may add


def test_the_ladder_runs_from_the_paragraph_to_the_document() -> None:
    found = suggest_sizes(60, 500)
    assert found.sizes == (60, 120, 250, 500)
    assert found.reason == (
        "from 60 tokens, the median paragraph, to 500 tokens, which 90% of the documents do not exceed; "
        "each at least 2 times the one before, since closer sizes retrieve much the same"
    )


def test_long_documents_do_not_lead_to_sizes_past_the_largest() -> None:
    found = suggest_sizes(100, 20_000)
    assert found.sizes == (100, 200, 450, 1000)
    assert "1,000 tokens, for 10% of the documents are longer than 20,000" in found.reason


def test_documents_of_one_paragraph_are_cut_below_it() -> None:
    found = suggest_sizes(400, 400)
    assert found.sizes == (100, 200, 400)
    assert "from below the median paragraph (400), where too few sizes would fit" in found.reason


def test_one_line_documents_leave_one_size_and_say_why() -> None:
    found = suggest_sizes(8, 12)
    assert found.sizes == (10,)
    assert found.reason == "90% of the documents have at most 12 tokens: chunk size hardly matters to them"
