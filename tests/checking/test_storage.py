import pytest

from chunkgap.checking.storage import storage_warning


def test_every_size_that_is_too_dear_a_winner_is_named() -> None:
    chunks = {"15": 1000, "45": 350, "120": 150, "350": 60}  # 1560 / 350 = 4.5, / 150 = 10.4, / 60 = 26
    assert storage_warning(chunks, 5.0).startswith(
        "If 120 or 350 turns out the best size, all sizes together "
    )
    assert storage_warning(chunks, 4.0).startswith("If 45, 120 or 350 turns out the best size, ")


@pytest.mark.parametrize("chunks", [{"50": 400, "100": 100}, {"50": 7}])
def test_there_is_no_warning_at_the_bound_or_for_one_size(chunks: dict[str, int]) -> None:
    assert storage_warning(chunks, 5.0 if len(chunks) > 1 else 0.5) == ""  # 500 / 100 = 5
