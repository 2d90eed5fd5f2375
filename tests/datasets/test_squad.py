import json
from pathlib import Path

from chunkgap.datasets.corpus import read_corpus
from chunkgap.datasets.queries import read_queries

from .inputs import problems, write


def question(name: str, *answers: tuple[str, int], **more: object) -> dict[str, object]:
    listed = [{"text": text, "answer_start": start} for text, start in answers]
    return {"id": name, "question": f"what of {name}", "answers": listed, **more}


def squad(*articles: object) -> Path:
    return write("squad.json", json.dumps({"version": "1.1", "data": articles}))


def article(title: str, *paragraphs: tuple[str, list[dict[str, object]]]) -> dict[str, object]:
    return {"title": title, "paragraphs": [{"context": text, "qas": qas} for text, qas in paragraphs]}


def test_contexts_are_documents_and_answers_are_evidence() -> None:
    path = squad(
        article(
            "Kites",
            ("No wind.", []),
            ("Kites need 北 wind.", [question("q1", ("北 wind", 11), ("wind", 13))]),
        ),
        article("Kites", ("More on kites.", [question("q2", is_impossible=True)]), ("And more.", [])),
    )
    corpus = read_corpus(path)
    answered, impossible = read_queries(path, corpus).queries
    assert [document.doc_id for document in corpus.documents] == [f"Kites/{n}" for n in range(4)]
    assert corpus.documents[1].text == "Kites need 北 wind."  # the title is not joined
    assert corpus.documents[1].title == "Kites"
    assert answered.relevant == {"Kites/1": 1.0}
    assert [(span.doc_id, span.start, span.end) for span in answered.spans] == [("Kites/1", 11, 17)]
    assert answered.answers == ("北 wind", "wind")
    assert answered.tags == {"article": "Kites"}
    assert (impossible.relevant, impossible.spans) == ({}, ())


def test_an_answer_that_does_not_stand_there_is_named() -> None:
    path = squad(article("Kites", ("Kites need wind.", [question("q1", ("wind", 10))])))
    corpus = read_corpus(path)
    assert problems(lambda: read_queries(path, corpus)) == [
        'squad.json:data[0].paragraphs[0].qas[0]: query "q1": '
        'expected "wind" in the span [10, 14) of "Kites/0", got " win". Mend either.'
    ]


def test_a_file_of_another_shape_is_named() -> None:
    path = write("squad.json", '{"data": [{"paragraphs": 1}, 7]}')
    assert problems(lambda: read_corpus(path)) == [
        "squad.json:data[0]: expected paragraphs as a list, got 1. Write SQuAD JSON.",
        "squad.json:data[1]: expected paragraphs as a list, got null. Write SQuAD JSON.",
    ]
    assert problems(lambda: read_corpus(write("other.json", "[]"))) == [
        "other.json: expected SQuAD JSON, got a list. Write other documents as .jsonl."
    ]
