# run opens panto, test proves it; the rest is what these two are made of.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run setup test check format stubs bench clean tools

VENV := .venv
PY := $(VENV)/bin/python
PANTO := $(VENV)/bin/panto
CACHE := .cache
BASE_PYTHON ?= python3
STYLUA := @johnnymorganz/stylua@2.5.2
STEP := bash tests/support/step.sh
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
# -v undoes one -q of pyproject's addopts: the closing line is to be whole.
PYTEST_ARGS ?= -v -n 2 --dist loadfile --durations=15
ARGS ?=

help:
	@echo 'make run     set up what is missing and open panto (ARGS="--resume" passes words on)'
	@echo 'make test    set up, check and test everything, as CI does'
	@echo 'make setup   only set up: .venv/bin/panto and its rocks'
	@echo 'make check   formatting, luacheck, ruff, mypy; make format rewrites the Lua'
	@echo 'make stubs   write lua/panto/_meta/panto.lua from the sources'
	@echo 'make bench   measure speed here, some minutes (ROWS="start json" for these; bench/README.md)'
	@echo 'make clean   remove what make made'

run: $(CACHE)/run.stamp
	@exec $(PANTO) $(ARGS)

setup: $(CACHE)/dev.stamp
	@$(PY) -m compileall -q python
	@$(PANTO) bootstrap

test: setup tools check
	@$(PY) -m pytest $(PYTEST_ARGS) tests

# Every check runs, so that one failure does not hide another.
check: $(CACHE)/dev.stamp tools
	@status=0; \
	if [ -f $(CACHE)/stylua.stamp ]; then node tests/support/stylua.mjs --check || status=1; \
	else echo 'SKIPPED stylua: no node and npm here'; fi; \
	if command -v luacheck >/dev/null; then luacheck --quiet --no-color . || status=1; \
	else echo 'SKIPPED luacheck: it is not installed (Debian: lua-check)'; fi; \
	$(PY) -m ruff check --quiet python rocks tests || status=1; \
	$(PY) -m mypy --strict --no-error-summary python/panto_host rocks/panto_rocks || status=1; \
	exit $$status

format: tools
	@node tests/support/stylua.mjs

# The public API's types, from the comments above its functions; a test compares.
stubs: setup
	@$(PANTO) lua tests/support/write_stub.lua > $(CACHE)/panto.lua
	@$(PANTO) lua tests/support/write_stub.lua types > $(CACHE)/types.lua
	@mv $(CACHE)/panto.lua $(CACHE)/types.lua lua/panto/_meta/

bench: setup
	@$(PY) bench $(ROWS)

# Debian packages and npm's StyLua: needed by test and check, never by run.
tools:
	@bash tests/support/install_tools.sh "$(CACHE)" "$(STYLUA)"

$(PY):
	@$(BASE_PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'panto needs Python 3.11 or newer: make BASE_PYTHON=/path/to/python3'; exit 1; }
	@echo 'setting panto up, once, in about a minute' >&2
	@$(STEP) 'making $(VENV)' bash tests/support/make_venv.sh "$(BASE_PYTHON)" "$(VENV)"

$(CACHE)/run.stamp: pyproject.toml | $(PY)
	@mkdir -p $(CACHE)
	@[ -x $(PANTO) ] && [ $(CACHE)/dev.stamp -nt pyproject.toml ] || \
	  $(STEP) 'installing panto into $(VENV)' $(PIP) --editable .
	@touch $@

$(CACHE)/dev.stamp: pyproject.toml | $(PY)
	@mkdir -p $(CACHE)
	@$(STEP) 'installing panto and its tools into $(VENV)' $(PIP) --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) $(CACHE) build dist .pytest_cache .mypy_cache .ruff_cache python/*.egg-info *.egg-info
	find python tests bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
