"""What to do next, for every verdict."""

from dataclasses import replace

import pytest

from chunkgap.analysis.fusions import PHASES_OF
from chunkgap.formatting import number
from chunkgap.records import Interval
from chunkgap.reports.advice import headline, next_step
from chunkgap.results import Comparison, Notice, Results, ScaleSet

from .results_builder import build_results

BLOCKING = (Notice("truncated", "size 500 is cut", blocking=True),)


def made(
    verdict: str,
    *,
    control: float = 0.5,
    vectors: int | None = 100,
    gain: Interval | None = None,
    chosen: tuple[str, ...] = (),
    **options: object,
) -> Results:
    """Results at 0.6 for fusion, with one control over one size and one recommended set."""
    results = build_results(verdict=verdict, **options)  # type: ignore[arg-type]
    endpoint = results.endpoint
    rows = tuple(
        replace(
            row,
            value={"fusion": 0.6, "control": control}.get(row.kind, row.value),
            vectors=vectors if row.kind == "control" else row.vectors,
        )
        for row in results.rows
        if row.kind != "control" or row.name == PHASES_OF
    )
    difference = gain or Interval(0.01, -0.02, 0.04)
    compared = Comparison(PHASES_OF, "best fixed (cross-fitted)", difference, 0.01, 0.02, 0.03, 100)
    sets = (ScaleSet(chosen, 0.59, 3000, 12_000, pareto=True, recommended=True),) if chosen else ()
    return replace(
        results,
        rows=rows,
        comparisons=(compared,),
        sets=sets,
        notices=(),
        verdict=replace(results.verdict, gain=Interval(0.05, 0.01, 0.09)),
        endpoint=endpoint,
    )


def test_go_names_the_smallest_good_set_or_all_sizes() -> None:
    assert headline(made("go")) == "Go: index at several sizes and fuse them."
    assert next_step(made("go")) == "Next: index all 4 sizes."
    told = next_step(made("go", chosen=("50", "200")))
    assert told.startswith(
        "Next: index 50 + 200: the smallest set within one standard error of the best (0.5900 at "
    )
    assert told.count("x)") == 1


def test_go_defers_to_one_size_that_does_as_well_for_no_more() -> None:
    results = made("go", control=0.6)
    assert headline(results) == "Go by the rule, but one size did as well: try that first."
    assert next_step(results).startswith(
        "Next: try a second index of it, shifted by half a step, fused with the first, which reached 0.6000 at "
    )


def test_a_control_that_stores_more_than_fusion_is_no_reason_to_wait() -> None:
    results = made("go", control=0.7, vectors=10**9)
    assert headline(results) == "Go: index at several sizes and fuse them."


def test_no_go_and_cannot_decide_keep_the_best_fixed_size() -> None:
    results = made("no-go", chosen=("50", "200"))
    assert next_step(results) == f"Next: keep {results.primary.best_fixed}."
    results = made("cannot decide", chosen=("50", "200"))
    assert next_step(results).startswith(
        f"Next: keep {results.primary.best_fixed} for now. To settle fusion, measure 50 + 200 alone, the smallest set"
    )


def test_a_control_that_surely_gains_is_worth_trying_whatever_fusion_does() -> None:
    results = made("no-go", gain=Interval(0.05, 0.02, 0.08))
    told = next_step(results)
    assert (
        "A second index of it, shifted by half a step, fused with the first, gains +0.050 [0.020, 0.080] at "
        in told
    )
    assert told.endswith("its storage: try that first.")


def test_a_control_as_good_as_fusion_is_named_with_what_it_does_not_show() -> None:
    results = made("cannot decide", control=0.61)
    assert (
        f"did as well as fusion, though not surely better than {results.primary.best_fixed} alone: +0.010"
        in (next_step(results))
    )


@pytest.mark.parametrize("verdict", ["go", "no-go", "cannot decide"])
def test_a_blocking_warning_comes_before_all(verdict: str) -> None:
    results = replace(made(verdict), notices=BLOCKING)
    assert headline(results) == "No verdict: a warning forbids it."
    assert next_step(results) == "Next: mend what the first warning names, and measure again."


def test_one_size_alone_has_nothing_to_fuse() -> None:
    results = build_results(scales=("100",))
    results = replace(results, notices=())
    assert headline(results) == "No verdict: one size alone, nothing to fuse."
    assert next_step(results) == ""


def test_run_files_have_no_storage_and_no_sizes_to_index() -> None:
    results = made("go", command="score")
    assert headline(results) == "Go: fuse these runs."
    surely = Interval(0.05, 0.02, 0.08)
    assert "storage" not in next_step(made("no-go", command="score", vectors=None, gain=surely))


def test_sizes_that_need_too_much_storage_are_no_reason_to_give_up_a_set_that_fits() -> None:
    results = made("no-go", chosen=("50", "200"))
    fixed = results.primary.best_fixed
    own = next(scale for scale in results.scales if scale.name == fixed).phases[0].vectors
    high = results.primary.best_fixed_value + 0.1
    sets = (
        ScaleSet((fixed,), high + 0.3, own, 4 * own, pareto=True, recommended=False),
        ScaleSet(("50", "100", "200"), high + 0.2, 5 * own, 20 * own, pareto=True, recommended=True),
        ScaleSet(("50", "200"), high, 3 * own, 12 * own, pareto=True, recommended=False),
        ScaleSet(("50", "100"), high - 0.05, 2 * own, 8 * own, pareto=True, recommended=False),
    )
    verdict = replace(results.verdict, storage=9.0, max_storage=3.0)
    results = replace(results, sets=sets, verdict=verdict)
    assert headline(results) == "No-go: all 4 sizes together need too much storage."
    assert next_step(results) == (
        f"Next: keep {fixed}. Within the bounds, 50 + 200 reached {number(high)} at 3.0x its storage: measure these "
        "alone to judge them."
    )
    losing = replace(results, verdict=replace(verdict, gain=Interval(-0.1, -0.15, -0.05)))
    assert headline(losing) == "No-go: stay with one size."
    assert next_step(losing) == f"Next: keep {fixed}."
    tight = replace(results, verdict=replace(verdict, max_storage=1.5))
    assert next_step(tight) == f"Next: keep {fixed}."
