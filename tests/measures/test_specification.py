import pytest

from chunkgap.errors import ConfigError
from chunkgap.measures.specification import (
    DOCUMENT_MEASURES,
    EVIDENCE_MEASURES,
    MEASURES,
    accepts,
    check_name,
    parse_measure,
)
from chunkgap.ranking import Cutoff


@pytest.mark.parametrize("text", ["recall@5", "ndcg@10c", "evidence_recall@2000t", "answer_recall@3c"])
def test_name_and_cutoff_come_back_as_they_were_written(text):
    name, cutoff = parse_measure(text)
    assert f"{name}@{cutoff}" == text


def test_document_measures_take_every_cutoff_and_the_others_text_alone():
    texts, documents = [Cutoff.parse("5c"), Cutoff.parse("2000t")], Cutoff.parse("5")
    assert all(accepts(name, cutoff) for name in MEASURES for cutoff in texts)
    assert [name for name in MEASURES if accepts(name, documents)] == list(DOCUMENT_MEASURES)


@pytest.mark.parametrize("name", [*EVIDENCE_MEASURES, "answer_recall"])
def test_evidence_within_documents_is_refused_with_what_to_write(name):
    with pytest.raises(ConfigError) as error:
        parse_measure(f"{name}@5", place="primary")
    assert str(error.value) == (
        f"primary: expected a cutoff in chunks or tokens for {name}, which is about text, got {name}@5. "
        f"Write {name}@5c (chunks) or {name}@2000t (tokens)."
    )


def test_unknown_measures_are_told_the_nearest_names():
    with pytest.raises(ConfigError) as error:
        parse_measure("mrr@5", place="primary")
    assert str(error.value) == "primary: expected a measure, got mrr. Did you mean rr?"


def test_a_name_like_no_other_is_told_all_of_them():
    with pytest.raises(ConfigError) as error:
        check_name("zzz")
    assert str(error.value) == (f"measure: expected a measure, got zzz. Choose one of {', '.join(MEASURES)}.")


def test_a_measure_without_a_cutoff_is_refused():
    with pytest.raises(ConfigError) as error:
        parse_measure("evidence_recall")
    assert str(error.value) == (
        "measure: expected a measure with its cutoff, got evidence_recall. Write evidence_recall@5c."
    )
