"""The verdicts, their borders, and the sentences that go with them."""

import math

import pytest

from chunkgap.decision import (
    allowing_for_unseen,
    decide,
    headroom_headline,
    judge_headroom,
    queries_to_decide,
)
from chunkgap.records import Interval

CLEAR = Interval(0.05, 0.02, 0.08)
GAPS = {"gap": Interval(0.1, 0.05, 0.15), "reproducible": Interval(0.02, 0.002, 0.05)}


def outcome(gain, *, storage=3.0, **bounds):
    return decide(gain, storage=storage, queries=300, clusters=60, **bounds).outcome


def test_go_needs_an_interval_above_zero_a_gain_worth_having_and_bounded_storage():
    assert outcome(CLEAR) == "go"
    assert outcome(Interval(0.05, 0.0, 0.10)) == "cannot decide"
    assert outcome(Interval(0.019, 0.01, 0.03)) == "cannot decide"
    assert outcome(CLEAR, storage=5.01) == "no-go"


def test_the_borders_themselves_pass():
    assert outcome(Interval(0.02, 1e-9, 0.04), min_gain=0.02) == "go"
    assert outcome(CLEAR, storage=5.0, max_storage=5.0) == "go"
    assert outcome(Interval(0.0, -0.02, 0.02), min_gain=0.02) == "cannot decide"


def test_no_go_needs_the_interval_below_the_gain_worth_having():
    assert outcome(Interval(0.0, -0.01, 0.0199)) == "no-go"
    assert outcome(Interval(0.01, 0.005, 0.0199)) == "no-go"
    assert outcome(Interval(-0.01, -0.05, 0.03)) == "cannot decide"


def test_values_are_compared_unrounded():
    assert outcome(Interval(0.0199999, 0.01, 0.03)) == "cannot decide"
    assert outcome(Interval(0.0200001, 0.01, 0.03)) == "go"


def test_a_blocking_warning_forces_cannot_decide_and_is_named():
    verdict = decide(CLEAR, storage=9.0, queries=300, clusters=60, blocking=["scale 500 is truncated"])
    assert verdict.outcome == "cannot decide"
    assert verdict.reason == "No verdict is given: scale 500 is truncated."
    assert verdict.queries_needed is None


def test_without_an_interval_nothing_is_decided():
    verdict = decide(Interval(0.3, math.nan, math.nan), storage=3.0, queries=300, clusters=60)
    assert verdict.outcome == "cannot decide"
    assert "one cluster" in verdict.reason


def test_the_rule_is_printed_with_its_numbers():
    verdict = decide(
        Interval(0.0132, -0.0041, 0.0301), storage=3.4, queries=230, clusters=60, min_gain=0.03, max_storage=4
    )
    assert verdict.rule == (
        "go: interval above 0, gain at least 0.03, storage at most 4 times the best fixed scale's vectors; "
        "no-go: interval below 0.03, or more storage; otherwise cannot decide. "
        "Here: gain 0.0132 [-0.0041, 0.0301], storage 3.4 times."
    )


def test_a_gain_just_below_the_one_worth_having_does_not_look_like_it():
    verdict = decide(Interval(0.01, 0.001, 0.019999), storage=3.0, queries=300, clusters=60)
    assert verdict.outcome == "no-go"
    assert verdict.reason == "The gain is below 0.02: at most +0.019999."
    assert "Here: gain 0.010000 [0.001000, 0.019999], storage 3 times." in verdict.rule


def test_an_estimate_just_below_the_gain_worth_having_does_not_look_like_it():
    verdict = decide(Interval(0.0199999, 0.01, 0.03), storage=3.0, queries=300, clusters=60)
    assert verdict.outcome == "cannot decide"
    assert "Here: gain 0.0199999 [0.0100000, 0.0300000]" in verdict.rule


def test_a_limit_is_written_with_all_of_its_digits():
    verdict = decide(
        Interval(0.01, 0.001, 0.02),
        storage=3.0,
        queries=300,
        clusters=60,
        min_gain=0.0200001,
        max_storage=12.25,
    )
    assert verdict.reason == "The gain is below 0.0200001: at most +0.0200000."
    assert "gain at least 0.0200001, storage at most 12.25 times" in verdict.rule


