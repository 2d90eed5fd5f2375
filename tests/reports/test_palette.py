import re
from itertools import pairwise

from chunkgap.reports.palette import dark_colours, ramp, symbols
from tests.reports.results_builder import build_results


def test_ramp_has_a_colour_of_its_own_for_each_scale() -> None:
    for theme in zip(*ramp(8), strict=True):
        assert len(set(theme)) == 8
        assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in theme)


def test_one_scale_has_the_first_colour() -> None:
    assert ramp(1) == ramp(5)[:1]


def test_dark_colours_hold_those_of_every_scale() -> None:
    assert set(dict(ramp(4))) <= set(dark_colours(build_results()))


def test_neighbouring_scales_differ_in_their_symbols() -> None:
    found = symbols(20)
    assert all(left != right for left, right in pairwise(found))
