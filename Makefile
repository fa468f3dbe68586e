# These targets do everything on a fresh machine with Python >= 3.11 and its headers. Without a C++20 compiler that of the package
# ziglang is fetched.
#     make build    set up .venv, install the package and the laboratory in it; a change of Python needs no other build
#     make demo     set up .venv, train, tag, parse, print a small table
#     make test     set up .venv, run the tests but for the slow ones; with SEED=N in the random order of this seed
#     make test-all set up .venv with the libraries of all extras, run all tests: first those of `make test`, then the slow ones
#     make docs     set up .venv, build the site in build/docs
#     make man      set up .venv, write the manual pages in build/man
#     make wheel    set up .venv, build the packages in dist and try them
#     make release  set up .venv, build wheels for Linux and macOS in dist/release; TARGETS are those of core/bindings/sapwood_build.py
#     make js       set up .venv, build the core for browsers, and the package for npm in dist/js; `make wheel` takes the core along
#     make lab-wheel build the laboratory alone in dist, a wheel for every system; it needs no compiler
# Set SAPWOOD_DATA to a folder with conll2000/ to use real data.

PYTHON ?= python3
BIN := .venv/bin
pip := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# The installation is editable: of the sources, only those of the core are compiled.
CORE := pyproject.toml lab/pyproject.toml CMakeLists.txt $(shell find core -type f)

# Prints the requirements of extras, which are installed without building the package again.
extras = $(BIN)/python -c "import sys, tomllib; all = tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']; \
	print(*(each for extra in sys.argv[1:] for each in all[extra]))" $(1)
# Prints what the packages are built with.
builders = $(BIN)/python -c "import sys, tomllib; \
	print(*(each for path in sys.argv[1:] for each in tomllib.load(open(path, 'rb'))['build-system']['requires']))" pyproject.toml lab/pyproject.toml

.PHONY: build demo test test-slow test-all lint docs man js wheel release lab-wheel sanitized core-test fuzz format clean

build: .venv/.installed

demo: .venv/.installed
	PYTHONPATH=. $(BIN)/python examples/demo.py

# In one order, which pyproject.toml asks for, or in a random one: the last -p counts. Tests of ten seconds and more are named.
pytest = $(BIN)/python -m pytest -n auto --dist worksteal --durations 20 --durations-min 10 $(if $(SEED),-p randomly --randomly-seed=$(SEED))

test: .venv/.installed-test
	$(pytest) -m "not slow" tests lab/tests lab/src measure papers recipes --pyargs sapwood

# What is slow and rarely fails, and ten times as many random inputs as the fast tests draw. ONE_IN=3: a third of these
# tests, which SEED chooses.
test-slow: .venv/.installed-test-all
	$(pytest) $(if $(ONE_IN),--one-in $(ONE_IN)) -m "slow or hypothesis" --hypothesis-profile thorough tests lab/tests

test-all: .venv/.installed-test-all
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory test-slow

lint: .venv/.installed-test .venv/.installed-lint
	$(BIN)/ruff check src lab measure papers recipes tests bench examples docs fuzz conftest.py
	$(BIN)/ruff format --check src lab measure papers recipes tests bench examples docs fuzz conftest.py
	$(BIN)/mypy --strict -p sapwood -p sapwood_lab -p papers -p recipes
	PYTHONPATH=src:lab/src:. $(BIN)/lint-imports --no-cache
	$(BIN)/clang-format --dry-run --Werror $$(find core tests/core fuzz -name '*.[ch]pp')

# The site, in build/docs, with a page that analyses texts. A warning is an error, and the examples of the pages run.
docs: .venv/.installed-docs .venv/.installed-js
	$(BIN)/python core/wasm/build.py
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs
	$(BIN)/sapwood page -o build/docs/try.html
	$(BIN)/python -m sphinx -q -W --keep-going -b doctest docs build/docs

# For `man -M build/man sapwood`.
man: .venv/.installed-docs
	$(BIN)/python docs/manual.py build/man/man1

# A wheel and a source distribution, in dist; the wheel is tried in an empty environment without compiler and network.
wheel: .venv/.installed-test .venv/.installed-release
	.ci/packages

# The C++ tests, and tests of what comes from outside, with the address and undefined-behaviour sanitizers.
sanitized: .venv/.installed-test
	.ci/sanitized

# Wheels of the stable ABI for Linux and macOS, all compiled here by the compiler of the package ziglang.
release: .venv/.installed .venv/.installed-release
	PYTHON=$(PYTHON) .ci/release $(TARGETS)

# The core for browsers, by the compiler of the package ziglang, for `sapwood page`; with sapwood.js it is a package for npm.
js: .venv/.installed-js
	$(BIN)/python core/wasm/build.py dist/js

# The laboratory alone, for every system.
lab-wheel:
	$(PYTHON) -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist ./lab

# Fuzzing by libFuzzer, under the sanitizers; it needs clang. See docs/fuzzing.md. INPUTS: the number of inputs, divided among the targets.
CLANG ?= clang++
INPUTS ?= 10000000
fuzz: .venv/.builders
	$(BIN)/cmake -S . -B build/fuzz -DCMAKE_CXX_COMPILER=$(CLANG) -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSAPWOOD_SANITIZE=ON -DSAPWOOD_FUZZ=ON
	$(BIN)/cmake --build build/fuzz --parallel 2
	$(BIN)/python fuzz/run.py run --inputs $(INPUTS)

format: .venv/.installed-lint
	$(BIN)/ruff check --fix src lab measure papers recipes tests bench examples docs fuzz conftest.py
	$(BIN)/ruff format src lab measure papers recipes tests bench examples docs fuzz conftest.py
	$(BIN)/clang-format -i $$(find core tests/core fuzz -name '*.[ch]pp')

# The C++ tests, with the address and undefined-behaviour sanitizers.
core-test: .venv/.builders
	$(BIN)/cmake -S . -B build/core-test -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSAPWOOD_SANITIZE=ON -DSAPWOOD_CORE_TESTS=ON
	$(BIN)/cmake --build build/core-test --parallel 2
	$(BIN)/ctest --test-dir build/core-test --parallel 2 --output-on-failure

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "sapwood needs Python 3.11 or later; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv

# Both packages are built without isolation, so what was compiled once serves again, also for `make wheel`.
.venv/.builders: .venv/bin/python pyproject.toml lab/pyproject.toml
	$(pip) cmake ninja editables $$($(builders))
	$(pip) cmake $$(PYTHONPATH=core/bindings $(BIN)/python -B -c "import sapwood_build; print(*sapwood_build.get_requires_for_build_editable())")
	@touch $@

.venv/.installed: .venv/.builders $(CORE)
	$(pip) --no-build-isolation -e . -e lab
	@touch $@

# Most of these packages are never imported as a whole, so their files are compiled when they are imported.
.venv/.installed-test: .venv/.installed
	$(pip) --no-compile $$($(call extras,test))
	@touch $@

.venv/.installed-test-all: .venv/.installed-test
	$(pip) --no-compile $$($(call extras,test-all))
	@touch $@

# What mypy reads beside the libraries of the tests.
.venv/.installed-lint: .venv/bin/python pyproject.toml
	$(pip) $$($(call extras,lint web figures))
	@touch $@

.venv/.installed-js: .venv/bin/python pyproject.toml
	$(pip) $$($(call extras,js))
	@touch $@

.venv/.installed-release: .venv/bin/python pyproject.toml
	$(pip) $$($(call extras,release))
	@touch $@

.venv/.installed-docs: .venv/.installed
	$(pip) $$($(call extras,docs sklearn spacy dask))
	@touch $@

clean:
	rm -rf .venv build dist
