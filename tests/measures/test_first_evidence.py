import numpy as np

from chunkgap.measures.evidence import Evidence
from chunkgap.measures.first_evidence import first_evidence

from .spans import DOC_IDS, query, retrieved


def test_the_first_chunk_with_one_character_of_a_span_decides():
    spans = Evidence.of([query(("a", 10, 20))] * 2, DOC_IDS)
    third = [("b", 10, 20), ("a", 0, 10), ("a", 0, 11), ("a", 10, 20)]
    never = [("a", 0, 10), ("a", 20, 30)]
    assert first_evidence(spans.coverage(retrieved(third, never))).tolist() == [1 / 3, 0]


def test_no_spans_are_undefined_and_no_results_are_zero():
    spans = Evidence.of([query(), query(("a", 0, 4))], DOC_IDS)
    np.testing.assert_array_equal(first_evidence(spans.coverage(retrieved([], []))), [np.nan, 0])
