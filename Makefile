# Everything runs from here, on a machine with Python 3.11 or later and make. The first run makes .venv;
# later runs find it ready and start at once. ARGS passes on to the program: make test ARGS="-k nun".

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
COMPILE := $(BIN)/python tools/build_ext.py
PAGE := $(BIN)/python -m tools.page
AT_ONCE := $(MAKE) --no-print-directory -j2
unexport PYTHONDONTWRITEBYTECODE # without kept bytecode every start would compile all tests and tools again
DATA := $(or $(XDG_DATA_HOME),$(HOME)/.local/share)/preau

.DEFAULT_GOAL := help
.PHONY: help play test nightly bench pictures lint lint-python lint-page audit format docs build page ready wasm site wheel clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

play: ## play in the browser, at tables kept in ~/.local/share/preau
	@$(PYTHON) tools/set_up.py play node
	@$(COMPILE)
	@$(PAGE) build
	@mkdir -p "$(DATA)"
	@$(BIN)/preau serve --open --log-level warning --database "sqlite:///$(DATA)/preau.db" $(ARGS)

# Three processes share all tests, one with the browser, which is mostly waiting, and two with the rest; those that ARGS
# asks for run in this one.
test: JOBS ?= $(if $(ARGS),0,3)
test: ready ## run the tests (about a quarter of an hour)
	@$(BIN)/python -m pytest -n $(JOBS) --maxprocesses 8 $(ARGS)

nightly: JOBS ?= 0
nightly: ready ## run the tests that take long, and those by example with new examples
	@$(BIN)/python -m pytest -n $(JOBS) --maxprocesses 8 -m "nightly or hypothesis" --hypothesis-profile nightly -o faulthandler_timeout=7200 $(ARGS)

bench: ready ## measure rules, search and server beside their peers, and the page
	@$(BIN)/python -m benchmarks $(ARGS)
	@$(BIN)/python -m benchmarks.environments
	@$(BIN)/python -m benchmarks.search all
	@$(BIN)/python -m benchmarks.load
	@$(BIN)/python -m benchmarks.page

pictures: ready ## show every screen of the page, into pictures/
	@$(BIN)/python -m tests.page.pictures $(ARGS)

lint: ## check style and types
	@$(PYTHON) tools/set_up.py dev node
	@$(AT_ONCE) lint-python lint-page

lint-python:
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

lint-page:
	@$(BIN)/python -m tools.typescript --check
	@$(PAGE) lint

audit: page ## ask the registries what is known against the packages that are used
	@$(BIN)/python -m tools.audit $(ARGS)

format: ## put the source in its usual form
	@$(PYTHON) tools/set_up.py dev node
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .
	@$(BIN)/python -m tools.typescript
	@$(PAGE) format

docs: ## build the documentation into site/
	@$(PYTHON) tools/set_up.py docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict $(ARGS) # with --quiet it would not see its own warnings
	@echo "open site/index.html"

build: ## get .venv ready and compile the rules in place
	@$(PYTHON) tools/set_up.py dev
	@$(COMPILE)

page: ## build the page into the server
	@$(PYTHON) tools/set_up.py play node
	@$(PAGE) build

ready:
	@$(AT_ONCE) build page
	@$(BIN)/python -m tools.browser
	@$(BIN)/python -m tools.proxies

wasm: ## compile the rules for the page's own Python as well, and put them beside the page
	@$(PYTHON) tools/set_up.py play node wasm
	@$(COMPILE)
	@$(BIN)/python -m tools.wasm
	@$(PAGE) build

site: page ## build the page as a site of files into dist/site, for any host: games on the device, no server
	@$(BIN)/python -m tools.site $(or $(ARGS),dist/site)

wheel: page ## build wheels into dist/: compiled for this machine, and in dist/pure plain for all
	@$(PYTHON) tools/set_up.py build
	@$(BIN)/python tools/wheels.py

clean: ## remove everything that was made here
	rm -rf .venv build dist site pictures web/node_modules src/preau/server/static src/preau/pictures/made .mypy_cache .ruff_cache .pytest_cache .hypothesis src/*.egg-info
	find src -name '*.so' -delete
	find . -name __pycache__ -prune -exec rm -rf {} +
