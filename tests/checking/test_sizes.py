from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkgap.checking.forecasts import Windows
from chunkgap.checking.sizes import APART, LARGEST, MOST, SMALLEST, suggest_sizes
from chunkgap.config import Settings, load_settings
from chunkgap.records import Scale

lengths = st.floats(1, 200_000)
bounds = st.floats(0.01, 1000)


@given(lengths, lengths, bounds)
def test_neighbours_are_twice_apart(paragraph: float, document: float, max_storage: float) -> None:
    sizes = suggest_sizes(paragraph, document, max_storage).sizes
    assert 1 <= len(sizes) <= MOST
    assert all(APART * small == large for small, large in pairwise(sizes))


@given(lengths, lengths, bounds)
def test_sizes_stay_within_bounds(paragraph: float, document: float, max_storage: float) -> None:
    sizes = suggest_sizes(paragraph, document, max_storage).sizes
    assert sizes[0] >= SMALLEST
    assert sizes[-1] <= max(SMALLEST, min(document, LARGEST))


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=60), lengths, st.floats(2, 100))
def test_any_size_but_the_largest_may_win(tokens: list[int], paragraph: float, max_storage: float) -> None:
    sizes = suggest_sizes(paragraph, float(np.percentile(tokens, 90)), max_storage).sizes
    chunks = [int(Windows(Scale(str(size), size, 0), np.array(tokens)).chunks.sum()) for size in sizes]
    assert all(sum(chunks) <= max_storage * own for own in chunks[:-1])


@pytest.mark.parametrize(
    ("max_storage", "sizes"),
    [
        (1.0, (150, 300)),  # two at least: sqrt(50 * 1000 / 2) = 158
        (3.9, (150, 300)),
        (4.0, (110, 220, 440)),  # 2 + 1 + at most 1 = 4 for the middle one; sqrt(50 * 1000 / 4) = 112
        (5.0, (110, 220, 440)),
        (8.0, (70, 140, 280, 560)),  # 4 + 2 + 1 + 1; sqrt(50 * 1000 / 8) = 79
        (16.0, (50, 100, 200, 400, 800)),  # sqrt(50 * 1000 / 16) = 56
        (1e9, (50, 100, 200, 400, 800)),
    ],
)
def test_there_are_as_many_sizes_as_storage_allows(max_storage: float, sizes: tuple[int, ...]) -> None:
    assert suggest_sizes(15, 5000, max_storage).sizes == sizes


def test_the_ladder_stands_midway_between_paragraph_and_document() -> None:
    found = suggest_sizes(60, 500, 5)
    assert found.sizes == (80, 160, 320)  # sqrt(60 * 500 / 4) = 86.6
    assert found.reason == (
        "midway between 60 tokens (the median paragraph) and 500 tokens (90% of the documents have no more); "
        "each twice the one before, since closer sizes retrieve much the same; no more, so that all together stay "
        "within max_storage (5) without overlap, unless the largest is best"
    )


def test_one_line_paragraphs_do_not_lead_to_sizes_below_the_smallest() -> None:
    found = suggest_sizes(15, 240, 5)
    assert found.sizes == (50, 100, 200)  # sqrt(50 * 240 / 4) = 54.8
    assert found.reason.startswith(
        "midway between 50 tokens (the median paragraph, 15, says little alone) and 240 tokens (90% of the"
    )


def test_long_documents_do_not_lead_to_sizes_past_the_largest() -> None:
    found = suggest_sizes(100, 20_000, 5)
    assert found.sizes == (150, 300, 600)  # sqrt(100 * 1000 / 4) = 158
    assert "1,000 tokens (10% of the documents have more than 20,000)" in found.reason


def test_documents_of_one_paragraph_are_cut_below_it() -> None:
    found = suggest_sizes(400, 400, 5)
    assert found.sizes == (100, 200, 400)
    assert found.reason.startswith(
        "up to 400 tokens (90% of the documents have no more), from below the median paragraph (400), where too "
        "few sizes would fit; each twice"
    )


def test_short_documents_leave_fewer_sizes_and_not_for_storage() -> None:
    found = suggest_sizes(20, 120, 5)
    assert found.sizes == (50, 100)
    assert "max_storage" not in found.reason


def test_storage_is_no_reason_where_not_even_two_sizes_keep_to_it() -> None:
    assert "max_storage" not in suggest_sizes(60, 500, 1.5).reason


def test_one_line_documents_leave_one_size_and_say_why() -> None:
    found = suggest_sizes(8, 12, 5)
    assert found.sizes == (50,)
    assert found.reason == "90% of the documents have at most 12 tokens: chunk size hardly matters to them"


@pytest.mark.parametrize("keys", [{"overlap": 49, "phases": 1}, {"overlap": 34, "phases": 16}])
def test_overlap_and_phases_that_suit_the_default_sizes_suit_the_suggested(keys: dict[str, int]) -> None:
    assert min(Settings().sizes) == SMALLEST
    load_settings(None, keys)
    load_settings(None, {"sizes": suggest_sizes(8, 12, 5).sizes, **keys})
