from dataclasses import replace

from chunkgap.reports.wording import facts_line, gain_text, row_name, scales_word, title, verdict_sentence
from tests.reports.results_builder import build_results


def test_verdict_sentence_names_gain_and_storage() -> None:
    results = build_results()
    sentence = verdict_sentence(results)
    assert gain_text(results.verdict.gain) in sentence
    assert sentence.startswith("Fusion over 4 sizes changes recall@5 by +0.")
    assert sentence.endswith("at 3.7 times its storage.")


def test_unknown_storage_is_not_spoken_of() -> None:
    assert verdict_sentence(build_results(command="score")).endswith("against the best single one.")


def test_no_gain_is_said_where_fusion_has_no_value() -> None:
    sentence = verdict_sentence(build_results(cutoffs=("5c",), primary="recall@5c"))
    assert sentence == "Fusion has no value at recall@5c, so there is no gain to judge."


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
