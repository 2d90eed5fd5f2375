"""Frozen results, to and from JSON: facts of what was measured, findings, and one object that holds them all.

Undefined numbers are None here and null in JSON, never NaN. Only the ends of an interval that has none, as over one
cluster of queries, are NaN here; in JSON they too are null. Numbers are unrounded; rounding belongs to reports.
All blocks but `timings` are the same for the same input on the same machine.
"""

from chunkgap.results.facts import (
    CorpusFacts,
    ModelFacts,
    PhaseFacts,
    PrimaryEndpoint,
    QueryFacts,
    ScaleFacts,
)
from chunkgap.results.faults import first_fault, unreadable
from chunkgap.results.findings import (
    CROSS_FITTED,
    FILLED,
    Bracket,
    Comparison,
    Headroom,
    HeadroomVerdict,
    Notice,
    Row,
    RowKind,
    ScaleSet,
    VerdictFacts,
)
from chunkgap.results.json_text import from_json, to_json
from chunkgap.results.queries import Diagnosis, Loss, PerQuery, QueryScores, Slice, Wins, WinTable
from chunkgap.results.results import FORMAT_VERSION, Results
from chunkgap.results.timings import Latency, ScaleTimings, Timings, tells_speed

__all__ = [
    "CROSS_FITTED",
    "FILLED",
    "FORMAT_VERSION",
    "Bracket",
    "Comparison",
    "CorpusFacts",
    "Diagnosis",
    "Headroom",
    "HeadroomVerdict",
    "Latency",
    "Loss",
    "ModelFacts",
    "Notice",
    "PerQuery",
    "PhaseFacts",
    "PrimaryEndpoint",
    "QueryFacts",
    "QueryScores",
    "Results",
    "Row",
    "RowKind",
    "ScaleFacts",
    "ScaleSet",
    "ScaleTimings",
    "Slice",
    "Timings",
    "VerdictFacts",
    "WinTable",
    "Wins",
    "first_fault",
    "from_json",
    "tells_speed",
    "to_json",
    "unreadable",
]