def test_storage_just_above_its_limit_does_not_look_like_it():
    verdict = decide(CLEAR, storage=5.0001, queries=300, clusters=60)
    assert verdict.reason == "Storage is 5.0001 times, above 5."
    assert "storage 5.0001 times." in verdict.rule
    assert "storage 3.713 times." in decide(CLEAR, storage=3.7128, queries=300, clusters=60).rule


def test_two_oracles_that_differ_do_not_look_alike():
    told = headroom_headline(0.92401, 0.92404, 0.0487, Interval(0.00003, -0.0033, 0.0081))
    assert told.startswith("Two copies of one size reach 0.92401, two different sizes 0.92404: ")


def test_an_open_verdict_says_how_many_queries_would_decide():
    verdict = decide(Interval(0.03, -0.03, 0.09), storage=3.0, queries=100, clusters=60)
    assert verdict.queries_needed == 401
    assert verdict.reason == (
        "The interval reaches from 0 or less to 0.02 or more; about 401 queries would decide, "
        "if the estimate stood."
    )


def test_queries_to_decide_shrinks_the_interval_that_stands_in_the_way():
    # 0.03 above 0.02: the lower half of 0.06 must shrink below 0.03: (0.06 / 0.03)^2 = 4 times as many
    assert queries_to_decide(Interval(0.03, -0.03, 0.05), 100) == 401
    # 0.01 below 0.02: the upper half of 0.03 must shrink below 0.01: 9 times as many
    assert queries_to_decide(Interval(0.01, -0.5, 0.04), 100) == 901


def test_an_estimate_at_the_border_is_out_of_reach():
    gain = Interval(0.0199, -0.03, 0.07)
    assert queries_to_decide(gain, 100) is None
    assert (
        "no realistic number of queries would" in decide(gain, storage=3.0, queries=100, clusters=60).reason
    )


def test_the_number_of_queries_does_decide():
    gain = Interval(0.03, -0.03, 0.09)
    shrink = math.sqrt(100 / queries_to_decide(gain, 100))
    half = (gain.high - gain.estimate) * shrink
    assert outcome(Interval(0.03, 0.03 - half, 0.03 + half)) == "go"


def test_headroom_is_claimed_only_above_zero():
    excess = Interval(0.04, 0.02, 0.06)
    found = judge_headroom(Interval(0.0397, 0.0186, 0.0623), excess, **GAPS, clusters=60)
    assert found.dependent is True
    assert found.sentence == (
        "The best size depends on the query here: interaction 0.040 [0.019, 0.062], "
        "reproducible gap 0.020 [0.002, 0.050]."
    )
    assert judge_headroom(Interval(0.04, 0.0, 0.06), excess, **GAPS, clusters=60).dependent is False


def test_that_the_best_size_depends_on_the_query_takes_a_gap_that_reproduces():
    interaction, excess = Interval(0.057, 0.032, 0.083), Interval(0.06, 0.04, 0.09)
    open_gap = Interval(0.003, -0.01, 0.015)
    found = judge_headroom(interaction, excess, gap=GAPS["gap"], reproducible=open_gap, clusters=60)
    assert found.dependent is True
    assert found.sentence == (
        "How much size matters depends on the query here: interaction 0.057 [0.032, 0.083]. Whether the best size does "
        "too, so that choosing it per query would win, is open: reproducible gap 0.003 [-0.010, 0.015]."
    )


def test_no_query_wants_another_size_where_one_is_never_beaten():
    interaction, nothing = Interval(0.057, 0.032, 0.083), Interval(0.0, 0.0, 0.0)
    found = judge_headroom(
        interaction, interaction, gap=nothing, reproducible=Interval(0.0, -0.003, 0.0), clusters=60
    )
    assert found.dependent is True
    assert found.sentence == (
        "How much size matters depends on the query here: interaction 0.057 [0.032, 0.083]; but no query is served "
        "better by another size than the best fixed one."
    )


def test_no_sign_of_headroom_says_how_much_it_leaves_open():
    verdict = judge_headroom(
        Interval(0.0015, -0.0038, 0.0077), Interval(0.0019, -0.0033, 0.0081), **GAPS, clusters=60
    )
    assert verdict.dependent is False
    assert verdict.sentence.endswith("the largest size excess this leaves open is 0.008.")


