from dataclasses import replace

from chunkgap.reports.price import Price

from .results_builder import build_results


def test_one_scale_costs_what_its_first_phase_holds() -> None:
    scale = build_results().scales[1]
    first = scale.phases[0]
    assert Price.of([scale]) == Price(
        first.chunks, first.vectors, first.mean_tokens, scale.vector_bytes, scale.index_bytes
    )


def test_several_scales_add_up_and_the_mean_is_over_all_chunks() -> None:
    one, other = build_results(scales=("50", "100")).scales
    three = replace(one, phases=(replace(one.phases[0], chunks=3, vectors=2, mean_tokens=50.0),))
    single = replace(other, phases=(replace(other.phases[0], chunks=1, vectors=1, mean_tokens=90.0),))
    price = Price.of([three, single])
    assert (price.chunks, price.vectors, price.mean_tokens) == (4, 3, (3 * 50 + 90) / 4)
    assert price.vector_bytes == one.vector_bytes + other.vector_bytes


def test_without_chunks_there_is_no_mean_and_without_one_of_the_files_no_sum() -> None:
    one, other = build_results(scales=("50", "100")).scales
    empty = replace(one, phases=(replace(one.phases[0], chunks=0),), index_bytes=None)
    assert Price.of([empty]).mean_tokens is None
    assert Price.of([empty, other]).index_bytes is None
