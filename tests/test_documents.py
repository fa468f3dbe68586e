"""README and pages: what they show is what their commands print, and what they only name exists."""

import ast
import builtins
import datetime
import doctest
import importlib.util
import json
import re
import shlex
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest

import papers.__main__ as papers
import recipes.en.__main__ as recipe
import sapwood
from sapwood.cli.app import find_verb, is_group
from sapwood.cli.base.verb import parser_of
from sapwood_lab import command as laboratory

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
TO_DO = [page for page in PAGES if page.name in ("README.md", "classification.md") or page.parent.name == "tutorials"]


def script(name):
    """A script of docs/ as a module."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)  # typing looks there for names of classes
    spec.loader.exec_module(module)
    return module


commands, measurements = script("commands"), script("measurements")


def name_of(page):
    return str(page.relative_to(ROOT))


# The pictures of the gallery are drawn, and its outputs compared, when the site is built.
RUN = [page for page in commands.pages() if page.name != "gallery.md"]


def test_the_version_is_that_of_the_changes():
    """What is not released yet is called .dev, and the package and its metadata say the same."""
    heading = re.search(r"^## (\S+)(.*)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    development = re.escape(heading[1]) + (r"\.dev\d+" if "unreleased" in heading[2] else "")
    assert re.fullmatch(development, sapwood.__version__)
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == sapwood.__version__


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_commands_print_what_the_page_shows(page, tmp_path):
    """After a change on purpose: python docs/commands.py --update, and look at what changed."""
    (tmp_path / "page").mkdir()
    assert [str(each) for each in commands.run(page, tmp_path / "page")] == []


@pytest.mark.parametrize("page", TO_DO, ids=name_of)
def test_what_a_reader_is_to_do_is_run(page):
    """README and tutorials have no code that does not run, but for the installation."""
    text = page.read_text()
    for language, begin, end in commands.blocks(text):
        block = text.split("\n")[begin:end]
        if language == "sh":
            assert all(line.startswith(("pip install ", "make ")) for line in block), block
        else:
            assert language in ("console", "pycon", "{toctree}"), block
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert re.findall(r"^    .*", prose, re.MULTILINE) == []


def named_commands(text):
    """The commands of a page in code that is not run, and in its sentences."""
    text = text.replace("\\\n", " ")
    lines = text.split("\n")
    names = "(?:sapwood|python -m|pip install|make)"
    for kind, begin, end in commands.blocks(text):
        if kind in ("console", "sh"):
            written = (line.removeprefix("$ ") for line in lines[begin:end] if kind == "sh" or line.startswith("$ "))
            yield from (
                line
                for line in written
                if line.startswith(("sapwood ", "sapwood-lab ", "python -m ", "pip install ", "make "))
            )
    names = "(?:sapwood|sapwood-lab|python -m|pip install|make)"
    yield from re.findall(rf"^    ({names} [^\n]*)", text, re.MULTILINE)
    yield from re.findall(rf"`({names} [^`\n]*)`", text)


# Data of the reader, which no page has.
YOURS = {"X_train", "y_train", "X_test", "y_test", "bag", "frame", "paths", "texts"}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_names_in_blocks_of_python_are_those_of_blocks_before(page):
    known = {*dir(builtins), *YOURS}
    for block in re.findall(r"^```(?:python|pycon|\{doctest\})\n(.*?)^```$", page.read_text(), re.M | re.S):
        code = "\n".join(re.findall(r"^(?:>>>|\.\.\.) ?(.*)$", block, re.M)) if ">>> " in block else block
        tree = list(ast.walk(ast.parse(code)))
        for node in tree:
            match node:
                case ast.Import(names=names) | ast.ImportFrom(names=names):
                    known |= {(each.asname or each.name).partition(".")[0] for each in names}
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.ExceptHandler(name=name) if name:
                    known.add(name)
                case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                    known.add(name)
        assert {node.id for node in tree if isinstance(node, ast.Name)} <= known


def defined_in(path):
    """Names that a Python file defines, also inside of classes; of a C++ file all of its words."""
    if path.suffix != ".py":
        return set(re.findall(r"\w+", path.read_text()))
    defined = re.findall(r"^ *(?:def|class) (\w+)|^ *(\w+)(?:: [^=\n]+)? = |(?<=, )(\w+) = ", path.read_text(), re.M)
    return set(chain.from_iterable(defined))


def test_symbols_of_the_page_on_how_sapwood_works_are_where_it_says():
    """Both `NAME` of `FILE` and `FILE` (`NAME`); other words of its first table are defined somewhere."""
    page = (DOCS / "architecture.md").read_text()
    pairs = re.findall(r"`(\w+)` (?:of|in) `([\w/]+\.(?:py|hpp|cpp))`", page)
    pairs += [(name, path) for path, name in re.findall(r"`([\w/]+\.(?:py|hpp|cpp))` \(`(\w+)`\)", page)]
    assert len(pairs) > 10
    for name, path in pairs:
        files = [folder / path for folder in (ROOT, ROOT / "src" / "sapwood") if (folder / path).is_file()]
        assert files and name in defined_in(files[0]), (name, path)
    known = set().union(*map(defined_in, (ROOT / "src" / "sapwood").rglob("*.py")))
    known |= set().union(*map(defined_in, (ROOT / "core").rglob("*.hpp")))
    table = page[page.index("## Where do I put") : page.index("## The loop")]
    words = {word for word in re.findall(r"`([A-Za-z_]\w*)`", table) if word != word.lower() or "_" in word}
    assert words - {"NAME_search"} <= known


# They name data of the reader, clusters, or libraries to come from.
NOT_HERE = {"coming-from.md", "dask.md", "spacy.md"}
PYTHON = [page for page in PAGES if "```python\n" in page.read_text() and page.name not in NOT_HERE]


@pytest.mark.parametrize("page", PYTHON, ids=name_of)
def test_blocks_of_python_run_and_print_what_the_page_shows(page, tmp_path, monkeypatch):
    """Those of a page run in their order, in one namespace."""
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
        if ">>> " not in block:
            exec(compile(block, page.name, "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), 0)
        assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, clear_globs=False).failed == 0
        names |= test.globs


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_and_options_that_a_page_names_exist(page):
    projects = [tomllib.loads((ROOT / each / "pyproject.toml").read_text())["project"] for each in (".", "lab")]
    extras = set().union(*(project["optional-dependencies"] for project in projects))
    targets = re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for command in named_commands(page.read_text()):
        if command.startswith("pip install"):
            assert set(re.findall(r"\[(\w+)\]", command)) <= extras, command
        elif command.startswith("make "):
            assert re.match(r"make ([\w-]+)", command)[1] in targets, command
        elif command.startswith("python -m "):
            check_module(command)
        else:
            check_options(command)


def check_module(command):
    """Fail if a module that a command runs does not exist, or a table or option of what is measured."""
    module, *words = command.split()[2:]
    assert importlib.util.find_spec(module), command
    verbs = {"papers": papers.VERBS, "recipes.en": {"": recipe.EXPERIMENT.verb(recipe.PROGRAM)}}.get(module)
    if verbs is None or (module == "papers" and words[:1] in ([], ["NAME"], ["..."])):
        return
    name = words.pop(0) if module == "papers" else ""
    known = parser_of(name, verbs[name])._option_string_actions
    assert {word for word in words if word.startswith("--")} <= known.keys(), command


def check_options(command):
    """Raise OptionError or fail if the verb or one of its options does not exist."""
    program, *words = shlex.split(re.split(r"\s[#|<>&;]|;", command)[0])
    if program == "sapwood-lab":
        options = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert options <= laboratory.parser_of(words[0])._option_string_actions.keys(), command
        return
    if words[0] in ("--version", "VERB") or (is_group(words[0]) and words[1:2] in ([], ["..."])):
        return
    seconds = words[1].split("|") if is_group(words[0]) else []  # 'train tag|classify' names two
    for each in [[words[0], second, *words[2:]] for second in seconds] or [words]:
        name, verb, arguments = find_verb(each)
        known = parser_of(name, verb)._option_string_actions
        options = {word.partition("=")[0] for word in arguments if re.match(r"--?[a-z]", word)}
        assert options <= known.keys(), command


PAGE = """\
```console
$ echo a; echo b
b

$ cat > c <<E
c d
E
$ cat c | head -1
```

