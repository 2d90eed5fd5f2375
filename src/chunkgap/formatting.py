"""How numbers, and texts among them, are written in every report: rounding never flatters.

A value prints as 0 or as 1.0000 only when it is exactly that; a value that would round to either is shown one
unit of the last decimal away from it. Nothing prints as minus zero, and what does not exist prints as a dash.
"""

import math
import re
from decimal import Decimal

from chunkgap.records import Interval

MISSING = "\N{EN DASH}"
NOISE = 1e-12  # differences below are the rounding of sums, not a result
_DECIMALS = 4
_MOST_DECIMALS = 17  # of a double
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


def number(value: float | None, *, decimals: int = _DECIMALS) -> str:
    """A value as text.

    Args:
        value: Any number; None and NaN stand for one that does not exist.
        decimals: Decimals to keep, at least 1: four as a rule, three where a table is narrow.

    Returns:
        "0" for exactly 0, a dash for None and NaN, else the value with that many decimals.

    >>> number(0.12345), number(0.99996), number(0.00001), number(-0.00001), number(1.0)
    ('0.1235', '0.9999', '0.0001', '-0.0001', '1.0000')
    >>> number(-0.0), number(5e-17), number(None)
    ('0', '0', '\u2013')
    """
    if value is None or math.isnan(value):
        return MISSING
    if abs(value) < NOISE:
        return "0"
    return f"{_unflattered(value, decimals):.{decimals}f}"


def decimals_apart(value: float, other: float, *, least: int = _DECIMALS) -> int:
    """The fewest decimals, `least` or more, with which two numbers that differ are not written alike.

    >>> decimals_apart(0.0199999, 0.02), decimals_apart(0.01, 0.02), decimals_apart(0.02, 0.02)
    (7, 4, 4)
    """
    decimals = least
    while decimals < _MOST_DECIMALS and value != other and f"{value:.{decimals}f}" == f"{other:.{decimals}f}":
        decimals += 1
    return decimals


def numbers_apart(value: float | None, other: float | None, *, decimals: int = _DECIMALS) -> tuple[str, str]:
    """Two values as text, with so many more decimals than usual that they are alike only if they are equal.

    >>> numbers_apart(0.70001, 0.7), numbers_apart(0.1 + 0.2, 0.3), numbers_apart(0.5, None)
    (('0.70001', '0.70000'), ('0.3000', '0.3000'), ('0.5000', '\u2013'))
    """
    if value is not None and other is not None and abs(value - other) >= NOISE:
        decimals = decimals_apart(value, other, least=decimals)
    return number(value, decimals=decimals), number(other, decimals=decimals)


def as_given(value: float) -> str:
    """A limit as it was written: every digit of it, no power of ten, no blank decimals.

    >>> as_given(5.0), as_given(0.02), as_given(1e-7), as_given(0.0200001)
    ('5', '0.02', '0.0000001', '0.0200001')
    """
    text = f"{Decimal(repr(value)):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def signed(value: float | None, *, decimals: int = _DECIMALS) -> str:
    """A difference as text: as `number`, with a plus in front of gains.

    >>> signed(0.0312), signed(-0.0312), signed(0.0), signed(None)
    ('+0.0312', '-0.0312', '0', '\u2013')
    """
    text = number(value, decimals=decimals)
    return f"+{text}" if value is not None and value >= NOISE else text


def interval(value: Interval | None, *, decimals: int = _DECIMALS) -> str:
    """An estimate and its interval as text.

    >>> interval(Interval(0.0019, -0.0033, 0.0081), decimals=3)
    '0.002 [-0.003, 0.008]'
    >>> interval(Interval(0.25, math.nan, math.nan)), interval(None)
    ('0.2500 [\u2013, \u2013]', '\u2013')
    """
    if value is None:
        return MISSING
    low, high = number(value.low, decimals=decimals), number(value.high, decimals=decimals)
    return f"{number(value.estimate, decimals=decimals)} [{low}, {high}]"


def percent(share: float | None, *, decimals: int = 1) -> str:
    """A share as a percentage, by the same rule: 100.0% only when it is all of it.

    >>> percent(0.12345), percent(0.99999), percent(1.0), percent(0.0), percent(None)
    ('12.3%', '99.9%', '100.0%', '0%', '\u2013')
    """
    if share is None or math.isnan(share):
        return MISSING
    if abs(share) < NOISE:
        return "0%"
    return f"{_unflattered(share, decimals + 2) * 100:.{decimals}f}%"


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number, thousands apart, with its noun.

    >>> counted(1, "query", "queries"), counted(2000, "document")
    ('1 query', '2,000 documents')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def one_line(text: str, *, limit: int | None = None) -> str:
    r"""A text on one line; of one longer than `limit` characters the last words are left out.

    >>> one_line("who pays\n for it"), one_line("who pays for it", limit=10)
    ('who pays for it', 'who pays ...')
    """
    line = " ".join(text.split())
    return line if limit is None or len(line) <= limit else f"{line[:limit].rsplit(' ', 1)[0]} ..."


def visible(text: str) -> str:
    r"""A text whose control characters are written as escapes, so that a terminal shows them and obeys none.

    >>> print(visible("que\x1b[31mstion"))
    que\x1b[31mstion
    """
    return _CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def _unflattered(value: float, decimals: int) -> float:
    """`value` rounded, one unit off where rounding alone would have made it 0, 1 or -1."""
    rounded = round(value, decimals)
    if rounded not in (0.0, 1.0, -1.0) or abs(value - rounded) < NOISE:
        return rounded
    return rounded + math.copysign(10.0**-decimals, value - rounded)
