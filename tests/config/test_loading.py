from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkgap.config import Settings, load_settings
from chunkgap.errors import ConfigError


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config.yaml"


def load(config: Path, text: str, **overrides: object) -> Settings:
    config.write_text(text, encoding="utf-8")
    return load_settings(config, overrides)


def problems(config: Path, text: str, **overrides: object) -> list[str]:
    """The lines of the error, without the folder."""
    with pytest.raises(ConfigError) as caught:
        load(config, text, **overrides)
    return [line.replace(f"{config.parent}/", "") for line in caught.value.problems]


def test_nothing_given_is_the_defaults() -> None:
    assert load_settings() == load_settings(None, {"sizes": None}) == Settings()


def test_command_line_wins_over_file_over_defaults(config: Path) -> None:
    loaded = load(
        config,
        "sizes: [8, 16]\noverlap: 4\nembedding: {long_chunks: error, precision: float16}",
        sizes="32,64",
        **{"embedding.long_chunks": "truncate", "retrieval.index": "exact"},
    )
    assert loaded.sizes == (32, 64)
    assert loaded.overlap == 4
    assert loaded.embedding.long_chunks == "truncate"
    assert loaded.embedding.precision == "float16"  # the rest of a section stays
    assert loaded.retrieval.index == "exact"
    assert loaded.phases == 2


def test_options_may_be_text_as_typed() -> None:
    loaded = load_settings(
        None,
        {"sizes": "100, 200", "cutoffs": "1,5c", "measures": "recall,rr", "overlap": "8", "cache": False},
    )
    assert (loaded.sizes, loaded.cutoffs, loaded.measures) == ((100, 200), ("1", "5c"), ("recall", "rr"))
    assert (loaded.overlap, loaded.cache) == (8, False)
    assert load_settings(None, {"overlap": "10%"}).overlap == "10%"


