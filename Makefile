# Needs make and Python 3.11 or newer, nothing else; `make help` lists what there is.
#
#   make run                      everything, at http://127.0.0.1:8000/
#   make run PORT=8001            elsewhere
#   make run DATA_DIR=/big/disk   with the data in another folder
#   make run MODEL=small          with the 92 MB model alone
#
# Keys belong into the environment (OPENAI_API_KEY and the like), never on the command line.

PYTHON ?=
VENV ?= .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
UV ?= uv
LOCK := $(UV) pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --quiet

# Makes the environment's part $(1) unless the lock file $(2) is what was installed last.
define install
@cmp -s requirements/$(2).txt $(VENV)/installed-$(1).txt && test -x $(BIN)/python || { \
	python=$$(sh chatapp/local/find_python.sh "$(PYTHON)") && \
	"$$python" chatapp/local/bootstrap.py $(1) "$(VENV)"; }
endef

.DEFAULT_GOAL := help
.PHONY: help run venv dev test test-local check format bench accept lock clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile

run: venv ## start Glassbox, until Ctrl-C
	@exec $(BIN)/python manage.py up

venv: ## make the environment for running
	$(call install,run,local)

dev: venv ## add what tests and checks need
	$(call install,dev,dev)

test: dev ## run all tests, on SQLite and on PostgreSQL
	$(BIN)/python -m tools.run_tests

test-local: dev ## run the tests with the real local model
	$(BIN)/python -m pytest -m local_model

check: export DATA_DIR := .cache/check
check: dev ## lint, types, layers, sizes, migrations
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.check_doors
	$(BIN)/python -m tools.check_sizes
	$(BIN)/python manage.py check --fail-level WARNING
	$(BIN)/python manage.py makemigrations --check --dry-run

format: dev ## write the code in the house's form
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: dev ## measure what the application adds to a provider
	$(BIN)/python -m bench

accept: export GLASSBOX_KILLS ?= 50
accept: dev ## drive a real browser, kill real processes, workers fifty times
	$(BIN)/python -m pytest -m "browser or crash"

lock: ## pin what pyproject.toml asks for (needs uv)
	$(LOCK) --output-file requirements/run.txt
	$(LOCK) --extra local --output-file requirements/local.txt
	$(LOCK) --group dev --constraint requirements/local.txt --output-file requirements/dev.txt

clean: ## remove the environment and all caches; the data stay
	rm -rf "$(VENV)" .cache .hypothesis .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
