"""The visible text of an HTML page."""

import re

_BLOCKS = frozenset(
    """
    address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset
    figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup
    option p pre search section summary table tbody tfoot thead tr ul
    """.split()  # noqa: SIM905, as a list it would be fifty lines
)
_CELLS = frozenset({"td", "th"})
_DROPPED = frozenset(
    "head iframe noembed noframes noscript object script style svg template title -comment".split()  # noqa: SIM905
)
_WHITE_SPACE = re.compile(r"\s+")
_BLANKS = re.compile(" +")
_KEPT = "\0"  # stands for a blank inside `pre`; no page holds it, for the parser replaces it


def visible_text(page: str) -> tuple[str, str]:
    r"""What a reader of the page sees.

    Blocks stand on lines of their own, white space within a line is one blank, except in `pre`. Scripts,
    styles, comments, templates, `noscript` and elements marked `hidden` are left out.

    Returns:
        The title (which is not part of the text) and the text.

    >>> visible_text("<title>Pool</title><p>Open &amp; <b>warm</b>.</p><script>x()</script><p>Bring towels.")
    ('Pool', 'Open & warm.\nBring towels.')
    """
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(page)
    title = tree.css_first("head > title")
    pieces: list[str] = []
    # A stack, for pages nest deeper than Python recurses: nodes, and text to put out once it is reached.
    stack: list[tuple[object, bool]] = [(tree.body, False)]
    while stack:
        node, kept = stack.pop()
        if isinstance(node, str):
            pieces.append(node)
            continue
        if node is None:
            continue
        tag = node.tag  # type: ignore[attr-defined]
        if tag == "-text":
            text = node.text_content or ""  # type: ignore[attr-defined]
            pieces.append(text.replace(" ", _KEPT) if kept else _WHITE_SPACE.sub(" ", text))
        elif tag not in _DROPPED and "hidden" not in node.attributes:  # type: ignore[attr-defined]
            apart = "\n" if tag in _BLOCKS else " " if tag in _CELLS else ""
            children = list(node.iter(include_text=True))  # type: ignore[attr-defined]
            pieces.append(apart)
            stack.append((apart, False))
            stack += [(child, kept or tag == "pre") for child in reversed(children)]
    return _one_line(title.text()) if title else "", _tidy("".join(pieces))


def _one_line(text: str) -> str:
    return _WHITE_SPACE.sub(" ", text).strip()


def _tidy(text: str) -> str:
    lines = (_BLANKS.sub(" ", line.replace("\xa0", " ")).strip(" ") for line in text.split("\n"))
    return "\n".join(line.replace(_KEPT, " ").rstrip() for line in lines if line)
