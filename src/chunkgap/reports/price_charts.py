"""Charts of what sets of scales cost and reach, and of how long documents are beside the sizes."""

from collections.abc import Sequence
from itertools import pairwise

from chunkgap.formatting import number
from chunkgap.reports.chart import (
    SHORT,
    Chart,
    Histogram,
    Line,
    Logarithmic,
    Numbers,
    Points,
    Upright,
    counts_axis,
    label,
)
from chunkgap.reports.histogram import histogram, round_numbers
from chunkgap.reports.palette import FUSION, MUTED, ORACLE, Colour, ramp
from chunkgap.reports.quantities import count, data_size
from chunkgap.results import Results, ScaleSet


def prices_chart(results: Results) -> Chart:
    """Vectors against the fused measure, one dot per set; the front joined, the recommended set ringed."""
    others = [found for found in results.sets if not found.pareto]
    front = sorted((found for found in results.sets if found.pareto), key=lambda found: found.vectors)
    ringed = [found for found in results.sets if found.recommended]
    return Chart(
        height=400,
        x=Numbers("vectors to store", from_zero=True),
        y=Numbers(f"fused {results.endpoint.name}", form=".3f"),
        marks=(
            _sets("other sets", others, MUTED, size=8, opacity=0.75),
            _sets("no set is cheaper and better", front, FUSION, size=10, line=Line(1.5, "dot")),
            _sets("recommended", ringed, ORACLE, size=18, symbol="circle-open", outline=2.5, is_named=True),
        ),
    )


def lengths_chart(results: Results) -> Chart:
    """Documents by their tokens, on a logarithmic axis, the sizes as upright lines."""
    edges, counts = histogram(results.corpus.token_lengths)
    coloured = zip(results.scales, ramp(len(results.scales)), strict=True)
    sizes = [Upright(scale.size, label(scale.name), colour) for scale, colour in coloured if scale.size]
    ends = [edges[0], edges[-1], *(size.x for size in sizes)]
    bars = Histogram(
        edges=tuple(edges),
        counts=tuple(counts),
        colour=MUTED,
        hover=tuple(
            f"{count(found)} documents of {low:,.0f} to {high:,.0f} tokens"
            for found, (low, high) in zip(counts, pairwise(edges), strict=True)
        ),
    )
    return Chart(
        height=340,
        x=Logarithmic(
            "tokens in a document (logarithmic)",
            low=min(ends) * 0.9,
            high=max(ends) * 1.1,
            ticks={tick: count(tick) for tick in round_numbers(min(ends), max(ends))},
        ),
        y=counts_axis("documents", counts),
        marks=(bars, *sizes),
    )


def _sets(
    name: str,
    sets: Sequence[ScaleSet],
    colour: Colour,
    *,
    size: float,
    symbol: str | None = None,
    opacity: float | None = None,
    outline: float | None = None,
    line: Line | None = None,
    is_named: bool = False,
) -> Points:
    scales = [label(" + ".join(found.scales)) for found in sets]
    return Points(
        name=name,
        x=tuple(found.vectors for found in sets),
        y=tuple(found.value for found in sets),
        colour=colour,
        symbol=symbol,
        size=size,
        opacity=opacity,
        outline=outline,
        line=line,
        labels=tuple(label(text, limit=SHORT) for text in scales) if is_named else (),
        hover=tuple(
            f"{text}\n{number(found.value)}, {count(found.vectors)} vectors, {data_size(found.vector_bytes)}"
            for text, found in zip(scales, sets, strict=True)
        ),
    )
