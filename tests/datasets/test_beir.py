import gzip
from pathlib import Path

from chunkgap.datasets.corpus import CorpusOptions, read_corpus
from chunkgap.datasets.queries import read_queries

from .inputs import problems, write, write_jsonl


def folder() -> Path:
    write_jsonl(
        "beir/corpus.jsonl",
        {"_id": "a", "text": "Kites need wind."},
        {"_id": "b", "title": None, "text": "Boats need water."},
        {"_id": "c", "title": "", "text": "Trains need rails."},
        {"_id": "d", "title": "Gliders", "text": "They ride warm air.", "metadata": {"url": "x"}},
    )
    write_jsonl("beir/queries.jsonl", {"_id": "q1", "text": "wind"}, {"_id": "q2", "text": "air"})
    write("beir/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\td\t2\n")
    write("beir/qrels/dev.tsv", "q1\tb\t1\n")
    return Path("beir")


def test_a_title_is_joined_and_an_empty_one_leaves_the_text_alone() -> None:
    documents = read_corpus(folder()).documents
    assert [document.text for document in documents] == [
        "Kites need wind.",
        "Boats need water.",
        "Trains need rails.",
        "Gliders\nThey ride warm air.",
    ]
    assert [document.body_start for document in documents] == [0, 0, 0, len("Gliders\n")]


def test_the_title_is_left_out_on_request() -> None:
    document = read_corpus(folder(), CorpusOptions(title="ignore")).documents[3]
    assert (document.text, document.title, document.body_start) == ("They ride warm air.", "Gliders", 0)


def test_a_compressed_corpus_is_found() -> None:
    path = folder() / "corpus.jsonl"
    write("beir/corpus.jsonl.gz", gzip.compress(path.read_bytes()))
    path.unlink()
    assert len(read_corpus(Path("beir")).documents) == 4


def test_queries_take_the_qrels_of_a_split() -> None:
    corpus = read_corpus(folder())
    test, dev = (read_queries(Path("beir"), corpus, split=split) for split in ("test", "dev"))
    assert [dict(query.relevant) for query in test.queries] == [{"a": 1.0}, {"d": 2.0}]
    assert [dict(query.relevant) for query in dev.queries] == [{"b": 1.0}, {}]


def test_qrels_that_are_given_replace_those_of_the_folder() -> None:
    corpus = read_corpus(folder())
    queries = read_queries(Path("beir"), corpus, qrels=write("other.txt", "q1 0 c 1\n"))
    assert queries.queries[0].relevant == {"c": 1.0}


def test_a_missing_split_is_named_with_those_that_are_there() -> None:
    corpus = read_corpus(folder())
    assert problems(lambda: read_queries(Path("beir"), corpus, split="train")) == [
        "beir/qrels: expected qrels of the split train, got dev, test. Set split to one."
    ]


def test_without_qrels_the_queries_hold_their_labels() -> None:
    write_jsonl("beir/corpus.jsonl", {"_id": "a", "title": "Kites", "text": "They need wind."})
    write_jsonl(
        "beir/queries.jsonl",
        {"_id": "q1", "text": "wind", "relevant": ["a"], "spans": [{"doc": "a", "start": 10, "end": 14}]},
    )
    corpus = read_corpus(Path("beir"))
    (query,) = read_queries(Path("beir"), corpus).queries
    (span,) = query.spans
    assert query.relevant == {"a": 1.0}
    assert corpus.by_id["a"].text[span.start : span.end] == "wind"  # offsets count from the body


def test_a_folder_without_its_parts_is_named() -> None:
    write("docs/a.txt", "wind")
    assert problems(lambda: read_queries(Path("docs"))) == [
        "docs: expected a query file or a BEIR folder, got a folder without queries.jsonl. "
        "Name the file of queries."
    ]
    assert problems(lambda: read_queries(Path("docs"), format="beir")) == [
        "docs: expected a BEIR folder with queries.jsonl, got none. Check the path."
    ]
    assert problems(lambda: read_corpus(Path("docs"), CorpusOptions(format="beir"))) == [
        "docs: expected a BEIR folder with corpus.jsonl, got none. Check the path."
    ]
