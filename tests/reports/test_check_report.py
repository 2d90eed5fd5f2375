import io
import json
from dataclasses import replace

from rich.console import Console

from chunkgap.checking import (
    Bin,
    Check,
    CheckedCorpus,
    CheckedQueries,
    Detection,
    Forecast,
    Lengths,
    SizeForecast,
    Suggestion,
)
from chunkgap.reports.check_report import check_json, histogram, render


def lengths(*bins: Bin) -> Lengths:
    return Lengths(6, 600, 100.0, 10, 20.0, 50.0, 90.0, 150.0, 200.0, 220.0, 230, bins)


def made(**changes: object) -> Check:
    bins = (Bin(64, 128, 4), Bin(128, 256, 1))
    checked = Check(
        corpus=CheckedCorpus(
            "docs", 6, 2400, 6, True, lengths(*bins), {"tables": lengths(*bins)}, {"hidden": 2}
        ),
        queries=CheckedQueries(
            "q.jsonl", 51, 50, 3, {"q9": "without a label"}, Detection(50, 20, 0.2, 0.1, 0.2, 0.02, 1250)
        ),
        model="tiny",
        window=256,
        suggestion=Suggestion((50, 100), "because"),
        are_sizes_given=False,
        phases=2,
        sizes=(SizeForecast("50", 50, 0, 1234, 0.25, 48.0, 0.125, 300, 1234, 1_895_424, 2_078_056, 12.5),),
        forecast=Forecast(2000, 3_072_000, 800_000_000, 25.0),
        max_storage=5.0,
        warnings=("one [bold]warning",),
    )
    return replace(checked, **changes)


def printed(check: Check, *, width: int = 100) -> str:
    stream = io.StringIO()
    render(check, console=Console(file=stream, width=width, force_terminal=False))
    return stream.getvalue()


def test_the_report_says_what_was_found() -> None:
    text = " ".join(printed(made()).split())
    assert "6 documents of docs, 2,400 characters; skipped: 2 hidden" in text
    assert "50 queries (1 left out) of q.jsonl, 3 with evidence spans" in text
    assert "! one [bold]warning" in text
    assert "Suggested sizes: 50, 100 Why: because." in text
    assert "50 1,234 25.0% 12.5% 1.9 MB 2.1 MB 12.50 s 1.0x" in text
    assert (
        "All sizes, 2 phases each: at most 2,000 texts to embed, about 25.00 s to embed on this machine"
        in text
    )
    assert "What 50 queries can detect: a difference of 0.100" in text
    assert "20 clusters" in text
    assert "if those behave as one query each, it is 0.200." in text
    assert "A difference of 0.02 would need about 1,250 queries." in text


def test_bars_are_as_long_as_their_counts() -> None:
    rows = histogram(made().corpus.lengths).rows
    assert [row[0].text for row in rows] == ["64 to 127", "128 to 255"]
    assert [len(row[2].text) for row in rows] == [40, 10]


def test_the_smallest_count_still_has_a_bar() -> None:
    rows = histogram(lengths(Bin(0, 16, 1), Bin(16, 32, 0), Bin(32, 64, 10_000))).rows
    assert [len(row[2].text) for row in rows] == [1, 0, 40]


def test_an_estimate_is_called_one() -> None:
    checked = made()
    sampled = replace(checked.corpus, is_complete=False, tokenised=3, documents=1000)
    assert "3 of 1,000 documents were tokenised" in " ".join(
        printed(replace(checked, corpus=sampled)).split()
    )
    assert "were tokenised" not in printed(checked)


def test_without_a_calibration_there_are_no_seconds() -> None:
    text = printed(made(forecast=Forecast(2000, 3_072_000, 800_000_000, None)))
    assert "Seconds are not forecast without a calibration." in text
    assert "on this machine" not in text


def test_one_query_detects_nothing() -> None:
    checked = made()
    one = replace(checked.queries, detection=Detection(1, 1, 0.2, None, None, 0.02, None))
    assert "1 query detects nothing: give at least two." in printed(replace(checked, queries=one))


def test_a_narrow_terminal_cuts_no_number() -> None:
    text = printed(made(), width=40)
    assert "1,234" in text
    assert "2.1 MB" in text


def test_json_holds_everything() -> None:
    value = json.loads(check_json(made(model="modèle")))
    assert value["format_version"] == 1
    assert value["model"] == "modèle"
    assert value["suggestion"]["sizes"] == [50, 100]
    assert value["corpus"]["lengths"]["histogram"][0] == {"low": 64, "high": 128, "count": 4}
    assert value["sizes"][0]["long"] == 0.125
    assert value["queries"]["excluded"] == {"q9": "without a label"}


def test_queries_that_all_share_a_document_detect_nothing_together() -> None:
    checked = made()
    one = replace(checked.queries, detection=Detection(50, 1, 0.2, 0.1, None, 0.02, 1250))
    text = " ".join(printed(replace(checked, queries=one)).split())
    assert (
        "All of them share a relevant document; if they behave as one query, nothing can be detected." in text
    )
    assert "cluster" not in text


def test_sizes_whose_victory_could_not_be_a_go_are_named() -> None:
    small = made().sizes[0]
    large = replace(small, name="500", size=500, chunks=300)
    told = " ".join(printed(made(sizes=(small, large))).split())
    assert (  # 1534 / 300 = 5.1
        "All / one: chunks of all sizes, in those of one. If 500 turns out the best size, all sizes together hold "
        "more than max_storage (5) times its chunks, and the verdict is no-go whatever fusion wins. In that "
        "case measure again without the finest sizes, or raise decision.max_storage."
    ) in told
    assert "turns out the best size" not in " ".join(
        printed(made(sizes=(small, large), max_storage=6.0)).split()
    )


def test_sizes_just_above_the_bound_do_not_look_as_if_within() -> None:
    (small,) = made().sizes
    large = replace(small, name="500", size=500, chunks=10_001)
    both = (replace(small, chunks=40_005), large)  # 50,006 / 10,001 = 5.0001
    told = " ".join(printed(made(sizes=both)).split())
    assert "12.50 s 5.0001x" in told
    assert "If 500 turns out the best size, all sizes together hold more than max_storage (5)" in told
