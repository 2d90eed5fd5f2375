import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgap.measures.evidence import Evidence

from .spans import DOC_IDS, characters, evidence, query, retrieved, runs


def test_spans_and_chunks_are_united_before_they_are_counted():
    # Spans [10, 30) and [20, 40) need 30 characters; chunks [0, 25) and [15, 35) have 45 characters, 35 of
    # them distinct, and hold [10, 35) of the evidence.
    found = Evidence.of([query(("a", 10, 30), ("a", 20, 40))], DOC_IDS).coverage(
        retrieved([("a", 0, 25), ("a", 15, 35)])
    )
    assert found.required.tolist() == [30]
    assert found.retrieved.tolist() == [35]
    assert found.summed.tolist() == [25 + 20]
    assert found.covered.tolist() == [25]


def test_touching_is_not_overlapping():
    found = Evidence.of([query(("a", 10, 20))], DOC_IDS).coverage(
        retrieved([("a", 0, 10), ("a", 20, 30), ("b", 10, 20), ("a", 19, 20)])
    )
    assert found.covered.tolist() == [1]
    assert found.first.tolist() == [4]


def test_each_query_is_held_against_its_own_spans():
    found = Evidence.of([query(("a", 0, 4)), query(), query(("b", 0, 4))], DOC_IDS).coverage(
        retrieved([("b", 0, 9)], [("a", 0, 9)], [("b", 0, 2), ("b", 2, 9)])
    )
    assert found.judged.tolist() == [True, False, True]
    assert found.covered.tolist() == [0, 0, 4]
    assert found.first.tolist() == [0, 0, 1]


def test_spans_in_documents_that_the_corpus_lacks_stay_required():
    found = Evidence.of([query(("gone", 0, 30), ("lost", 0, 10), ("a", 0, 10))], DOC_IDS).coverage(
        retrieved([("a", 0, 40)])
    )
    assert found.required.tolist() == [30 + 10 + 10]
    assert found.covered.tolist() == [10]


def test_chunks_outside_the_cutoff_have_no_rank():
    kept = retrieved([("b", 0, 9), ("c", 0, 9), ("a", 0, 9)])
    kept.inside[0, 1] = False  # passed over by a token budget
    found = Evidence.of([query(("a", 0, 4), ("c", 0, 4))], DOC_IDS).coverage(kept)
    assert found.first.tolist() == [2]


def test_no_results_cover_nothing():
    found = Evidence.of([query(("a", 0, 4))], DOC_IDS).coverage(retrieved([]))
    assert (found.covered.tolist(), found.retrieved.tolist(), found.first.tolist()) == ([0], [0], [0])


def test_chunks_of_another_number_of_queries_are_refused():
    with pytest.raises(ValueError, match="evidence of 1 queries held against chunks of 2"):
        Evidence.of([query()], DOC_IDS).coverage(retrieved([], []))


@settings(max_examples=60)
@given(st.lists(st.tuples(runs, evidence), max_size=4))
def test_equal_to_counting_every_character(queries):
    found = Evidence.of([query(*spans) for _, spans in queries], DOC_IDS).coverage(
        retrieved(*(run for run, _ in queries))
    )
    for row, (run, spans) in enumerate(queries):
        needed, read = characters(spans), characters(run)
        touching = [rank for rank, chunk in enumerate(run, start=1) if characters([chunk]) & needed]
        assert found.required[row] == len(needed)
        assert found.retrieved[row] == len(read)
        assert found.covered[row] == len(needed & read)
        assert found.first[row] == (touching[0] if touching else 0)
