import json
from pathlib import Path
from typing import get_args

import pytest
from pydantic import ValidationError

from chunkgap.config import FusionRule, GateSettings, Settings, key_paths, load_settings
from chunkgap.config.settings import FusionPreset
from chunkgap.datasets.record import DOCUMENT_FIELDS, QUERY_FIELDS
from chunkgap.datasets.sources import CORPUS_FORMATS, QUERY_FORMATS
from chunkgap.errors import ConfigError
from chunkgap.fusion import PRESETS
from chunkgap.records import Scale


def choices(key: str) -> set[str]:
    """The words that a key of optional choices accepts."""
    literal, _ = get_args(Settings.model_fields[key].annotation)
    return set(get_args(literal))


def test_defaults_are_those_of_the_documentation() -> None:
    settings = Settings()
    assert settings.sizes == (50, 100, 200, 500)
    assert settings.primary == "recall@5"
    assert settings.endpoints() == tuple(("recall", cutoff) for cutoff in ("1", "3", "5", "10", "20"))
    assert settings.primary_endpoint() == ("recall", "5")
    assert settings.embedding.long_chunks == "average"
    assert settings.gate.limits == {}


def test_settings_and_sections_are_frozen() -> None:
    for section in (Settings(), Settings().gate):
        with pytest.raises(ValidationError):
            section.overlap = 3  # type: ignore[union-attr]


def test_types_are_strict() -> None:
    for wrong in ({"phases": True}, {"phases": "2"}, {"strict": 1}, {"strict": "yes"}, {"workers": 1.5}):
        with pytest.raises(ValidationError):
            Settings.model_validate(wrong)
    assert Settings.model_validate({"phases": 4.0}).phases == 4


def test_one_scale_for_each_size_with_its_overlap_in_tokens() -> None:
    settings = Settings.model_validate({"sizes": [64, 15], "overlap": "10%"})
    assert settings.scales() == (Scale("64", 64, 6), Scale("15", 15, 1))


def test_depth_is_at_least_the_largest_cutoff_in_documents_or_chunks() -> None:
    settings = Settings.model_validate(
        {"measures": ["recall", "rr@300c"], "cutoffs": [5, "2000t"], "retrieval": {"depth": 10}}
    )
    assert settings.fetch_depth() == 300
    assert Settings().fetch_depth() == 100


def test_primary_follows_the_cutoffs_only_while_it_is_not_given() -> None:
    assert Settings.model_validate({"cutoffs": [1, 10]}).primary == "recall@1"
    assert Settings.model_validate({"cutoffs": [1, 10], "primary": "recall@10"}).cutoffs == ("1", "10")


@pytest.mark.parametrize(
    ("written", "cutoffs"),
    [
        ({"cutoffs": [1, 10], "primary": "recall@5"}, ("1", "10", "5")),
        ({"cutoffs": 1, "primary": "recall@2000t"}, ("1", "2000t")),
        ({"primary": "recall@5c"}, ("1", "3", "5", "10", "20", "5c")),
        (
            {"cutoffs": [1], "measures": ["recall@7"], "primary": "recall@7"},
            ("1",),
        ),  # it has a cutoff of its own
        (
            {"cutoffs": [1], "measures": ["recall", "evidence_recall"], "primary": "evidence_recall@9t"},
            ("1", "9t"),
        ),
    ],
)
def test_primary_brings_a_cutoff_that_the_cutoffs_lack(
    written: dict[str, object], cutoffs: tuple[str, ...]
) -> None:
    settings = Settings.model_validate(written)
    assert settings.cutoffs == cutoffs
    assert settings.primary_endpoint() in settings.endpoints()
    assert Settings.model_validate(settings.to_mapping()) == settings


@pytest.mark.parametrize("primary", ["ndcg@5", "recall@0", "recall", "evidence_recall@5", 5])
def test_primary_that_no_cutoff_can_bring_is_refused(primary: object) -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate({"primary": primary})


