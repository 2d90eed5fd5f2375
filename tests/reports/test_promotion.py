import io
from pathlib import Path

from rich.console import Console

from chunkgap.promoting import Promotion, promote
from chunkgap.reports.promotion import render_promotion
from chunkgap.reports.screen import Screen

from .results_builder import build_results


def test_each_chosen_query_stands_with_its_spread_and_the_reason() -> None:
    chosen = promote(build_results(), 3)
    stream = io.StringIO()
    render_promotion(Promotion(chosen, (), ()), Path("small.jsonl"), Screen(Console(file=stream, width=200)))
    text = stream.getvalue()
    flat = " ".join(text.split())
    for query in chosen:
        assert f"{query.query_id} " in flat
    assert "loses it" in flat
    assert text.endswith("3 queries in small.jsonl\n")
