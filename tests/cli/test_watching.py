import io

import pytest
from rich.console import Console

from chunkgap.cli.watching import bars_on


@pytest.mark.parametrize("width", [36, 40, 60, 80])
def test_progress_is_cut_short_at_no_width(width: int) -> None:
    stream = io.StringIO()
    bars = bars_on(Console(file=stream, width=width, force_terminal=True, color_system=None))
    with bars:
        bars.update(bars.add_task("indexing and searching", total=8), advance=3)
    shown = stream.getvalue()
    assert "indexing and searching" in shown
    assert "38%" in shown
    assert "\N{HORIZONTAL ELLIPSIS}" not in shown
