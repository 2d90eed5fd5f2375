# chunkgap: `make demo` and `make test` set up everything they need. `make help` lists the rest.
SHELL := bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_QUIET := 1

.DEFAULT_GOAL := help
.PHONY: help demo test test-model test-browser check lint type bench format clean pictures simulate

help:  ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: expected Python 3.11 or later, got $$($(PYTHON) --version 2>&1). Set PYTHON=python3.11."; exit 2; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "make: expected Python's venv module, found none. Install it (Debian: apt install python3-venv)."; exit 2; }
	@command -v $${CXX:-c++} >/dev/null || command -v g++ >/dev/null || { echo "make: expected a C++ compiler (hnswlib is built from source), found none. Install one (Debian: apt install g++ python3-dev)."; exit 2; }
	@$(PYTHON) -c 'import pathlib, sys, sysconfig; sys.exit(not pathlib.Path(sysconfig.get_path("include"), "Python.h").is_file())' || { echo "make: expected Python.h (hnswlib is built from source), found none. Install Python's headers (Debian: apt install python3-dev)."; exit 2; }
	@echo "Setting up $(VENV) (a few minutes, once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install -c constraints.txt torch
	@$(BIN)/pip install -c constraints.txt -e '.[dev]'
	@touch $@

demo: $(STAMP)  ## Measure sample_data with the bundled model; files in chunkgap-out/
	$(BIN)/chunkgap measure sample_data/corpus sample_data/queries.jsonl --config configs/sizes.yaml --out chunkgap-out

test: $(STAMP)  ## The unit suite: offline, seconds
	$(BIN)/pytest -q -n 2

test-model: $(STAMP)  ## The tests that load the real model
	$(BIN)/pytest -q -m model

test-browser: $(STAMP)  ## The report in a real browser (needs chromium and chromium-driver)
	$(BIN)/pytest -q -m browser

lint: $(STAMP)  ## ruff: rules and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

type: $(STAMP)  ## mypy --strict
	$(BIN)/mypy

check: lint type test test-model  ## What CI runs, but for the demo and the browser

format: $(STAMP)  ## Rewrite in the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP)  ## Cost beside bare encoding, warm cost, cost of the analysis
	$(BIN)/python -m benchmarks.cost
	$(BIN)/python benchmarks/analysis.py

pictures: demo  ## Draw the pictures of the README from the demo (needs chromium and chromium-driver)
	$(BIN)/python docs/pictures/make.py chunkgap-out

simulate: $(STAMP)  ## The simulated corpora of docs/statistics.md (minutes)
	$(BIN)/python benchmarks/simulate.py

clean:  ## Remove the environment and everything that was made
	rm -rf $(VENV) chunkgap-out .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks build dist
	find . -name .git -prune -o \( -name __pycache__ -o -name '*.egg-info' \) -type d -prune -exec rm -rf {} +
