"""What pages of the site hold beside text: pictures that are drawn when it is built, and text out of files."""

import ast
import base64
import contextlib
import html
import inspect
import io
import json
import shutil
import tempfile
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import commands  # the file beside this one
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from papers.contents import EXPERIMENTS
from sapwood_lab.draw.search_pictures import grammar_picture, search_picture
from sapwood_lab.draw.step_pictures import svg_step
from sapwood_lab.grammar import Grammar
from sapwood_lab.walks.small import small_treebank
from sapwood_lab.walks.walk import make_walk

DOCS = Path(__file__).resolve().parent


class Algorithm(SphinxDirective):
    """The text and pseudocode at the top of a file of the laboratory, and beside the pseudocode, folded, the code."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return them, with the name of the file behind them."""
        name = self.arguments[0]
        module = import_module("sapwood_lab." + name.replace("/", "."))
        self.env.note_dependency(str(module.__file__))
        file = f"\n\nThe file is ``lab/src/sapwood_lab/{name}.py``."
        parsed = self.parse_text_to_nodes(inspect.cleandoc(module.__doc__ or "") + file)
        blocks = [block for node in parsed for block in node.findall(nodes.literal_block)]
        for block in blocks:  # pseudocode, where an apostrophe opens no string
            block["language"] = "none"
        beside = parsed.index(blocks[0]) + 1 if blocks and blocks[0] in parsed else len(parsed) - 1
        parsed[beside:beside] = _folded(f"the code, {name}.py", _code_of(module))
        return parsed


def _code_of(module: ModuleType) -> str:
    """Return the source of a module below its docstring."""
    source = inspect.getsource(module)
    return "\n".join(source.splitlines()[ast.parse(source).body[0].end_lineno or 0 :]).strip("\n")


def _folded(summary: str, code: str) -> list[nodes.Node]:
    """Return Python code that a click unfolds."""
    opened = f'<details class="code"><summary>{html.escape(summary)}</summary>'
    block = nodes.literal_block(code, code, language="python")
    return [nodes.raw("", opened, format="html"), block, nodes.raw("", "</details>", format="html")]


class StepPicture(SphinxDirective):
    """A picture of an update of the laboratory: the example, the algorithm, and the number of the update.

    With the option ``search`` it is what the search saw, alone.
    """

    required_arguments = 3
    option_spec: ClassVar = {"search": directives.flag}

    def run(self) -> list[nodes.Node]:
        """Train up to that update, and draw it."""
        example, algorithm, number = self.arguments
        steps = make_walk(example, algorithm).steps()
        draw = search_picture if "search" in self.options else svg_step
        svg = draw(next(islice(steps, int(number) - 1, None)))
        return [nodes.raw("", f'<div style="overflow-x:auto">{svg}</div>', format="html")]


class GrammarPicture(SphinxDirective):
    """A picture of the chart of one of the six small sentences, by the grammar of all six."""

    required_arguments = 1  # the number of the sentence

    def run(self) -> list[nodes.Node]:
        """Read the grammar off, and draw the chart."""
        bank = small_treebank()
        grammar = Grammar(vertical=1).fit([sentence.tree for sentence in bank])
        svg = grammar_picture(grammar, bank[int(self.arguments[0]) - 1].words)
        return [nodes.raw("", f'<div style="overflow-x:auto">{svg}</div>', format="html")]


class Made(SphinxDirective):
    """A picture (.svg) or page (.html) that the commands of this page have written, and what it shows in words."""

    required_arguments = 1
    option_spec: ClassVar = {"height": directives.unchanged}  # a length as in CSS, for pages
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Run the commands of the page, unless that was done, and show the file."""
        made = _run(Path(self.env.doc2path(self.env.docname))) / self.arguments[0]
        shown = _shown(made, " ".join(self.content), self.options.get("height", ""))
        return [nodes.raw("", shown, format="html")]


class Measured(SphinxDirective):
    """The figure of an experiment, out of its file in measurements/, and what it shows in words."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Draw it."""
        name = self.arguments[0]
        file = DOCS / "measurements" / f"{name}.json"
        self.env.note_dependency(str(file))
        rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
        with tempfile.TemporaryDirectory() as scratch:
            picture = Path(scratch, "figure.svg")
            import_module(EXPERIMENTS[name].module).draw(rows, str(picture))
            return [nodes.raw("", _shown(picture, " ".join(self.content)), format="html")]


class CodeCell(SphinxDirective):
    """A cell of a notebook in MyST's format: its code, and what it prints and gives."""

    optional_arguments = 1  # the language
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Run the cell after those above it, in one name space for the page."""
        source = "\n".join(self.content)
        printed, value = _evaluated(source, _variables(self.env.docname))
        shown: list[nodes.Node] = [nodes.literal_block(source, source, language="python")]
        if printed:
            shown.append(nodes.literal_block(printed, printed, language="none"))
        if hasattr(value, "_repr_html_"):
            shown.append(nodes.raw("", f'<div class="output">{value._repr_html_()}</div>', format="html"))
        elif value is not None:
            shown.append(nodes.literal_block(repr(value), repr(value), language="none"))
        return shown


@cache
def _variables(page: str) -> dict[str, object]:
    return {"__name__": "__main__"}


def _evaluated(source: str, variables: dict[str, object]) -> tuple[str, object]:
    """Run code. Return what it printed, and the value of its last line if that is an expression."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "<cell>", "exec"), variables)
        value = eval(compile(last, "<cell>", "eval"), variables) if last else None
    return printed.getvalue(), value


@cache
def _run(page: Path) -> Path:
    """Run the commands of a page and return the folder with what they wrote. Raises ValueError for another output."""
    folder = Path(_SCRATCH, page.stem)
    folder.mkdir()
    if different := commands.run(page, folder):
        raise ValueError("\n".join(map(str, different)))
    return folder


def _shown(file: Path, text: str, height: str = "") -> str:
    """Return a picture as part of a page of HTML, and a page in a frame of its own."""
    alt, content = html.escape(text), file.read_text(encoding="utf-8")
    if file.suffix == ".html":
        style = f' style="height: {html.escape(height)}"' if height else ""
        return f'<iframe class="made" title="{alt}"{style} srcdoc="{html.escape(content)}" loading="lazy"></iframe>'
    data = base64.b64encode(content.encode()).decode()
    return f'<img class="made" alt="{alt}" src="data:image/svg+xml;base64,{data}">'


_SCRATCH = tempfile.mkdtemp(prefix="sapwood-docs-")


def setup(app: Sphinx) -> None:
    """Add the directives."""
    app.add_directive("algorithm", Algorithm)
    app.add_directive("step-picture", StepPicture)
    app.add_directive("grammar-picture", GrammarPicture)
    app.add_directive("made", Made)
    app.add_directive("measured", Measured)
    app.add_directive("code-cell", CodeCell)
    app.connect("build-finished", lambda app, error: shutil.rmtree(_SCRATCH, ignore_errors=True))
