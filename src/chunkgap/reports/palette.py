"""The colours of the charts, each a pair, for the light theme and for the dark one; and their symbols."""

from chunkgap.results import Results

Colour = tuple[str, str]

FUSION = ("#c2510c", "#f39a5e")
ORACLE = ("#6a4c9c", "#b9a3ec")
LUCK = ("rgba(110,120,130,0.22)", "rgba(170,180,190,0.32)")
BRACKET = ("rgba(194,81,12,0.16)", "rgba(243,154,94,0.24)")
MUTED = ("#88929c", "#7d8893")
EMPTY = ("#eef1f2", "#22292e")

_SCALES = (("#56aabb", "#10395f"), ("#c4ebf0", "#4a8fd6"))  # ends of a ramp: sizes have an order
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "hexagon")


def dark_colours(results: Results) -> dict[str, str]:
    """The dark theme's colour for each colour of the figures."""
    pairs = [FUSION, ORACLE, LUCK, BRACKET, MUTED, EMPTY, *ramp(2), *ramp(len(results.scales))]
    return dict(pairs)


def ramp(steps: int) -> list[Colour]:
    """Colours for scales from the first to the last."""
    places = [place / max(1, steps - 1) for place in range(steps)]
    light, dark = _SCALES
    return [(_between(*light, place), _between(*dark, place)) for place in places]


def symbols(steps: int) -> list[str]:
    """Symbols for scales from the first to the last: neighbours differ for readers who see no colours."""
    return [_SYMBOLS[place % len(_SYMBOLS)] for place in range(steps)]


def _between(first: str, last: str, place: float) -> str:
    pairs = zip(bytes.fromhex(first[1:]), bytes.fromhex(last[1:]), strict=True)
    return "#" + "".join(f"{round(low + (high - low) * place):02x}" for low, high in pairs)
