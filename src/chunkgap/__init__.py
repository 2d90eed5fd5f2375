"""Measure how much retrieval recall one chunk size costs, and what multi-scale retrieval wins back."""

__version__ = "0.1.0"
