"""The configuration: YAML read, merged with the command line, validated, frozen."""

from chunkgap.config.loading import load_settings
from chunkgap.config.settings import (
    CorpusFields,
    DecisionSettings,
    EmbeddingSettings,
    FusionRule,
    GateSettings,
    QueryFields,
    RetrievalSettings,
    Settings,
    StatisticsSettings,
    key_paths,
)

__all__ = [
    "CorpusFields",
    "DecisionSettings",
    "EmbeddingSettings",
    "FusionRule",
    "GateSettings",
    "QueryFields",
    "RetrievalSettings",
    "Settings",
    "StatisticsSettings",
    "key_paths",
    "load_settings",
]