```pycon
>>> 1 + 1
```
"""


def test_a_wrong_output_is_found_and_written(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    (tmp_path / "folder").mkdir()
    different = commands.run(page, tmp_path / "folder")
    assert [each.got for each in different] == [["a", "b"], ["c d"], ["2"]]
    commands.update(different)
    right = PAGE.replace("b\nb\n\n", "b\na\nb\n").replace("-1\n", "-1\nc d\n").replace("+ 1\n", "+ 1\n2\n")
    assert page.read_text() == right


def test_a_statement_may_hold_empty_lines(tmp_path):
    """A formatter writes "..." between the methods of a class."""
    text = "```pycon\n>>> class A:\n...     a = 1\n...\n...     b = 2\n>>> A.b\n2\n>>> print('a')\n...\n```\n"
    sources = [step.source for step in commands.steps(text)]
    assert sources == ["class A:\n    a = 1\n\n    b = 2", "A.b", "print('a')"]
    (tmp_path / "a.md").write_text(text)
    assert commands.run(tmp_path / "a.md", tmp_path) == []


def test_a_command_that_fails_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```console\n$ false | cat\n```\n")
    (tmp_path / "folder").mkdir()
    assert len(commands.run(page, tmp_path / "folder")) == 1


@pytest.mark.parametrize("page", measurements.PAGES, ids=name_of)
def test_tables_are_those_of_the_files(page):
    """After a new measurement: python docs/measurements.py --update."""
    text = page.read_text()
    assert measurements.assemble(text) == text


@pytest.mark.parametrize("file", sorted((DOCS / "measurements").iterdir()), ids=lambda file: file.stem)
def test_a_file_of_measurements_says_where_it_is_from(file):
    found = json.loads(file.read_text())
    measuring = r"python -m (papers [\w-]+|recipes\.(en|languages?)|bench\.[\w.]+)|python tests/(attacks|model)/\w+\.py"
    assert re.fullmatch(f"({measuring})( .*)?", found["command"])
    assert datetime.date.fromisoformat(found["date"])
    assert found["version"]
    assert found["rows"]


@pytest.mark.parametrize("page", [*PAGES, *ROOT.glob("[A-Z]*.md")], ids=name_of)
def test_links_to_files_lead_to_files(page):
    """Sphinx looks at links of the site and at their headings; these are all, as a reader of the files follows them."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose):
        assert link.startswith(("https://", "mailto:")) or (page.parent / link).exists(), link
    for path in re.findall(r"`((?:docs|bench|examples|tests|src/sapwood|core)/[\w./-]+)`", prose):
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("module", [commands, measurements], ids=lambda module: module.__name__)
def test_examples_in_scripts_are_right(module):
    assert doctest.testmod(module).failed == 0
