"""Every warning fires where it should, and is silent where it should not."""

from dataclasses import replace

import numpy as np
import pytest

from chunkgap.analysis.notices import blocking_first, find_notices
from chunkgap.analysis.retrieval import Retrieval
from chunkgap.analysis.runs import Labels
from chunkgap.records import Query, Span
from chunkgap.results import Notice

from .made_up_retrieval import endpoint_of, facts, retrieval_of, text_of, text_run

QUERIES = 120
HALF = [1 if row % 2 else 3 for row in range(QUERIES)]


def notices(retrieval: Retrieval, cutoff: str = "1", long_chunks: str | None = None) -> dict[str, Notice]:
    found = find_notices(endpoint_of(retrieval, cutoff=cutoff), retrieval, long_chunks=long_chunks)
    return {notice.code: notice for notice in found}


def healthy(**changed: object) -> Retrieval:
    less = [3, 3, *HALF[2:]]
    return retrieval_of([[HALF, HALF], [less, less]], **changed)


def with_phase(retrieval: Retrieval, *, truncated: bool = False, **changed: object) -> Retrieval:
    scale = retrieval.scales[0]
    phases = (facts(0, 10, **changed), *scale.phases[1:])
    return replace(
        retrieval, scales=(replace(scale, truncated=truncated, phases=phases), *retrieval.scales[1:])
    )


def test_a_healthy_measurement_has_no_warning() -> None:
    assert notices(healthy()) == {}


def test_warnings_that_forbid_a_verdict_come_first_and_else_keep_their_order() -> None:
    told = [Notice("a", "", False), Notice("b", "", True), Notice("c", "", False), Notice("d", "", True)]
    assert [notice.code for notice in blocking_first(told)] == ["b", "d", "a", "c"]


def test_ceiling_fires_above_97_percent() -> None:
    assert "ceiling" in notices(retrieval_of([[[1] * QUERIES]]))
    at_97 = [1] * 97 + [0] * 3
    assert "ceiling" not in notices(retrieval_of([[at_97]]))


def test_chance_fires_where_the_interval_reaches_a_random_ranking() -> None:
    random = np.random.default_rng(0)
    rankings = [[(random.random(QUERIES) < 1 / 120).astype(int).tolist()] for _ in range(4)]
    assert "chance" in notices(retrieval_of(rankings, documents=120))
    one_in_ten = [1 if row % 10 == 0 else 0 for row in range(QUERIES)]
    assert "chance" not in notices(retrieval_of([[one_in_ten]], documents=120))


def test_few_queries_and_few_clusters_fire_below_100_and_20() -> None:
    assert {"few-queries", "few-clusters"} <= notices(retrieval_of([[HALF[:19]]])).keys()
    assert "few-clusters" not in notices(retrieval_of([[HALF[:20]]]))
    assert "few-queries" not in notices(retrieval_of([[HALF[:100]]]))


def test_a_cutoff_that_covers_the_corpus_forbids_a_verdict() -> None:
    found = notices(retrieval_of([[HALF]], documents=QUERIES), cutoff=str(QUERIES))
    assert found["whole-corpus"].blocking
    assert "whole-corpus" not in notices(retrieval_of([[HALF]], documents=QUERIES), cutoff=str(QUERIES - 1))


def test_another_cutoff_that_covers_the_corpus_is_told_and_forbids_nothing() -> None:
    retrieval = retrieval_of([[HALF]], documents=QUERIES)
    cutoffs = ("500", "1", "120", "20c")
    found = find_notices(endpoint_of(retrieval, cutoff="1"), retrieval, cutoffs=cutoffs)
    covered = [notice for notice in found if notice.code == "whole-corpus"]
    assert [(notice.message, notice.blocking) for notice in covered] == [
        ("the cutoff of 120 covers all 120 documents of the corpus: nothing can be missed", False),
        ("20 chunks are the whole corpus at size 50", False),
    ]


def test_a_tie_for_the_best_mean_names_the_scale_that_the_rule_takes() -> None:
    tied = notices(retrieval_of([[HALF], [HALF]], vectors=[30, 20]))["tied-scales"]
    assert tied.message.startswith("50, 100 have the same mean recall@1: 100 stands as best fixed")
    assert not tied.blocking
    assert "tied-scales" not in notices(healthy())


