import numpy as np
from hypothesis import given, settings

from chunkgap.measures.evidence import Evidence
from chunkgap.measures.evidence_precision import evidence_precision, evidence_precision_sum

from .spans import DOC_IDS, evidence, query, retrieved, runs


def test_repeated_text_is_paid_for_once_in_the_union_and_each_time_in_the_sum():
    # 15 characters of evidence in [0, 20) and [10, 30): 30 distinct, 40 in all.
    found = Evidence.of([query(("a", 5, 20))], DOC_IDS).coverage(retrieved([("a", 0, 20), ("a", 10, 30)]))
    assert evidence_precision(found).tolist() == [15 / 30]
    assert evidence_precision_sum(found).tolist() == [15 / 40]


def test_no_spans_are_undefined_and_no_results_are_zero():
    found = Evidence.of([query(), query(("a", 0, 4))], DOC_IDS).coverage(retrieved([], []))
    np.testing.assert_array_equal(evidence_precision(found), [np.nan, 0])
    np.testing.assert_array_equal(evidence_precision_sum(found), [np.nan, 0])


def test_no_spans_are_undefined_with_results_too():
    found = Evidence.of([query()], DOC_IDS).coverage(retrieved([("a", 0, 9)]))
    np.testing.assert_array_equal(evidence_precision(found), [np.nan])


@settings(max_examples=60)
@given(run=runs, spans=evidence)
def test_union_form_is_never_below_the_sum_form(run, spans):
    found = Evidence.of([query(*spans, ("a", 0, 5))], DOC_IDS).coverage(retrieved(run))
    assert 0 <= evidence_precision_sum(found)[0] <= evidence_precision(found)[0] <= 1
