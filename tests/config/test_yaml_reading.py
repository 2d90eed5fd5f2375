import errno
from pathlib import Path

import pytest

from chunkgap.config.yaml_reading import LARGEST_FILE, read_yaml
from chunkgap.errors import ConfigError


def read(tmp_path: Path, text: str | bytes) -> dict[str, object]:
    return read_yaml(written(tmp_path, text)).value


def problems(tmp_path: Path, text: str | bytes) -> list[str]:
    """The lines of the error, without the folder."""
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    return [line.replace(f"{tmp_path}/", "") for line in caught.value.problems]


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "config.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_words_and_numbers_are_those_of_yaml_1_2(tmp_path: Path) -> None:
    words = "no, on, off, yes, y, true, False, ~"
    numbers = "1e3, 2.56e+2, 5e-1, 064, -7, 1_000, 1:30, 2024-01-01, 0x1F, .inf"
    assert read(tmp_path, f"a: [{words}, {numbers}]")["a"] == [
        *("no", "on", "off", "yes", "y"),
        *(True, False, None),
        *(1000.0, 256.0, 0.5, 64, -7),
        *("1_000", "1:30", "2024-01-01", "0x1F", ".inf"),
    ]


def test_keys_are_text_as_written(tmp_path: Path) -> None:
    assert list(read(tmp_path, "on: 1\nno: 2\n064: 3\n~: 4\ntrue: 5")) == ["on", "no", "064", "~", "true"]


def test_quoted_values_and_standard_text_tags_stay_text(tmp_path: Path) -> None:
    assert read(tmp_path, "a: '1e3'\nb: \"true\"\nc: !!str 5") == {"a": "1e3", "b": "true", "c": "5"}


def test_byte_order_mark_and_crlf_are_accepted(tmp_path: Path) -> None:
    assert read(tmp_path, b"\xef\xbb\xbfname: x\r\nsizes: [8]\r\n") == {"name": "x", "sizes": [8]}


def test_plain_list_stands_under_sizes_with_its_line(tmp_path: Path) -> None:
    file = read_yaml(written(tmp_path, "# sizes\n\n[50, 100]\n"))
    assert file.value == {"sizes": [50, 100]}
    assert file.line(("sizes",)) == 3


def test_lines_of_nested_keys_and_items(tmp_path: Path) -> None:
    file = read_yaml(written(tmp_path, "name: x\ngate:\n  max_gap: 0.1\nsizes:\n  - 8\n  - 16\n"))
    assert file.line(("gate",)) == 2
    assert file.line(("gate", "max_gap")) == 3
    assert file.line(("sizes", 1)) == 6
    assert file.line(("gate", "absent")) == 2  # the deepest key that is there
    assert file.line(("absent",)) == 0


def test_key_given_twice_names_both_lines(tmp_path: Path) -> None:
    assert problems(tmp_path, "sizes: [8]\noverlap: 0\nsizes: [16]\ngate: {max_gap: 0, max_gap: 1}") == [
        'config.yaml:3: expected each key once, got "sizes" again (first on line 1). Delete one.',
        'config.yaml:4: expected each key once, got "max_gap" again (first on line 4). Delete one.',
    ]


def test_number_and_text_spelt_alike_are_the_same_key(tmp_path: Path) -> None:
    assert len(problems(tmp_path, "64: a\n'64': b")) == 1


def test_merged_keys_yield_to_own_keys_and_earlier_mappings(tmp_path: Path) -> None:
    text = "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc: {<<: [*a, *b], x: 0}"
    assert read(tmp_path, text)["c"] == {"x": 0, "y": 2, "z": 4}


def test_merging_what_is_no_mapping_is_refused(tmp_path: Path) -> None:
    [line] = problems(tmp_path, "a: 1\n<<: 3")
    assert line.startswith("config.yaml:2: expected a mapping to merge, got the number 3.")


