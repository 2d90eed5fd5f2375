"""Kept answers: given once, found again, never trusted when torn or of another version."""

from pathlib import Path

import numpy as np
import pytest

from chunkgap.index import Hits
from chunkgap.index import answers as answers_module
from chunkgap.index.answers import HITS, Answer, Answers, KeptIndex
from chunkgap.index.exact import ExactIndex
from chunkgap.index.files import digest_of, make_room

VECTORS = np.eye(4, dtype=np.float32)


class Asked:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Answer:
        self.times += 1
        return {"rows": np.arange(3, dtype=np.int32), "scores": np.array([[0.1, np.pi]])}


def test_a_question_is_asked_once_and_its_answer_comes_back_to_the_last_bit(tmp_path: Path) -> None:
    asked, answers = Asked(), Answers(tmp_path / "new", ("vectors",))
    for _ in range(3):
        answer = answers.get("search", 5, names=HITS, ask=asked)
        assert answer["rows"].dtype == np.int32
        assert (answer["rows"].tolist(), answer["scores"].tolist()) == ([0, 1, 2], [[0.1, np.pi]])
    assert asked.times == 1


def test_other_questions_and_subjects_have_other_answers(tmp_path: Path) -> None:
    asked, answers = Asked(), Answers(tmp_path, ("a",))
    answers.get("search", 5, names=HITS, ask=asked)
    answers.get("search", 6, names=HITS, ask=asked)
    answers.get("search", None, names=HITS, ask=asked)
    answers.about("b").get("search", 5, names=HITS, ask=asked)
    Answers(tmp_path, ("ab",)).get("search", 5, names=HITS, ask=asked)
    assert asked.times == 5
    Answers(tmp_path).about("a").get("search", 5, names=HITS, ask=asked)
    assert asked.times == 5


def test_no_folder_keeps_nothing() -> None:
    asked = Asked()
    for _ in range(2):
        Answers(None).get("search", names=HITS, ask=asked)
    assert asked.times == 2


def test_another_version_asks_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked()
    Answers(tmp_path).get("search", names=HITS, ask=asked)
    monkeypatch.setattr(answers_module, "__version__", "99.0")
    Answers(tmp_path).get("search", names=HITS, ask=asked)
    assert asked.times == 2


@pytest.mark.parametrize("damage", ["empty", "half", "one byte", "no zip", "pickle"])
def test_a_file_that_is_not_whole_is_asked_again(tmp_path: Path, damage: str) -> None:
    asked = Asked()
    Answers(tmp_path).get("search", names=HITS, ask=asked)
    (file,) = tmp_path.iterdir()
    content = bytearray(file.read_bytes())
    if damage == "one byte":
        content[content.index(np.float64(np.pi).tobytes())] ^= 1
    elif damage == "half":
        content = content[: len(content) // 2]
    else:
        content = bytearray({"empty": b"", "no zip": b"text", "pickle": b"\x80\x04N."}[damage])
    file.write_bytes(content)
    told = []
    for _ in range(2):
        answers = Answers(tmp_path)
        assert answers.about().get("search", names=HITS, ask=asked)["scores"].tolist() == [[0.1, np.pi]]
        told.append(answers.warnings)
    assert asked.times == 2
    assert told == [
        [f"{file}: expected what a search found, got other content. It was searched again."],
        [],
    ]


def test_no_byte_that_changed_ends_a_measurement_or_changes_an_answer(tmp_path: Path) -> None:
    expected = Answers(tmp_path).get("search", names=HITS, ask=Asked())
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    random = np.random.default_rng(0)
    for _ in range(1500):
        torn = bytearray(whole)
        torn[random.integers(len(torn))] = random.integers(256)
        file.write_bytes(torn)
        found = Answers(tmp_path).get("search", names=HITS, ask=Asked())
        assert found.keys() == expected.keys()
        assert all(np.array_equal(found[name], expected[name]) for name in expected)


def test_a_file_that_was_renamed_answers_no_other_question(tmp_path: Path) -> None:
    asked, answers = Asked(), Answers(tmp_path)
    answers.get("search", 5, names=HITS, ask=asked)
    (five,) = tmp_path.iterdir()
    answers.get("search", 6, names=HITS, ask=asked)
    (six,) = set(tmp_path.iterdir()) - {five}
    six.replace(five)
    answers.get("search", 5, names=HITS, ask=asked)
    assert asked.times == 3


def test_an_answer_of_other_parts_is_asked_again(tmp_path: Path) -> None:
    asked = Asked()
    Answers(tmp_path).get("search", names=HITS, ask=asked)
    (file,) = tmp_path.iterdir()
    np.savez(file, rows=np.arange(3))
    assert Answers(tmp_path).get("search", names=HITS, ask=asked).keys() == HITS
    assert asked.times == 2


class Counting(ExactIndex):
    searches = 0

    def search(self, queries: np.ndarray, depth: int) -> Hits:
        self.searches += 1
        return super().search(queries, depth)


def test_an_index_does_not_search_twice_for_the_same_queries(tmp_path: Path) -> None:
    index = Counting(VECTORS)
    kept = KeptIndex(index, Answers(tmp_path, ("vectors",)))
    for _ in range(2):
        rows, scores = kept.search(VECTORS.copy(), 2)
        assert (rows[:, 0].tolist(), scores[:, 0].tolist()) == ([0, 1, 2, 3], [1.0] * 4)
        assert (rows.dtype, scores.dtype) == (np.int32, np.float64)
    assert index.searches == 1
    for queries, depth in ((VECTORS, 3), (VECTORS[:2], 2), (VECTORS[::-1], 2)):
        expected = ExactIndex(VECTORS).search(queries, depth)
        assert kept.search(queries, depth)[0].tolist() == expected[0].tolist()
    assert index.searches == 4
    assert (len(kept), kept.vectors.tolist()) == (4, VECTORS.tolist())


def test_a_folder_that_cannot_be_written_is_no_reason_to_stop(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert Answers(tmp_path / "file").get("search", names=HITS, ask=Asked())["rows"].tolist() == [0, 1, 2]


def test_a_digest_tells_shapes_and_contents_apart() -> None:
    vectors = np.arange(6, dtype=np.float32)
    assert digest_of(vectors.reshape(2, 3)) != digest_of(vectors.reshape(3, 2))
    assert digest_of(vectors) != digest_of(vectors[::-1])
    assert digest_of(vectors.reshape(3, 2).T) == digest_of(np.array([[0, 2, 4], [1, 3, 5]], np.float32))


def test_an_answer_that_another_writes_meanwhile_is_no_damage(tmp_path: Path) -> None:
    answers, other = Answers(tmp_path), Asked()

    def ask() -> Answer:
        Answers(tmp_path).get("search", names=HITS, ask=other)  # as another thread or process may
        return other()

    assert answers.get("search", names=HITS, ask=ask)["rows"].tolist() == [0, 1, 2]
    assert answers.warnings == []


def test_a_folder_that_is_removed_meanwhile_is_no_reason_to_stop(tmp_path: Path) -> None:
    make_room(tmp_path / "gone")
