"""Windows of tokens: counts, tails, phases."""

from itertools import pairwise
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkgap.chunking import windows


@st.composite
def placements(draw: st.DrawFn) -> tuple[int, int, int, int, int]:
    size = draw(st.integers(1, 30))
    overlap = draw(st.integers(0, size - 1))
    phases = draw(st.integers(1, 5))
    return draw(st.integers(1, 300)), size, overlap, draw(st.integers(0, phases - 1)), phases


def test_empty_document_has_no_windows() -> None:
    assert windows(0, 10).shape == (0, 2)
    assert windows(0, 10, phase=1, phases=2).shape == (0, 2)


def test_document_that_fits_is_one_window() -> None:
    assert windows(8, 8, 4).tolist() == [[0, 8]]


def test_last_window_is_the_first_that_reaches_the_end() -> None:
    assert windows(10, 8, 4).tolist() == [
        [0, 8],
        [4, 10],
    ]  # no third [8, 10): it would only repeat the overlap
    assert windows(12, 8, 4).tolist() == [[0, 8], [4, 12]]
    assert windows(13, 8, 4).tolist() == [[0, 8], [4, 12], [8, 13]]


def test_second_phase_starts_half_a_step_in() -> None:
    assert windows(120, 50, phase=1, phases=2).tolist() == [[0, 25], [25, 75], [75, 120]]


def test_first_window_of_a_later_phase_keeps_the_overlap() -> None:
    # step 40, offset 20, so the first window ends at 20 + 10
    assert windows(100, 50, 10, phase=1, phases=2).tolist() == [[0, 30], [20, 70], [60, 100]]


def test_offset_is_rounded_half_up() -> None:
    assert windows(60, 25, phase=1, phases=2)[0].tolist() == [0, 13]  # 25 / 2 = 12.5
    assert [windows(200, 50, phase=j, phases=3)[0, 1] for j in (1, 2)] == [17, 33]  # 50 / 3, 100 / 3


def test_offset_is_at_least_one_token() -> None:
    assert windows(4, 2, 1, phase=1, phases=5).tolist() == [[0, 2], [1, 3], [2, 4]]


def test_document_that_fits_is_one_window_in_every_phase() -> None:
    assert windows(50, 50, phase=1, phases=2).tolist() == [[0, 50]]


@given(placements())
def test_count_follows_the_formula_in_phase_zero(placement: tuple[int, int, int, int, int]) -> None:
    tokens, size, overlap, _, _ = placement
    expected = 1 if tokens <= size else ceil((tokens - overlap) / (size - overlap))
    assert len(windows(tokens, size, overlap)) == expected


@given(placements())
def test_windows_cover_every_token_and_share_the_overlap(placement: tuple[int, int, int, int, int]) -> None:
    tokens, size, overlap, phase, phases = placement
    ranges = windows(tokens, size, overlap, phase=phase, phases=phases).tolist()
    assert ranges[0][0] == 0
    assert ranges[-1][1] == tokens
    assert all(0 < stop - start <= size for start, stop in ranges)
    assert all(left[1] - right[0] == overlap for left, right in pairwise(ranges))
    assert all(stop < tokens for _, stop in ranges[:-1])


def test_phases_differ_from_one_another() -> None:
    first_stops = {int(windows(1000, 100, 20, phase=j, phases=4)[0, 1]) for j in range(4)}
    assert first_stops == {100, 20 + 20, 40 + 20, 60 + 20}


def test_ranges_are_int64() -> None:
    assert windows(10, 3, phase=1, phases=2).dtype == np.int64


@pytest.mark.parametrize(("size", "overlap"), [(32, 32), (32, 40), (0, 0), (5, -1)])
def test_overlap_outside_the_size_is_refused(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match=f"got overlap {overlap} and size {size}"):
        windows(10, size, overlap)


@pytest.mark.parametrize(("phase", "phases"), [(2, 2), (-1, 2), (0, 0)])
def test_unknown_phase_is_refused(phase: int, phases: int) -> None:
    with pytest.raises(ValueError, match=f"got phase {phase} of {phases}"):
        windows(10, 4, phase=phase, phases=phases)
