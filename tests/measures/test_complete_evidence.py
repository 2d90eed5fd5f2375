import numpy as np

from chunkgap.measures.complete_evidence import complete_evidence
from chunkgap.measures.evidence import Evidence

from .spans import DOC_IDS, query, retrieved


def test_every_span_to_its_last_character_from_several_chunks():
    spans = Evidence.of([query(("a", 5, 15), ("b", 0, 4))] * 2, DOC_IDS)
    whole = [("a", 0, 10), ("b", 0, 9), ("a", 10, 20)]
    one_short = [("a", 0, 10), ("b", 0, 9), ("a", 11, 20)]
    assert complete_evidence(spans.coverage(retrieved(whole, one_short))).tolist() == [1, 0]


def test_a_span_in_a_missing_document_is_never_complete():
    spans = Evidence.of([query(("gone", 0, 4), ("a", 0, 4))], DOC_IDS)
    assert complete_evidence(spans.coverage(retrieved([("a", 0, 9)]))).tolist() == [0]


def test_no_spans_are_undefined_and_no_results_are_zero():
    spans = Evidence.of([query(), query(("a", 0, 4))], DOC_IDS)
    np.testing.assert_array_equal(complete_evidence(spans.coverage(retrieved([], []))), [np.nan, 0])
