"""What results say of the queries: digests of all that they are scored by, and of nothing else."""

from dataclasses import replace

import pytest

from chunkgap.datasets.queries import QuerySet
from chunkgap.datasets.validation import validate
from chunkgap.facts import query_digest, query_facts
from chunkgap.records import Query, Span

QUERIES = (
    Query(
        "q1",
        "who pays?",
        {"a": 1.0, "b": 2.0},
        (Span("a", 3, 9), Span("b", 0, 4)),
        ("the town", "town"),
        {"k": "v"},
    ),
    Query("q2", "when?", {"b": 1.0}),
)


def digest(*queries: Query, evidence: bool = True) -> str:
    return query_digest(queries, evidence=evidence)


def test_neither_order_nor_tags_nor_documents_that_are_not_relevant_change_the_digest() -> None:
    first, second = QUERIES
    assert digest(second, first) == digest(first, second)
    assert digest(replace(first, tags={"k": "w", "l": "x"}), second) == digest(*QUERIES)
    assert digest(first, replace(second, relevant={"z": 0.0, "b": 1})) == digest(*QUERIES)
    turned = replace(first, spans=first.spans[::-1], answers=first.answers[::-1])
    assert digest(turned, second) == digest(*QUERIES)


@pytest.mark.parametrize(
    "change",
    [
        {"query_id": "q3"},
        {"text": "who paid?"},
        {"relevant": {"a": 1.0, "c": 2.0}},  # as many, of the same grades
        {"relevant": {"a": 2.0, "b": 1.0}},
        {"answers": ("the town",)},
    ],
)
@pytest.mark.parametrize("evidence", [True, False])
def test_whatever_a_query_is_scored_by_changes_the_digest(change: dict[str, object], evidence: bool) -> None:
    first, second = QUERIES
    changed = replace(first, **change)  # type: ignore[arg-type]
    assert digest(changed, second, evidence=evidence) != digest(*QUERIES, evidence=evidence)


def test_places_of_evidence_change_the_one_digest_alone() -> None:
    first, second = QUERIES
    moved = replace(first, spans=(Span("a", 4, 10), Span("b", 0, 4)))
    assert digest(moved, second) != digest(*QUERIES)
    assert digest(moved, second, evidence=False) == digest(*QUERIES, evidence=False)


def test_queries_that_are_not_evaluated_change_no_digest_but_that_of_the_file() -> None:
    def facts(*queries: Query, file: str) -> object:
        given = QuerySet(queries, "queries.jsonl", file)
        found = query_facts(given, validate({"a": True, "b": True}, given))
        return found.given, found.evaluated, found.digest, found.evaluated_digest, found.labels_digest

    both = (digest(*QUERIES), digest(*QUERIES, evidence=False))
    assert facts(*QUERIES, file="f") == (2, 2, "f", *both)
    assert facts(Query("q0", "what?"), *QUERIES, file="g") == (3, 2, "g", *both)
