import csv
import io
from dataclasses import replace

import pytest

from chunkgap.records import Interval
from chunkgap.reports.csv_files import per_query_csv, slices_csv, summary_csv
from chunkgap.results import PerQuery, QueryScores, Results, Row

from .results_builder import build_results


def tiny() -> Results:
    """Two sizes, two queries, one endpoint: small enough to know every cell."""
    results = build_results(
        scales=("50", "100"), queries=2, cutoffs=("5",), phases=1, bare=True, timings=False, tags=False
    )
    scores = QueryScores(scales=((0.5, 1.0), (0.5, None)), fusion=(1 / 3, 1.0))
    queries = PerQuery(
        query_ids=("=q1", "007"),
        texts=("what, then?", "a\rb\nc"),
        tags=({"type": "fact"}, {}),
        clusters=(0, 1),
        relevant=(2, 1),
        scores={"recall@5": scores},
        ranks=((1, 3), (1, None)),
        fused_ranks=(1, 2),
    )
    rows = (
        Row("scale", "50", "recall", "5", 0.1 + 0.2, Interval(0.3, 0.25, 0.5), True),
        Row("fusion", "ai21", "recall", "5", None, None, True),
        Row("oracle", "oracle", "recall", "5", 1.0, Interval(1.0, float("nan"), float("nan")), True),
    )
    return replace(results, per_query=queries, rows=rows)


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_every_cell_of_per_query_csv() -> None:
    results = tiny()
    left_out = replace(results.queries, excluded={"q3": "without a relevant document"})
    assert per_query_csv(replace(results, queries=left_out)) == (
        "query_id,text,relevant,cluster,left out,tag:type,best scales,"
        "recall@5 [50],recall@5 [100],recall@5 [fusion],rank [50],rank [100],rank [fusion]\n"
        '\'=q1,"what, then?",2,0,,fact,50 100,0.5,0.5,0.3333333333333333,1,1,1\n'
        '007,"a\rb\nc",1,1,,,50,1.0,,1.0,3,,2\n'
        "q3,,,,without a relevant document,,,,,,,,\n"
    )


def test_first_lines_of_summary_csv() -> None:
    head, *lines = summary_csv(tiny()).splitlines()
    assert head == (
        "kind,name,measure,cutoff,value,low,high,primary,p,p_holm,"
        "chunks,mean_tokens,long,unread,vectors,vector_bytes,index_bytes,text"
    )
    fifty, hundred = (scale.phases[0] for scale in tiny().scales)
    price, other = (scale.vector_bytes for scale in tiny().scales)
    assert lines[0].startswith(
        f"scale,50,recall,5,0.30000000000000004,0.25,0.5,true,,,{fifty.chunks},{fifty.mean_tokens},"
        f"{fifty.long},{fifty.unread},{fifty.vectors},"
    )
    both = fifty.chunks + hundred.chunks
    tokens = (fifty.mean_tokens * fifty.chunks + hundred.mean_tokens * hundred.chunks) / both
    vectors = fifty.vectors + hundred.vectors
    assert lines[1] == f"fusion,ai21,recall,5,,,,true,,,{both},{tokens},,,{vectors},{price + other},,"
    assert lines[2] == "oracle,oracle,recall,5,1.0,,,true,,,,,,,,,,"


def test_summary_holds_every_row_of_the_results_unrounded() -> None:
    results = build_results()
    means = [
        line for line in read(summary_csv(results)) if line["kind"] in {row.kind for row in results.rows}
    ]
    assert [(line["kind"], line["name"], f"{line['measure']}@{line['cutoff']}") for line in means] == [
        (row.kind, row.name, f"{row.measure}@{row.cutoff}") for row in results.rows
    ]
    assert [float(line["value"]) for line in means] == [row.value for row in results.rows]


def test_summary_holds_gap_placebo_excess_interaction_and_both_verdicts() -> None:
    results = build_results()
    lines = {(line["kind"], line["name"], line["cutoff"]): line for line in read(summary_csv(results))}
    primary = results.primary
    assert float(lines["headroom", "oracle gap", "5"]["value"]) == primary.gap.estimate
    assert float(lines["headroom", "placebo gap [50]", "5"]["value"]) == primary.placebo["50"]
    assert primary.excess is not None
    assert float(lines["headroom", "size excess", "5"]["high"]) == primary.excess.high
    assert primary.interaction is not None
    assert float(lines["verdict", "headroom", "5"]["low"]) == primary.interaction.low
    assert lines["verdict", "headroom", "5"]["text"] == results.headroom_verdict.sentence
    told = lines["verdict", "fusion", "5"]["text"]
    assert told.startswith(f"{results.verdict.word}. ")
    assert told.endswith(f"Rule: {results.verdict.rule}")
    compared = results.comparisons[0]
    line = lines["comparison", f"{compared.row} minus {compared.against}", "5"]
    assert (float(line["p"]), float(line["p_holm"])) == (compared.p, compared.p_holm)


def test_one_phase_calls_the_gap_uncorrected() -> None:
    names = {
        line["name"] for line in read(summary_csv(build_results(phases=1))) if line["kind"] == "headroom"
    }
    assert "oracle gap (uncorrected)" in names
    assert "oracle gap" not in names


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(start: str) -> None:
    results = tiny()
    queries = replace(results.per_query, texts=(f"{start}1+1", "1=1"), tags=({start: f"{start}x"}, {}))
    first, second = read(per_query_csv(replace(results, per_query=queries)))
    assert first["text"] == f"'{start}1+1"
    assert first[f"tag:{start}"] == f"'{start}x"
    assert second["text"] == "1=1"


def test_negative_numbers_stay_numbers() -> None:
    lines = read(summary_csv(build_results()))
    assert any(line["low"].startswith("-") for line in lines)


def test_best_scales_are_empty_where_every_scale_is_at_0() -> None:
    results = tiny()
    scores = QueryScores(scales=((0.0, 0.25), (0.0, 0.5)), fusion=())
    queries = replace(results.per_query, scores={"recall@5": scores}, fused_ranks=())
    first, second = read(per_query_csv(replace(results, per_query=queries)))
    assert (first["best scales"], second["best scales"]) == ("", "100")
    assert (first["recall@5 [fusion]"], first["rank [fusion]"]) == ("", "")


def test_slices_csv_holds_every_slice_unrounded() -> None:
    results = build_results()
    lines = read(slices_csv(results))
    assert [(line["tag"], line["value"], int(line["queries"])) for line in lines] == [
        (found.tag, found.value, found.queries) for found in results.slices
    ]
    assert [float(line["recall@5 [100]"]) for line in lines] == [
        found.means["100"] for found in results.slices
    ]
    assert [line["gain"] for line in lines] == [
        repr(found.gain.estimate) if found.gain else "" for found in results.slices
    ]
    assert [line["small"] for line in lines] == ["false", "false", "true", "false", "false"]


def test_hostile_names_come_back_from_a_csv_reader() -> None:
    results = build_results(hostile=True)
    lines = [line for line in read(per_query_csv(results)) if not line["left out"]]
    assert [line["query_id"].removeprefix("'") for line in lines] == list(results.per_query.query_ids)
    assert [line["text"].removeprefix("'") for line in lines] == list(results.per_query.texts)
