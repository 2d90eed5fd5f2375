import math

import pytest
from scipy.special import ndtri, stdtrit

from chunkgap.checking.detection import detection
from chunkgap.datasets.validation import LabelledQueries
from chunkgap.records import Query


def labelled(*relevant: str) -> LabelledQueries:
    """One query for each relevant document."""
    queries = tuple(Query(f"q{row}", "?", {doc_id: 1.0}) for row, doc_id in enumerate(relevant))
    return LabelledQueries(queries, {}, ())


def test_the_detectable_difference_follows_the_formula() -> None:
    found = detection(labelled(*(f"d{row}" for row in range(100))), min_gain=0.02, discordant=0.2)
    expected = (stdtrit(99, 0.975) + ndtri(0.8)) * math.sqrt(0.2 / 100)
    assert found.detectable == pytest.approx(expected)
    assert found.detectable == found.detectable_clustered
    assert found.queries_needed == math.ceil(100 * (expected / 0.02) ** 2)


def test_queries_of_one_document_may_count_as_one() -> None:
    found = detection(labelled(*(f"d{row % 10}" for row in range(100))), min_gain=0.02)
    assert (found.queries, found.clusters) == (100, 10)
    assert found.detectable is not None
    assert found.detectable_clustered is not None
    assert found.detectable_clustered > 3 * found.detectable  # sqrt(10), and t with 9 degrees of freedom


def test_no_difference_is_above_one() -> None:
    found = detection(labelled("a", "b"), min_gain=0.02)
    assert found.detectable == 1.0


def test_one_query_or_one_cluster_detects_nothing() -> None:
    assert detection(labelled("a"), min_gain=0.02).detectable is None
    assert detection(labelled("a", "a"), min_gain=0.02).detectable_clustered is None


def test_grades_of_zero_make_no_cluster() -> None:
    queries = (Query("q0", "?", {"a": 1.0, "z": 0.0}), Query("q1", "?", {"b": 1.0, "z": 0.0}))
    assert detection(LabelledQueries(queries, {}, ()), min_gain=0.02).clusters == 2


def test_a_gain_of_zero_needs_no_number_of_queries() -> None:
    assert detection(labelled("a", "b"), min_gain=0.0).queries_needed is None
