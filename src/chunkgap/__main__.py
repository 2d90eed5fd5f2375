"""`python -m chunkgap`."""

from chunkgap.cli import main

main()