def test_tags_are_refused_with_their_lines_and_run_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    lines = [
        f'corpus: !!python/object/apply:os.system ["touch {mark}"]',
        "sizes: !!python/tuple [8]",
        "!!python/name:x k: 1",
    ]
    assert problems(tmp_path, "\n".join(lines)) == [
        'config.yaml:1: expected plain YAML, got the tag "!!python/object/apply:os.system". Delete the tag.',
        'config.yaml:2: expected plain YAML, got the tag "!!python/tuple". Delete the tag.',
        "config.yaml:3: expected text as a key, got a collection or a tag. Write a plain key.",
    ]
    assert not mark.exists()


def test_aliases_of_aliases_are_shared_not_multiplied(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 40)]
    value = read(tmp_path, "\n".join(lines))  # 9 to the power of 39 values, were they written out
    deepest = value["a39"]
    assert isinstance(deepest, list)
    assert deepest[0] is deepest[8]


def test_merges_of_merges_are_not_multiplied(tmp_path: Path) -> None:
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{level}: &a{level} {{<<: [{', '.join([f'*a{level - 1}'] * 9)}]}}" for level in range(1, 40)]
    assert read(tmp_path, "\n".join(lines))["a39"] == {"x": 1}


def test_value_inside_itself_is_refused(tmp_path: Path) -> None:
    assert problems(tmp_path, "a: &a [*a]") == [
        "config.yaml:1: expected a value, got an alias to what contains it. Write the value out."
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: [", "config.yaml:2: expected YAML, got a fault: "),
        ("a: 1\n---\nb: 2", 'config.yaml:2: expected YAML, got a fault: "found another document". Mend it.'),
        ("a: *x", "config.yaml:1: expected YAML, got a fault: \"found undefined alias 'x'\". Mend it."),
        ("a: b: c", "config.yaml:1: expected YAML, got a fault: "),
        ("a: 1\nb: \0", "config.yaml:2: expected printable characters, got a control character. Delete it."),
        ('a: "\\U00110000"', "config.yaml: expected YAML, got a fault: "),
        ("[" * 5000, "config.yaml: expected a few levels of nesting, got hundreds. Flatten it."),
        ("? [a]\n: 1", "config.yaml:1: expected text as a key, got a collection"),
        ("a: !!int x", 'config.yaml:1: expected a number, got text "x".'),
        ("", "config.yaml: expected settings, got an empty file."),
        ("# nothing but a comment", "config.yaml: expected settings, got an empty file."),
        ("~", "config.yaml: expected a mapping of settings or a list of sizes, got nothing."),
        ("64", "config.yaml: expected a mapping of settings or a list of sizes, got the number 64."),
        (
            b"name: \xff\xfe",
            "config.yaml: expected UTF-8, got byte 0xff at offset 6. Save the file as UTF-8.",
        ),
        ("# " + "x" * LARGEST_FILE, "config.yaml: expected at most 65,536 bytes, got more."),
    ],
)
def test_what_is_no_configuration_gives_one_line(tmp_path: Path, text: str | bytes, line: str) -> None:
    [problem] = problems(tmp_path, text)
    assert problem.startswith(line)
    assert "\n" not in problem


def test_number_too_long_for_python_gives_a_short_line(tmp_path: Path) -> None:
    [problem] = problems(tmp_path, "sizes: [" + "9" * 5000 + "]")
    assert problem.startswith('config.yaml:1: expected a number, got text "999')
    assert len(problem) < 160


def test_missing_file_and_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml: expected a file, got no such file"):
        read_yaml(tmp_path / "none.yaml")
    with pytest.raises(ConfigError, match=r": expected a file, got a folder"):
        read_yaml(tmp_path)


def test_a_file_that_may_not_be_read_has_the_remedy_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_arguments: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "c.yaml")

    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(ConfigError) as caught:
        read_yaml(tmp_path / "c.yaml")
    assert str(caught.value) == (
        f"{tmp_path / 'c.yaml'}: expected a readable file, got: permission denied. Check its permissions."
    )