@pytest.mark.parametrize("interaction", [None, Interval(0.1, math.nan, math.nan)])
def test_headroom_that_cannot_be_told_is_neither_claimed_nor_denied(interaction):
    assert (
        judge_headroom(interaction, Interval(0.1, math.nan, math.nan), **GAPS, clusters=60).dependent is None
    )


def test_the_headline_tells_size_from_luck_in_one_sentence():
    assert headroom_headline(0.9237, 0.9257, 0.0487, Interval(0.0019, -0.0033, 0.0081)) == (
        "Two copies of one size reach 0.924, two different sizes 0.926: "
        "of the gap of 0.049, size is worth 0.002 [-0.003, 0.008]."
    )
    assert "of the gap of 0, size is worth 0 [0, 0]." in headroom_headline(
        1.0, 1.0, 0.0, Interval(0.0, 0.0, 0.0)
    )


def test_the_headline_does_not_take_the_excess_out_of_a_smaller_gap():
    told = headroom_headline(0.288, 0.311, 0.0, Interval(0.023, -0.01, 0.05))
    assert told == (
        "Two copies of one size reach 0.288, two different sizes 0.311: "
        "a second size is worth 0.023 [-0.010, 0.050], though the raw gap of all sizes is 0."
    )


def test_few_clusters_that_all_agree_are_not_certain():
    nothing = Interval(0.0, 0.0, 0.0)
    # 1 - 0.05^(1/6) = 0.393 of all clusters may differ, and none of six
    verdict = decide(nothing, storage=3.0, queries=12, clusters=6)
    assert verdict.outcome == "cannot decide"
    # 1 - 0.05^(1/n) falls to 0.02 at n = ln 0.05 / ln 0.98 = 148.3 clusters of two queries
    assert verdict.queries_needed == 297
    assert verdict.reason == (
        "Every cluster of queries gains the same, 0, but 6 are too few to say so of others; "
        "about 297 queries would decide."
    )
    assert "gain 0 [-0.3930, 0.3930]" in verdict.rule
    assert decide(nothing, storage=3.0, queries=300, clusters=149).outcome == "no-go"
    assert decide(nothing, storage=3.0, queries=300, clusters=148).outcome == "cannot decide"


def test_two_clusters_that_agree_on_a_gain_are_no_go_ahead():
    assert decide(Interval(1.0, 1.0, 1.0), storage=3.0, queries=2, clusters=2).outcome == "cannot decide"
    # the share that may differ, from 1 to -1: half of it is 0 at 1 - 0.05^(1/n) = 0.5, n = 4.3
    assert decide(Interval(1.0, 1.0, 1.0), storage=3.0, queries=5, clusters=5).outcome == "go"


def test_headroom_that_no_cluster_shows_is_left_open_for_those_unseen():
    nothing = Interval(0.0, 0.0, 0.0)
    verdict = judge_headroom(nothing, nothing, **GAPS, clusters=30)
    assert verdict.dependent is False
    assert verdict.sentence.endswith("the largest size excess this leaves open is 0.095.")


def test_headroom_is_not_judged_under_a_blocking_warning():
    excess = Interval(0.04, 0.02, 0.06)
    verdict = judge_headroom(excess, excess, **GAPS, clusters=60, blocking=["scale 500 is truncated"])
    assert verdict.dependent is None
    assert verdict.sentence == "Cannot tell: scale 500 is truncated."


def test_what_is_unseen_is_allowed_for_at_the_confidence_of_the_intervals() -> None:
    same = Interval(0.0, 0.0, 0.0)
    # 1 - 0.1 ** (1 / 20) and 1 - 0.01 ** (1 / 20)
    assert allowing_for_unseen(same, 20, confidence=0.9).high == pytest.approx(0.1087, abs=1e-4)
    assert allowing_for_unseen(same, 20, confidence=0.99).high == pytest.approx(0.2057, abs=1e-4)
    few = {"storage": 2.0, "queries": 100, "clusters": 20, "min_gain": 0.15}
    assert decide(same, **few, confidence=0.9).outcome == "no-go"
    undecided = decide(same, **few, confidence=0.99)
    assert undecided.outcome == "cannot decide"
    assert undecided.queries_needed == 142  # ln 0.01 / ln 0.85 = 28.3 clusters of 5 queries, one query more
    judged = judge_headroom(same, same, **GAPS, clusters=20, confidence=0.99)
    assert "0.206" in judged.sentence
