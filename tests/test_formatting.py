"""Rounding never flatters."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgap.formatting import interval, number, one_line, percent, signed
from chunkgap.records import Interval

DASH = "\N{EN DASH}"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.5000"),
        (1.0, "1.0000"),
        (0.99999, "0.9999"),
        (1.00001, "1.0001"),
        (-0.99999, "-0.9999"),
        (0.0, "0"),
        (-0.0, "0"),
        (1e-17, "0"),
        (-1e-17, "0"),
        (0.00001, "0.0001"),
        (-0.00001, "-0.0001"),
        (None, DASH),
        (math.nan, DASH),
    ],
)
def test_only_an_exact_value_prints_as_zero_or_one(value, text):
    assert number(value) == text


def test_fewer_decimals_keep_the_rule():
    assert number(0.9997, decimals=3) == "0.999"
    assert number(0.0004, decimals=3) == "0.001"


@pytest.mark.parametrize(
    ("value", "text"), [(0.1, "+0.1000"), (-0.1, "-0.1000"), (0.0, "0"), (1e-17, "0"), (None, DASH)]
)
def test_a_difference_carries_its_sign(value, text):
    assert signed(value) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.5, "50.0%"), (0.9996, "99.9%"), (1.0, "100.0%"), (0.0001, "0.1%"), (0.0, "0%"), (None, DASH)],
)
def test_a_share_is_all_or_nothing_only_when_it_is(share, text):
    assert percent(share) == text


def test_an_interval_shows_missing_ends_as_dashes():
    assert interval(Interval(0.25, 0.2, 0.3), decimals=2) == "0.25 [0.20, 0.30]"
    assert interval(Interval(0.25, math.nan, math.nan)) == f"0.2500 [{DASH}, {DASH}]"
    assert interval(None) == DASH


@settings(max_examples=50, deadline=None)
@given(st.floats(-2, 2), st.integers(1, 6))
def test_text_is_within_one_unit_and_never_minus_zero(value, decimals):
    text = number(value, decimals=decimals)
    assert abs(float(text) - value) <= 10.0**-decimals + 1e-12
    assert float(text) != 0 or text == "0"


def test_a_long_text_is_cut_between_words():
    assert one_line(" who\n pays  for it ") == "who pays for it"
    assert one_line("who pays for it", limit=15) == "who pays for it"
    assert one_line("who pays for it", limit=14) == "who pays for ..."
    assert one_line("unbroken", limit=4) == "unbr ..."
