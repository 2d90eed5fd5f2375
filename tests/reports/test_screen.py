import io

import pytest
from rich.console import Console

from chunkgap.reports.screen import Screen
from chunkgap.reports.table import Cell, Table


def printed(table: Table, *, width: int | None = None, encoding: str = "utf-8") -> str:
    """What a table looks like on a terminal of `width` columns, or in a pipe."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="")
    console = Console(file=stream, width=width, force_terminal=width is not None, no_color=True)
    Screen(console).table(table)
    stream.flush()
    return (
        raw.getvalue().decode(encoding).replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[0m", "")
    )


@pytest.fixture(autouse=True)
def _no_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)


def table(*columns: str, cells: int = 2, text: str = "0.1234") -> Table:
    rows = tuple((Cell(f"row {row}"), *(Cell(text) for _ in columns)) for row in range(cells))
    return Table("Caption", ("run", *columns), rows)


def test_a_table_that_fits_is_one_table() -> None:
    assert printed(table("@1", "@3"), width=40).splitlines() == [
        "Caption",
        "run        @1      @3",
        "─────────────────────",
        "row 0  0.1234  0.1234",
        "row 1  0.1234  0.1234",
    ]


def test_a_table_too_wide_continues_below_with_its_first_column() -> None:
    assert printed(table("@1", "@3", "@5", cells=1), width=22).splitlines() == [
        "Caption",
        "run        @1      @3",
        "─────────────────────",
        "row 0  0.1234  0.1234",
        "",
        "run        @5",
        "─────────────",
        "row 0  0.1234",
    ]


def test_digits_with_a_flag_stand_below_digits_without() -> None:
    rows = ((Cell("a"), Cell("0.5", flag="*"), Cell("1")), (Cell("b"), Cell("10.5"), Cell("22")))
    assert printed(Table("Caption", ("run", "@1", "@3"), rows), width=40).splitlines()[-2:] == [
        "a    0.5*  1",
        "b   10.5  22",
    ]


def test_a_pipe_gets_the_table_whole() -> None:
    lines = printed(table(*(f"@{n}" for n in range(40)))).splitlines()
    assert len(lines) == 1 + 2 + 2
    assert lines[-1].count("0.1234") == 40


def test_the_width_that_the_environment_names_is_kept_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, printed(table(*(f"@{n}" for n in range(40)))).splitlines())) <= 40


@pytest.mark.parametrize("width", [12, 16, 20, 30, 40, 80])
def test_no_number_is_cut_however_narrow(width: int) -> None:
    found = printed(table("@1", "@3", text="0.1234 [-0.0567, 0.8901]"), width=width)
    assert found.count("0.1234") == 4
    assert found.count("[-0.0567,") == 4
    assert found.count("0.8901]") == 4
    assert "…" not in found


def test_a_wide_name_gives_way_to_the_numbers() -> None:
    named = Table("Caption", ("run", "@1", "@3"), ((Cell("word " * 20), Cell("0.1234"), Cell("0.5678")),))
    found = printed(named, width=40)
    assert max(map(len, found.splitlines())) <= 40
    assert any("0.1234" in line and "0.5678" in line for line in found.splitlines())
    assert found.count("word") == 20


def test_a_table_without_rows_prints_nothing() -> None:
    assert printed(Table("Caption", ("run",), ()), width=40) == ""


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_frames_are_ascii_where_the_stream_is(encoding: str) -> None:
    found = printed(table("@1", text="\N{EN DASH}"), encoding=encoding)
    assert "---" in found
    assert "?" not in found


def test_what_ascii_lacks_is_replaced_or_escaped() -> None:
    shown = printed(table("@1", cells=1, text="\N{EN DASH} é \N{GRINNING FACE}"), encoding="ascii")
    assert shown.splitlines()[-1] == r"row 0  - \xe9 \U0001f600"


def test_markup_and_control_characters_are_shown_as_written() -> None:
    shown = printed(table("@1", cells=1, text="[red]x[/] [/b] \x1b[31m \x07 :smile:"), width=80)
    assert shown.splitlines()[-1] == r"row 0  [red]x[/] [/b] \x1b[31m \x07 :smile:"


def test_wide_characters_count_for_two() -> None:
    named = Table("Caption", ("run", "@1"), ((Cell("日本"), Cell("0.1")), (Cell("ab"), Cell("0.2"))))
    assert printed(named, width=40).splitlines()[-2:] == ["日本  0.1", "ab    0.2"]


def test_a_paragraph_wraps_between_words_and_an_item_below_itself() -> None:
    stream = io.StringIO()
    screen = Screen(Console(file=stream, width=12, force_terminal=True, no_color=True))
    screen.say("one two three four")
    screen.say("one two three", indent=2)
    screen.item("!", "one two three")
    assert stream.getvalue().splitlines() == [
        "one two",
        "three four",
        "  one two",
        "  three",
        "! one two",
        "  three",
    ]
