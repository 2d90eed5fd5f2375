from chunkgap.reports.chart import counts_axis, label


def test_a_label_stands_on_one_line_and_is_cut_with_an_ellipsis() -> None:
    assert label(" a \n b\t") == "a b"
    assert label("abcdef", limit=6) == "abcdef"
    assert label("abcdefg", limit=6) == "abcde\u2026"


def test_an_axis_of_few_has_whole_numbers() -> None:
    assert counts_axis("queries", [0, 8]).is_whole
    assert not counts_axis("queries", [0, 9]).is_whole
    assert counts_axis("queries", []).is_whole