@pytest.mark.parametrize("written", ["1e3", "1000.0", "01000", "+1000", "1000"])
def test_numbers_are_read_alike_on_the_command_line_and_in_the_file(config: Path, written: str) -> None:
    typed = load_settings(None, {"sizes": f"50, {written}", "cutoffs": written, "overlap": "1e1"})
    filed = load(config, f"sizes: [50, {written}]\ncutoffs: [{written}]\noverlap: 1e1")
    assert typed.sizes == filed.sizes == (50, 1000)
    assert typed.cutoffs == filed.cutoffs == ("1000",)
    assert typed.overlap == filed.overlap == 10


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("1_000", 'text "1_000"'),
        ("128.5", "the number 128.5"),
        ("0x10", 'text "0x10"'),
        ("1e999", "the number inf"),
        ("9" * 5000, f'text "{"9" * 57}..."'),
    ],
)
def test_what_is_no_whole_number_is_refused_on_the_command_line(written: str, shown: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(None, {"sizes": f"50,{written}"})
    assert caught.value.problems == (
        f"--sizes: expected whole numbers of at least 1, got {shown}. Write --sizes 100,200.",
    )


def test_paths_of_the_file_count_from_its_folder_and_those_of_options_do_not(
    tmp_path: Path, config: Path
) -> None:
    loaded = load(
        config,
        "corpus: [docs, '*.md']\nqueries: ../q.jsonl\nqrels: /abs/qrels.txt\nruns: {64: runs/s64.run}\n"
        "cache: vectors\nout: results\nembedding: {model: ./model}",
    )
    assert loaded.corpus == (tmp_path / "docs", tmp_path / "*.md")
    assert loaded.queries == tmp_path / "../q.jsonl"
    assert loaded.qrels == Path("/abs/qrels.txt")
    assert loaded.runs == {"64": tmp_path / "runs/s64.run"}
    assert loaded.cache == tmp_path / "vectors"
    assert loaded.out == Path("results")
    assert loaded.embedding.model == str(tmp_path / "model")
    assert load(config, "corpus: docs", corpus="other").corpus == (Path("other"),)


def test_model_given_as_a_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings(None, {"embedding.model": "./m"}).embedding.model == str(tmp_path / "m")
    (tmp_path / "config.yaml").write_text("embedding: {model: ../m}")
    assert load_settings(Path("config.yaml")).embedding.model == str(tmp_path / "../m")


@pytest.mark.parametrize("model", ["all-MiniLM-L6-v2", "owner/name", ".hidden"])
def test_names_of_models_stay_as_written(config: Path, model: str) -> None:
    assert load(config, f"embedding: {{model: {model}}}").embedding.model == model


def test_words_of_yaml_1_1_mean_what_they_say(config: Path) -> None:
    loaded = load(config, "name: no\ncache: off\nplacebo: off\nembedding: {model: yes}")
    assert (loaded.name, loaded.cache, loaded.placebo, loaded.embedding.model) == ("no", False, "off", "yes")
    assert load(config, "placebo: false\ncache: false").cache is False


def test_numbers_with_an_exponent_are_numbers(config: Path) -> None:
    loaded = load(config, "sizes: [1.6e1, 1e2]\ncutoffs: [1e1]\ngate: {max_gap: 5e-1}\nphases: 3e0")
    assert (loaded.sizes, loaded.cutoffs, loaded.gate.max_gap, loaded.phases) == ((16, 100), ("10",), 0.5, 3)


def test_unknown_keys_are_named_in_full_with_the_nearest(config: Path) -> None:
    text = "on: x\noverlpa: 4\ngate: {min_best_fixd: 0.9}\nef: 50\nembedding:\n  dtype: x\n"
    assert problems(config, text + "fusion: {rrf_k: 1, vote: all}") == [
        'config.yaml:1: on: expected a known key, got "on". Delete it; docs/configuration.md lists all keys.',
        'config.yaml:2: overlpa: expected a known key, got "overlpa". Did you mean "overlap"?',
        'config.yaml:3: gate.min_best_fixd: expected a known key, got "min_best_fixd". '
        'Did you mean "gate.min_best_fixed"?',
        'config.yaml:4: ef: expected a known key, got "ef". Did you mean "retrieval.ef"?',
        'config.yaml:6: embedding.dtype: expected a known key, got "dtype". Known here: model, '
        "revision, query_prompt, document_prompt, long_chunks, precision, normalize, max_seq_length, "
        "trust_remote_code.",
        "config.yaml:7: fusion.votes: expected a value, got none. Add the key.",
        'config.yaml:7: fusion.vote: expected a known key, got "vote". Did you mean "fusion.votes"?',
    ]


def test_all_problems_stand_in_the_order_of_their_lines(config: Path) -> None:
    assert problems(config, "gate: {max_gap: 7}\nphases: 0\nsizes: [true]\nretrieval: {index: hnws}") == [
        "config.yaml:1: gate.max_gap: expected at most 1.0, got the number 7. Change it.",
        "config.yaml:2: phases: expected at least 1, got the number 0. Change it.",
        "config.yaml:3: sizes: expected whole numbers of at least 1, got the boolean true. "
        "Write sizes as [100, 200].",
        'config.yaml:4: retrieval.index: expected "hnsw" or "exact", got text "hnws". Choose one of them.',
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "sizes: [128, 32]\noverlap: 32",
            "config.yaml:2: overlap: expected fewer tokens than every size, got overlap 32 with size 32. "
            "Lower the overlap, leave out that size, or write a percentage.",
        ),
        ("[64, 0]", "config.yaml:1: sizes: expected whole numbers of at least 1, got the number 0. Write"),
        ("name: true", "config.yaml:1: name: expected text, got the boolean true. Put it in quotes."),
        ("strict: yes", 'config.yaml:1: strict: expected true or false, got text "yes". Change'),
        ("gate:", "config.yaml:1: gate: expected a mapping, got nothing. Change it or delete the key."),
        ("phases: '2'", 'config.yaml:1: phases: expected a whole number, got text "2". Change'),
        ("phases: 1.5", "config.yaml:1: phases: expected a whole number, got the number 1.5. Change"),
        (
            "fusion: rff",
            'config.yaml:1: fusion: expected "ai21", "ai21-rank0" or "rrf60", got text "rff". Choose',
        ),
        (
            "fusion: {rrf_k: -1, votes: all}",
            "config.yaml:1: fusion.rrf_k: expected at least 0, got the number -1.",
        ),
        (
            "runs: {../x: a}",
            'config.yaml:1: runs."../x": expected at most 64 letters, digits, dots and dashes',
        ),
        ("runs: {64: 3}", "config.yaml:1: runs.64: expected text, got the number 3. Put it in quotes."),
        (
            "primary: ndcg@5",
            "config.yaml:1: primary: expected one of the measures at a cutoff (recall@1, rec",
        ),
        (
            'out: ""',
            "config.yaml:1: out: expected a path, got an empty text. Name one; `.` is the current folder.",
        ),
        (
            "decision: {max_storage: .inf}",
            'config.yaml:1: decision.max_storage: expected a number, got text ".inf".',
        ),
        (
            "measures: [evidence_recall]",
            "config.yaml: cutoffs: expected a cutoff in chunks or tokens for evidence_",
        ),
    ],
)
def test_wrong_value_gives_one_line_with_key_value_and_type(config: Path, text: str, line: str) -> None:
    [problem] = problems(config, text)
    assert problem.startswith(line)


def test_every_wrong_item_of_a_list_is_a_line_where_it_stands(config: Path) -> None:
    text = "sizes: [10, '20', null]\ncutoffs:\n  - 0\n  - 5\n  - x\nmeasures: [recal, recall, 3]\ncorpus: [1, null]"
    assert [line.split(". ")[0] for line in problems(config, text)] == [
        'config.yaml:1: sizes: expected whole numbers of at least 1, got text "20"',
        "config.yaml:1: sizes: expected whole numbers of at least 1, got nothing",
        "config.yaml:3: cutoffs: expected documents (5), chunks (5c) or tokens (2000t), got the number 0",
        'config.yaml:5: cutoffs: expected documents (5), chunks (5c) or tokens (2000t), got text "x"',
        'config.yaml:6: measures: expected a measure, got "recal"',
        "config.yaml:6: measures: expected text, got the number 3",
        "config.yaml:7: corpus: expected text, got the number 1",
        "config.yaml:7: corpus: expected text, got nothing",
    ]


