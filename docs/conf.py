"""The site that `make docs` builds: the pages of this folder, and the reference out of the docstrings."""

import os
import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

import sapwood
from sapwood.cli.app import all_verbs
from sapwood.cli.base.verb import parser_of

project = "sapwood"
author = "The sapwood developers"
copyright = "The sapwood developers"
version = release = sapwood.__version__

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS), str(DOCS.parent)]  # directives.py, and papers, whose figures are drawn
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.doctest", "directives"]
myst_heading_anchors = 3
default_role = "code"
smartquotes = False
nitpicky = False

html_theme = "furo"
html_title = f"sapwood {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#8a4b1f", "color-brand-content": "#8a4b1f"},
    "dark_css_variables": {"color-brand-primary": "#e0a070", "color-brand-content": "#e0a070"},
}

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_type_aliases = {"Conll2018Report": "sapwood.metrics.Conll2018Report"}  # which has a module of its own here
autodoc_default_options = {"members": True, "inherited-members": "BaseEstimator,Exception,tuple,object"}
maximum_signature_line_length = 80
suppress_warnings = ["ref.python"]  # overloads have names as they stand there, and some are in two modules

# The blocks in the pages are tested here; those in docstrings are tested by pytest.
doctest_test_doctest_blocks = ""
doctest_global_setup = "import sapwood"

_OPTION = re.compile(r"^(\w[\w, *]*) : ")
_MARKUP = re.compile(r"(?<![`\w])(\|\w+\||\w+_)(?![`\w])")  # |D| is a size and coef_ a name; neither refers to anything


def format_docstring(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Make definitions of lines "name : what it is" and headings of underlined lines."""
    if lines and lines[0].startswith("Alias for field number"):  # Python's words for a field of a named tuple
        lines.clear()
    formatted: list[str] = []
    in_list = False
    for line in lines:
        if line and formatted and len(line) == len(formatted[-1]) and not line.strip("-"):
            formatted[-1:] = [f".. rubric:: {formatted[-1]}", ""]
            continue
        if _OPTION.match(line):
            if not in_list and formatted and formatted[-1]:
                formatted.append("")
            in_list = True
        elif in_list and line and not line.startswith(" "):
            in_list = False
            if formatted[-1]:
                formatted.append("")
        if option := _OPTION.match(line):
            is_type = ", default " in line  # what the option is stands below
            rest = line[option.end() :]
            formatted += [f"``{option[1]}`` : {rest}"] if is_type else [f"``{option[1]}``", f"    {rest}"]
        else:
            formatted.append(line)
    lines[:] = [_MARKUP.sub(lambda found: found[1].replace("|", r"\|").replace("_", r"\_"), line) for line in formatted]


def add_commands(app: Sphinx, page: str, text: list[str]) -> None:
    """Put the help of every command below the page of the command line."""
    if page == "command-line":
        os.environ["COLUMNS"] = "88"
        for name, verb in all_verbs().items():
            shown = parser_of(name, verb).format_help().rstrip()
            text[0] += f"\n## sapwood {name}\n\n```text\n{shown}\n```\n"


_CELLS = re.compile(r"(?<!\\)\|")  # between them


def stack_places(app: Sphinx, page: str, text: list[str]) -> None:
    """Put the four places of a row of the bridge into one cell, under each other, so that its tables fit a screen."""
    if not page.startswith("bridge/"):
        return
    lines = text[0].split("\n")
    for number, line in enumerate(lines):
        if line.startswith("|"):
            place, says, *places, remark = (cell.strip() for cell in _CELLS.split(line)[1:-1])
            if says == "what it says":
                stacked = "lab, core, verb, test"
            elif place.startswith("-"):
                stacked = "---"
            else:
                stacked = "<br>".join(cell for cell in places if cell != "–") or "–"
            lines[number] = f"| {place} | {says} | {stacked} | {remark} |"
    text[0] = "\n".join(lines) + '\n\n<div class="bridge"></div>\n'


def setup(app: Sphinx) -> None:
    """Connect what changes docstrings and pages."""
    app.connect("autodoc-process-docstring", format_docstring)
    app.connect("source-read", add_commands)
    app.connect("source-read", stack_places)
