# What CI runs.  PYTHON makes the environment; everything else happens in it.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PLUGINS = $(patsubst %,-e %,$(wildcard plugins/* domains/*))

.PHONY: setup check test plugins slow slow-tests newest environments extras schemas clean

setup: ## the environment with every plugin of this repository
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -U 'pip>=25.1'
	$(BIN)/pip install -q -c constraints.txt -e . $(PLUGINS) --group dev

check: ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python

test: ## the fast tests
	$(BIN)/pytest -n auto -m 'not slow'

plugins: ## the fast tests of the plugins and packs alone, and the pages, which show them
	$(BIN)/pytest -n auto -m 'not slow' plugins domains tests/docs/test_code_blocks.py

slow: ## the slow tests, and beside them the fast ones on the newest Python at hand, from built wheels
	$(MAKE) -j2 --output-sync=target slow-tests newest

slow-tests:
	$(BIN)/pytest -m slow

newest:
	$(BIN)/python tests/newest_python.py

environments: ## fresh ones from built wheels: all extras together and two alone, new plugins, the samples of docs/examples
	$(BIN)/python tests/environments.py ci

extras: ## every extra alone, in a fresh environment from built wheels
	$(BIN)/python tests/environments.py extras

schemas: ## write the JSON Schemas and generated pages of docs/
	$(BIN)/qx schema --write docs/schemas
	$(BIN)/python docs/generate.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis
