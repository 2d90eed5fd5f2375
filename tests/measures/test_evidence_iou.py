import numpy as np
from hypothesis import given, settings

from chunkgap.measures.evidence import Evidence
from chunkgap.measures.evidence_iou import evidence_iou, evidence_iou_sum

from .spans import DOC_IDS, characters, evidence, query, retrieved, runs


def test_intersection_over_union_of_the_characters():
    # [5, 35) against [0, 20) and [10, 30): 25 common, 35 in either, and 10 repeated.
    found = Evidence.of([query(("a", 5, 35))], DOC_IDS).coverage(retrieved([("a", 0, 20), ("a", 10, 30)]))
    assert evidence_iou(found).tolist() == [25 / 35]
    assert evidence_iou_sum(found).tolist() == [25 / (20 + 20 + 5)]


def test_the_evidence_and_nothing_else_scores_one():
    found = Evidence.of([query(("a", 5, 9), ("b", 0, 3))], DOC_IDS).coverage(
        retrieved([("b", 0, 3), ("a", 5, 9)])
    )
    assert evidence_iou(found).tolist() == [1]
    assert evidence_iou_sum(found).tolist() == [1]


def test_no_spans_are_undefined_and_no_results_are_zero():
    found = Evidence.of([query(), query(("a", 0, 4))], DOC_IDS).coverage(retrieved([("a", 0, 9)], []))
    np.testing.assert_array_equal(evidence_iou(found), [np.nan, 0])
    np.testing.assert_array_equal(evidence_iou_sum(found), [np.nan, 0])


@settings(max_examples=60)
@given(run=runs, spans=evidence)
def test_union_form_is_the_jaccard_index_and_never_below_the_sum_form(run, spans):
    spans = [*spans, ("a", 0, 5)]
    found = Evidence.of([query(*spans)], DOC_IDS).coverage(retrieved(run))
    needed, read = characters(spans), characters(run)
    assert evidence_iou(found)[0] == len(needed & read) / len(needed | read)
    assert 0 <= evidence_iou_sum(found)[0] <= evidence_iou(found)[0]
