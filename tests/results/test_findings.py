"""What findings derive from one another."""

from chunkgap.records import Interval
from chunkgap.results import Headroom

GAP = Interval(0.3, 0.2, 0.4)


def headroom(reproducible: Interval | None) -> Headroom:
    return Headroom(
        measure="recall",
        cutoff="5",
        best_fixed="100",
        best_fixed_value=0.5,
        cross_fitted_value=0.5,
        oracle=0.8,
        gap=GAP,
        corrected=reproducible is not None,
        reproducible=reproducible,
    )


def test_the_bracket_runs_from_the_reproducible_to_the_raw_gap() -> None:
    between = headroom(Interval(0.1, 0.05, 0.2)).bracket
    assert between is not None
    assert (between.reproducible.estimate, between.raw.estimate) == (0.1, 0.3)
    assert (between.low, between.high) == (0.05, 0.4)


def test_an_uncorrected_gap_has_no_bracket() -> None:
    assert headroom(None).bracket is None
