"""docs/bridge: whatever its pages name is there, and a row without a place says why."""

import ast
import re
from pathlib import Path

import pytest

from measure import experiment
from papers.__main__ import PROGRAM as PAPERS
from papers.__main__ import VERBS
from sapwood.cli.app import find_verb
from sapwood.cli.base.verb import parser_of
from sapwood_lab import command

ROOT = Path(__file__).parents[2]
HEADING = ["place", "what it says", "lab", "core", "verb", "test", "remark"]
FOLDERS = {"lab": "lab/src/sapwood_lab", "core": "core", "test": "tests"}
NONE = "–"


def tables(text):
    """The rows of a page's tables by their headings, as dicts of cells."""
    heading = None
    for line in text.splitlines():
        if not line.startswith("|"):
            heading = None
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if heading is None:
            heading = cells
        elif not set(line) <= set("|-: "):
            yield dict(zip(heading, cells, strict=True))


def python_names(path):
    """The functions, classes and methods of a file, the latter as Class.method."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
    return found


DEFINED = re.compile(r"\b(\w+)\((?:[^(){};]|\{\}|\([^(){};]*\))*\)\s*(?:const\s*)?(?:->[^{};]*)?\{")


def cpp_names(path):
    """The types of a file, and the functions that have their bodies there; a call is none."""
    code = re.sub(r"//.*", "", path.read_text())
    types = re.findall(r"\b(?:class|struct) (?:\w+::)?(\w+)\s*(?::[^;{}()]*)?\{", code)
    return {*types, *DEFINED.findall(code)}


def mistakes(row):
    """What is wrong with a row, as texts."""
    for column, folder in FOLDERS.items():
        if row[column] == NONE:
            continue
        reference = re.fullmatch(r"`([\w/]+\.(py|[ch]pp))::([\w.]+)`", row[column])
        if reference is None:
            yield f"{row[column]} is no `FILE::NAME`"
            continue
        file, name = f"{folder}/{reference[1]}", reference[3]
        file = re.sub("^tests/lab/", "lab/tests/", file)
        if not (ROOT / file).is_file():
            yield f"{file} is not there"
        elif name not in (python_names if reference[2] == "py" else cpp_names)(ROOT / file):
            yield f"{file} has no {name}"
        elif column == "test" and not name.startswith("test_"):
            yield f"{name} is no test"
    if row["verb"] != NONE:
        words = row["verb"].strip("`").split()
        if words[0] == "sapwood-lab":
            name, arguments = words[1], words[2:]
            known = command.parser_of(name)._option_string_actions
        elif words[:3] == PAPERS.split():
            name, arguments = words[3], words[4:]
            known = experiment.parser_of(name, VERBS[name])._option_string_actions
        else:
            name, verb, arguments = find_verb(words)
            known = parser_of(name, verb)._option_string_actions
        yield from (f"{name} has no {word}" for word in arguments if word.startswith("-") and word not in known)
    if NONE in row.values() and not row["remark"]:
        yield "a place is missing, and no reason is given"


PAGES = {path.stem: path.read_text() for path in sorted((ROOT / "docs" / "bridge").glob("*.md"))}
ROWS = [row for page in PAGES.values() for row in tables(page)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['place']}: {row['what it says']}")
def test_what_a_row_names_is_there(row):
    assert list(row) == HEADING
    assert list(mistakes(row)) == []


# Parts of other pages of the laboratory, and what comes from another source.
ELSEWHERE = {
    "__init__.py", "__main__.py", "arc_hybrid.py", "atoms.py", "binary/__init__.py", "binary/algorithms.py",
    "binary/exponents.py", "binary/problems.py", "eisner_against.py", "errors.py",
    "grammar.py", "label_scores.py", "options.py", "parsing.py",
    "readers.py", "step.py", "tagging.py", "trees.py", "viterbi_against.py",
}  # fmt: skip


def test_every_algorithm_of_the_laboratory_is_on_a_page():
    named = {reference for row in ROWS for reference in re.findall(r"[\w/]+\.py", row["lab"])}
    lab = ROOT / FOLDERS["lab"]
    files = {str(path.relative_to(lab)) for folder in (lab, lab / "binary") for path in folder.glob("*.py")}
    assert files == named | ELSEWHERE


def test_each_source_has_its_page_and_the_first_page_leads_to_it():
    first = PAGES["index"]
    sources = PAGES.keys() - {"index"}
    assert sources == {"goldberg-elhadad", "huang", "clark", "schneider", "dyer"}
    assert all(f"]({source}.md)" in first and f"\n{source}\n" in first for source in sources)
    assert all(len(list(tables(PAGES[source]))) >= 15 for source in sources)


GOOD = {
    "place": "1",
    "what it says": "f(x)",
    "lab": "`viterbi.py::ViterbiTagger.learn`",
    "core": "`search/viterbi.hpp::Viterbi`",
    "verb": "`train tag --order`",
    "test": "`lab/test_viterbi.py::test_viterbi_is_the_best_of_all_sequences`",
    "remark": "",
}


CALLED = "core/tagging/tagger_presenting.cpp has no path_difference"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"lab": "`hidden.py::viterbi`"}, "lab/src/sapwood_lab/hidden.py is not there"),
        ({"lab": "`viterbi.py::learn`"}, "lab/src/sapwood_lab/viterbi.py has no learn"),
        ({"core": "`search/viterbi.hpp::Soong`"}, "core/search/viterbi.hpp has no Soong"),
        ({"core": "`tagging/tagger_presenting.cpp::path_difference`"}, CALLED),
        ({"core": "Viterbi"}, "Viterbi is no `FILE::NAME`"),
        ({"test": "`lab/test_tagging.py::python_names`"}, "lab/tests/test_tagging.py has no python_names"),
        ({"verb": "`train tag --voted`"}, "train tag has no --voted"),
        ({"test": NONE}, "a place is missing, and no reason is given"),
    ],
)
def test_a_row_that_is_wrong_is_found(wrong, said):
    assert list(mistakes(GOOD)) == []
    assert list(mistakes(GOOD | wrong)) == [said]