def test_measure_of_text_without_a_cutoff_for_it_is_refused_at_default_cutoffs_too() -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate({"measures": ["evidence_recall"]})
    settings = Settings.model_validate({"measures": ["recall", "evidence_recall@2000t"]})
    assert ("evidence_recall", "2000t") in settings.endpoints()


def test_fusion_is_a_preset_or_a_rule() -> None:
    assert Settings.model_validate({"fusion": "rrf60"}).fusion == "rrf60"
    assert Settings.model_validate({"fusion": {"rrf_k": 60, "votes": "best"}}).fusion == FusionRule(
        rrf_k=60, votes="best"
    )


def test_gate_lists_the_limits_that_are_set_zero_included() -> None:
    assert GateSettings(max_gap=0.0, min_fusion=0.5).limits == {"max_gap": 0.0, "min_fusion": 0.5}


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"corpus": "docs", "queries": "q.jsonl", "cache": False, "overlap": "10%", "placebo": "off"},
        {"corpus": ["a", "b"], "runs": {"64": "s64.run"}, "cache": "vectors", "name": "no"},
        {"fusion": {"rrf_k": 0, "votes": "all"}, "gate": {"max_gap": 0.1}, "cutoffs": [5, "5c"]},
    ],
)
def test_mapping_is_json_and_is_read_back(given: dict[str, object]) -> None:
    settings = Settings.model_validate(given)
    mapping = json.loads(json.dumps(settings.to_mapping()))
    assert Settings.model_validate(mapping) == settings


def test_corpus_paths_and_cache_in_the_mapping_are_text() -> None:
    mapping = Settings.model_validate({"corpus": "docs", "cache": "vectors"}).to_mapping()
    assert mapping["corpus"] == "docs"
    assert mapping["cache"] == "vectors"
    assert mapping["sizes"] == [50, 100, 200, 500]
    assert mapping["out"] == str(Path("chunkgap-out"))


def test_workers_default_to_the_cores() -> None:
    assert Settings.model_validate({"workers": 3}).worker_count() == 3
    assert Settings().worker_count() >= 1


def test_key_paths_reach_into_sections() -> None:
    paths = list(key_paths())
    assert {"sizes", "gate", "gate.max_gap", "fusion.rrf_k", "query_fields.relevant"} <= set(paths)
    assert len(paths) == len(set(paths))


def test_choices_are_those_of_the_modules_that_honour_them() -> None:
    assert set(get_args(FusionPreset)) == set(PRESETS)
    assert choices("format") == set(CORPUS_FORMATS)
    assert choices("query_format") == set(QUERY_FORMATS)
    assert set(type(Settings().fields).model_fields) == set(DOCUMENT_FIELDS)
    assert set(type(Settings().query_fields).model_fields) == set(QUERY_FIELDS)


def test_confidence_leaves_tails_to_read_an_interval_from() -> None:
    assert load_settings(None, {"statistics.confidence": 0.9999}).statistics.confidence == 0.9999
    for wrong in (0, 1, 0.9999999999999999):
        with pytest.raises(ConfigError, match=r"confidence"):
            load_settings(None, {"statistics.confidence": wrong})


def test_a_matched_placebo_takes_as_many_different_placements_as_there_are_sizes() -> None:
    assert load_settings(None, {"sizes": [4, 5, 6, 7], "placebo": "matched"}).placebo == "matched"
    for sizes, overlap in (([2, 30, 40], 0), ([20, 30, 50], "90%")):
        with pytest.raises(
            ConfigError, match=r"^--placebo: expected windows that move on by at least 3 tokens"
        ):
            load_settings(None, {"sizes": sizes, "overlap": overlap, "placebo": "matched"})


def test_phases_that_nobody_wrote_come_down_to_what_windows_allow() -> None:
    assert load_settings(None, {"sizes": [1, 20]}).phases == 1
    assert load_settings(None, {"sizes": [8], "overlap": 7}).phases == 1
    assert load_settings(None, {"sizes": [2, 20]}).phases == 2
    with pytest.raises(
        ConfigError, match=r"^--phases: expected at most 1, the tokens that a window of size 1 moves on"
    ):
        load_settings(None, {"sizes": [1, 20], "phases": 2})
