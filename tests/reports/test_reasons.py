from dataclasses import replace

import pytest

from chunkgap.explaining import EvidencePlace, ExplainedScale, Miss
from chunkgap.ranking import Cutoff
from chunkgap.reports.reasons import answer_sentence, evidence_sentence, miss_sentence, reasons

OUTSIDE = EvidencePlace(7, "d", 0.25, {"d": 2, "a": 4}, inside=False, required=30, covered=0)
INSIDE = EvidencePlace(1, "d", 0.25, {}, inside=True, required=30, covered=30)
NOWHERE = EvidencePlace(None, None, None, {"d": 1, "a": 2}, inside=False, required=30, covered=0)


def at_scale(place: EvidencePlace, *, cutoff: str = "5c", miss: Miss | None = None) -> str:
    scale = ExplainedScale("50", False, 0.0, 100, miss, place)
    return evidence_sentence(scale, place, Cutoff.parse(cutoff))


def test_why_a_document_was_missed() -> None:
    above = {"a": 3, "b": 1, "c": 1, "e": 2, "f": 1}
    assert miss_sentence(Miss("d", 6, 9, 0.25, above), 100) == (
        "Missed: d. Its first chunk has rank 9 (score 0.2500), so the document has rank 6; above it: "
        "a (3 chunks), b (1 chunk), c (1 chunk) and 2 more."
    )
    assert miss_sentence(Miss("d", None, None, None, {"a": 2}), 2) == (
        "Missed: d. No chunk of it is among the 2 retrieved; first are a (2 chunks)."
    )
    assert miss_sentence(Miss("d", None, None, None, {}), 0).endswith(
        "among the 0 retrieved; first are none."
    )


def test_evidence_outside_the_cutoff_is_told_with_what_stood_above_it() -> None:
    assert at_scale(OUTSIDE) == (
        "Evidence first touched at rank 7 (d, score 0.2500), outside the cutoff of 5 chunks; above it: "
        "d (2 chunks, without evidence), a (4 chunks)."
    )
    assert at_scale(NOWHERE) == (
        "Evidence touched by none of the 100 retrieved chunks; first are d (1 chunk), a (2 chunks)."
    )


def test_the_right_document_is_named_however_far_down_it_stands() -> None:
    above = {"a": 1, "b": 1, "c": 1, "e": 1, "d": 1}
    assert at_scale(replace(OUTSIDE, above=above)).endswith(
        "above it: a (1 chunk), b (1 chunk), c (1 chunk) and 2 more, d (1 chunk, without evidence) among them."
    )


def test_evidence_inside_the_cutoff_is_told_with_how_much_of_it() -> None:
    assert at_scale(INSIDE) == "Evidence first touched at rank 1; all of it is inside the cutoff of 5 chunks."
    assert at_scale(replace(INSIDE, covered=12), cutoff="1") == (
        "Evidence first touched at rank 1; 12 of its 30 characters are inside the cutoff of 1 document."
    )
    assert at_scale(replace(INSIDE, covered=None), cutoff="2000t") == (
        "Evidence first touched at rank 1, in a chunk that the cutoff of 2,000 tokens cuts short."
    )


def test_evidence_past_a_chunk_that_a_budget_passes_over_still_counts() -> None:
    assert at_scale(replace(OUTSIDE, covered=1), cutoff="500t") == (
        "Evidence first touched at rank 7; 1 of its 30 characters is inside the cutoff of 500 tokens."
    )


def test_what_stands_above_is_not_told_twice() -> None:
    missed = Miss("d", 3, 7, 0.25, {"a": 6})
    assert at_scale(OUTSIDE, miss=missed) == "Evidence first touched at rank 7, in that first chunk."
    gone = Miss("d", None, None, None, {"a": 100})
    assert at_scale(NOWHERE, miss=gone) == "Evidence touched by none of the 100 retrieved chunks."
    assert at_scale(OUTSIDE, miss=replace(missed, chunk_rank=6)).endswith(
        "above it: d (2 chunks, without evidence), a (4 chunks)."
    )


@pytest.mark.parametrize(
    ("endpoint", "value", "told"),
    [
        (
            "answer_recall@5c",
            0.0,
            "Missed: the answer. No chunk inside the cutoff holds an accepted one whole.",
        ),
        ("answer_recall@5c", 1.0, ""),
        ("answer_recall@5c", None, ""),
        ("recall@5", 0.0, ""),
    ],
)
def test_an_answer_that_is_missed_is_a_reason(endpoint: str, value: float | None, told: str) -> None:
    assert answer_sentence(ExplainedScale("50", False, value, 100, None), endpoint) == told


def test_the_reasons_of_a_scale_are_its_miss_then_its_evidence_then_its_answer() -> None:
    scale = ExplainedScale("50", False, 0.0, 100, Miss("a", 3, 9, 0.25, {"d": 8}), OUTSIDE)
    assert [reason[:22] for reason in reasons(scale, "answer_recall@5c")] == [
        "Missed: a. Its first c", "Evidence first touched", "Missed: the answer. No",
    ]  # fmt: skip


def test_a_scale_that_missed_nothing_has_no_reasons() -> None:
    assert list(reasons(ExplainedScale("50", False, 1.0, 100, None), "recall@5")) == []
