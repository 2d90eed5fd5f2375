"""What can be known before embedding: are the files right, which sizes make sense, what will it cost."""

from chunkgap.checking.check import check
from chunkgap.checking.detection import Detection
from chunkgap.checking.facts import Check, CheckedCorpus, CheckedQueries
from chunkgap.checking.forecasts import Forecast, SizeForecast
from chunkgap.checking.lengths import Bin, Lengths
from chunkgap.checking.sizes import Suggestion, suggest_sizes

__all__ = [
    "Bin",
    "Check",
    "CheckedCorpus",
    "CheckedQueries",
    "Detection",
    "Forecast",
    "Lengths",
    "SizeForecast",
    "Suggestion",
    "check",
    "suggest_sizes",
]
