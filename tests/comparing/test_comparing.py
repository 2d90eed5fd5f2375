from dataclasses import replace

import pytest

from chunkgap.comparing import Change, Difference, compare
from chunkgap.errors import NotComparableError
from chunkgap.records import Interval

from ..reports.results_builder import build_results
from .changed import measured


def change(difference: Difference, name: str) -> Change:
    return next(found for found in difference.endpoints[0].changes if found.name == name)


def test_a_measurement_does_not_differ_from_itself() -> None:
    results = build_results(queries=40)
    difference = compare(results, results, resamples=200)
    assert difference.queries == 40
    assert difference.settings == difference.moved == difference.warnings == ()
    for endpoint in difference.endpoints:
        for found in endpoint.changes:
            assert found.a == found.b
            assert found.difference in (None, Interval(0.0, 0.0, 0.0))
            assert found.p in (None, 1.0)


def test_changes_are_paired_by_query() -> None:
    before = measured({"50": [0, 0, 1, 1], "100": [0, 0, 0, 0]}, fusion=[0, 0, 1, 1])
    after = measured({"50": [1, 0, 1, 0], "100": [1, 1, 1, 1]}, fusion=[1, 1, 1, 1])
    difference = compare(before, after, resamples=500)
    fifty = change(difference, "50")
    assert (fifty.a, fifty.b, fifty.better, fifty.worse) == (0.5, 0.5, 1, 1)
    assert fifty.difference is not None
    assert fifty.difference.estimate == 0
    assert fifty.difference.low < 0 < fifty.difference.high
    hundred = change(difference, "100")
    assert hundred.difference == Interval(1.0, 1.0, 1.0)
    assert hundred.p == 2 / 2**4  # all four signs alike, of 16 patterns


def test_holm_corrects_over_the_changes_of_an_endpoint() -> None:
    before = measured({"50": [0.0] * 4, "100": [0.0] * 4})
    after = measured({"50": [0.0] * 4, "100": [1.0] * 4})
    difference = compare(before, after, resamples=50)
    # p: 50 has 1, 100 and best fixed 0.125: the smallest of three is tripled
    assert change(difference, "100").p_holm == 3 * 0.125
    assert change(difference, "50").p_holm == 1.0


def test_the_best_fixed_scale_of_each_side_is_compared_even_when_it_changes() -> None:
    before = measured({"50": [1, 1, 0, 0], "100": [0, 0, 0, 1]})
    after = measured({"50": [0, 0, 0, 0], "100": [1, 1, 1, 0]})
    difference = compare(before, after, resamples=50)
    assert difference.endpoints[0].best_fixed == ("50", "100")
    fixed = change(difference, "best fixed")
    assert (fixed.a, fixed.b, fixed.better, fixed.worse) == (0.5, 0.75, 1, 0)


def test_the_gap_is_that_of_each_side() -> None:
    before = measured({"50": [1, 0, 0, 0], "100": [0, 1, 0, 0]})  # oracle 2/4, best 1/4
    after = measured({"50": [1, 1, 0, 0], "100": [1, 1, 0, 0]})  # oracle 2/4, best 2/4
    gap = change(compare(before, after, resamples=50), "oracle gap")
    assert (gap.a, gap.b) == (0.25, 0.0)
    assert gap.difference is not None
    assert gap.difference.estimate == -0.25
    assert gap.p is None


def test_queries_of_one_cluster_are_one_observation() -> None:
    values = {"50": [0.0] * 6}, {"50": [1.0] * 6}
    apart = compare(measured(values[0]), measured(values[1]), resamples=50)
    together = compare(
        measured(values[0], clusters=[0, 0, 0, 1, 1, 1]),
        measured(values[1], clusters=[0, 0, 0, 1, 1, 1]),
        resamples=50,
    )
    assert change(apart, "50").p == 2 / 2**6
    assert change(together, "50").p == 2 / 2**2


