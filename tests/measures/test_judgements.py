import numpy as np

from chunkgap.measures.judgements import Judgements
from chunkgap.records import Query

QUERIES = [
    Query("q1", "?", relevant={"c": 1.0, "a": 3.0}),
    Query("q2", "?", relevant={"a": 0.0, "b": -1.0}),
    Query("q3", "?", relevant={"gone": 2.0, "b": 1.0}),
]


def test_every_document_gets_the_grade_of_its_own_query():
    judgements = Judgements.of(QUERIES, ["a", "b", "c"])
    ranked = np.array([[2, 1, 0], [0, 1, 2], [0, 1, 2]], np.int32)
    np.testing.assert_array_equal(judgements.grades(ranked), [[1, 0, 3], [0, 0, 0], [0, 1, 0]])


def test_padding_has_grade_zero_even_beside_the_last_document_of_the_query_before():
    judgements = Judgements.of(QUERIES, ["a", "b", "c"])
    # Row 1 of padding would be query 0's document "c" if -1 were taken for a row.
    np.testing.assert_array_equal(judgements.grades(np.full((3, 2), -1, np.int32)), np.zeros((3, 2)))


def test_missing_documents_count_as_relevant_and_in_the_ideal_and_grades_of_zero_do_not():
    judgements = Judgements.of(QUERIES, ["a", "b", "c"])
    assert judgements.relevant.tolist() == [2, 0, 2]
    assert judgements.ideal.tolist() == [[3, 1], [0, 0], [2, 1]]


def test_a_corpus_without_any_judged_document_grades_everything_zero():
    judgements = Judgements.of(QUERIES, ["x", "y"])
    assert judgements.grades(np.array([[0, 1]] * 3, np.int32)).tolist() == [[0, 0]] * 3
    assert judgements.relevant.tolist() == [2, 0, 2]


def test_no_queries_are_no_rows():
    judgements = Judgements.of([], ["a"])
    assert judgements.grades(np.zeros((0, 5), np.int32)).shape == (0, 5)
    assert judgements.ideal.shape == (0, 0)
