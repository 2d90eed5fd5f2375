import pytest

from chunkgap.checking.reading import HeldDocuments
from chunkgap.records import Document


def test_held_documents_know_all_ids_and_note_what_is_asked_for() -> None:
    held = HeldDocuments({"a": True, "b": False}, {"a": Document("a", "text")})
    assert ("a" in held, "b" in held, "c" in held) == (True, True, False)
    assert (list(held), len(held), held.asked) == (["a", "b"], 2, set())
    assert held["a"].text == "text"
    assert held["b"].text == ""
    assert held.get("c") is None
    assert held.asked == {"a", "b"}


def test_an_id_that_the_corpus_lacks_is_no_document() -> None:
    with pytest.raises(KeyError):
        HeldDocuments({}, {})["a"]
