import math
from dataclasses import replace

import pytest

from chunkgap.errors import ConfigError, NotComparableError
from chunkgap.gating import gate
from chunkgap.records import Interval
from chunkgap.results import Results

from .reports.results_builder import build_results


def results(*, best_fixed: float = 0.7, fusion: float | None = 0.75, phases: int = 2) -> Results:
    """A measurement with these values at the primary endpoint."""
    built = build_results(queries=10, phases=phases)
    name = built.endpoint.name
    headroom = tuple(replace(h, best_fixed_value=best_fixed) if h.name == name else h for h in built.headroom)
    rows = tuple(replace(r, value=fusion) if r.kind == "fusion" and r.primary else r for r in built.rows)
    return replace(built, headroom=headroom, rows=rows)


def with_gap(gap: float, reproducible: float) -> Results:
    built = results()
    gaps = {"gap": Interval(gap, 0.0, 1.0), "reproducible": Interval(reproducible, -1.0, 1.0)}
    return replace(built, headroom=tuple(replace(found, **gaps) for found in built.headroom))


def with_gain(gain: float) -> Results:
    built = results()
    return replace(built, verdict=replace(built.verdict, gain=Interval(gain, -1.0, 1.0)))


def test_seven_of_ten_keep_the_limit_of_seven_tenths() -> None:
    assert gate(results(best_fixed=7 / 10), {"min_best_fixed": 0.7}).passed


def test_seven_of_ten_do_not_keep_a_limit_just_above() -> None:
    (check,) = gate(results(best_fixed=7 / 10), {"min_best_fixed": 0.7001}).checks
    assert not check.passed
    assert check.value == 0.7
    assert check.how_far == pytest.approx(-0.0001)


def test_values_are_compared_unrounded() -> None:
    below = math.nextafter(0.7, 0)
    assert not gate(results(best_fixed=below), {"min_best_fixed": 0.7}).passed


@pytest.mark.parametrize(
    ("key", "keeps", "fails"),
    [
        ("max_gap", with_gap(0.1, 0.0), with_gap(0.1001, 0.0)),
        ("max_reproducible_gap", with_gap(0.3, 0.1), with_gap(0.3, 0.1001)),
        ("min_fusion", results(fusion=0.1), results(fusion=0.0999)),
        ("min_fusion_gain", with_gain(0.1), with_gain(0.0999)),
    ],
)
def test_each_limit_itself_passes_and_beyond_it_fails(key: str, keeps: Results, fails: Results) -> None:
    assert gate(keeps, {key: 0.1}).passed
    assert not gate(fails, {key: 0.1}).passed


def test_a_negative_gain_may_be_allowed() -> None:
    assert gate(with_gain(-0.05), {"min_fusion_gain": -0.05}).passed


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_no_value_but_a_finite_one_passes(value: float) -> None:
    report = gate(results(best_fixed=value), {"min_best_fixed": 0.0})
    assert not report.passed
    assert report.checks[0].value is None


def test_a_value_that_is_not_there_fails_and_says_why() -> None:
    (check,) = gate(results(fusion=None), {"min_fusion": 0.0}).checks
    assert not check.passed
    assert check.how_far is None
    assert check.missing == "it was not computed at recall@5"


def test_a_reproducible_gap_needs_two_phases() -> None:
    (check,) = gate(results(phases=1), {"max_reproducible_gap": 1.0}).checks
    assert not check.passed
    assert check.missing == "it needs two phases, and one was measured"


def test_a_primary_measure_that_was_not_computed_fails_every_limit() -> None:
    built = results()
    without = replace(built, headroom=(), rows=())
    report = gate(without, {"min_best_fixed": 0.0, "max_gap": 1.0, "min_fusion": 0.0})
    assert [check.passed for check in report.checks] == [False, False, False]
    assert {check.missing for check in report.checks} == {"recall@5 was not computed"}


def test_nothing_passes_on_no_queries() -> None:
    built = results()
    empty = replace(built, queries=replace(built.queries, evaluated=0))
    (check,) = gate(empty, {"max_gap": 1.0}).checks
    assert not check.passed
    assert check.missing == "no query was evaluated"


