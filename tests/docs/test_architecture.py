"""docs/architecture.md: the files that it names are there, and symbols stand in the files they are said to be in."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FILE = r"`([\w./]+\.(?:py|hpp|cpp|toml|md))`"
SYMBOL = r"`([A-Za-z_]\w*(?:\.\w+)*(?<!\.py)(?<!\.hpp)(?<!\.cpp))(?:\(\))?`"
OF = re.compile(rf"{SYMBOL}(?: of| in|,)? \(?{FILE}")  # `symbol` of `file`, `symbol` (`file`)
AFTER = re.compile(rf"{FILE} \({SYMBOL}\)")
PAIRS = {m.groups() for m in OF.finditer(PAGE)} | {(m[2], m[1]) for m in AFTER.finditer(PAGE)}
SYMBOLS = sorted(pair for pair in PAIRS if "TASK" not in pair[1])
WRITTEN_BY_READERS = {"right_to_left_search.hpp"}  # in the guide to a search of one's own
FILES = sorted({name for name in re.findall(FILE, PAGE) if not re.search(r"TASK|NAME", name)} - WRITTEN_BY_READERS)

pytestmark = pytest.mark.skipif(not (ROOT / "core").is_dir(), reason="the sources are not here")


def places(name):
    """The files that a name may mean: a path, or the end of one, in the package, the core and beside them."""
    folders = ("src/sapwood", "core", "lab/src", "tests", "bench", "papers", "recipes", "measure", "docs", "")
    found = [ROOT / folder / name for folder in folders if (ROOT / folder / name).is_file()]
    return found or [path for folder in folders[:3] for path in (ROOT / folder).rglob(name)]


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_named_is_there(name):
    assert places(name), name


@pytest.mark.parametrize(("symbol", "name"), SYMBOLS)
def test_a_symbol_stands_in_its_file(symbol, name):
    last = symbol.rpartition(".")[2]
    assert any(re.search(rf"\b{last}\b", path.read_text(encoding="utf-8")) for path in places(name)), (symbol, name)


def test_many_symbols_are_looked_up():
    assert len(SYMBOLS) >= 12, SYMBOLS


def test_a_file_that_is_nowhere_is_missed():
    assert places("model/load.py") == []
