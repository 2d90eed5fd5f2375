import json
from pathlib import Path

import pytest

from chunkgap.config import load_settings
from chunkgap.errors import InputError
from chunkgap.proposing import Proposal, propose


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write_files(*, documents: int = 30, **labels: object) -> tuple[Path, Path]:
    """A folder of documents of 300 words, and one query."""
    Path("docs").mkdir()
    for row in range(documents):
        Path(f"docs/d{row}.md").write_text(
            "\n\n".join([f"start{row}"] + ["word " * 30] * 10), encoding="utf-8"
        )
    query = {"id": "q", "text": "what?", "relevant": ["d1.md"], **labels}
    Path("q.jsonl").write_text(json.dumps(query) + "\n")
    return Path("docs"), Path("q.jsonl")


def written(proposal: Proposal, name: str = "chunkgap.yaml") -> Path:
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(proposal.text, encoding="utf-8")
    return path


def test_what_is_written_loads_and_names_the_files() -> None:
    proposal = propose(*write_files(), folder=Path())
    settings = load_settings(written(proposal))
    assert settings.corpus == (Path("docs"),)
    assert settings.queries == Path("q.jsonl")
    assert settings.sizes == (60, 120, 240)  # midway between 50 and 313 tokens: 62.6, twice, four times
    assert settings.measures == ("recall",)
    assert settings.cutoffs == ("1", "3", "5")  # 30 documents: a fifth is 6
    assert settings.primary == "recall@5"
    assert settings.gate.limits == {}
    assert proposal.has_queries
    assert "# 30 documents" in proposal.text
    assert "# 1 query with labels" in proposal.text


def test_paths_count_from_where_the_configuration_lies() -> None:
    corpus, queries = write_files()
    settings = load_settings(written(propose(corpus, queries, folder=Path("configs")), "configs/c.yaml"))
    assert settings.corpus[0].resolve() == corpus.resolve()
    assert settings.queries is not None
    assert settings.queries.resolve() == queries.resolve()


def test_paths_count_from_where_a_linked_folder_really_lies() -> None:
    corpus, queries = write_files()
    Path("elsewhere/deep").mkdir(parents=True)
    Path("configs").symlink_to("elsewhere/deep")
    proposal = propose(corpus, queries, folder=Path("configs"))
    assert "corpus: ../../docs " in proposal.text
    settings = load_settings(written(proposal, "configs/c.yaml"))
    assert settings.corpus[0].resolve() == corpus.resolve()
    assert settings.queries is not None
    assert settings.queries.resolve() == queries.resolve()


def test_a_corpus_that_is_a_link_keeps_its_name() -> None:
    corpus, queries = write_files()
    corpus.rename("real")
    Path("docs").symlink_to("real")
    Path("linked").symlink_to(".")
    assert "\ncorpus: docs " in propose(Path("linked/docs"), queries, folder=Path()).text


def test_spans_and_answers_bring_measures_of_text_and_a_budget() -> None:
    files = write_files(spans=[{"doc": "d1.md", "text": "start1"}], answers=["start1"])
    settings = load_settings(written(propose(*files, folder=Path())))
    assert settings.measures == ("recall", "evidence_recall", "evidence_precision", "answer_recall")
    assert settings.cutoffs[-1] == "600t"  # five chunks of 120 tokens
    assert ("evidence_recall", "600t") in settings.endpoints()


def test_a_size_that_would_be_too_dear_a_winner_is_named_in_a_comment() -> None:
    # 313 tokens: 6 chunks at 60, 3 at 120, 2 at 240; 11 / 2 = 5.5, 11 / 3 = 3.7
    text = " ".join(propose(*write_files(), folder=Path()).text.replace("\n# ", " ").split())
    assert (
        "closer sizes retrieve much the same. If 240 turns out the best size, all sizes together hold more "
        "than max_storage (5) times its chunks, and the verdict is no-go whatever fusion wins. In that "
        "case measure again without the finest sizes, or raise decision.max_storage. sizes: [60, 120, 240]"
    ) in text


def test_few_documents_leave_the_first_cutoff() -> None:
    settings = load_settings(written(propose(*write_files(documents=4), folder=Path())))
    assert (settings.cutoffs, settings.primary) == (("1",), "recall@1")


def test_columns_that_had_to_be_guessed_are_written_down() -> None:
    Path("c.csv").write_text("Nr;Mein Text\nx1;pumps are primed\nx2;valves are opened\n")
    Path("q.csv").write_text("Frage;Quelle\nwhat?;x2\n")
    proposal = propose(Path("c.csv"), Path("q.csv"), folder=Path())
    settings = load_settings(written(proposal))
    assert settings.fields.model_dump() == {"id": "Nr", "text": "Mein Text", "title": None}
    assert settings.query_fields.model_dump(exclude_none=True) == {"text": "Frage", "relevant": "Quelle"}
    assert proposal.warnings == ("q.csv: the queries have no ids and are numbered from 1 in file order",)


def test_without_queries_their_place_is_left_open() -> None:
    corpus, _ = write_files()
    proposal = propose(corpus, None, folder=Path())
    assert not proposal.has_queries
    assert "# queries: queries.jsonl" in proposal.text
    assert load_settings(written(proposal)).queries is None


def test_a_beir_folder_holds_its_queries() -> None:
    Path("beir/qrels").mkdir(parents=True)
    Path("beir/corpus.jsonl").write_text('{"_id": "a", "text": "some words"}\n')
    Path("beir/queries.jsonl").write_text('{"_id": "q", "text": "words?"}\n')
    Path("beir/qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq\ta\t1\n")
    settings = load_settings(written(propose(Path("beir"), None, folder=Path())))
    assert settings.queries == settings.corpus[0] == Path("beir")


@pytest.mark.parametrize("name", ["07", "no", "a b", "ä # b", "x: y", "~x", "[a]", "it's", 'say "hi"', "-"])
def test_any_path_survives_as_text(name: str) -> None:
    corpus, _ = write_files()
    corpus.rename(name)
    settings = load_settings(written(propose(Path(name), Path("q.jsonl"), folder=Path())))
    assert settings.corpus == (Path(name),)


def test_faulty_files_are_reported() -> None:
    corpus, queries = write_files(relevant=["nothing.md"])
    with pytest.raises(InputError, match=r"q\.jsonl: none of the 1 labelled document ids is in the corpus"):
        propose(corpus, queries, folder=Path())