def test_one_failed_limit_of_several_fails_the_gate() -> None:
    report = gate(results(), {"max_gap": 1.0, "min_best_fixed": 0.9})
    assert [(check.key, check.passed) for check in report.checks] == [
        ("min_best_fixed", False),
        ("max_gap", True),
    ]
    assert not report.passed


def test_a_gate_without_limits_is_an_error() -> None:
    with pytest.raises(ConfigError) as caught:
        gate(results(), {})
    assert str(caught.value) == (
        "gate: expected a limit, got none. Give one such as --min-best-fixed 0.8, a gate section in the "
        "configuration, or --baseline."
    )


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"min_recall": 0.5}, "got min_recall"),
        ({"max_gap": math.nan}, "expected a number as max_gap, got nan"),
        ({"max_gap": math.inf}, "expected a number as max_gap, got inf"),
    ],
)
def test_a_limit_that_nothing_could_fail_is_an_error(limits: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        gate(results(), limits)


def test_a_negative_drop_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"max_drop of at least 0, got -0\.1"):
        gate(results(), {}, baseline=results(), max_drop=-0.1)


def test_a_drop_of_just_the_allowed_size_passes() -> None:
    """0.72 - 0.70 is 0.020000000000000018 in double precision."""
    before, after = results(best_fixed=0.72, fusion=0.8), results(best_fixed=0.70, fusion=0.8)
    report = gate(after, {}, baseline=before, max_drop=0.02)
    assert report.passed
    assert [check.value for check in report.checks] == [0.02, 0.0]


def test_a_larger_drop_of_fusion_alone_fails() -> None:
    report = gate(results(fusion=0.7), {}, baseline=results(fusion=0.75), max_drop=0.02)
    assert [check.passed for check in report.checks] == [True, False]
    assert report.checks[1].name == "drop of fusion (ai21) recall@5, from 0.7500 to 0.7000,"


def test_a_rise_is_no_drop() -> None:
    assert gate(results(best_fixed=0.9), {}, baseline=results(best_fixed=0.7), max_drop=0.0).passed


def test_fusion_that_neither_has_is_not_held_against_the_baseline() -> None:
    report = gate(results(fusion=None), {}, baseline=results(fusion=None))
    assert len(report.checks) == 1
    assert report.passed


def test_fusion_that_was_lost_fails() -> None:
    assert not gate(results(fusion=None), {}, baseline=results()).passed


def test_a_baseline_over_another_corpus_is_refused_unless_allowed() -> None:
    built = results()
    other = replace(built, corpus=replace(built.corpus, digest="e" * 64))
    with pytest.raises(NotComparableError, match="--allow corpus"):
        gate(built, {}, baseline=other)
    assert gate(built, {}, baseline=other, allow=["corpus"]).passed


def test_a_small_drop_shows_two_values() -> None:
    report = gate(results(best_fixed=0.69999), {}, baseline=results(best_fixed=0.7), max_drop=0.0)
    assert report.checks[0].name.endswith("from 0.70000 to 0.69999,")
    assert not report.passed


def test_a_baseline_of_another_fusion_is_refused_unless_allowed() -> None:
    built = results()
    other = replace(built, endpoint=replace(built.endpoint, fusion="rrf60"))
    with pytest.raises(NotComparableError, match="--allow endpoint"):
        gate(built, {}, baseline=other)
    assert gate(built, {}, baseline=other, allow=["endpoint"]).checks


def test_a_baseline_that_left_the_query_itself_out_is_refused() -> None:
    before, after = (replace(results(), exclude_same_id=own) for own in (True, False))
    with pytest.raises(NotComparableError, match="exclude_same_id"):
        gate(after, {}, baseline=before)


def test_a_best_fixed_scale_that_neither_has_is_held_against_the_baseline_all_the_same() -> None:
    without = replace(results(fusion=None), headroom=())
    (check,) = gate(without, {}, baseline=without).checks
    assert (check.key, check.passed, check.missing) == ("max_drop", False, "recall@5 was not computed")
