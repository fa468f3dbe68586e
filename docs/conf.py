"""The site that `make docs` builds: the pages of this folder, and the reference out of the docstrings."""

import inspect
import os
import re
from importlib import import_module
from itertools import islice

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import sapwood
from sapwood.cli.app import all_verbs, parser_of
from sapwood.draw.step_pictures import svg_step
from sapwood.experiments.steps import make_walk

project = "sapwood"
author = "The sapwood developers"
copyright = "The sapwood developers"
version = release = sapwood.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.doctest"]
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


class Algorithm(SphinxDirective):
    """The text and pseudocode at the top of a file of the laboratory."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return it, with the name of the file behind it."""
        name = self.arguments[0]
        module = import_module(f"sapwood.lab.{name}")
        file = f"\n\nThe file is ``src/sapwood/lab/{name}.py``."
        parsed = self.parse_text_to_nodes(inspect.cleandoc(module.__doc__ or "") + file)
        for node in parsed:
            for block in node.findall(nodes.literal_block):  # pseudocode, where an apostrophe opens no string
                block["language"] = "none"
        return parsed


class StepPicture(SphinxDirective):
    """A picture of an update of the laboratory: the example, the algorithm, and the number of the update."""

    required_arguments = 3

    def run(self) -> list[nodes.Node]:
        """Train up to that update, and draw it."""
        example, algorithm, number = self.arguments
        steps = make_walk(example, algorithm).steps()
        svg = svg_step(next(islice(steps, int(number) - 1, None)))
        return [nodes.raw("", f'<div style="overflow-x:auto">{svg}</div>', format="html")]


def add_commands(app: Sphinx, page: str, text: list[str]) -> None:
    """Put the help of every command below the page of the command line."""
    if page == "command-line":
        os.environ["COLUMNS"] = "88"
        for name, verb in all_verbs().items():
            shown = parser_of(name, verb).format_help().rstrip()
            text[0] += f"\n## sapwood {name}\n\n```text\n{shown}\n```\n"


def setup(app: Sphinx) -> None:
    """Connect what changes docstrings and pages, and the pictures of updates."""
    app.add_directive("algorithm", Algorithm)
    app.add_directive("step-picture", StepPicture)
    app.connect("autodoc-process-docstring", format_docstring)
    app.connect("source-read", add_commands)
