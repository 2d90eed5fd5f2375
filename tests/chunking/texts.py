"""Texts on which offsets go wrong: bytes, code points and tokens fall apart in them."""

from hypothesis import strategies as st

PIECES = [
    *("the ", " sat", "plain words, with commas. ", "123456", "aaaaaaaaaaaaaaaa"),
    *("\r\n", "\n\n", "\t", "  ", "\x00", "\x1f", "\u2028", "\u200b", "\ufeff", "\ufffd"),
    *("<|endoftext|>", "[SEP]"),
    *("\u00e9", "e\u0301", "n\u0303\u0323", "\u0301", "\u0130", "\u00df"),
    *("世界", " 世", "日本語の文", "한국어", "नमस्ते", "مرحبا"),
    *("\U0001f600", "\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1ea", "\U00010348"),
]

TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=25).map("".join)
