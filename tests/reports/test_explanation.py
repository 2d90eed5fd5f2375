import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from chunkgap.explaining import Miss
from chunkgap.reports.explanation import miss_sentence, render_explanation
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
    assert "1. d03.txt [1,000, 1,024)  score 0.5000  relevant" in text
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


def test_why_a_document_was_missed() -> None:
    above = {"a": 3, "b": 1, "c": 1, "e": 2, "f": 1}
    assert miss_sentence(Miss("d", 6, 9, 0.25, above), 100) == (
        "Missed: d. Its first chunk has rank 9 (score 0.2500), so the document has rank 6; above it: "
        "a (3 chunks), b (1 chunk), c (1 chunk) and 2 more."
    )
    assert miss_sentence(Miss("d", None, None, None, {"a": 2}), 2) == (
        "Missed: d. No chunk of it is among the 2 retrieved; first are a (2 chunks)."
    )
    assert miss_sentence(Miss("d", None, None, None, {}), 0).endswith(
        "among the 0 retrieved; first are none."
    )


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
