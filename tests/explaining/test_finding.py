from dataclasses import replace

import pytest

from chunkgap.errors import InputError
from chunkgap.explaining import find_query
from chunkgap.results import Results

from ..reports.results_builder import build_results

TEXTS = ("How is the pump greased?", "how is the Pump\n started", "where is the valve", "q0002")


def results() -> Results:
    built = build_results(scales=("50",), queries=len(TEXTS))
    queries = replace(built.queries, excluded={"q0009": "without a relevant document"})
    return replace(built, queries=queries, per_query=replace(built.per_query, texts=TEXTS))


def test_an_id_wins_over_a_text() -> None:
    assert find_query(results(), "q0002") == 2


def test_a_part_of_one_text_is_enough_case_and_spacing_aside() -> None:
    assert find_query(results(), "PUMP  started") == 1


def test_several_texts_are_listed() -> None:
    with pytest.raises(InputError) as caught:
        find_query(results(), "pump")
    assert str(caught.value) == (
        "QUERY: expected the id of a query or a part of one query's text, got 'pump', which stands in 2: "
        "q0000 (How is the pump greased?); q0001 (how is the Pump started). Give an id, or more of the text."
    )


def test_a_mistyped_id_gets_a_hint() -> None:
    with pytest.raises(InputError) as caught:
        find_query(results(), "q00003")
    assert str(caught.value) == (
        "QUERY: expected the id of an evaluated query or a part of its text, got 'q00003'. "
        "Did you mean q0003? per_query.csv lists them."
    )


def many(*query_ids: str) -> Results:
    built = build_results(scales=("50",), queries=len(query_ids))
    texts = ("what is it",) * len(query_ids)
    return replace(built, per_query=replace(built.per_query, query_ids=query_ids, texts=texts))


@pytest.mark.parametrize("wanted", ["q13", "Q13", " q13"])
def test_an_id_cut_short_suggests_all_that_begin_so(wanted: str) -> None:
    with pytest.raises(InputError, match=r"Did you mean q131 or q139\? per_query"):
        find_query(many("q1", "q14", "q3", "q131", "q139"), wanted)


def test_of_many_that_begin_so_the_first_are_named() -> None:
    ids = [f"q{row:03d}" for row in range(100)]
    with pytest.raises(InputError, match=r"q008, q009 or one of 90 more that begin so\?"):
        find_query(many(*ids), "q0")


def test_a_query_that_was_left_out_says_why() -> None:
    with pytest.raises(InputError, match=r"got 'q0009'\. It was left out: without a relevant document\."):
        find_query(results(), "q0009")


@pytest.mark.parametrize("nothing", ["", "  "])
def test_nothing_means_no_query(nothing: str) -> None:
    with pytest.raises(InputError, match=r"per_query\.csv lists them"):
        find_query(results(), nothing)


def test_control_characters_of_ids_and_texts_are_shown_and_not_sent() -> None:
    built = results()
    texts = ("que\x1b[31mstion one", "que\x1b[31mstion two", "x", "y")
    ids = ("a\x1b]0;t\x07", "b", "c\x1b[1", "d")
    hostile = replace(built, per_query=replace(built.per_query, texts=texts, query_ids=ids))
    with pytest.raises(InputError) as caught:
        find_query(hostile, "stion")
    assert r"stands in 2: a\x1b]0;t\x07 (que\x1b[31mstion one); b (que\x1b[31mstion two)." in str(
        caught.value
    )
    with pytest.raises(InputError) as caught:
        find_query(hostile, "c\x1b[")
    assert r"got 'c\x1b['. Did you mean c\x1b[1?" in str(caught.value)
