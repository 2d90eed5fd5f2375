from dataclasses import FrozenInstanceError, replace

import pytest

import chunkgap.results
from chunkgap.results import facts, faults, findings, json_text, queries, results, timings

from ..reports.results_builder import build_results

PARTS = (facts, faults, findings, queries, timings, results, json_text)


def test_the_package_names_everything_public_that_its_modules_define() -> None:
    defined = {
        name
        for part in PARTS
        for name, value in vars(part).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == part.__name__
    }
    assert set(chunkgap.results.__all__) == defined | {"CROSS_FITTED", "FILLED", "FORMAT_VERSION", "RowKind"}


def test_the_primary_headroom_is_that_of_the_endpoint() -> None:
    found = build_results(primary="recall@10")
    assert found.primary.name == found.endpoint.name == "recall@10"


def test_endpoints_are_in_configured_order() -> None:
    found = build_results(measures=("recall", "ndcg"), cutoffs=("5", "1"))
    assert found.endpoints == (("recall", "5"), ("recall", "1"), ("ndcg", "5"), ("ndcg", "1"))


def test_a_row_is_found_by_kind_name_measure_and_cutoff() -> None:
    found = build_results()
    row = found.row("scale", "100", "recall", "5")
    assert row in found.rows
    assert row is not None
    assert (row.kind, row.name, row.measure, row.cutoff) == ("scale", "100", "recall", "5")
    assert found.row("scale", "100", "recall", "7") is None


def test_results_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        build_results().phases = 3  # type: ignore[misc]


def test_headroom_is_found_by_the_name_of_its_endpoint() -> None:
    found = build_results()
    assert found.headroom_at("recall@5") == found.primary
    assert found.headroom_at("recall@7") is None


def test_a_set_is_marked_by_the_words_of_its_keys() -> None:
    marks = {(found.pareto, found.recommended): found.marks for found in build_results().sets}
    assert marks[False, False] == ()
    assert marks[True, False] == ("pareto",)
    assert replace(build_results().sets[0], pareto=True, recommended=True).marks == ("pareto", "recommended")


def test_the_best_scales_of_a_slice_are_all_that_share_the_best_mean() -> None:
    first = replace(build_results().slices[0], means={"15": 0.1 + 0.2, "45": 0.2, "120": 0.3}, best="120")
    assert first.best_scales == ("15", "120")  # 0.1 + 0.2 is 0.3 but for rounding
    assert replace(first, means={"15": 0.3, "120": 0.3 + 1e-6}).best_scales == ("120",)


@pytest.mark.parametrize(
    ("embedded", "cached", "is_earlier"),
    [(0, 100, True), (0, 0, True), (9, 91, True), (10, 90, False), (100, 0, False)],
)
def test_with_less_than_a_tenth_embedded_the_speed_is_an_earlier_one(
    embedded: int, cached: int, is_earlier: bool
) -> None:
    taken = build_results().timings
    assert taken
    taken = replace(taken, texts_embedded=embedded, texts_cached=cached)
    assert taken.has_earlier_speed == is_earlier
    unknown = tuple(replace(scale, embed=None) for scale in taken.scales)
    assert not replace(taken, scales=unknown).has_earlier_speed


def test_wins_are_of_so_many_queries_as_have_the_measure() -> None:
    assert build_results(queries=60).wins.queries == 60
    assert build_results(queries=60, bare=True).wins.queries == 59
