"""Whether a measurement keeps its limits: what lets a CI job pass or fail.

Every limit holds at the primary endpoint. A value at its limit keeps it, values are compared unrounded, and a
value that does not exist keeps none.
"""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from chunkgap.comparing.comparability import check_comparable
from chunkgap.errors import ConfigError
from chunkgap.formatting import numbers_apart
from chunkgap.oracle import TIE_DECIMALS
from chunkgap.results import Headroom, Results, Row

MAX_DROP = 0.02


@dataclass(frozen=True, slots=True)
class Check:
    """One limit, and the value held against it.

    Attributes:
        key: The key of the limit, as in the configuration; `max_drop` against a baseline.
        name: What the value is, in words.
        value: Unrounded; None where it was not computed, which `missing` explains.
        limit: What it is held against.
        at_least: Whether the value must be at least the limit, or else at most.
        missing: Why there is no value, empty where there is one.
    """

    key: str
    name: str
    value: float | None
    limit: float
    at_least: bool
    missing: str = ""

    @property
    def how_far(self) -> float | None:
        """How far the value lies on the right side of the limit: below 0 on the wrong one."""
        if self.value is None:
            return None
        return self.value - self.limit if self.at_least else self.limit - self.value

    @property
    def passed(self) -> bool:
        """Whether there is a value that keeps the limit; the limit itself does."""
        return self.how_far is not None and self.how_far >= 0


@dataclass(frozen=True, slots=True)
class GateReport:
    """Every limit that was checked, at least one."""

    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether all limits are kept."""
        return bool(self.checks) and all(check.passed for check in self.checks)


def gate(
    results: Results,
    limits: Mapping[str, float],
    *,
    baseline: Results | None = None,
    max_drop: float = MAX_DROP,
    allow: Collection[str] = (),
) -> GateReport:
    """Hold a measurement against limits, and against an earlier measurement.

    Args:
        results: The measurement.
        limits: By key of the configuration's `gate` section.
        baseline: An earlier measurement, below which best fixed and fusion must not drop by more than
            `max_drop`. The means are those that each measurement gave.
        max_drop: At least 0.
        allow: What may differ from the baseline, see `comparing.check_comparable`.

    Raises:
        ConfigError: A limit that is unknown or no number, or nothing to check: a gate without limits would
            always pass.
        NotComparableError: The baseline is of other queries, another corpus or another endpoint.
    """
    _check_limits(limits, max_drop, nothing=not limits and baseline is None)
    checks = [_held(results, key, limits[key]) for key in _LIMITS if key in limits]
    if baseline is not None:
        check_comparable(baseline, results, allow)
        checks += _drops(baseline, results, max_drop)
    return GateReport(tuple(checks))


def _check_limits(limits: Mapping[str, float], max_drop: float, *, nothing: bool) -> None:
    if nothing:
        raise ConfigError(
            "gate: expected a limit, got none. Give one such as --min-best-fixed 0.8, a gate section in the "
            "configuration, or --baseline."
        )
    problems = [
        f"gate: expected one of {', '.join(_LIMITS)}, got {key}. Choose among these."
        for key in limits
        if key not in _LIMITS
    ]
    problems += [
        f"gate: expected a number as {key}, got {limit}. Write one such as 0.8."
        for key, limit in {**limits, "max_drop": max_drop}.items()
        if not math.isfinite(limit)
    ]
    if max_drop < 0:
        problems.append(
            f"gate: expected a max_drop of at least 0, got {max_drop}. Write one such as {MAX_DROP}."
        )
    if problems:
        raise ConfigError(*problems)


def _held(results: Results, key: str, limit: float) -> Check:
    find, at_least = _LIMITS[key]
    name, value = find(results)
    return _check(key, name, value, limit, results, at_least=at_least)


def _check(
    key: str, name: str, value: float | None, limit: float, results: Results, *, at_least: bool
) -> Check:
    """A check whose value, if there is one, is a finite number over at least one query."""
    if results.queries.evaluated < 1:
        return Check(key, name, None, limit, at_least, "no query was evaluated")
    if value is None or not math.isfinite(value):
        return Check(key, name, None, limit, at_least, _reason(results, key))
    return Check(key, name, value, limit, at_least)


def _reason(results: Results, key: str) -> str:
    """Why a value is missing."""
    found = _headroom(results)
    if found is None:
        return f"{results.endpoint.name} was not computed"
    if key == "max_reproducible_gap" and not found.corrected:
        return "it needs two phases, and one was measured"
    return f"it was not computed at {results.endpoint.name}"


def _drops(baseline: Results, results: Results, max_drop: float) -> list[Check]:
    """How far the best fixed scale and fusion fell; fusion only where either measurement has it."""
    (_, fixed_before), (fixed, fixed_after) = _best_fixed(baseline), _best_fixed(results)
    drops = [_drop(fixed, fixed_before, fixed_after, results, max_drop)]
    (_, before), (fusion, after) = _fusion(baseline), _fusion(results)
    if before is not None or after is not None:
        drops.append(_drop(fusion, before, after, results, max_drop))
    return drops


def _drop(name: str, before: float | None, after: float | None, results: Results, max_drop: float) -> Check:
    # a difference of means carries the rounding of its terms: 0.72 - 0.70 is above 0.02
    drop = None if before is None or after is None else round(before - after, TIE_DECIMALS)
    told = f"drop of {name}, from {' to '.join(numbers_apart(before, after))},"
    return _check("max_drop", told, drop, max_drop, results, at_least=False)


def _headroom(results: Results) -> Headroom | None:
    """The headroom at the primary endpoint, None when it was not computed."""
    return results.headroom_at(results.endpoint.name)


def _fused_row(results: Results) -> Row | None:
    endpoint = results.endpoint
    return results.row("fusion", endpoint.fusion, endpoint.measure, endpoint.cutoff)


def _best_fixed(results: Results) -> tuple[str, float | None]:
    found = _headroom(results)
    named = f"best fixed {results.endpoint.name}"
    return (f"{named} (scale {found.best_fixed})", found.best_fixed_value) if found else (named, None)


def _gap(results: Results) -> tuple[str, float | None]:
    found = _headroom(results)
    return f"oracle gap at {results.endpoint.name}", found.gap.estimate if found else None


def _reproducible_gap(results: Results) -> tuple[str, float | None]:
    found = _headroom(results)
    reproducible = found.reproducible if found else None
    return f"reproducible gap at {results.endpoint.name}", reproducible.estimate if reproducible else None


def _fusion(results: Results) -> tuple[str, float | None]:
    row = _fused_row(results)
    return f"fusion ({results.endpoint.fusion}) {results.endpoint.name}", row.value if row else None


def _fusion_gain(results: Results) -> tuple[str, float | None]:
    """Fusion minus the best fixed scale, cross-fitted: what the verdict rests on."""
    gain = results.verdict.gain
    return (
        f"gain of fusion over best fixed, cross-fitted, at {results.endpoint.name}",
        gain.estimate if gain else None,
    )


_LIMITS: Mapping[str, tuple[Callable[[Results], tuple[str, float | None]], bool]] = {
    "min_best_fixed": (_best_fixed, True),
    "max_gap": (_gap, False),
    "max_reproducible_gap": (_reproducible_gap, False),
    "min_fusion": (_fusion, True),
    "min_fusion_gain": (_fusion_gain, True),
}