def test_order_of_the_queries_does_not_matter() -> None:
    before = measured({"50": [1, 0, 0]}, query_ids=["x", "y", "z"])
    after = measured({"50": [0, 0, 1]}, query_ids=["z", "y", "x"])
    assert compare(before, after, resamples=50).moved == ()


def test_allowed_queries_are_paired_where_both_have_them() -> None:
    before = measured({"50": [1, 0, 0, 1]}, query_ids=["x", "y", "z", "only a"])
    after = measured({"50": [1, 1, 0]}, query_ids=["z", "y", "only b"])
    difference = compare(before, after, allow=["queries"], resamples=50)
    assert (difference.queries, difference.only_a, difference.only_b) == (2, 2, 1)
    fifty = change(difference, "50")
    assert (fifty.a, fifty.b) == (0.0, 1.0)
    assert difference.warnings == ("queries: 4 and 3 evaluated queries, 2 of them in both",)


def test_without_a_common_query_nothing_can_be_allowed() -> None:
    before = measured({"50": [1]}, query_ids=["x"])
    after = measured({"50": [1]}, query_ids=["y"])
    with pytest.raises(NotComparableError, match="queries: expected some in both, got none"):
        compare(before, after, allow=["queries"])


def test_scales_of_one_side_alone_are_named() -> None:
    difference = compare(measured({"50": [1], "100": [1]}), measured({"50": [1], "200": [1]}), resamples=50)
    assert (difference.scales_only_a, difference.scales_only_b) == (("100",), ("200",))
    assert [found.name for found in difference.endpoints[0].changes][:2] == ["50", "best fixed"]


def test_endpoints_of_both_are_compared_the_primary_first() -> None:
    before = measured({"50": [1]}, recall_at_5={"50": [1]}, recall_at_3={"50": [1]})
    after = measured({"50": [0]}, recall_at_5={"50": [0]})
    difference = compare(before, after, resamples=50)
    assert [(endpoint.name, endpoint.primary) for endpoint in difference.endpoints] == [
        ("recall@1", True),
        ("recall@5", False),
    ]


def test_an_allowed_endpoint_is_the_first_ones() -> None:
    before = measured({"50": [1]}, recall_at_5={"50": [1]})
    after = measured({"50": [0]}, primary="recall@5", recall_at_1={"50": [0]})
    assert compare(before, after, allow=["endpoint"], resamples=50).endpoint == "recall@1"


def test_without_a_common_endpoint_nothing_can_be_allowed() -> None:
    before, after = measured({"50": [1]}), measured({"50": [1]}, primary="recall@5")
    with pytest.raises(NotComparableError, match="endpoint: expected some measure in both, got none"):
        compare(before, after, allow=["endpoint"])


def test_queries_without_the_measure_are_left_out_of_it() -> None:
    before, after = measured({"50": [None, 1, 0]}), measured({"50": [1, 1, 1]})
    difference = compare(before, after, resamples=50)
    assert difference.endpoints[0].queries == 2
    assert change(difference, "50").a == 0.5


def test_a_measure_that_no_query_has_in_both_is_refused() -> None:
    with pytest.raises(NotComparableError, match="expected recall@1 for some query of both, got none"):
        compare(measured({"50": [None, 1]}), measured({"50": [1, None]}))


def test_fusion_that_one_side_lacks_is_not_compared() -> None:
    difference = compare(measured({"50": [1]}, fusion=[1]), measured({"50": [1]}), resamples=50)
    assert "fusion" not in [found.name for found in difference.endpoints[0].changes]


def test_one_cluster_has_no_interval() -> None:
    found = change(compare(measured({"50": [0]}), measured({"50": [1]}), resamples=50), "50")
    assert found.difference is not None
    assert found.difference.estimate == 1
    assert found.difference.low != found.difference.low  # NaN


def test_the_verdicts_of_both_are_told() -> None:
    before = build_results(queries=20)
    after = replace(before, verdict=replace(before.verdict, word="go"))
    assert compare(before, after, resamples=50).verdicts == ("cannot decide", "go")
