"""Rules for all tests: some are slow, and some are skipped as a library of the extra `test-all` is missing."""

import gc
import os
import re
import sys
from collections import defaultdict
from importlib.util import find_spec
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

# What Python compiles is kept, whatever the environment asks for: hundreds of tests start a process, and each would
# compile the package anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The same inputs in every run, and no judgement of the time that they take: that is the load of the machine. Few are
# drawn for the fast tests; the slow run draws many for the same tests.
settings.register_profile(
    "fast", deadline=None, derandomize=True, max_examples=10, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("fast"), max_examples=100)
settings.load_profile("fast")

# Import names of that extra, and of what its libraries bring and tests import.
LIBRARIES = (
    "cairosvg", "dask", "distributed", "fastapi", "h11", "httpx2", "ipykernel", "jinja2", "jupytext", "markupsafe",
    "matplotlib", "nbclient", "openapi_schema_validator", "openapi_spec_validator", "pandas", "playwright", "pyarrow",
    "pycrfsuite", "pydantic", "pydantic_core", "scipy", "seqeval", "sklearn", "spacy", "srsly", "starlette", "udtools",
    "uvicorn",
)  # fmt: skip
ADAPTERS = {"dask": "distributed", "sklearn": "sklearn", "spacy": "spacy", "web": "fastapi"}
REASON = "needs {}, of the extra test-all"


def pytest_ignore_collect(collection_path):
    """Leave the examples in an adapter's modules out if its library is missing."""
    adapter = ADAPTERS.get(collection_path.name) if collection_path.parent.name == "sapwood" else None
    return True if adapter and find_spec(adapter) is None else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path):
    """Look for examples in docstrings outside the tests only, which have none."""
    collectors = yield
    return [each for each in collectors if "tests" not in file_path.parts or type(each).__name__ != "DoctestModule"]


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep what is collected out of the garbage collector, which would look at all of it again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_addoption(parser):
    """Add --one-in, which runs a part of the tests."""
    parser.addoption("--one-in", type=int, default=1, help="run one of so many tests; the variable SEED chooses them")


@pytest.hookimpl(tryfirst=True)  # before -m leaves out what is slow
def pytest_collection_modifyitems(config, items):
    """Keep n variations of a test that is marked with few(n) fast, as far apart as can be; the others become slow.

    With --one-in some of all tests are kept, the same in every process.
    """
    variations = defaultdict(list)
    for item in items:
        if mark := item.get_closest_marker("few"):
            variations[item.path, item.originalname, mark.args[0]].append(item)
    for (_, _, few), found in variations.items():
        fast = {k * len(found) // few for k in range(few)}
        for item in (item for k, item in enumerate(found) if k not in fast):
            item.add_marker(pytest.mark.slow)
    one_in, seed = config.getoption("--one-in"), os.environ.get("SEED", "")
    items[:] = [item for item in items if crc32(f"{seed} {item.nodeid}".encode()) % one_in == 0]


def _lacking(error: BaseException | None) -> str | None:
    """Return the library whose absence led to an exception, or None if it was something else."""
    while error is not None:
        library = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else None
        if library in LIBRARIES:
            return library
        if needed := re.search(r" needs (\S+): pip install 'sapwood\[", str(error)):  # an OptionError of an adapter
            return needed[1]
        error = error.__cause__ or error.__context__
    return None


def _skip_if_lacking(report, call, path):
    if call is not None and call.excinfo is not None and (library := _lacking(call.excinfo.value)):
        report.outcome, report.longrepr = "skipped", (str(path), 0, REASON.format(library))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Skip a module that cannot be imported without such a library."""
    report = yield
    return _skip_if_lacking(report, getattr(report, "call", None), collector.path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Skip a test that imports such a library."""
    report = yield
    return _skip_if_lacking(report, call, item.path)


def pytest_terminal_summary(terminalreporter):
    """Name the libraries for want of which tests were skipped."""
    reasons = [str(each.longrepr) for each in terminalreporter.stats.get("skipped", [])]
    found = [re.search(REASON.format(r"([\w-]+)"), reason) for reason in reasons]
    if lacking := sorted({each[1] for each in found if each}):
        terminalreporter.write_line(f"Skipped for want of {', '.join(lacking)}, which `make test-all` installs.")
