"""What can go wrong, as one tree; `cli` turns it into exit codes in one place.

```
ChunkgapError               exit 2
├── InputError              a corpus, query, qrels or run file, or a value in it
│   └── ConfigError         the configuration, or an option of the command line
├── ModelError              an embedding model or a tokenizer that cannot be loaded
├── ResultsError            an output folder that cannot be read back
└── NotComparableError      exit 3: two measurements that must not be compared
```

A message is one line, `place: expected X, got Y. Do Z.`; an error that found several problems holds one line for each.
"""

from collections.abc import Sequence


class ChunkgapError(Exception):
    """The root of the tree.

    Args:
        problems: One line for each problem found, at least one.
    """

    exit_code = 2

    def __init__(self, *problems: str) -> None:
        super().__init__(*problems)
        self.problems: Sequence[str] = problems

    def __str__(self) -> str:
        """The problems, one a line."""
        return "\n".join(self.problems)


class InputError(ChunkgapError):
    """A corpus, query, qrels or run file that cannot be used as it is."""


class ConfigError(InputError):
    """A configuration or a command-line value that is not understood."""


class ModelError(ChunkgapError):
    """An embedding model or a tokenizer that cannot be loaded."""


class ResultsError(ChunkgapError):
    """An output folder that is missing, unreadable or of another format version."""


class NotComparableError(ChunkgapError):
    """Two measurements whose corpus, queries or settings differ."""

    exit_code = 3


def reason(error: Exception) -> str:
    """What the system said, without the path, in lower case: part of a message.

    >>> reason(FileNotFoundError(2, "No such file or directory", "x"))
    'no such file or directory'
    """
    return str(getattr(error, "strerror", None) or error).lower()


def reading_remedy(error: Exception) -> str:
    """What to do where a file or folder cannot be read."""
    return "Check its permissions." if isinstance(error, PermissionError) else "Check the path."
