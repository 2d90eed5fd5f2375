"""Names lead to measures; those of documents equal ir_measures, those of evidence Chroma's definitions."""

import warnings
from math import log2

import numpy as np
import pytest

from chunkgap.measures.evidence import Evidence
from chunkgap.measures.judgements import Judgements
from chunkgap.measures.scoring import score_documents, score_evidence
from chunkgap.measures.specification import DOCUMENT_MEASURES, EVIDENCE_MEASURES
from chunkgap.ranking import Cutoff
from chunkgap.records import Query

from .spans import DOC_IDS, query, retrieved


def first(depth, *, of):
    return np.broadcast_to(np.arange(of.shape[1]) < depth, of.shape) & (of >= 0)


@pytest.mark.parametrize("depth", [1, 3, 10])
@pytest.mark.parametrize("name", DOCUMENT_MEASURES)
def test_document_measures_equal_ir_measures_on_random_runs(name, depth):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import ir_measures
    rng = np.random.default_rng(20)
    doc_ids = [f"d{row:02}" for row in range(30)]
    queries, lines = [], []
    ranked = np.full((60, 12), -1, np.int32)
    for row in range(60):
        judged = rng.choice([*doc_ids, "gone1", "gone2"], size=rng.integers(1, 15), replace=False)
        relevant = {doc: float(rng.integers(-1, 4)) for doc in judged} | {"d07": 1.0}
        queries.append(Query(f"q{row}", "?", relevant=relevant))
        # Ties are common and ours go by document ascending; ir_measures gets scores that only fall.
        results = np.lexsort((np.arange(30), rng.integers(0, 3, size=30)))[: rng.integers(0, 13)]
        ranked[row, : len(results)] = results
        lines += [ir_measures.ScoredDoc(f"q{row}", doc_ids[doc], -place) for place, doc in enumerate(results)]
    qrels = [ir_measures.Qrel(q.query_id, doc, int(g)) for q in queries for doc, g in q.relevant.items()]
    measure = ir_measures.parse_measure({"ndcg": "nDCG", "rr": "RR"}.get(name, name.title()) + f"@{depth}")
    expected = {m.query_id: m.value for m in ir_measures.iter_calc([measure], qrels, lines)}

    scores = score_documents(
        name, ranked, first(depth, of=ranked), Judgements.of(queries, doc_ids), Cutoff.parse(str(depth))
    )
    assert scores == pytest.approx([expected[q.query_id] for q in queries], abs=1e-12)
    assert len(set(scores)) > 1


@pytest.mark.parametrize(("cutoff", "documents"), [("1", 1), ("1c", 1), ("100t", 2)])
def test_the_ideal_of_ndcg_holds_as_many_documents_as_the_cutoff_could(cutoff, documents):
    ranked = np.array([[0]], np.int32)
    judgements = Judgements.of([Query("q", "?", relevant={"a": 1.0, "b": 1.0})], DOC_IDS)
    score = score_documents("ndcg", ranked, ranked >= 0, judgements, Cutoff.parse(cutoff))
    assert score == pytest.approx([1 / sum(1 / log2(rank + 1) for rank in range(1, documents + 1))])


def test_documents_that_a_token_budget_passes_over_have_no_rank():
    ranked = np.array([[0, 1, 2]], np.int32)
    inside = np.array([[True, False, True]])
    judgements = Judgements.of([Query("q", "?", relevant={"b": 1.0, "c": 1.0})], DOC_IDS)
    budget = Cutoff.parse("9t")
    assert score_documents("recall", ranked, inside, judgements, budget).tolist() == [1 / 2]
    assert score_documents("rr", ranked, inside, judgements, budget).tolist() == [1 / 2]


def chroma(run, references):
    """Recall, precision and IoU as Chroma's evaluation defines them, for spans that do not overlap."""
    missed = {(doc, at) for doc, start, end in references for at in range(start, end)}
    length = len(missed)
    read = 0
    for doc, start, end in run:
        missed -= {(doc, at) for at in range(start, end)}
        read += end - start
    hit = length - len(missed)
    return hit / length, hit / read, hit / (read + len(missed))


def test_sum_forms_equal_the_definitions_of_chroma_on_windows_that_overlap():
    rng = np.random.default_rng(4)
    windows = [(doc, start, start + 200) for doc in DOC_IDS for start in range(0, 2000, 120)]
    runs = [[windows[i] for i in rng.choice(len(windows), size=5, replace=False)] for _ in range(40)]
    # One span in every 500 characters, so that none overlaps another.
    spans = [
        [
            (doc, s, s + int(rng.integers(20, 300)))
            for doc in DOC_IDS
            for s in (rng.integers(0, 200) + offset for offset in (0, 500, 1000))
        ]
        for _ in runs
    ]
    coverage = Evidence.of([query(*own) for own in spans], DOC_IDS).coverage(retrieved(*runs))
    names = ("evidence_recall", "evidence_precision_sum", "evidence_iou_sum")
    found = np.array([score_evidence(name, coverage) for name in names]).T
    assert found == pytest.approx(np.array([chroma(run, own) for run, own in zip(runs, spans, strict=True)]))
    assert (score_evidence("evidence_precision", coverage) > found[:, 1]).any()


def test_every_evidence_measure_lies_between_zero_and_one():
    coverage = Evidence.of([query(("a", 0, 10)), query(("b", 3, 9))], DOC_IDS).coverage(
        retrieved([("a", 5, 15), ("a", 0, 9)], [("c", 0, 9)])
    )
    for name in EVIDENCE_MEASURES:
        better, nothing = score_evidence(name, coverage)
        assert 0 < better <= 1 if name != "complete_evidence" else better == 1
        assert nothing == 0
