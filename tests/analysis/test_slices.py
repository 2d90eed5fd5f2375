"""Slices and win tables, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from chunkgap.analysis import slices as module
from chunkgap.analysis.slices import (
    MOST_GROUPS,
    group_queries,
    left_out_notices,
    slice_endpoint,
    win_tables,
)
from chunkgap.config import StatisticsSettings
from chunkgap.records import Query
from chunkgap.statistics import sign_flip

from .made_up_retrieval import endpoint_of, fused_of, retrieval_of

# the first half of 60 queries is found at size 50, the second at size 100
FIRST = [1] * 30 + [2] * 30
SECOND = [2] * 30 + [1] * 30
RETRIEVAL = retrieval_of([[FIRST], [SECOND]])
ENDPOINT = endpoint_of(RETRIEVAL)
GROUPS, _ = group_queries(RETRIEVAL)


def slices() -> dict[tuple[str, str], object]:
    fusion = ENDPOINT.fused_scores(fused_of(RETRIEVAL)[0].name)
    found = slice_endpoint(ENDPOINT, fusion, GROUPS, RETRIEVAL, StatisticsSettings(resamples=200))
    return {(part.tag, part.value): part for part in found}


def test_slices_show_that_the_best_size_differs() -> None:
    found = slices()
    assert (found["half", "0"].best, found["half", "1"].best) == ("50", "100")
    assert found["half", "0"].means == {"50": 1.0, "100": 0.0}
    assert found["half", "0"].queries == 30
    assert found["half", "0"].gap == 0


def test_small_slices_say_so_and_have_no_interval() -> None:
    retrieval = retrieval_of([[FIRST[20:40]], [SECOND[20:40]]])
    endpoint = endpoint_of(retrieval)
    groups, _ = group_queries(retrieval)
    found = slice_endpoint(
        endpoint, endpoint.scores[0, 0], groups, retrieval, StatisticsSettings(resamples=200)
    )
    assert all(part.small and part.gain is None and part.p_holm is None for part in found)


def test_p_values_are_corrected_over_the_slices_that_have_one() -> None:
    values = [part.p_holm for part in slices().values() if part.p_holm is not None]
    assert values
    assert all(0 < value <= 1 for value in values)


@pytest.mark.parametrize(("configured", "drawn"), [(200, 200), (10_000, 2_000)])
def test_slices_draw_no_more_signs_than_are_configured(
    configured: int, drawn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def counted(*arguments: object, resamples: int, seed: int) -> np.ndarray:
        asked.append(resamples)
        return sign_flip(*arguments, resamples=resamples, seed=seed)

    monkeypatch.setattr(module, "sign_flip", counted)
    fusion = ENDPOINT.fused_scores(fused_of(RETRIEVAL)[0].name)
    slice_endpoint(ENDPOINT, fusion, GROUPS, RETRIEVAL, StatisticsSettings(resamples=configured))
    assert asked == [drawn, drawn]


def test_a_tag_that_all_queries_share_makes_no_slice() -> None:
    assert {tag for tag, _ in GROUPS} == {"half"}


def test_thirds_hold_every_query_once() -> None:
    retrieval = retrieval_of([[FIRST]])
    for row, query in enumerate(retrieval.labels.queries):
        object.__setattr__(query, "text", " ".join(["word"] * (row % 9 + 1)))
    parts = [members for (tag, _), members in group_queries(retrieval)[0].items() if tag == "query length"]
    assert len(parts) == 3
    assert np.sum(parts, axis=0).tolist() == [1] * 60


def test_win_tables_of_neighbours_count_every_query() -> None:
    tables = {(table.tag, table.value): table for table in win_tables(ENDPOINT, GROUPS, RETRIEVAL)}
    everyone, first = tables[None, None], tables["half", "0"]
    assert (everyone.left_wins, everyone.right_wins, everyone.ties, everyone.missing) == (30, 30, 0, 0)
    assert (first.left_wins, first.right_wins) == (30, 0)


@pytest.mark.parametrize("scales", [1, 3])
def test_there_is_a_win_table_for_each_pair_of_neighbours(scales: int) -> None:
    retrieval = retrieval_of([[FIRST]] * scales)
    tables = win_tables(endpoint_of(retrieval), {}, retrieval)
    assert len(tables) == scales - 1


def test_a_tag_named_like_a_counted_slice_keeps_its_values() -> None:
    queries = [
        Query(f"q{row}", "?", {f"d{row:04d}": 1.0}, tags={"query length": "short" if row < 10 else "long"})
        for row in range(40)
    ]
    queries[0] = replace(queries[0], text="two words")
    groups, _ = group_queries(retrieval_of([[[1] * 40]], queries=queries))
    assert groups["query length", "short"].sum() == 10
    assert groups["query length (counted)", "1 words"].sum() == 39


def tagged(tags: int) -> list[Query]:
    """Forty queries, each with so many tags, all of the same two values but the first, which has a rare third."""
    return [
        Query(
            f"q{row}",
            "?",
            {f"d{row:04d}": 1.0},
            tags={f"t{tag:03d}": "rare" if row + tag == 0 else str(row % 2) for tag in range(tags)},
        )
        for row in range(40)
    ]


def test_of_many_groups_of_tags_the_largest_are_kept_and_the_others_counted() -> None:
    groups, left_out = group_queries(retrieval_of([[[1] * 40]], queries=tagged(60)))
    assert len(groups) == MOST_GROUPS == 100
    assert left_out == 60 * 2 + 1 - 100
    assert ("t000", "rare") not in groups  # one query
    assert ("t000", "0") not in groups  # 19 queries, where all others have 20
    assert next(iter(groups)) == ("t000", "1")  # in the order of the tags, as before
    (notice,) = left_out_notices(left_out)
    assert (
        notice.message
        == "slices are of the 100 largest groups that tags make of the queries; 21 others left out"
    )


def test_a_hundred_groups_of_tags_are_all_kept() -> None:
    queries = [replace(query, tags=dict(list(query.tags.items())[1:])) for query in tagged(51)]
    groups, left_out = group_queries(retrieval_of([[[1] * 40]], queries=queries))
    assert (len(groups), left_out) == (100, 0)
    assert list(left_out_notices(left_out)) == []
