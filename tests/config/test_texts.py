from pathlib import Path

import pytest

from chunkgap.config import texts


@pytest.mark.parametrize("word", ["no", "off", "é", "a b"])
def test_words_stay_as_written(word: str) -> None:
    assert texts.read_text(word) == word


@pytest.mark.parametrize("value", [True, 5, 1.5])
def test_what_is_no_text_is_to_be_quoted(value: object) -> None:
    with pytest.raises(ValueError, match=r"expected text, got the .*\. Put it in quotes\."):
        texts.read_text(value)


@pytest.mark.parametrize("value", ["", None, [], {}, "\ud800"])
def test_no_text_at_all_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="expected text, got"):
        texts.read_text(value)


def test_prompt_may_be_empty() -> None:
    assert texts.read_prompt("") == ""
    assert texts.read_prompt("query: ") == "query: "


def test_paths_are_one_or_several() -> None:
    assert texts.read_paths("docs/*.md") == (Path("docs/*.md"),)
    assert texts.read_paths(["a", Path("b")]) == (Path("a"), Path("b"))
    assert texts.read_paths(None) == ()


@pytest.mark.parametrize("value", [[], [1], "", "a\0b", True, {"a": 1}, [["a"]]])
def test_other_paths_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"^expected .*, got .*\. "):
        texts.read_paths(value)


@pytest.mark.parametrize(
    ("value", "cache"),
    [(True, True), (False, False), ("off", False), ("no", False), ("ON", True), ("vectors", Path("vectors"))],
)
def test_cache_is_a_switch_or_a_folder(value: object, cache: object) -> None:
    assert texts.read_cache(value) == cache


@pytest.mark.parametrize("value", [3, None, [], ""])
def test_other_caches_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"^expected .*, got .*\. "):
        texts.read_cache(value)


def test_false_stands_for_off() -> None:
    assert texts.read_switch(False) == "off"
    assert texts.read_switch("matched") == "matched"


@pytest.mark.parametrize("value", ["../x", "a/b", "a\\b", ".hidden", "", "a b", "x" * 65, "a\n", None])
def test_names_that_would_leave_a_folder_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="expected at most 64 letters, digits, dots and dashes"):
        texts.read_name(value)


def test_scale_is_not_named_like_another_row() -> None:
    assert texts.read_scale_name("64") == "64"
    with pytest.raises(ValueError, match='got "Oracle"'):
        texts.read_scale_name("Oracle")


def test_encoding_is_one_that_decodes_text() -> None:
    assert texts.read_encoding("latin-1") == "iso8859-1"
    for name in ("rot13", "utf-99", "a\0"):
        with pytest.raises(ValueError, match="expected the name of a text encoding"):
            texts.read_encoding(name)


@pytest.mark.parametrize("value", ["", ";;", "\n", '"', 5, None])
def test_delimiter_is_one_character(value: object) -> None:
    assert texts.read_delimiter("\t") == "\t"
    with pytest.raises(ValueError, match="expected one character, got"):
        texts.read_delimiter(value)
