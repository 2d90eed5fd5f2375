import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from chunkgap.explaining import EvidencePlace
from chunkgap.formatting import number
from chunkgap.reports.explanation import explanation_json, measures_table, ranks_table, render_explanation
from chunkgap.reports.query_hits import QueryHits, ShownChunk
from chunkgap.reports.stored_query import StoredQuery, explain_stored

from ..stored import stored


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture()
def query(tmp_path: Path) -> StoredQuery:
    return explain_stored(stored(tmp_path), "q03", top=2)


def with_chunk(query: StoredQuery, chunk: ShownChunk) -> StoredQuery:
    return replace(query, chunks=QueryHits({"16": (chunk,), "48": ()}))


def piped(query: StoredQuery, *, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="")
    render_explanation(query, console=Console(file=stream))
    stream.flush()
    return raw.getvalue().decode(encoding)


def on_terminal(query: StoredQuery, *, colours: bool = True) -> str:
    stream = io.StringIO()
    console = Console(
        file=stream, width=80, force_terminal=True, color_system="standard", no_color=not colours
    )
    render_explanation(query, console=console)
    return stream.getvalue()


CHUNK = ShownChunk(
    "d03.txt", 1, 0.5, 1000, 1024, "the answer is\n42 indeed", ((14, 16),), relevant=True, cut_after=True
)


def test_evidence_is_bracketed_in_plain_text(query: StoredQuery) -> None:
    text = piped(with_chunk(query, CHUNK))
    assert "1. d03.txt [1000, 1024)  score 0.5000  relevant" in text
    assert "the answer is [[42]] indeed ..." in text


def test_evidence_has_a_style_on_a_terminal_and_brackets_without_colours(query: StoredQuery) -> None:
    assert "is \x1b[1;7m42\x1b[0m indeed" in on_terminal(with_chunk(query, CHUNK))
    assert "[[42]]" in on_terminal(with_chunk(query, CHUNK), colours=False)


def test_query_ranks_and_votes_are_told(query: StoredQuery) -> None:
    text = piped(query)
    found = query.explanation.relevant[0]
    assert text.startswith(f"q03: {query.explanation.text}\nhalf: first\n")
    assert "Rank of each relevant document" in text
    assert "Votes by ai21: each rank r adds 1 / (r + 1) (votes: all)" in text
    line = next(line for line in text.splitlines() if line.startswith("rank of d03.txt"))
    assert line.split()[3:] == [str(rank) for rank in (*found.ranks.values(), found.fused_rank)]
    assert f"{found.fused_score:.4f}" in text


OUTSIDE = EvidencePlace(7, "d", 0.25, {"d": 2, "a": 4}, inside=False, required=30, covered=0)
NOWHERE = EvidencePlace(None, None, None, {"d": 1, "a": 2}, inside=False, required=30, covered=0)


def test_evidence_that_is_missed_and_not_known_any_more_is_a_reason(query: StoredQuery) -> None:
    scales = tuple(replace(scale, evidence=None, value=0.0) for scale in query.explanation.scales)
    explanation = replace(query.explanation, scales=scales, endpoint="evidence_recall@5c")
    assert piped(replace(query, explanation=explanation)).count("Missed: the evidence. Where it is") == 2


def test_a_chunk_that_begins_with_blanks_is_not_indented_further(query: StoredQuery) -> None:
    chunk = replace(CHUNK, text="\n  begins here", evidence=())
    assert "\n     begins here ...\n" in piped(with_chunk(query, chunk))


def test_every_scale_tells_where_evidence_is_first_touched(query: StoredQuery) -> None:
    small, large = query.explanation.scales
    scales = (replace(small, evidence=OUTSIDE), replace(large, evidence=NOWHERE))
    found = replace(query, explanation=replace(query.explanation, scales=scales))
    text = " ".join(piped(found).split())
    assert "Evidence first touched at rank 7 " in text
    assert "Evidence touched by none of the 100 retrieved chunks" in text
    assert [cell.text for cell in ranks_table(found.explanation).rows[-1]] == [
        "first chunk with evidence", "7", "\N{EN DASH}", "\N{EN DASH}",
    ]  # fmt: skip


def test_a_query_without_evidence_says_nothing_of_it(query: StoredQuery) -> None:
    scales = tuple(replace(scale, evidence=None) for scale in query.explanation.scales)
    found = replace(query, explanation=replace(query.explanation, scales=scales))
    assert "vidence" not in piped(found)


def test_other_measures_stand_in_a_table(query: StoredQuery) -> None:
    table = measures_table(query.explanation)
    assert [row[0].text for row in table.rows] == ["recall@1", "recall@5"]
    assert table.caption in piped(query)
    alone = replace(query, explanation=replace(query.explanation, measures=()))
    assert table.caption not in piped(alone)


def test_offsets_have_no_thousands_separators(query: StoredQuery) -> None:
    chunk = ShownChunk("d03.txt", 1, 0.5, 12515, 12518, "abc")
    assert "  1. d03.txt [12515, 12518)  score 0.5000\n" in piped(with_chunk(query, chunk))


def test_runs_without_text_show_documents_alone(query: StoredQuery) -> None:
    bare = with_chunk(query, ShownChunk("d03.txt", 1, 0.5, None, None, ""))
    assert "  1. d03.txt  score 0.5000\n" in piped(bare)


def test_remarks_stand_at_the_end(query: StoredQuery) -> None:
    text = piped(replace(query, remarks=("The corpus has changed.",)))
    assert text.endswith("\n! The corpus has changed.\n")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_hostile_text_is_shown_as_written_in_any_encoding(query: StoredQuery, encoding: str) -> None:
    chunk = replace(CHUNK, text="[red]x[/] \x1b[31m \N{GRINNING FACE} end", evidence=((0, 5),))
    text = piped(with_chunk(query, chunk), encoding=encoding)
    assert r"[[[red]]]x[/] \x1b[31m \U0001f600 end" in text


def test_json_holds_what_the_terminal_shows(query: StoredQuery) -> None:
    held, text = json.loads(explanation_json(query)), " ".join(piped(query).split())
    assert text.startswith(
        f"{held['query_id']}: {' '.join(held['text'].split())} half: {held['tags']['half']}"
    )
    for scale in held["scales"]:
        assert f"{scale['name']}{' (best fixed)' * scale['best_fixed']}: {held['endpoint']}" in text
        assert scale["reasons"] == [reason for reason in scale["reasons"] if reason in text]
        assert len(scale["chunks"]) == 2
        for chunk in scale["chunks"]:
            place = f"{chunk['rank']}. {chunk['doc_id']} [{chunk['start']}, {chunk['end']})"
            assert f"{place} score {number(chunk['score'])}" in text
    for found in held["relevant"]:
        assert found["fused_score"] == sum(
            vote["value"] for votes in found["votes"].values() for vote in votes
        )
        assert f"{number(found['fused_score'])} {found['fused_rank']}" in text
    for measure in held["measures"]:
        assert " ".join([measure["name"], *map(number, measure["scales"]), number(measure["fused"])]) in text


def test_json_marks_evidence_in_the_excerpt_and_repeats_the_remarks(query: StoredQuery) -> None:
    held = json.loads(explanation_json(replace(with_chunk(query, CHUNK), remarks=("It has changed.",))))
    (chunk,) = held["scales"][0]["chunks"]
    ((low, high),) = chunk["evidence"]
    assert chunk["text"][low:high] == "42"
    assert held["remarks"] == ["It has changed."]
