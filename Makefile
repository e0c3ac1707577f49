# `make run` and `make test` do everything a fresh machine needs: a virtual environment, the install, then the work.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime-stamp
DEV := $(VENV)/.dev-stamp

.PHONY: run demo test lint check bench soak clean

run: $(RUNTIME)
	@exec $(BIN)/collie

demo: $(RUNTIME)
	@exec $(BIN)/collie demo

test: $(DEV)
	$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

lint: $(DEV)
	$(BIN)/ruff check collie tests bench docs
	$(BIN)/ruff format --check collie tests bench docs
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test

bench: $(DEV)
	@for each in bench/*.py; do echo "== $$each"; $(BIN)/python $$each || exit 1; done

soak: $(DEV)
	COLLIE_SOAK=1 $(BIN)/python -m pytest -m soak --timeout 7200 $(ARGS)

$(RUNTIME): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "collie needs Python 3.11 or later: $$($(PYTHON) --version 2>&1) found; name another with PYTHON=python3.12 make run"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv is missing: install it with 'apt install python3-venv' (Debian, Ubuntu) and try again"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing collie into $(VENV) (once)"
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(DEV): $(RUNTIME) pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis
