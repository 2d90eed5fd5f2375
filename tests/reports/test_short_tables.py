from dataclasses import replace

import pytest

from chunkgap.formatting import MISSING, number, percent
from chunkgap.reports.short_tables import evidence_table, short_means_table, short_prices_table
from chunkgap.reports.wording import BEST
from chunkgap.results import FILLED, Results, Row

from .results_builder import build_results


def lines(results: Results) -> dict[str, list[str]]:
    return {row[0].text: [cell.text for cell in row[1:]] for row in short_means_table(results).rows}


def test_means_are_those_of_the_results() -> None:
    results = build_results()
    cutoffs = [headroom.cutoff for headroom in results.headroom]
    rows, best = lines(results), results.primary.best_fixed

    def of(kind: str, name: str) -> list[str]:
        found = [results.row(kind, name, "recall", cutoff) for cutoff in cutoffs]  # type: ignore[arg-type]
        return [number(row.value if row else None) for row in found]

    assert rows[f"{best} (best fixed)"] == of("scale", best)
    assert rows["oracle"] == [number(headroom.oracle) for headroom in results.headroom]
    assert rows["raw gap"] == [number(headroom.gap.estimate) for headroom in results.headroom]
    assert rows["share of the gap closed"] == [percent(found.share_closed) for found in results.headroom]
    fused = next(label for label in rows if label.startswith("RRF ai21"))
    assert rows[fused] == of("fusion", "ai21")


def test_each_cutoff_has_one_star_at_its_own_best_scale() -> None:
    results = build_results()
    table = short_means_table(results)
    for column, found in enumerate(results.headroom, start=1):
        starred = [row[0].text.split(" (")[0] for row in table.rows if row[column].flag]
        assert starred == [found.best_fixed]
    assert f"{BEST} best size" in table.caption


def test_a_single_scale_is_best_of_nothing() -> None:
    table = short_means_table(build_results(scales=("50",)))
    assert not table.flagged
    assert BEST not in table.caption


def test_fusion_and_control_have_their_price_in_vectors_of_the_best_fixed_scale() -> None:
    results = build_results()
    best = next(scale for scale in results.scales if scale.name == results.primary.best_fixed)
    whole = sum(scale.phases[0].vectors for scale in results.scales) / best.phases[0].vectors
    assert f"RRF ai21 ({whole:.1f}x)" in lines(results)
    assert "control: phases of best fixed (2.0x)" in lines(results)


def test_without_known_vectors_no_price_is_printed() -> None:
    results = build_results()
    unknown = replace(results, rows=tuple(replace(row, vectors=None) for row in results.rows))
    assert {"RRF ai21", "control: phases of best fixed"} <= set(lines(unknown))
    assert "RRF ai21" in lines(build_results(command="score", scales=("a", "b")))


def test_the_control_shown_is_the_best_one_over_one_scale() -> None:
    results = build_results()
    deeper = Row("control", "votes within best fixed, deeper", "recall", "5", 0.99, None, primary=True)
    pooled = Row("control", "best score of any scale", "recall", "5", 1.0, None, primary=True)
    labels = lines(replace(results, rows=(*results.rows, deeper, pooled)))
    assert [label for label in labels if label.startswith("control")] == [f"control: {deeper.name}"]


def test_what_is_not_defined_is_a_dash() -> None:
    rows = lines(build_results(cutoffs=("5", "5c")))
    fused = next(label for label in rows if label.startswith("RRF ai21"))
    assert rows[fused][1] == rows["share of the gap closed"][1] == MISSING
    assert rows["oracle"][1] != MISSING


def test_the_price_of_all_sizes_is_their_sum_and_its_tokens_their_weighted_mean() -> None:
    results = build_results(scales=("50", "100"))
    *scales, total = short_prices_table(results).rows
    fifty, hundred = (scale.phases[0] for scale in results.scales)
    assert total[3].text == f"{fifty.vectors + hundred.vectors:,}"
    tokens = fifty.mean_tokens * fifty.chunks + hundred.mean_tokens * hundred.chunks
    assert total[2].text == f"{tokens / (fifty.chunks + hundred.chunks):,.1f}"
    assert scales[0][2].text < total[2].text < scales[1][2].text


@pytest.mark.parametrize(("index", "shown"), [("hnsw", "0.80 s"), ("exact", MISSING)])
def test_only_an_approximate_index_is_built(index: str, shown: str) -> None:
    results = replace(build_results(scales=("50", "100")), index=index)  # type: ignore[arg-type]
    assert short_prices_table(results).rows[-1][6].text == shown


def test_rankings_made_elsewhere_have_no_price() -> None:
    assert not short_prices_table(build_results(command="score", scales=("a", "b")))


def test_measures_of_evidence_stand_at_the_primary_cutoff() -> None:
    results = build_results(measures=("recall", "rr", "evidence_recall"))
    table = evidence_table(results)
    assert table.columns == ("size", "evidence recall@5")
    row = results.row("scale", "100", "evidence_recall", "5")
    assert row
    shown = {row[0].text.split(" (")[0]: row[1].text for row in table.rows}
    assert shown["100"] == number(row.value)
    assert set(shown) == {"50", "100", "200", "500", "best fixed, cross-fitted", "RRF ai21"}
    assert not evidence_table(build_results(measures=("recall", "rr")))


def test_measures_of_evidence_without_the_primary_cutoff_stand_at_their_own() -> None:
    results = build_results(cutoffs=("5", "600t"), measures=("recall", "evidence_recall"))
    others = tuple(at for at in results.headroom if (at.measure, at.cutoff) != ("evidence_recall", "5"))
    filled = Row("best fixed", FILLED, "evidence_recall", "600t", 0.41, None, False, None)
    table = evidence_table(replace(results, headroom=others, rows=(*results.rows, filled)))
    assert table.columns == ("size", "evidence recall@600t")
    shown = {row[0].text.split(" (")[0]: row[1].text for row in table.rows}
    assert shown["best fixed, filled as fusion"] == "0.4100"
    row = results.row("scale", "50", "evidence_recall", "600t")
    assert row
    assert shown["50"] == number(row.value)


def test_measures_of_evidence_that_find_no_room_are_told() -> None:
    kinds = ("evidence_recall", "evidence_precision", "complete_evidence", "answer_recall")
    table = evidence_table(build_results(measures=("recall", *kinds)))
    assert (table.caption, len(table.columns)) == ("Evidence and answers, 3 of 4 measures", 4)
    assert evidence_table(build_results(measures=("recall", *kinds[:3]))).caption == "Evidence and answers"


def test_under_a_token_budget_the_row_that_fusion_is_held_against_is_shown() -> None:
    results = build_results(cutoffs=("5", "500t"), primary="recall@500t")
    filled = Row("best fixed", FILLED, "recall", "500t", 0.8388, None, True, None)
    table = short_means_table(replace(results, rows=(*results.rows, filled)))
    shown = {row[0].text: [cell.text for cell in row[1:]] for row in table.rows}
    assert shown["best fixed, filled as fusion"] == [MISSING, "0.8388"]
    assert "best fixed, filled as fusion" not in {row[0].text for row in short_means_table(results).rows}
