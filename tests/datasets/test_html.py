import pytest

from chunkgap.datasets.html import visible_text

PAGE = """<!doctype html><html><head><title> Pool
 rules </title><style>p{color:red}</style><script>track("u")</script></head><body>
<!-- internal --><h1>Rules</h1><p>Open at 7 &amp; closed at 9,
  <b>every</b> <i>day</i>.</p><noscript>enable scripts</noscript><template><p>draft</p></template>
<script type="application/json">{"k": 1}</script><ul><li>Towels&nbsp;are free<li>No dogs</ul>
<p hidden>secret</p><svg><text>drawn</text></svg></body></html>"""


def test_only_what_a_reader_sees_is_text() -> None:
    title, text = visible_text(PAGE)
    assert title == "Pool rules"
    assert text == "Rules\nOpen at 7 & closed at 9, every day.\nTowels are free\nNo dogs"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("a<br>b", "a\nb"),
        ("<div>a<div>b</div>c</div>", "a\nb\nc"),
        ("un<b>broken</b>", "unbroken"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
        ("<pre>a\n  b   c</pre>", "a\n  b   c"),
        ("<p>\n a \n b </p> \n <p>c", "a b\nc"),
        ("plain text", "plain text"),
        ("", ""),
    ],
)
def test_blocks_stand_apart_and_words_stay_whole(page: str, text: str) -> None:
    assert visible_text(page)[1] == text


def test_a_page_nested_beyond_the_depth_of_python_is_read() -> None:
    assert visible_text("<div>" * 5000 + "deep")[1] == "deep"
