# What a person runs and what CI runs are the same targets. `make help` lists them.
BIN := .venv/bin
SHELL := /bin/sh
.DEFAULT_GOAL := help

# The folders with the longest tests begin, so that both processes have something to do to the end.
LONG := tests/chaos tests/service tests/cli tests/workers
REST := $(filter-out $(LONG) %/__pycache__,$(patsubst %/,%,$(wildcard tests/*/))) $(wildcard tests/test_*.py)

.PHONY: help setup demo serve test lint types imports openapi openapi-drift openapi-breaking tests bench balance chaos fuzz explore audit-mutations constraints clean

help: ## This list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 16

setup: ## Make .venv and install the project (needs Python >= 3.11; quick when nothing changed)
	@tools/setup.sh

demo: setup ## Watch a whole match of each game: HTTP client, bots, log, replay, audit
	@$(BIN)/wonderlog demo
	@$(BIN)/wonderlog demo --game its-a-wonderful-world --seats 3
	@$(BIN)/wonderlog demo --game its-a-wonderful-kingdom --mode menaces

serve: setup ## Run the all-in-one server; its data is kept in ./data
	@$(BIN)/wonderlog up --data data

test: setup lint types imports openapi-drift openapi-breaking tests ## Everything CI checks

lint: setup ## Style and format of the code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup ## mypy --strict
	$(BIN)/mypy
	$(BIN)/mypy --explicit-package-bases -p tools.openapi_breaking

imports: setup ## The dependency rule
	$(BIN)/lint-imports --no-cache

openapi: setup ## Write openapi.yaml anew from the schemas and registries
	$(BIN)/python -m service.http.openapi > openapi.yaml.new
	mv openapi.yaml.new openapi.yaml

openapi-drift: setup ## openapi.yaml is what the code says
	$(BIN)/python -m service.http.openapi | cmp - openapi.yaml

openapi-breaking: setup ## openapi.yaml breaks no client of the last release unsaid
	$(BIN)/python -m tools.openapi_breaking

tests: setup ## The test suite, documentation included
	$(BIN)/python -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder $(LONG) $(REST)

bench: setup ## Measure: playouts, moves, log, store, HTTP, bots (minutes; a table, and JSON in a file)
	$(BIN)/python -m tools.bench

balance: setup ## What 2,000 matches of easy a mode say about the cards of It's a Wonderful Kingdom (minutes)
	$(BIN)/python -m tools.balance

chaos: setup ## Only the tests that kill servers and workers
	$(BIN)/python -m pytest -q tests/chaos

audit-mutations: setup ## Every change of every line of a bundle of each game, all verifiers (minutes)
	$(BIN)/python -m tests.audit.mutations

fuzz: setup ## Fuzz every operation of openapi.yaml for long (FUZZ_EXAMPLES, FUZZ_SEED)
	FUZZ_EXAMPLES=$${FUZZ_EXAMPLES:-200} FUZZ_SEED=$${FUZZ_SEED:-$$(date +%s)} FUZZ_SECONDS=7200 \
	    $(BIN)/python -m pytest -q -s tests/service/http/fuzz

explore: setup ## Try what holds of every value on other ones than the suite (EXPLORE_EXAMPLES of each; minutes)
	EXPLORE_EXAMPLES=$${EXPLORE_EXAMPLES:-2000} \
	    $(BIN)/python -m pytest -q -m hypothesis --hypothesis-profile explore tests

constraints: setup ## Pin every package of .venv in constraints.txt, after changing pyproject.toml
	{ echo "# Every package of the virtual environment, to the release. Made by: make constraints"; \
	  { $(BIN)/python -m pip freeze --exclude-editable --exclude setuptools --exclude async-timeout; \
	    grep -E '^(setuptools==|[^#].*;)' constraints.txt; } | LC_ALL=C sort -f; } > constraints.new
	mv constraints.new constraints.txt

clean: ## Remove what setup and the tools made; data is kept
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build *.egg-info
