import io
import json

import pytest

from chunkgap.cli.lines import echo_json, echo_lines, warn


def test_lines_go_out_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    echo_lines(["[red]é[/]", ""])
    warn(["careful"])
    captured = capsys.readouterr()
    assert captured.out == "[red]é[/]\n\n"
    assert captured.err == "warning: careful\n"


def test_what_the_stream_lacks_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii", write_through=True))
    echo_lines(["é \N{GRINNING FACE}"])
    assert raw.getvalue() == b"\\xe9 \\U0001f600\n"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_json_stays_json_in_any_encoding(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding=encoding, write_through=True))
    echo_json(json.dumps({"text": "é \N{GRINNING FACE}"}, ensure_ascii=False) + "\n")
    assert json.loads(raw.getvalue().decode(encoding)) == {"text": "é \N{GRINNING FACE}"}


def test_control_characters_are_shown_and_not_sent(capsys: pytest.CaptureFixture[str]) -> None:
    echo_lines(["que\x1b[31mstion", "\x7f\x9b2J"])
    warn(["be\x07ll"])
    captured = capsys.readouterr()
    assert captured.out == "que\\x1b[31mstion\n\\x7f\\x9b2J\n"
    assert captured.err == "warning: be\\x07ll\n"


def test_json_holds_no_bare_control_character(capsys: pytest.CaptureFixture[str]) -> None:
    echo_json(json.dumps({"text": "\x1b \x7f \x9b"}, ensure_ascii=False) + "\n")
    printed = capsys.readouterr().out
    assert printed == '{"text": "\\u001b \\u007f \\u009b"}\n'
    assert json.loads(printed) == {"text": "\x1b \x7f \x9b"}
