from chunkgap.comparing import compare

from .changed import measured


def test_the_larger_change_of_best_fixed_or_fusion_comes_first() -> None:
    before = measured({"50": [1, 1, 1, 1], "100": [0, 0, 0, 0]}, fusion=[1, 1, 1, 1])
    after = measured({"50": [1, 0.5, 1, 0], "100": [0, 0, 1, 0]}, fusion=[1, 1, 1, 1])
    moved = compare(before, after, resamples=50).moved
    assert [query.query_id for query in moved] == ["q0003", "q0001", "q0002"]
    assert moved[0].best_fixed == (1, 0)
    assert moved[2].scales == {"50": (1, 1), "100": (0, 1)}


def test_ties_go_to_the_sum_over_scales_then_to_the_id() -> None:
    before = measured({"50": [1, 1, 1, 1, 1], "100": [1, 1, 0, 0, 0]})
    after = measured({"50": [0, 0, 0, 1, 1], "100": [1, 0, 0, 0, 0]})
    moved = compare(before, after, resamples=50).moved
    assert [query.query_id for query in moved] == ["q0001", "q0000", "q0002"]


def test_only_as_many_as_asked_for_are_listed_and_all_are_counted() -> None:
    difference = compare(measured({"50": [1] * 5}), measured({"50": [0] * 5}), most_moved=2, resamples=50)
    assert len(difference.moved) == 2
    assert difference.moved_queries == 5


def test_a_value_that_is_not_there_did_not_move() -> None:
    before, after = measured({"50": [None, 1]}), measured({"50": [1, 1]})
    assert compare(before, after, resamples=50).moved == ()