def test_every_wrong_item_of_an_option_is_a_line() -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(None, {"sizes": "1,x,0"})
    assert [line.split(". ")[0] for line in caught.value.problems] == [
        '--sizes: expected whole numbers of at least 1, got text "x"',
        "--sizes: expected whole numbers of at least 1, got the number 0",
    ]


def test_a_long_list_of_wrong_items_is_cut_short(config: Path) -> None:
    found = problems(config, f"sizes: [{', '.join(f'x{number}' for number in range(60))}]")
    assert len(found) == 51
    assert found[-1] == "10 more problems of this kind are not listed."


def test_more_runs_than_scales_are_compared_is_refused(config: Path) -> None:
    runs = ", ".join(f"r{number}: x" for number in range(13))
    assert problems(config, f"runs: {{{runs}}}") == [
        "config.yaml:1: runs: expected at most 12 entries, got more. Drop some."
    ]


def test_problem_of_an_option_names_the_option(config: Path) -> None:
    lines = problems(config, "phases: 0", sizes="8,x", **{"embedding.long_chunks": "cut", "queries": 5})
    assert [line.split(": expected")[0] for line in lines] == [
        "QUERIES",
        "--sizes",
        "--long-chunks",
        "config.yaml:1: phases",
    ]


def test_problems_of_options_are_worded_for_the_command_line() -> None:
    typed = {
        "sizes": "0", "cutoffs": "5x", "primary": "mrr@5", "retrieval.index": "flat", "phases": 0, "out": "",
        "embedding.model": "", "measures": "recal",
    }  # fmt: skip
    with pytest.raises(ConfigError) as caught:
        load_settings(None, typed)
    assert sorted(caught.value.problems) == [
        '--cutoffs: expected documents (5), chunks (5c) or tokens (2000t), got text "5x". Write --cutoffs 1,5,10.',
        '--index: expected "hnsw" or "exact", got text "flat". Choose one of them.',
        '--measures: expected a measure, got "recal". Did you mean "recall"?',
        '--model: expected text, got text "". Write some text or leave it out.',
        "--out: expected a path, got an empty text. Name one; `.` is the current folder.",
        "--phases: expected at least 1, got the number 0. Change it.",
        "--sizes: expected whole numbers of at least 1, got the number 0. Write --sizes 100,200.",
    ]
    with pytest.raises(ConfigError) as caught:
        load_settings(None, {"cutoffs": "1,3", "primary": "ndcg@5"})
    assert caught.value.problems == (
        '--primary: expected one of the measures at a cutoff (recall@1, recall@3), got text "ndcg@5". '
        "Add its measure to the measures, or name another.",
    )


def test_a_primary_endpoint_on_the_command_line_brings_its_cutoff(config: Path) -> None:
    loaded = load(config, "cutoffs: [1, 10]", primary="recall@5c")
    assert (loaded.cutoffs, loaded.primary) == (("1", "10", "5c"), "recall@5c")


def test_option_beside_a_section_that_is_none_reports_the_section(config: Path) -> None:
    assert load(config, "name: x", **{"retrieval.index": "exact"}).retrieval.index == "exact"
    with pytest.raises(ConfigError, match="retrieval: expected a mapping, got the number 3"):
        load(config, "retrieval: 3", **{"retrieval.index": "exact"})


def test_bomb_of_aliases_is_a_wrong_type_in_a_few_short_lines(config: Path) -> None:
    lines = ["name: &a0 [x]"]
    lines += [f"x{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 30)]
    found = problems(config, "\n".join([*lines, "corpus: *a29"]))
    assert (
        "config.yaml:31: corpus: expected text, got a list of 9. Write some text or delete the key." in found
    )
    assert max(map(len, found)) < 200


def test_a_file_full_of_unknown_keys_is_cut_short(config: Path) -> None:
    found = problems(config, "\n".join(f"k{number}: 1" for number in range(3000)))
    assert len(found) == 51
    assert found[-1] == "2950 more problems of this kind are not listed."


VALID = (
    "name: no\nsizes: &s [50, 1e2]\noverlap: 10%\nfusion: {rrf_k: 60, votes: best}\n"
    'embedding: {model: "./m", query_prompt: "q: "}\ncutoffs: [1, 5c]\n'
    "gate:\n  max_gap: 0.5\nruns: {64: a.run}\n"
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_mutated_files_load_or_are_refused_in_single_lines(config: Path, data: st.DataObject) -> None:
    content = bytearray(VALID.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content)))
        width = data.draw(st.integers(0, 3))
        patch = data.draw(
            st.sampled_from([b"", b"{", b"[", b"*s", b"&s ", b"<<: *s", b"!!set ", b"\n", b": ", b"'", b"-"])
        )
        content[place : place + width] = patch + data.draw(st.binary(max_size=2))
    config.write_bytes(content)
    try:
        load_settings(config)
    except ConfigError as error:
        assert all("\n" not in line and len(line) < 600 for line in error.problems)
