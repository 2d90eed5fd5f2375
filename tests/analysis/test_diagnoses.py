"""What explains a winner, by hand: one character is one token."""

import numpy as np
import pytest

from chunkgap.analysis.diagnoses import diagnose
from chunkgap.analysis.fusions import Fused
from chunkgap.analysis.offers import Offers
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.runs import Labels
from chunkgap.ranking import DocumentRanking
from chunkgap.records import Query
from chunkgap.results import Diagnosis

from .made_up_retrieval import endpoint_of, retrieval_of, text_of, text_run

TEXTS = ["# Title\naaaabbbb", "ccccdddd"]


def diagnosed(cutoff: str = "2c") -> Diagnosis:
    text = text_of(TEXTS, 8)  # "# Title\n", "aaaabbbb"; "ccccdddd"
    run = text_run(text, [[(0, 0.9), (1, 0.8), (2, 0.7)], [(2, 0.9), (0, 0.8)]])
    queries = [Query("q0", "?", {"d0": 1.0}), Query("q1", "?", {"d1": 1.0})]
    base = retrieval_of([[[1, 1]]], queries=queries, documents=2)
    retrieval = Retrieval(base.scales, ((run,),), Labels.of(queries, ["d0", "d1"], TEXTS), ["d0", "d1"])
    ranking = DocumentRanking(np.array([[0, 1], [1, 0]]), np.full((2, 2), -1), np.ones((2, 2)))
    fused = Fused("fusion", "rrf60", ranking, Offers([run]), 3)
    return diagnose(endpoint_of(retrieval, cutoff=cutoff), retrieval, fused)[0]


def test_diversity_and_tokens_are_means_over_queries_inside_the_cutoff() -> None:
    values = diagnosed().values
    assert values["documents"] == (1 + 2) / 2
    assert values["regions"] == (1 + 2) / 2  # the two chunks of the first document touch: one region
    assert values["redundancy"] == 1
    assert values["tokens"] == 16
    assert values["unique tokens"] == 16


def test_a_first_chunk_larger_than_a_token_budget_counts_as_far_as_it_is_read() -> None:
    values = diagnosed("5t").values  # both first chunks have 8 tokens
    assert values["tokens"] == values["unique tokens"] == 5
    within = diagnosed("16t").values  # q0 "# Title\naaaabbbb", q1 "ccccdddd# Title\n"
    assert within["tokens"] == within["unique tokens"] == 16


def test_a_chunk_is_without_heading_when_it_holds_none_and_does_not_start_a_document_that_has_one() -> None:
    assert diagnosed().values["without heading"] == pytest.approx(1 / 3)  # "aaaabbbb" alone


def test_a_correlation_over_two_queries_is_not_given() -> None:
    assert diagnosed().values["rank change, chunks"] is None


def test_one_scale_has_no_neighbour_to_make_a_plateau() -> None:
    assert diagnosed().values["plateau"] is None


def test_a_plateau_is_the_share_of_queries_whose_neighbours_do_as_well() -> None:
    retrieval = retrieval_of([[[1, 1, 0, 0]], [[1, 0, 0, 1]]])
    found = diagnose(
        endpoint_of(retrieval), retrieval, Fused("fusion", "f", _nothing(4), retrieval.offers, 1)
    )
    # q0 both, q1 only the first, q2 neither, q3 only the second: three of four each
    assert [diagnosis.values["plateau"] for diagnosis in found] == [0.75, 0.75]


def _nothing(queries: int) -> DocumentRanking:
    empty = np.full((queries, 1), -1)
    return DocumentRanking(empty, empty, np.full((queries, 1), -np.inf))
