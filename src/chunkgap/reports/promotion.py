"""The queries that were promoted, on a terminal."""

from pathlib import Path

from chunkgap.formatting import counted, number
from chunkgap.promoting import Promotion
from chunkgap.reports.screen import Screen
from chunkgap.reports.table import Cell, Table


def render_promotion(promotion: Promotion, file: Path, screen: Screen) -> None:
    """Print which queries were chosen and why."""
    rows = tuple(
        (Cell(query.query_id), Cell(number(query.spread)), Cell(query.why)) for query in promotion.queries
    )
    screen.table(
        Table(
            "Queries on which scales disagree most", ("query", "spread", "why"), rows, texts=frozenset({0, 2})
        )
    )
    screen.say()
    screen.say(f"{counted(len(rows), 'query', 'queries')} in {file}")