def test_a_cutoff_in_chunks_that_covers_a_size_forbids_a_verdict() -> None:
    assert notices(healthy(vectors=[5, 50]), cutoff="5c")["whole-corpus"].blocking
    assert "whole-corpus" not in notices(healthy(vectors=[6, 50]), cutoff="5c")


def test_more_relevant_documents_than_the_cutoff_cap_recall() -> None:
    three = {"d0000": 1.0, "d0001": 1.0, "d0002": 1.0}
    queries = [Query(f"q{row}", "?", three if row == 0 else {f"d{row:04d}": 1.0}) for row in range(QUERIES)]
    found = notices(healthy(queries=queries))["more-relevant"]
    assert found.message == (
        f"1 query has more than 1 relevant document: recall@1 cannot pass {(QUERIES - 1 + 1 / 3) / QUERIES:.4f}"
    )
    assert "more-relevant" not in notices(healthy(queries=queries), cutoff="3")


def test_truncation_blocks_and_averaging_is_told() -> None:
    cut = with_phase(healthy(), truncated=True, long=0.5, unread=0.25)
    assert notices(cut, long_chunks="truncate")["truncated"].blocking
    averaged = notices(with_phase(healthy(), long=0.5), long_chunks="average")
    assert not averaged["averaged"].blocking
    assert {"truncated", "averaged"}.isdisjoint(notices(healthy(), long_chunks="average"))


def test_an_index_that_misses_is_named_and_blocks_where_it_flips_a_query() -> None:
    missing = notices(with_phase(healthy(), ef=200, found=0.98, flipped=2))["approximate-search"]
    assert missing.blocking
    assert "98.00%" in missing.message
    assert not notices(with_phase(healthy(), ef=200, found=0.98))["approximate-search"].blocking
    assert "approximate-search" not in notices(with_phase(healthy(), ef=200, found=0.9995))


def test_ties_across_the_cut_are_counted() -> None:
    assert "3 at 50" in notices(with_phase(healthy(), tied=3))["ties"].message
    assert "ties" not in notices(healthy())


@pytest.mark.parametrize(
    ("sizes", "blocking"), [((40, 80), True), ((10, 40), None)], ids=["all in one window", "sizes that cut"]
)
def test_scales_that_make_the_same_chunks_forbid_a_verdict(
    sizes: tuple[int, int], blocking: bool | None
) -> None:
    texts = ["the quick brown fox jumps over the dog" for _ in range(4)]
    placed = [text_of(texts, size) for size in sizes]
    retrieval = retrieval_of([[HALF], [HALF]])
    runs = tuple((text_run(text, [[(0, 1.0)]] * QUERIES),) for text in placed)
    found = notices(replace(retrieval, runs=runs)).get("same-chunks")
    assert (found.blocking if found else None) == blocking


def test_many_scales_that_make_the_same_chunks_are_told_of_once() -> None:
    placed = [text_of(["the quick brown fox jumps over the dog"] * 4, size) for size in (10, 40, 80, 160)]
    retrieval = retrieval_of([[HALF]] * 4)
    runs = tuple((text_run(text, [[(0, 1.0)]] * QUERIES),) for text in placed)
    found = find_notices(endpoint_of(retrieval), replace(retrieval, runs=runs))
    assert [notice.message for notice in found if notice.code == "same-chunks"] == [
        "sizes 40, 80 and 160 make the same chunks: comparing them says nothing"
    ]


def test_sizes_that_make_the_same_chunks_are_told_in_whatever_order_they_are_listed() -> None:
    placed = [text_of(["the quick brown fox jumps over the dog"] * 4, size) for size in (80, 10, 40)]
    retrieval = retrieval_of([[HALF]] * 3)
    scales = tuple(
        replace(scale, name=run, size=int(run))
        for scale, run in zip(retrieval.scales, ("80", "10", "40"), strict=True)
    )
    runs = tuple((text_run(text, [[(0, 1.0)]] * QUERIES),) for text in placed)
    found = find_notices(endpoint_of(retrieval), replace(retrieval, scales=scales, runs=runs))
    assert [(notice.message, notice.blocking) for notice in found if notice.code == "same-chunks"] == [
        ("sizes 40 and 80 make the same chunks: comparing them says nothing", True)
    ]


