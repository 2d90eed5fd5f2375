import math
from dataclasses import replace

import pytest

from chunkgap.formatting import MISSING, interval, number
from chunkgap.records import Interval
from chunkgap.reports.gaps import (
    bracket_sentence,
    bracket_texts,
    luck,
    luck_sentence,
    luck_table,
    mean_placebo,
    router_sentence,
)
from chunkgap.results import Comparison, Headroom, Results, Row

from .results_builder import build_results


def with_headroom(results: Results, **changes: object) -> Results:
    """The same results with another headroom at the primary endpoint."""
    found = replace(results.primary, **changes)  # type: ignore[arg-type]
    others = (found if one.name == found.name else one for one in results.headroom)
    return replace(results, headroom=tuple(others))


def with_gaps() -> Headroom:
    return replace(
        build_results().primary,
        gap=Interval(0.133, 0.094, 0.172),
        reproducible=Interval(-0.005, -0.033, 0.023),
    )


def test_bracket_reaches_from_the_lower_end_of_one_interval_to_the_upper_of_the_other() -> None:
    assert bracket_texts(with_gaps(), decimals=3) == ("[-0.005, 0.133]", "[-0.033, 0.172]")


def test_bracket_without_an_interval_has_open_ends() -> None:
    found = replace(with_gaps(), gap=Interval(0.133, math.nan, math.nan))
    assert bracket_texts(found) == ("[-0.0050, 0.1330]", f"[-0.0330, {MISSING}]")
    assert bracket_texts(replace(found, reproducible=None)) == (MISSING, MISSING)


def test_bracket_sentence_has_both_gaps_and_both_brackets() -> None:
    found = with_gaps()
    results = with_headroom(build_results(), gap=found.gap, reproducible=found.reproducible)
    assert bracket_sentence(results) == (
        "What a perfect choice of size could win at recall@5 lies between the reproducible gap, "
        "-0.005 [-0.033, 0.023], and the raw gap, 0.133 [0.094, 0.172]: bracket [-0.005, 0.133], "
        "at 95% [-0.033, 0.172]."
    )
    assert "at 90%" in bracket_sentence(replace(results, confidence=0.9))


def test_one_phase_has_no_bracket_and_one_scale_no_gap() -> None:
    assert "uncorrected" in bracket_sentence(build_results(phases=1))
    assert bracket_sentence(build_results(scales=("50",))) == ""


def test_mean_placebo_is_the_mean_over_scales() -> None:
    assert mean_placebo(build_results().primary) == pytest.approx((0.020 + 0.023 + 0.026 + 0.029) / 4)
    assert mean_placebo(build_results(phases=1).primary) is None


def test_luck_is_of_as_many_indexes_as_there_are_phases_or_scales_where_matched() -> None:
    results, matched = build_results(), build_results(matched=True)
    assert luck(results, results.primary) == (2, mean_placebo(results.primary))
    assert luck(matched, matched.primary) == (4, matched.primary.matched_placebo)
    one = build_results(phases=1)
    assert luck(one, one.primary) is None


def test_luck_sentence_pairs_each_placebo_with_the_gap_of_as_many_sizes() -> None:
    results = with_headroom(
        build_results(),
        placebo={"50": 0.08, "100": 0.09},
        like_for_like=0.087,
        matched_placebo=0.12,
        gap=Interval(0.133, 0.1, 0.2),
    )
    assert luck_sentence(results) == (
        "Luck, like for like: an oracle over 2 phases of one size gains 0.085, over 2 sizes 0.087; "
        "an oracle over 4 phases of one size gains 0.120, over 4 sizes 0.133."
    )
    assert luck_sentence(build_results(phases=1)) == ""


def test_luck_table_compares_lines_over_as_many() -> None:
    results = build_results(matched=True)
    found = results.primary
    table = luck_table(results)
    shown = {row[0].text: row[1].text for row in table.rows}
    assert shown == {
        **{f"2 phases of {name}": number(gap) for name, gap in found.placebo.items()},
        "2 phases of one size, mean": number(mean_placebo(found)),
        "2 sizes, mean over all sets of 2": number(found.like_for_like),
        "4 phases of the best fixed size": number(found.matched_placebo),
        "4 sizes": number(found.gap.estimate),
    }
    assert [table.rows[place][0].text for place in sorted(table.marked)] == [
        "2 sizes, mean over all sets of 2",
        "4 sizes",
    ]


def test_as_many_scales_as_phases_stand_there_once() -> None:
    names = [row[0].text for row in luck_table(build_results(scales=("50", "100"))).rows]
    assert names == ["2 phases of 50", "2 phases of 100", "2 phases of one size, mean", "2 sizes"]


def test_without_a_second_phase_there_is_no_luck_to_show() -> None:
    assert not luck_table(build_results(phases=1))


def with_routers(*values: float, fixed: float = 0.7, difference: Interval | None = None) -> Results:
    results = build_results()
    rows = [row for row in results.rows if row.kind != "router" and row.name != "cross-fitted"]
    rows.append(Row("best fixed", "cross-fitted", "recall", "5", fixed, None, primary=True))
    rows += [
        Row("router", f"r{place}", "recall", "5", value, None, primary=True)
        for place, value in enumerate(values)
    ]
    compared = [] if difference is None else [Comparison("r0", "best", difference, 0.01, 0.02, None, None)]
    return replace(results, rows=tuple(rows), comparisons=tuple(compared))


def test_routers_that_do_not_beat_the_best_fixed_scale_are_told_so() -> None:
    assert router_sentence(with_routers(0.61, 0.65)) == (
        "No router beats the best fixed size: the better one reaches 0.6500 against 0.7000."
    )
    assert router_sentence(with_routers(0.7)) == (
        "No router beats the best fixed size: r0 reaches 0.7000 against 0.7000."
    )


def test_a_router_that_does_has_its_interval() -> None:
    surely, perhaps = Interval(0.05, 0.01, 0.09), Interval(0.05, -0.01, 0.11)
    told = f"The router r0 reaches 0.7500 against 0.7000 of the best fixed size: +{interval(surely)}."
    assert router_sentence(with_routers(0.75, 0.6, difference=surely)) == told
    assert router_sentence(with_routers(0.75, difference=perhaps)).endswith("; the interval includes 0.")


def test_without_routers_nothing_is_said() -> None:
    assert router_sentence(with_routers()) == ""
