"""What is compared at the primary endpoint, by hand."""

from dataclasses import replace

from chunkgap.analysis.endpoints import Endpoint
from chunkgap.analysis.payoff import compare_sets, compare_with_best_fixed
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.config import DecisionSettings, StatisticsSettings
from chunkgap.fusion import PRESETS
from chunkgap.results import FILLED, Comparison, ScaleSet

from .made_up_retrieval import LENGTH, endpoint_of, fused_of, retrieval_of

HALF = [1, 0] * 20
OTHER = [0, 1] * 20


def compared(retrieval: Retrieval, endpoint: Endpoint | None = None) -> Comparison:
    (found, *_) = compare_with_best_fixed(
        endpoint or endpoint_of(retrieval),
        retrieval,
        fused_of(retrieval),
        {},
        DecisionSettings(),
        StatisticsSettings(resamples=200),
    )
    return found


def sets(retrieval: Retrieval, endpoint: Endpoint) -> tuple[ScaleSet, ...]:
    return compare_sets(endpoint, retrieval, PRESETS["rrf60"], depth=LENGTH)


def test_what_nothing_varies_in_has_no_smallest_detectable_difference() -> None:
    same = compared(retrieval_of([[[1] * 40], [[1] * 40]]))
    assert (same.difference.low, same.difference.high) == (0, 0)
    assert same.detectable is None
    assert same.queries_needed is None


def test_what_varies_has_one() -> None:
    found = compared(retrieval_of([[HALF], [[1] * 20 + [0] * 20]]))
    assert found.detectable is not None
    assert found.detectable > 0
    assert found.against == "best fixed (cross-fitted)"


def test_under_a_token_budget_the_comparison_names_the_row_that_is_filled_as_fusion_is() -> None:
    retrieval = retrieval_of([[HALF], [OTHER]])
    endpoint = endpoint_of(retrieval)
    packed = replace(endpoint, packed=endpoint.all_scores[:, 0])
    assert compared(retrieval, packed).against == f"best fixed ({FILLED})"


def test_every_set_of_scales_is_scored_a_single_one_as_it_was_searched() -> None:
    retrieval = retrieval_of([[HALF], [[1] * 40]])
    found = {one.scales: one for one in sets(retrieval, endpoint_of(retrieval))}
    assert found["50",].value == 0.5
    assert found["100",].value == 1.0
    assert found["50", "100"].vectors == 10 + 20


def test_there_are_no_sets_of_one_scale_or_at_a_cutoff_in_chunks() -> None:
    alone, both = retrieval_of([[HALF]]), retrieval_of([[HALF], [OTHER]])
    assert sets(alone, endpoint_of(alone)) == ()
    assert sets(both, endpoint_of(both, cutoff="1c")) == ()
