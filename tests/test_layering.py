"""The folders of the C++ core know each other in one direction only; import-linter holds the same for Python.

Import-linter does not see imports by string: they stand where this file says.
"""

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from sapwood.parts import PARTS

CORE = Path(__file__).parents[1] / "core"
PACKAGE = CORE.parent / "src" / "sapwood"

# From the bottom to the top: a folder may include folders of the lines before its own, and no folder of its own line.
LAYERS = (
    ("base",),
    ("text",),
    ("search",),
    ("learner", "features"),
    ("model", "kernel"),
    ("file",),
    ("tagging", "classifying", "ranking", "structured", "parsing", "clustering"),
    ("segmenting", "rewriting"),
    ("making", "pipeline"),
    ("bindings", "wasm"),
)
LEVELS = {folder: level for level, folders in enumerate(LAYERS) for folder in folders}

pytestmark = pytest.mark.skipif(not CORE.is_dir(), reason="the sources of the core are not here")


def test_files_may_hold_the_parts_that_pipelines_have():
    """The core's reader of files knows them from a table of its own."""
    source = (CORE / "file" / "model_reader.cpp").read_text(encoding="utf-8")
    table = source[source.index("kInside[] =") : source.index("}};", source.index("kInside[] ="))]
    known = set(re.findall(r'\{"(\w+)",\s+"([\w-]+)",\s+"(\w+)"', table))
    of_parser = {("parse", "tagger", "tag"), ("parse", "backward", "parse"), ("parse", "easy-first", "parse")}
    assert known == {*of_parser, *(("pipeline", part.name, part.task) for part in PARTS)}


def includes(text: str) -> list[str]:
    return re.findall(r'^#include "([^"]+)"', text, flags=re.MULTILINE)


def source_files() -> dict[str, list[str]]:
    """Return the files of the core, by name, with what each includes of it."""
    files = sorted(path for path in CORE.rglob("*") if path.suffix in {".hpp", ".cpp"})
    return {path.relative_to(CORE).as_posix(): includes(path.read_text(encoding="utf-8")) for path in files}


def runs_up(including: str, included: str) -> bool:
    """Say whether a file includes one of a folder that is not below its own."""
    above, below = (name.split("/")[0] for name in (including, included))
    return above != below and LEVELS[above] <= LEVELS[below]


def test_arrows_run_up_where_the_rule_says_so():
    assert not runs_up("learner/presenting.hpp", "search/search.hpp")
    assert not runs_up("search/viterbi.hpp", "search/search.hpp")
    assert runs_up("search/viterbi.hpp", "learner/learner.hpp")
    assert runs_up("tagging/tagger.cpp", "parsing/parser.hpp")


def test_every_folder_of_the_core_has_a_level():
    assert {path.name for path in CORE.iterdir() if path.is_dir()} == set(LEVELS)


def test_no_include_runs_up():
    files = source_files()
    assert len(files) > 100
    wrong = [f"{name} includes {other}" for name, others in files.items() for other in others if runs_up(name, other)]
    assert wrong == []


def test_files_include_each_other_in_no_circle():
    graph = {name: others for name, others in source_files().items() if name.endswith(".hpp")}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of headers: {' <- '.join(error.args[1])}")


def test_only_the_bindings_know_of_python():
    for path in CORE.rglob("*.[ch]pp"):
        if path.parent.name != "bindings":
            assert not re.search(r"#include <(nanobind/|Python\.h)", path.read_text(encoding="utf-8")), path


# Modules of sapwood are imported by their names where they are looked up in a table, or belong to an adapter.
BY_STRING = {
    "__init__.py": "what users import, on demand",
    "cli/app.py": "verbs, by the first word of a command",
    "loading.py": "tasks, by the task of a model file, and the estimator",
    "documents/doc.py": "documents of spaCy",
}


def test_imports_by_string_stand_in_the_tables_and_nowhere_else():
    by_string = re.compile(r"\b(import_module|__import__)\(")
    found = {path for path in PACKAGE.rglob("*.py") if by_string.search(path.read_text(encoding="utf-8"))}
    assert {path.relative_to(PACKAGE).as_posix() for path in found} == set(BY_STRING)
