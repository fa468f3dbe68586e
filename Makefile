# These targets do everything on a fresh machine (Python >= 3.11 and a C++20 compiler):
#     make demo     set up .venv, train, tag, parse, print a small table
#     make test     set up .venv, run every test; with SEED=N in the random order of this seed
#     make docs     set up .venv, build the site in build/docs
#     make man      set up .venv, write the manual pages in build/man
#     make wheel    set up .venv, build the packages in dist and try them
# Set SAPWOOD_DATA to a folder with conll2000/ to use real data.

PYTHON ?= python3
BIN := .venv/bin
SOURCES := pyproject.toml CMakeLists.txt $(shell find core src -type f ! -name '*.pyc')

# Prints the requirements of an extra, which are installed without building the package again.
extra = $(BIN)/python -c "import tomllib; \
	print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['$(1)'])"

.PHONY: demo test lint docs man wheel core-test fuzz format clean

demo: .venv/.installed
	$(BIN)/python examples/demo.py

# In one order, which pyproject.toml asks for, or in a random one: the last -p counts.
test: .venv/.installed-test
	$(BIN)/python -m pytest -n auto --dist worksteal $(if $(SEED),-p randomly --randomly-seed=$(SEED)) tests --pyargs sapwood

lint: .venv/.installed-test .venv/.installed-lint
	$(BIN)/ruff check src tests bench examples docs fuzz
	$(BIN)/ruff format --check src tests bench examples docs fuzz
	$(BIN)/mypy --strict -p sapwood
	PYTHONPATH=src $(BIN)/lint-imports --no-cache
	$(BIN)/clang-format --dry-run --Werror $$(find core tests/core fuzz -name '*.[ch]pp')

# The site, in build/docs. A warning is an error, and the examples of the pages run.
docs: .venv/.installed-docs
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs
	$(BIN)/python -m sphinx -q -W --keep-going -b doctest docs build/docs

# For `man -M build/man sapwood`.
man: .venv/.installed
	$(BIN)/sapwood man -o build/man/man1

# A wheel and a source distribution, in dist; the wheel is tried in an empty environment without compiler and network.
wheel: .venv/.installed .venv/.installed-release
	.ci/packages

# Fuzzing by libFuzzer, under the sanitizers; it needs clang. See docs/fuzzing.md. INPUTS: the number of inputs, divided among the targets.
CLANG ?= clang++
INPUTS ?= 10000000
fuzz: .venv/.installed-lint
	$(BIN)/cmake -S . -B build/fuzz -DCMAKE_CXX_COMPILER=$(CLANG) -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSAPWOOD_SANITIZE=ON -DSAPWOOD_FUZZ=ON
	$(BIN)/cmake --build build/fuzz --parallel 2
	$(BIN)/python fuzz/run.py run --inputs $(INPUTS)

format: .venv/.installed-lint
	$(BIN)/ruff check --fix src tests bench examples docs fuzz
	$(BIN)/ruff format src tests bench examples docs fuzz
	$(BIN)/clang-format -i $$(find core tests/core fuzz -name '*.[ch]pp')

# The C++ tests, with the address and undefined-behaviour sanitizers.
core-test: .venv/.installed-lint
	$(BIN)/cmake -S . -B build/core-test -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSAPWOOD_SANITIZE=ON -DSAPWOOD_CORE_TESTS=ON
	$(BIN)/cmake --build build/core-test --parallel 2
	$(BIN)/ctest --test-dir build/core-test --parallel 2 --output-on-failure

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "sapwood needs Python 3.11 or later; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@command -v c++ >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null || \
		{ echo "sapwood needs a C++20 compiler, g++ 11 or clang 17 or later"; exit 1; }
	$(PYTHON) -m venv .venv

# What is tested is the wheel, not the sources.
.venv/.installed: .venv/bin/python $(SOURCES)
	rm -rf build/wheel
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build/wheel .
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --force-reinstall build/wheel/*.whl
	@touch $@

.venv/.installed-test: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $$($(call extra,test))
	@touch $@

.venv/.installed-lint: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $$($(call extra,lint)) cmake
	@touch $@

.venv/.installed-release: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $$($(call extra,release))
	@touch $@

.venv/.installed-docs: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $$($(call extra,docs)) $$($(call extra,sklearn)) $$($(call extra,spacy)) $$($(call extra,dask))
	@touch $@

clean:
	rm -rf .venv build dist
