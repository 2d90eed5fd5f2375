import pytest

from chunkgap.config.wording import dotted, either, quoted, shown


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing"),
        (False, "the boolean false"),
        (-64, "the number -64"),
        (128.5, "the number 128.5"),
        ("64,256", 'text "64,256"'),
        ([], "an empty list"),
        ([1, 2], "a list of 2"),
        ({}, "an empty mapping"),
        ({"a": 1}, "a mapping"),
        (b"", "a value of type bytes"),
    ],
)
def test_value_is_named_by_kind(value: object, words: str) -> None:
    assert shown(value) == words


def test_long_values_are_shortened() -> None:
    assert quoted("x" * 61) == '"' + "x" * 57 + '..."'
    assert len(shown(10**500)) < 80


def test_line_breaks_and_lone_surrogates_are_escaped() -> None:
    assert quoted("a\nb\ud800é") == '"a\\nb\\ud800é"'
    assert dotted(("runs", "a\nb")) == 'runs."a\\nb"'


def test_choices_are_listed() -> None:
    assert either(["a", "b", "c"]) == '"a", "b" or "c"'
    assert either(["a"]) == '"a"'
