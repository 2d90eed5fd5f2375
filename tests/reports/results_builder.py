"""A made-up but consistent `Results`, of any shape that a report may meet."""

import random
from collections.abc import Mapping, Sequence

from chunkgap.ranking import Cutoff
from chunkgap.records import Chunk, Interval, ScoredChunk
from chunkgap.reports.query_hits import QueryHits, ShownChunk, shown_chunk
from chunkgap.results import (
    Comparison,
    CorpusFacts,
    Diagnosis,
    Headroom,
    HeadroomVerdict,
    Latency,
    Loss,
    ModelFacts,
    Notice,
    PerQuery,
    PhaseFacts,
    PrimaryEndpoint,
    QueryFacts,
    QueryScores,
    Results,
    Row,
    ScaleFacts,
    ScaleSet,
    ScaleTimings,
    Slice,
    Timings,
    VerdictFacts,
    Wins,
    WinTable,
)

SIZES = ("50", "100", "200", "500")
CUTOFFS = ("1", "3", "5", "10", "20")
HOSTILE = (
    "<script>window.pwned = 1</script>",
    "</script><img src=x onerror='window.pwned = 2'>",
    "[brackets](javascript:window.pwned=3) `ticks` | pipes",
    '=HYPERLINK("http://evil.example/","x")',
    "<a href='https://evil.example/'>&lt;b&gt; <b>bold</b> %{x} $x$",
    "back\\slash \N{LINE SEPARATOR}and\nnew lines <!-- comment -->",
)

_TOPICS = (
    "refund",
    "invoice",
    "warranty",
    "delivery",
    "password",
    "contract",
    "export",
    "backup",
    "tariff",
    "meeting",
)
_TAGS = (("domain", ("finance", "support", "legal")), ("kind", ("fact", "summary")))
_DOCUMENTS = 240
_TOKENS = 96_000


def build_results(
    *,
    scales: Sequence[str] = SIZES,
    queries: int = 60,
    phases: int = 2,
    measures: Sequence[str] = ("recall",),
    cutoffs: Sequence[str] = CUTOFFS,
    primary: str = "recall@5",
    command: str = "measure",
    verdict: str = "cannot decide",
    tags: bool = True,
    timings: bool = True,
    hostile: bool = False,
    bare: bool = False,
    matched: bool = False,
    seed: int = 7,
) -> Results:
    """Build results out of random ranks; means, oracle, wins and per-query values agree with one another.

    Args:
        scales: Names, whole numbers where they are sizes.
        queries: How many.
        phases: 1 leaves everything uncorrected.
        measures, cutoffs: Every pair becomes an endpoint.
        primary: Must be one of those pairs.
        command: `score` has no model, no sizes and no tokens.
        verdict: The word.
        tags: Whether queries have tags, so that there are slices.
        timings: Whether that block is there.
        hostile: Texts, ids, tags and scale names that try to become markup.
        bare: Leave out all that may be left out, and put one query without a value among them.
        matched: Whether the placebo was matched (`placebo: matched`).
        seed: Of the ranks.
    """
    return _Builder(**dict(locals())).results()


