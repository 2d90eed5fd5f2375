import numpy as np

from chunkgap.index.exact import ExactIndex
from chunkgap.index.remembered import Remembered

VECTORS = np.eye(4, dtype=np.float32)


class Counting(ExactIndex):
    searches = 0

    def search(self, queries, depth):
        self.searches += 1
        return super().search(queries, depth)


def test_the_known_question_is_answered_without_a_search_and_others_with_one():
    index = Counting(VECTORS)
    remembered = Remembered(index, VECTORS, 2, index.search(VECTORS, 2))
    rows, scores = remembered.search(VECTORS.copy(), 2)
    assert index.searches == 1
    assert (rows[:, 0].tolist(), scores[:, 0].tolist()) == ([0, 1, 2, 3], [1.0] * 4)
    for queries, depth in ((VECTORS, 3), (VECTORS[:2], 2), (VECTORS[::-1], 2)):
        expected = ExactIndex(VECTORS).search(queries, depth)
        assert remembered.search(queries, depth)[0].tolist() == expected[0].tolist()
    assert index.searches == 4
    assert len(remembered) == 4
