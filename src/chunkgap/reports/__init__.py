"""Reports: `Results` in, one kind of output each; nothing is computed here that is not in `results.json`."""
