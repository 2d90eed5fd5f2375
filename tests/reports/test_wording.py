from dataclasses import replace

from chunkgap.formatting import number
from chunkgap.records import Interval
from chunkgap.reports.wording import (
    facts_line,
    gain_text,
    row_name,
    scales_word,
    storage_of,
    title,
    verdict_sentence,
)
from chunkgap.results import Results, Row
from tests.reports.results_builder import build_results


def test_verdict_sentence_names_gain_and_storage() -> None:
    results = build_results()
    sentence = verdict_sentence(results)
    assert gain_text(results.verdict.gain) in sentence
    assert sentence.startswith("Fusion over 4 sizes changes recall@5 by +0.")
    assert sentence.endswith("at 3.7 times its storage.")


def test_gain_and_storage_do_not_look_like_the_limits_that_they_miss() -> None:
    results = build_results()
    verdict = replace(results.verdict, gain=Interval(0.01, 0.001, 0.019999), storage=5.0001)
    sentence = verdict_sentence(replace(results, verdict=verdict))
    assert "by +0.010000 [0.001000, 0.019999] against" in sentence
    assert sentence.endswith("at 5.0001 times its storage.")


def test_storage_that_is_not_once_does_not_look_like_it() -> None:
    results = build_results()
    best = next(scale for scale in results.scales if scale.name == results.primary.best_fixed)
    vectors = best.phases[0].vectors
    row = Row("control", "c", "recall", "5", 0.5, None, primary=True, vectors=round(vectors * 1.04))
    assert storage_of(row, results).startswith("1.0")
    assert storage_of(row, results) not in {"1.0x", "1.00x"}
    assert storage_of(replace(row, vectors=vectors), results) == "1.0x"


def test_a_control_that_does_as_well_with_one_size_is_named() -> None:
    results = build_results()
    control = Row("control", "phases of best fixed", "recall", "5", 1.0, None, primary=True)
    rows = tuple(row for row in results.rows if (row.kind, row.name) != ("control", control.name))
    assert verdict_sentence(replace(results, rows=(*rows, control))).endswith(
        " A control with one size does as well or better: phases of best fixed 1.0000 against RRF "
        f"{number(fused_value(results))}."
    )


def fused_value(results: Results) -> float | None:
    row = results.row("fusion", "ai21", "recall", "5")
    return row.value if row else None


def test_unknown_storage_is_not_spoken_of() -> None:
    assert verdict_sentence(build_results(command="score")).endswith(
        "against the best fixed scale, cross-fitted (0.6607)."
    )


def test_where_the_reasons_say_why_there_is_no_gain_nothing_is_added() -> None:
    assert verdict_sentence(build_results(scales=("50",))) == ""
    assert verdict_sentence(build_results(cutoffs=("5c",), primary="recall@5c")) == ""


def test_report_is_headed_by_its_name_else_by_its_corpus() -> None:
    results = build_results()
    corpus = replace(results.corpus, source="/home/me/docs/")
    assert title(results) == "handbook"
    assert title(replace(results, name=None, corpus=corpus)) == "docs"


def test_scales_that_are_no_sizes_are_called_scales() -> None:
    assert scales_word(build_results()) == "sizes"
    assert scales_word(build_results(command="score")) == "scales"
    assert "own run files" in facts_line(build_results(command="score"))


def test_rows_are_named_by_their_kind() -> None:
    assert row_name("fusion", "ai21") == "RRF ai21"
    assert row_name("best fixed", "cross-fitted") == "best fixed, cross-fitted"
    assert row_name("oracle", "oracle", corrected=False) == "oracle (uncorrected)"
