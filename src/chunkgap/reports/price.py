"""What the indexes of one scale, or of several, hold together: those that a production index would have."""

from collections.abc import Sequence
from dataclasses import dataclass

from chunkgap.results import ScaleFacts


@dataclass(frozen=True, slots=True)
class Price:
    """Sums over scales, in phase 0.

    Attributes:
        chunks: Chunks in the indexes, equal texts counted each.
        vectors: Distinct vectors of each scale.
        mean_tokens: Mean over all chunks, None where there are none.
        vector_bytes: Bytes of the vectors.
        index_bytes: Bytes of the index files, None where a scale has none.
    """

    chunks: int
    vectors: int
    mean_tokens: float | None
    vector_bytes: int
    index_bytes: int | None

    @classmethod
    def of(cls, scales: Sequence[ScaleFacts]) -> "Price":
        """Add up one scale or several."""
        first = [scale.phases[0] for scale in scales]
        chunks = sum(phase.chunks for phase in first)
        tokens = sum(phase.mean_tokens * phase.chunks for phase in first)
        files = [scale.index_bytes for scale in scales if scale.index_bytes is not None]
        return cls(
            chunks=chunks,
            vectors=sum(phase.vectors for phase in first),
            mean_tokens=tokens / chunks if chunks else None,
            vector_bytes=sum(scale.vector_bytes for scale in scales),
            index_bytes=sum(files) if len(files) == len(scales) else None,
        )
