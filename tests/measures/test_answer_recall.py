import numpy as np
import pytest

from chunkgap.measures.answer_recall import NormalisedTexts, answer_recall, normalise

from .spans import retrieved

TEXTS = NormalisedTexts(["Marie Curie was born in\n Warsaw.", "Elsewhere.", ""])


def test_an_answer_is_found_whatever_its_case_and_white_space():
    assert answer_recall([["IN   warsaw"]], retrieved([("a", 0, 32)]), TEXTS).tolist() == [1]


def test_an_answer_cut_by_a_chunk_boundary_is_not_found():
    halves = retrieved([("a", 0, 27), ("a", 27, 32)])
    assert answer_recall([["Warsaw"]], halves, TEXTS).tolist() == [0]


def test_one_of_several_answers_in_any_chunk_is_enough():
    chunks = retrieved([("b", 0, 10), ("a", 0, 11)])
    assert answer_recall([["Pierre", "Marie Curie"]], chunks, TEXTS).tolist() == [1]


def test_chunks_outside_the_cutoff_are_not_read():
    chunks = [("b", 0, 10), ("a", 0, 11)]
    assert answer_recall([["Marie"]], retrieved(chunks, cutoff=1), TEXTS).tolist() == [0]


def test_only_queries_with_a_printable_answer_are_judged_and_no_result_is_zero():
    scores = answer_recall([[], ["  "], ["x"]], retrieved([("a", 0, 9)], [("a", 0, 9)], []), TEXTS)
    np.testing.assert_array_equal(scores, [np.nan, np.nan, 0])


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ("Straße", "STRASSE"),
        ("ﬁnal", "final"),
        ("e\u0301te\u0301", "ÉTÉ"),
        ("10 km", "10\u00a0KM"),
        ("\uff12\uff10", "20"),
    ],
)
def test_different_spellings_of_one_text_are_normalised_alike(written, same):
    assert normalise(written) == normalise(same)


def test_a_chunk_that_a_budget_cuts_is_read_up_to_the_cut():
    letters = len("Marie Curie")
    assert answer_recall([["Marie Curie"]], retrieved([("a", 0, letters - 1)]), TEXTS).tolist() == [0]
    assert answer_recall([["Marie Curie"]], retrieved([("a", 0, letters)]), TEXTS).tolist() == [1]