class _Builder:
    def __init__(self, **options: object) -> None:
        self.__dict__.update(options)
        self.scales: tuple[str, ...] = tuple(options["scales"])  # type: ignore[arg-type]
        self.random = random.Random(options["seed"])  # noqa: S311  (not a secret)
        self.measured = options["command"] == "measure"
        if options["hostile"]:
            self.scales = (HOSTILE[0], *self.scales[1:])
        measure, cutoff = str(options["primary"]).split("@")
        self.endpoint = PrimaryEndpoint(measure, cutoff, "ai21")
        self.fuses = Cutoff.parse(cutoff).unit != "chunks"
        difficulty = [self.random.choice((1.5, 4.0, 12.0, 60.0)) for _ in range(self.queries)]
        self.ranks = [[self._rank(hard) for hard in difficulty] for _ in self.scales]
        self.fused = [
            None
            if all(rank is None for rank in column)
            else max(1, round(min(r or 99 for r in column) * 1.2))
            for column in zip(*self.ranks, strict=True)
        ]
        self.values = {name: self._scores(*name.split("@")) for name in self._endpoints()}

    queries: int
    phases: int
    measures: Sequence[str]
    cutoffs: Sequence[str]
    verdict: str
    tags: bool
    timings: bool
    hostile: bool
    bare: bool
    matched: bool

    def results(self) -> Results:
        headroom = tuple(self._headroom(*name.split("@")) for name in self._endpoints())
        best = next(found for found in headroom if found.name == self.endpoint.name).best_fixed
        return Results(
            chunkgap_version="0.1.0",
            command="measure" if self.measured else "score",
            name=HOSTILE[1] if self.hostile else None if self.bare else "handbook",
            endpoint=self.endpoint,
            corpus=self._corpus(),
            queries=QueryFacts(
                "queries.jsonl",
                "d" * 64,
                self.queries + 2,
                self.queries,
                max(1, self.queries // 2),
                self.queries // 3,
                {} if self.bare else {"q-none": "no relevant document", HOSTILE[3]: "no relevant document"},
            ),
            model=self._model(),
            index="hnsw" if self.measured else "runs",
            phases=self.phases,
            confidence=0.95,
            scales=tuple(self._scale(place, name) for place, name in enumerate(self.scales)),
            rows=tuple(row for name in self._endpoints() for row in self._rows(*name.split("@"))),
            headroom=headroom,
            comparisons=() if self.bare else self._comparisons(),
            verdict=self._verdict(),
            headroom_verdict=self._headroom_verdict(),
            sets=() if self.bare else self._sets(),
            wins=self._wins(),
            losses=() if self.bare else self._losses(best),
            slices=self._slices() if self.tags else (),
            win_tables=self._win_tables(),
            diagnoses=()
            if self.bare
            else tuple(
                Diagnosis(
                    name,
                    {
                        "distinct documents": 4.2 - 0.4 * place,
                        "redundancy": 1.0 + 0.02 * place,
                        "chunks cut from their heading": None if place == 0 else 0.1 * place,
                    },
                )
                for place, name in enumerate(self.scales)
            ),
            notices=() if self.bare else self._notices(),
            per_query=self._per_query(),
            timings=self._timings() if self.timings else None,
        )

    def _endpoints(self) -> list[str]:
        return [f"{measure}@{cutoff}" for measure in self.measures for cutoff in self.cutoffs]

    def _rank(self, hard: float) -> int | None:
        rank = 1 + int(self.random.expovariate(1 / hard))
        return rank if rank <= 100 else None

    def _scores(self, measure: str, cutoff: str) -> QueryScores:
        parsed = Cutoff.parse(cutoff)
        reach = parsed.amount // 100 if parsed.unit == "tokens" else parsed.amount

        def value(rank: int | None) -> float:
            found = rank is not None and rank <= reach
            return (1 / rank if measure == "rr" else 1.0) if found and rank else 0.0

        columns = [[value(rank) for rank in ranks] for ranks in self.ranks]
        fused = [value(rank) for rank in self.fused] if parsed.unit != "chunks" else []
        if self.bare and self.queries > 1:
            columns = [[None, *column[1:]] for column in columns]  # type: ignore[list-item]
            fused = [None, *fused[1:]] if fused else []  # type: ignore[list-item]
        return QueryScores(tuple(map(tuple, columns)), tuple(fused))

    def _mean(self, values: Sequence[float | None]) -> float:
        present = [value for value in values if value is not None]
        return sum(present) / len(present)

    def _rows(self, measure: str, cutoff: str) -> list[Row]:
        scores = self.values[f"{measure}@{cutoff}"]
        primary = (measure, cutoff) == (self.endpoint.measure, self.endpoint.cutoff)
        means = [self._mean(column) for column in scores.scales]
        fused = self._mean(scores.fusion) if scores.fusion else None
        named: list[tuple[str, str, float | None]] = [
            ("scale", n, v) for n, v in zip(self.scales, means, strict=True)
        ]
        named += [("best fixed", "in sample", max(means)), ("best fixed", "cross-fitted", max(means) - 0.006)]
        named += [
            ("fusion", name, fused and fused - less)
            for name, less in (("ai21", 0), ("ai21-rank0", 0.004), ("rrf60", 0.011))
        ]
        named += [
            ("control", "votes within best fixed", fused and max(means) + 0.008),
            ("control", "phases of best fixed", fused and max(means) + 0.01),
        ]
        named += [] if self.bare else [("router", "logistic regression", max(means) - 0.002)]
        named += [("oracle", "oracle", self._oracle(scores))]
        return [
            Row(kind, name, measure, cutoff, value, _around(value, 0.045), primary, self._vectors(kind, name))  # type: ignore[arg-type]
            for kind, name, value in named
        ]

    def _vectors(self, kind: str, name: str) -> int | None:
        """What a row stores; the best fixed scale is the one of the primary endpoint."""
        if not self.measured or kind in ("oracle", "router") or name == "cross-fitted":
            return None
        held = [self._scale(place, scale).phases[0].vectors for place, scale in enumerate(self.scales)]
        if kind == "scale":
            return held[self.scales.index(name)]
        if kind == "fusion":
            return sum(held)
        means = [self._mean(column) for column in self.values[self.endpoint.name].scales]
        best = held[means.index(max(means))]
        return self.phases * best if name == "phases of best fixed" else best

    def _oracle(self, scores: QueryScores) -> float:
        return self._mean(
            [None if None in column else max(column) for column in zip(*scores.scales, strict=True)]
        )  # type: ignore[type-var]

    def _headroom(self, measure: str, cutoff: str) -> Headroom:
        scores = self.values[f"{measure}@{cutoff}"]
        means = [self._mean(column) for column in scores.scales]
        best, oracle = max(means), self._oracle(scores)
        gap = oracle - best
        name = self.scales[means.index(best)]
        fused = self._mean(scores.fusion) if scores.fusion else None
        closed = (fused - best) / gap if fused is not None and gap > 0 else None
        common = (
            measure,
            cutoff,
            name,
            best,
            best - 0.006,
            oracle,
            Interval(gap, max(0.0, gap - 0.03), gap + 0.03),
        )
        if self.phases < 2:
            return Headroom(*common, corrected=False, share_closed=closed)
        several = len(self.scales) > 1
        excess = Interval(0.012, -0.004, 0.03) if several else None
        return Headroom(
            *common,
            corrected=True,
            placebo={scale: 0.02 + 0.003 * place for place, scale in enumerate(self.scales)},
            like_for_like=gap * 0.6 if several else None,
            matched_placebo=gap * 0.8 if several and self.matched else None,
            pair_same=best + 0.021 if several else None,
            pair_different=best + 0.033 if several else None,
            excess=excess,
            interaction=Interval(0.004, -0.002, 0.011) if several else None,
            reproducible=Interval(gap * 0.3, gap * 0.3 - 0.03, gap * 0.3 + 0.035) if several else None,
            excess_matrix=self._matrix() if several else (),
            share_closed=closed,
        )

    def _matrix(self) -> tuple[tuple[Interval | None, ...], ...]:
        def cell(row: int, column: int) -> Interval | None:
            apart = abs(row - column)
            return (
                None
                if apart == 0
                else Interval(0.011 * apart - 0.014, 0.011 * apart - 0.03, 0.011 * apart + 0.004)
            )

        places = range(len(self.scales))
        return tuple(tuple(cell(row, column) for column in places) for row in places)

    def _corpus(self) -> CorpusFacts:
        lengths = (
            tuple(int(self.random.lognormvariate(5.6, 0.9)) + 1 for _ in range(_DOCUMENTS))
            if self.measured
            else ()
        )
        skipped = {} if self.bare else {"not UTF-8": 1, "empty": 3}
        return CorpusFacts(
            "docs/", "c" * 64, _DOCUMENTS, sum(lengths) if self.measured else None, lengths, skipped
        )

    def _model(self) -> ModelFacts | None:
        if not self.measured:
            return None
        return ModelFacts("all-MiniLM-L6-v2", "e" * 64, 384, 256, "", "", "average", "float32", "cl100k_base")

    def _scale(self, place: int, name: str) -> ScaleFacts:
        size = int(name) if self.measured and name.isdigit() else None
        chunks = _TOKENS // (size or 50 * 2**place) if self.measured else 0
        facts = tuple(
            PhaseFacts(
                phase=phase,
                chunks=chunks + 9 * phase,
                vectors=max(0, chunks - 4),
                mean_tokens=(size or 80) * 0.83,
                blank=place,
                single=11 * place,
                long=0.9 if (size or 0) > 256 else 0.0,
                unread=0.0,
                ef=200 if self.measured and not self.bare else None,
                found=0.9995,
                flipped=place % 2,
                tied=2,
            )
            for phase in range(self.phases)
        )
        index = chunks * 1700 if self.measured and not self.bare else None
        return ScaleFacts(name, size, 0 if size else None, chunks * 384 * 4, index, False, facts)

    def _gain(self) -> Interval | None:
        if not self.fuses:
            return None
        rows = {
            (row.kind, row.name): row.value for row in self._rows(self.endpoint.measure, self.endpoint.cutoff)
        }
        difference = (rows["fusion", "ai21"] or 0.0) - (rows["best fixed", "cross-fitted"] or 0.0)
        return _around(difference, 0.04)

    def _comparisons(self) -> tuple[Comparison, ...]:
        gain = self._gain()
        if gain is None:
            return ()
        return (
            Comparison("RRF ai21", "best fixed, cross-fitted", gain, 0.041, 0.082, 0.0512, 410),
            Comparison(
                "RRF ai21", "phases of best fixed", Interval(0.004, -0.03, 0.038), 0.71, 0.71, 0.05, None
            ),
        )

    def _verdict(self) -> VerdictFacts:
        gain = self._gain()
        return VerdictFacts(
            word=self.verdict,  # type: ignore[arg-type]
            rule="go when the interval lies above 0, the estimate is at least 0.02 and storage at most 5.0 "
            "times the best fixed size's vectors; no-go when the interval lies below 0.02 or storage is past "
            "the bound; otherwise cannot decide.",
            reasons=("The interval includes 0.",) if not self.bare else (),
            gain=gain,
            storage=3.7 if self.measured else None,
            min_gain=0.02,
            max_storage=5.0,
            queries_needed=410 if self.verdict == "cannot decide" else None,
        )

    def _headroom_verdict(self) -> HeadroomVerdict:
        if self.phases < 2:
            return HeadroomVerdict(
                None,
                "Nothing can be said: with one phase the gap is uncorrected.",
                "The oracle gap is uncorrected: measure with two phases to learn how much of it is luck.",
            )
        return HeadroomVerdict(
            False,
            "No sign that queries want different sizes; an excess of up to 0.030 is left open.",
            "Two copies of one size reach 0.694, two different sizes 0.706: of the gap of 0.117, size is "
            "worth 0.012 [-0.004, 0.030].",
        )

    def _sets(self) -> tuple[ScaleSet, ...]:
        if not self.fuses:
            return ()
        found = []
        for bits in range(1, 2 ** len(self.scales)):
            members = [place for place in range(len(self.scales)) if bits >> place & 1]
            vectors = sum(_TOKENS // (50 * 2**place) for place in members)
            value = 0.6 + 0.03 * len(members) ** 0.5 + 0.01 * (len(self.scales) - members[0])
            found.append((tuple(self.scales[place] for place in members), value, vectors))
        front = [
            not any((v, -n) > (value, -vectors) and v >= value and n <= vectors for _, v, n in found)
            for _, value, vectors in found
        ]
        return tuple(
            ScaleSet(
                names,
                value,
                vectors,
                vectors * 1536,
                pareto,
                len(names) == 2 and names[0] == self.scales[0] and place == 2,
            )
            for place, ((names, value, vectors), pareto) in enumerate(zip(found, front, strict=True))
        )

    def _wins(self) -> Wins:
        alone, tied, none = dict.fromkeys(self.scales, 0), 0, 0
        for column in zip(*self.values[self.endpoint.name].scales, strict=True):
            if None in column:
                continue
            best = max(column)  # type: ignore[type-var]
            if best == 0:
                none += 1
            elif column.count(best) == 1:
                alone[self.scales[column.index(best)]] += 1
            else:
                tied += 1
        return Wins(alone, tied, none)

    def _text(self, place: int) -> str:
        if self.hostile:
            return HOSTILE[place % len(HOSTILE)]
        topic = _TOPICS[place % len(_TOPICS)]
        return f"What does the handbook say about the {topic} of case {place}, and who has to sign it?"

    def _query_ids(self) -> list[str]:
        return [
            f"{HOSTILE[place % 6]}{place}" if self.hostile else f"q{place:04d}"
            for place in range(self.queries)
        ]

    def _tags_of(self, place: int) -> Mapping[str, str]:
        if not self.tags:
            return {}
        named = {tag: values[place % len(values)] for tag, values in _TAGS}
        return {**named, HOSTILE[0]: HOSTILE[1]} if self.hostile else named

    def _losses(self, best: str) -> tuple[Loss, ...]:
        fixed = self.scales.index(best)
        scores, found = self.values[self.endpoint.name].scales, []
        for place, name in enumerate(self._query_ids()):
            column = [values[place] for values in scores]
            top = column.index(max(column))  # type: ignore[type-var]
            if (column[top] or 0) > (column[fixed] or 0):
                found.append(
                    Loss(
                        name,
                        self._text(place),
                        column[fixed] or 0.0,
                        self.ranks[fixed][place],
                        self.scales[top],
                        column[top] or 0.0,
                        self.ranks[top][place],
                    )
                )
        return tuple(found[:5])

    def _slices(self) -> tuple[Slice, ...]:
        pairs = [(tag, value) for tag, values in _TAGS for value in values]
        pairs += [(HOSTILE[0], HOSTILE[1])] if self.hostile else []
        found = []
        for place, (tag, value) in enumerate(pairs):
            means = {
                name: 0.5 + 0.06 * ((step + place) % len(self.scales))
                for step, name in enumerate(self.scales)
            }
            best = max(means, key=lambda name: means[name])
            small = place == 2
            found.append(
                Slice(
                    tag,
                    value,
                    max(1, self.queries // len(pairs)),
                    small,
                    means,
                    best,
                    None if self.phases < 2 or small else 0.018,
                    0.09,
                    None if small else Interval(0.02, -0.02, 0.06),
                    None if small else 0.44,
                )
            )
        return tuple(found)

    def _win_tables(self) -> tuple[WinTable, ...]:
        scores, found = self.values[self.endpoint.name].scales, []
        for left, right in zip(range(len(self.scales)), range(1, len(self.scales)), strict=False):
            pairs = [
                (a, b)
                for a, b in zip(scores[left], scores[right], strict=True)
                if a is not None and b is not None
            ]
            wins, losses = sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)
            found.append(
                WinTable(
                    None,
                    None,
                    self.scales[left],
                    self.scales[right],
                    wins,
                    losses,
                    len(pairs) - wins - losses,
                    self.queries - len(pairs),
                )
            )
            if self.tags:
                found.append(
                    WinTable(
                        "domain",
                        "finance",
                        self.scales[left],
                        self.scales[right],
                        wins // 3,
                        losses // 3,
                        len(pairs) // 3,
                        0,
                    )
                )
        return tuple(found)

    def _notices(self) -> tuple[Notice, ...]:
        text = HOSTILE[0] if self.hostile else "60 queries were evaluated; below 100 the intervals are wide."
        return (
            Notice("few-queries", text),
            Notice(
                "long-chunks",
                "90% of the chunks of size 500 are longer than the model's window; they were averaged.",
            ),
        )

    def _per_query(self) -> PerQuery:
        places = range(self.queries)
        return PerQuery(
            query_ids=tuple(self._query_ids()),
            texts=tuple(map(self._text, places)),
            tags=tuple(map(self._tags_of, places)),
            clusters=tuple(place // 2 for place in places),
            relevant=(1,) * self.queries,
            scores=self.values,
            ranks=tuple(map(tuple, self.ranks)),
            fused_ranks=tuple(self.fused) if self.fuses else (),
        )

    def _timings(self) -> Timings:
        latency = Latency(0.00042, 0.00071, 0.00093, searches=100)
        return Timings(
            total=42.5,
            steps={"read": 0.2, "chunk": 0.9, "embed": 35.1, "index": 2.2, "search": 1.1, "analyse": 3.0},
            scales=tuple(
                ScaleTimings(name, None if place == 0 else 8.0 + place, 0.4, latency)
                for place, name in enumerate(self.scales)
            ),
            multi_scale=latency,
            multi_scale_parallel=None if self.bare else Latency(0.0005, 0.0008, 0.001, searches=64),
            texts_embedded=5400,
            texts_cached=1800,
        )


def build_hits(results: Results, *, per_scale: int = 5, hostile: bool = False) -> dict[str, QueryHits]:
    """Made-up chunks for every query of the results, some with evidence, the first of each query relevant."""
    body = HOSTILE[1] * 4 if hostile else "The signed form goes to the clerk within ten days. " * 12

    def chunk(rank: int) -> ShownChunk:
        doc_id = HOSTILE[0] if hostile else f"manual/part-{rank}.md"
        return shown_chunk(
            build_scored(body, doc_id=doc_id, rank=rank, score=0.9 - rank / 20, start=1000 * rank),
            spans=[(1000 * rank + 200, 1000 * rank + 240)] if rank == 1 else [],
            relevant=rank == 1,
            fused_rank=rank if rank < 4 else None,
        )

    chunks = tuple(map(chunk, range(1, per_scale + 1)))
    return {
        name: QueryHits({scale.name: chunks for scale in results.scales})
        for name in results.per_query.query_ids
    }


def build_scored(
    text: str, *, doc_id: str = "d", rank: int = 1, score: float = 0.5, start: int = 0
) -> ScoredChunk:
    """A chunk with this text at its place in a run."""
    return ScoredChunk(
        Chunk(f"{doc_id}#50.0.{rank}", doc_id, start, start + len(text), tokens=50, text=text), rank, score
    )


def _around(value: float | None, half: float) -> Interval | None:
    return None if value is None else Interval(value, max(-1.0, value - half), min(1.0, value + half))
