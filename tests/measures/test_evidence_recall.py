import numpy as np
from hypothesis import given, settings

from chunkgap.measures.evidence import Evidence
from chunkgap.measures.evidence_recall import evidence_recall

from .spans import DOC_IDS, evidence, query, retrieved, runs


def test_covered_evidence_over_required_evidence():
    # [10, 20) and [30, 60): 40 characters, of which [15, 20) and [30, 40).
    spans = Evidence.of([query(("a", 10, 20), ("a", 30, 60))], DOC_IDS)
    assert evidence_recall(spans.coverage(retrieved([("a", 15, 40)]))).tolist() == [(5 + 10) / 40]


def test_no_spans_are_undefined_and_no_results_are_zero():
    spans = Evidence.of([query(), query(("a", 0, 4))], DOC_IDS)
    np.testing.assert_array_equal(evidence_recall(spans.coverage(retrieved([], []))), [np.nan, 0])


@settings(max_examples=60)
@given(run=runs, spans=evidence)
def test_never_falls_with_the_number_of_chunks(run, spans):
    prepared = Evidence.of([query(*spans, ("a", 0, 5))], DOC_IDS)
    scores = [
        evidence_recall(prepared.coverage(retrieved(run, cutoff=cutoff)))[0] for cutoff in range(len(run) + 1)
    ]
    assert scores[0] == 0
    assert scores == sorted(scores)
    assert max(scores) <= 1
