import gzip
from pathlib import Path

import numpy as np
import pytest

from chunkgap.errors import InputError
from chunkgap.run_files import rank_run, read_run_file


def write_run(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def ranked(
    path: Path, *query_ids: str, separator: str | None = None, exclude_same_id: bool = False
) -> list[list[str]]:
    """The documents of every query, best first, one entry per line of the run."""
    run = read_run_file("s", path, separator=separator)
    doc_ids = sorted(set(run.doc_ids))
    rows = {doc_id: row for row, doc_id in enumerate(doc_ids)}
    ranking = rank_run(run, query_ids, rows, exclude_same_id=exclude_same_id)
    return [[doc_ids[row] for row in line if row >= 0] for line in ranking.document]


def test_order_comes_from_scores_and_not_from_the_rank_column(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a.run", "q Q0 low 1 0.1 t", "q Q0 high 2 0.9 t")
    assert ranked(run, "q") == [["high", "low"]]


def test_equal_scores_go_to_the_lower_document_id_whatever_the_order_of_the_file(tmp_path: Path) -> None:
    one = write_run(tmp_path / "a.run", "q Q0 a 1 0.5 t", "q Q0 b 2 0.5 t", "q Q0 c 3 0.5 t")
    other = write_run(tmp_path / "b.run", "q Q0 c 1 0.5 t", "q Q0 b 2 0.5 t", "q Q0 a 3 0.5 t")
    assert ranked(one, "q") == ranked(other, "q") == [["a", "b", "c"]]


@pytest.mark.parametrize("scale", ["", "e-9", "e-300", "e300"])
def test_scores_of_any_magnitude_order_as_they_stand_in_the_file(tmp_path: Path, scale: str) -> None:
    lines = [f"q Q0 {name} 1 {score}{scale} t" for name, score in (("a", 0.5), ("b", 0.50000001), ("c", 0.5))]
    assert ranked(write_run(tmp_path / "a.run", *lines), "q") == [["b", "a", "c"]]


def test_queries_come_in_the_order_asked_for_and_others_are_left_out(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a.run", "q9 Q0 x 1 1 t", "q1 Q0 a 1 1 t", "q2 Q0 b 1 1 t")
    assert ranked(run, "q2", "missing", "q1") == [["b"], [], ["a"]]


def test_a_chunk_belongs_to_the_document_before_the_last_separator(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a.run", "q Q0 d#1#0 1 0.9 t", "q Q0 d#1#7 2 0.8 t", "q Q0 e#0 3 0.7 t")
    assert ranked(run, "q", separator="#") == [["d#1", "d#1", "e"]]


def test_chunks_of_one_document_with_equal_scores_stay_together(tmp_path: Path) -> None:
    run = write_run(
        tmp_path / "a.run", "q Q0 b#0 1 0.5 t", "q Q0 a#1 2 0.5 t", "q Q0 b#1 3 0.5 t", "q Q0 a#0 4 0.5 t"
    )
    assert ranked(run, "q", separator="#") == [["a", "a", "b", "b"]]


def test_a_document_with_the_id_of_its_query_can_be_left_out(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a.run", "x Q0 x 1 0.9 t", "x Q0 y 2 0.8 t", "y Q0 x 1 0.9 t")
    assert ranked(run, "x", "y", exclude_same_id=True) == [["y"], ["x"]]
    assert read_run_file("s", run).own.tolist() == [True, False, False]


def test_chunks_count_as_the_query_itself_by_their_document(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a.run", "x Q0 x#0 1 0.9 t", "x Q0 y#0 2 0.8 t")
    assert ranked(run, "x", separator="#", exclude_same_id=True) == [["y"]]


def test_ids_keep_their_leading_zeros(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a.run", "07 Q0 1 1 0.9 t", "07 Q0 01 2 0.8 t", "7 Q0 001 1 0.9 t")
    assert ranked(run, "07", "7") == [["1", "01"], ["001"]]


def test_a_compressed_run_reads_like_a_plain_one(tmp_path: Path) -> None:
    plain = write_run(tmp_path / "a.run", *(f"q{n % 7} Q0 d{n} 1 {n} t" for n in range(200)))
    packed = tmp_path / "a.run.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    one, other = read_run_file("s", plain), read_run_file("s", packed)
    assert one.names == other.names
    np.testing.assert_array_equal(one.score, other.score)


def test_a_document_twice_for_a_query_is_an_error_that_points_to_chunks(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a.run", "q Q0 d 1 0.9 t", "q Q0 e 2 0.8 t", "q Q0 d 3 0.7 t", "p Q0 d 1 1 t")
    with pytest.raises(InputError) as caught:
        read_run_file("s", run)
    assert caught.value.problems == (
        f'{run}:3: expected each document once for a query, got "d" again for "q" (first at line 1). '
        "Remove one, or set run_ids: chunk.",
    )


def test_a_chunk_twice_for_a_query_is_an_error(tmp_path: Path) -> None:
    lines = ("# mine", "q Q0 d#0 1 0.9 t", "p Q0 d#0 1 0.9 t", "q Q0 d#0 2 0.8 t", "", "q Q0 d#0 3 0.7 t")
    run = write_run(tmp_path / "a.run", *lines)
    with pytest.raises(InputError) as caught:
        read_run_file("s", run, separator="#")
    assert caught.value.problems == tuple(
        f'{run}:{line}: expected each chunk once for a query, got "d#0" again for "q" (first at line 2). '
        "Remove one."
        for line in (4, 6)
    )


def test_every_id_without_the_separator_is_named(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a.run", "q Q0 d 1 0.9 t", "q Q0 e#0 2 0.8 t", "q Q0 #1 3 0.7 t")
    with pytest.raises(InputError) as caught:
        read_run_file("s", run, separator="#")
    assert caught.value.problems == (
        f'{run}: expected chunk ids as document#chunk, got "d". Set run_separator, or run_ids: document.',
        f'{run}: expected chunk ids as document#chunk, got "#1". Set run_separator, or run_ids: document.',
    )
