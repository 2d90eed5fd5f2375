from chunkgap.measures.specification import DOCUMENT_MEASURES, MEASURES, accepts
from chunkgap.ranking import Cutoff


def test_document_measures_take_every_cutoff_and_the_others_text_alone():
    texts, documents = [Cutoff.parse("5c"), Cutoff.parse("2000t")], Cutoff.parse("5")
    assert all(accepts(name, cutoff) for name in MEASURES for cutoff in texts)
    assert [name for name in MEASURES if accepts(name, documents)] == list(DOCUMENT_MEASURES)
