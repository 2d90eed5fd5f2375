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
