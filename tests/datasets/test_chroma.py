import csv
import json
from pathlib import Path

from chunkgap.datasets.corpus import Corpus, read_corpus
from chunkgap.datasets.queries import read_queries

from .inputs import problems, write


def corpus() -> Corpus:
    write("corpora/kites.md", "Kites need\r\nwind. 北 winds are cold.")
    write("corpora/boats", "no ending, not read")
    return read_corpus(Path("corpora"))


def questions(*rows: tuple[str, object, str]) -> Path:
    path = Path("questions.csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("question", "references", "corpus_id"))
        writer.writerows(
            (question, json.dumps(references), corpus_id) for question, references, corpus_id in rows
        )
    return path


def reference(content: str, start: int) -> dict[str, object]:
    return {"content": content, "start_index": start, "end_index": start + len(content)}


def test_references_are_spans_in_code_points_of_the_untranslated_file() -> None:
    path = questions(
        ("what do kites need", [reference("need\r\nwind", 6)], "kites"),
        ("which winds are cold", [reference("北 winds", 18), reference("cold", 30)], "kites"),
    )
    queries = read_queries(path, corpus())
    assert [query.query_id for query in queries.queries] == ["1", "2"]
    assert [(span.start, span.end) for span in queries.queries[1].spans] == [(18, 25), (30, 34)]
    assert queries.queries[0].relevant == {"kites.md": 1.0}
    assert queries.queries[0].tags == {"corpus": "kites"}
    assert queries.warnings == ('questions.csv: the corpus_id "kites" is taken for the document "kites.md"',)


def test_faulty_references_are_all_named() -> None:
    path = questions(
        ("one", [reference("wind", 3)], "kites"),
        ("two", {"content": "wind"}, "kites"),
        ("three", ["wind"], "kites"),
        ("four", [reference("wind", 12)], "boats"),
    )
    assert problems(lambda: read_queries(path, corpus())) == [
        'questions.csv:2: query "1": expected "wind" in the span [3, 7) of "kites.md", got "es n". '
        "Mend either.",
        "questions.csv:3: expected references as a JSON list, got an object. Write [{...}].",
        'questions.csv:4: expected a reference, got "wind". Write an object.',
        'questions.csv:5: query "4": expected a span in a document of the corpus, got "boats". Mend the id.',
    ]


def test_the_format_can_be_demanded() -> None:
    path = write("questions.csv", "question,relevant\nwind,kites.md\n")
    assert problems(lambda: read_queries(path, corpus(), format="chroma")) == [
        "questions.csv: expected the columns question, references, corpus_id, "
        'got "question", "relevant". Rename them, or set query_format.'
    ]


def test_a_corpus_id_may_name_a_file_of_any_ending_of_text() -> None:
    write("corpora/boats.markdown", "Boats float.")
    path = questions(("what floats", [reference("Boats", 0)], "boats"))
    (query,) = read_queries(path, read_corpus(Path("corpora"))).queries
    assert query.relevant == {"boats.markdown": 1.0}
