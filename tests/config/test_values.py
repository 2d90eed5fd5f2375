from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkgap.config import values


@pytest.mark.parametrize(
    ("value", "sizes"),
    [
        ([50, 100], (50, 100)),
        ([200, 50], (200, 50)),
        (64, (64,)),
        ([6.4e1, 2.56e2], (64, 256)),
        (64.0, (64,)),
    ],
)
def test_sizes_keep_their_order(value: object, sizes: tuple[int, ...]) -> None:
    assert values.read_sizes(value) == sizes


@pytest.mark.parametrize(
    ("value", "got"),
    [
        (None, "got nothing"),
        ([], "got an empty list"),
        ([0], "got the number 0"),
        ([-64], "got the number -64"),
        ([128.5], "got the number 128.5"),
        ([True], "got the boolean true"),
        (False, "got the boolean false"),
        ("64,256", 'got text "64,256"'),
        (["64"], 'got text "64"'),
        ([None], "got nothing"),
        ([[64]], "got a list of 1"),
        ({"a": 1}, "got a mapping"),
        ([128, 64, 128], "got 128 2 times"),
        ([float("inf")], "got the number inf"),
        ([1_000_001], "got the number 1000001"),
        (list(range(1, 14)), "got 13"),
    ],
)
def test_sizes_that_are_none_are_refused(value: object, got: str) -> None:
    with pytest.raises(ValueError, match=got):
        values.read_sizes(value)


@pytest.mark.parametrize(
    ("value", "overlap"),
    [(0, 0), (8, 8), (8.0, 8), ("10%", "10%"), ("12.5 %", "12.5%"), ("0%", "0%"), ("99.9%", "99.9%")],
)
def test_overlap_is_tokens_or_a_percentage(value: object, overlap: int | str) -> None:
    assert values.read_overlap(value) == overlap


@pytest.mark.parametrize("value", [-1, 0.1, True, None, "8", "100%", "-5%", "10", "x%", [8]])
def test_other_overlaps_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="expected a number of tokens or a percentage below 100"):
        values.read_overlap(value)


@given(st.integers(1, 10_000), st.integers(0, 9_999))
def test_percentage_is_rounded_down_exactly_and_leaves_a_step(size: int, hundredths: int) -> None:
    tokens = values.overlap_tokens(f"{hundredths / 100:.2f}%", size)
    assert tokens <= Fraction(size * hundredths, 10_000) < tokens + 1
    assert 0 <= tokens < size


def test_percentage_does_not_suffer_from_binary_fractions() -> None:
    assert values.overlap_tokens("29%", 100) == 29  # int(100 * 0.29) is 28


def test_overlap_must_be_smaller_than_the_smallest_size() -> None:
    values.check_overlap(31, [128, 32])
    values.check_overlap("99%", [1])
    with pytest.raises(
        ValueError, match="expected fewer tokens than every size, got overlap 32 with size 32"
    ):
        values.check_overlap(32, [128, 32])


def test_cutoffs_are_written_in_their_shortest_form() -> None:
    assert values.read_cutoffs([1, 1e1, "5c", "2000t", "07"]) == ("1", "10", "5c", "2000t", "7")
    assert values.read_cutoffs(5) == ("5",)


@pytest.mark.parametrize(
    "value",
    [[], None, [0], [-1], [1.5], [True], ["5x"], ["c"], [""], ["0"], [5, "5"], [1e300], ["9" * 10], {}],
)
def test_other_cutoffs_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"^expected .*, got .*\. "):
        values.read_cutoffs(value)


def test_measures_may_have_a_cutoff_of_their_own() -> None:
    assert values.read_measures(["recall", "evidence_recall@1000t"]) == ("recall", "evidence_recall@1000t")
    assert values.read_measures("success") == ("success",)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (["recal"], 'got "recal". Did you mean "recall"?'),
        (["hits"], "Choose from"),
        (["recall@x"], 'got text "x"'),
        (["recall", "recall"], "got recall 2 times"),
        (["evidence_recall@5"], "expected a cutoff in chunks or tokens for evidence_recall"),
        ([True], "got the boolean true"),
        ([], "got an empty list"),
    ],
)
def test_other_measures_are_refused(value: object, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        values.read_measures(value)
    assert message in str(caught.value)


def test_measures_are_paired_with_the_cutoffs_at_which_they_are_defined() -> None:
    assert values.at_cutoffs(["recall", "evidence_recall", "recall@5", "rr@9"], ["5", "2000t"]) == (
        ("recall", "5"),
        ("recall", "2000t"),
        ("evidence_recall", "2000t"),
        ("rr", "9"),
    )


def test_measure_of_text_needs_a_cutoff_in_chunks_or_tokens() -> None:
    values.check_cutoffs(["5", "5c"], ["evidence_recall"])
    with pytest.raises(
        ValueError, match="expected a cutoff in chunks or tokens for evidence_recall, got documents"
    ):
        values.check_cutoffs(["5"], ["recall", "evidence_recall"])


@pytest.mark.parametrize(
    ("pairs", "primary"),
    [
        ([("success", "1"), ("recall", "1"), ("recall", "5")], "recall@5"),
        ([("success", "1"), ("recall", "1")], "success@1"),
        ([("recall", "5c"), ("recall", "3")], "recall@3"),  # fusion has no cutoff in chunks
        ([("recall", "5c")], "recall@5c"),
    ],
)
def test_primary_that_is_not_given(pairs: list[tuple[str, str]], primary: str) -> None:
    assert values.read_primary(None, pairs) == primary


@pytest.mark.parametrize("value", ["recall@7", "recall", 5, True])
def test_primary_that_is_not_computed_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"expected one of the measures at a cutoff \(recall@1, rr@1\)"):
        values.read_primary(value, [("recall", "1"), ("rr", "1")])


def test_there_are_no_more_phases_than_tokens_that_a_window_moves_on() -> None:
    values.check_phases(3, 7, [10, 20])
    with pytest.raises(
        ValueError, match=r"expected at most 3, the tokens that a window of size 10 moves on, got 4\."
    ):
        values.check_phases(4, 7, [20, 10])
    with pytest.raises(ValueError, match="size 16 moves on, got 3"):
        values.check_phases(3, "90%", [16])  # an overlap of 14