def test_phases_that_overlap_leaves_little_room_are_told() -> None:
    retrieval = retrieval_of([[HALF, HALF]] * 2)
    scales = tuple(replace(scale, overlap=scale.size * 9 // 10) for scale in retrieval.scales)
    found = notices(replace(retrieval, scales=(scales[0], retrieval.scales[1])))["similar-phases"]
    assert not found.blocking
    assert "share most of each window (95.0% at 50)" in found.message  # 1 - (50 - 45) / (2 * 50)
    assert "similar-phases" not in notices(retrieval)
    alone = retrieval_of([[HALF]])
    assert "similar-phases" not in notices(replace(alone, scales=(replace(alone.scales[0], overlap=45),)))


def test_documents_without_text_do_not_hide_that_a_cutoff_covers_all_others() -> None:
    text = text_of(["some text"] * (QUERIES - 2) + [""] * 2, 4)
    retrieval = retrieval_of([[HALF]], documents=QUERIES)
    runs = ((text_run(text, [[(0, 1.0)]] * QUERIES),),)
    found = find_notices(endpoint_of(retrieval, cutoff="118"), replace(retrieval, runs=runs))
    told = next(notice for notice in found if notice.code == "whole-corpus")
    assert told.blocking
    assert (
        told.message
        == "the cutoff of 118 covers all 118 documents of the corpus with text: nothing can be missed"
    )


def test_a_token_budget_that_holds_the_corpus_forbids_a_verdict() -> None:
    retrieval = replace(healthy(), document_tokens=(100, 380))
    found = find_notices(endpoint_of(retrieval), retrieval, cutoffs=("480t", "479t"))
    assert [notice.message for notice in found if notice.code == "whole-corpus"] == [
        "480 tokens hold the whole corpus of 480: nothing can be missed"
    ]


def test_queries_that_copy_their_evidence_are_counted() -> None:
    text = "the ferry leaves at nine from the northern pier in winter and at eight in summer"
    copy = Query("q", "ferry leaves at nine from the northern pier", {"d0000": 1.0}, (Span("d0000", 0, 50),))
    own = Query("q", "when does the first boat go across", {"d0000": 1.0}, (Span("d0000", 0, 50),))

    def warned(copies: int) -> bool:
        queries = [replace(copy if row < copies else own, query_id=str(row)) for row in range(QUERIES)]
        labels = Labels.of(queries, [f"d{row:04d}" for row in range(1000)], [text] + [""] * 999)
        return "copied-queries" in notices(replace(retrieval_of([[HALF]], queries=queries), labels=labels))

    assert warned(QUERIES // 10)
    assert not warned(QUERIES // 10 - 1)


def test_queries_without_the_measure_are_counted() -> None:
    queries = [
        Query(str(row), "?", {f"d{row:04d}": 1.0}, (Span(f"d{row:04d}", 0, 2),) if row else ())
        for row in range(QUERIES)
    ]
    texts = ["abcd"] * QUERIES
    text = text_of(texts, 2)
    labels = Labels.of(queries, [f"d{row:04d}" for row in range(QUERIES)], texts)
    base = retrieval_of([[HALF]], queries=queries, documents=QUERIES)
    run = text_run(text, [[(2 * row, 1.0)] for row in range(QUERIES)])
    retrieval = replace(base, runs=((run,),), labels=labels)
    endpoint = endpoint_of(retrieval, "evidence_recall", "1c")
    assert np.isnan(endpoint.all_scores[0, 0, 0])
    assert "1 query" in next(n.message for n in find_notices(endpoint, retrieval) if n.code == "undefined")


def test_answer_recall_is_told_to_favour_large_chunks() -> None:
    found = find_notices(endpoint_of(healthy()), healthy(), measures=["recall", "answer_recall"])
    assert [notice.code for notice in found] == ["answer-recall"]
    assert not find_notices(endpoint_of(healthy()), healthy(), measures=["recall"])


def test_spans_that_no_measure_looks_at_are_told() -> None:
    queries = [
        Query(str(row), "?", {f"d{row:04d}": 1.0}, (Span(f"d{row:04d}", 0, 2),)) for row in range(QUERIES)
    ]
    retrieval = healthy(queries=queries)
    codes = [
        [notice.code for notice in find_notices(endpoint_of(retrieval), retrieval, measures=measures)]
        for measures in (["recall"], ["recall", "evidence_recall"])
    ]
    assert codes == [["evidence-unused"], []]
