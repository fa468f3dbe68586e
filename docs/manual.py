"""``sapwood man``: manual pages of all commands, from the options as declared."""

import argparse
import re
from functools import partial

from sapwood.cli.base.files import OutputFolder
from sapwood.cli.base.terminal import show
from sapwood.cli.base.verb import AllVerbs, Verb, parser_of
from sapwood.io.writing import make_folder, write_text
from sapwood.optional import require

MAN = """Write manual pages of all commands.

Each command has a page, 'man sapwood-train-tag' and so on; 'man sapwood' is the overview. man finds them in
~/.local/share/man/man1 and in any other folder man1 of its path. Needs argparse-manpage: pip install
'sapwood[completion]'.

Example:
  sapwood man -o ~/.local/share/man/man1
"""

# Characters that roff makes others of, lines of text that it would take for requests, and lines that it would fill.
_CHARACTERS = str.maketrans({"'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"})
_DOT = re.compile(r"^(?=\.(?!(TH|SH|TP|BR?)\b))", re.MULTILINE)
_INDENTED = re.compile(r"(^  .*\n)+", re.MULTILINE)


def _options(parser: argparse.ArgumentParser) -> None:
    folder = OutputFolder("text", "sapwood*.1")
    parser.add_argument("-o", "--output", type=folder, required=True, metavar="DIR", help="the folder to write to")


def _man(all_verbs: AllVerbs, output: str) -> None:
    require("argparse_manpage", "writing manual pages")
    folder = make_folder(output)
    pages = manual(all_verbs())
    for name, text in pages.items():
        write_text(folder / f"{name}.1", text, named=False)
    show(f"{output}: {len(pages)} pages")


def manual(verbs: dict[str, Verb]) -> dict[str, str]:
    """Return the manual pages as roff, by their names, the overview first."""
    overview = argparse.ArgumentParser("sapwood", usage="sapwood VERB ...", add_help=False)
    overview.add_argument("-V", "--version", action="store_true", help="print the version")
    commands, pages = overview.add_argument_group("commands"), {}
    for name, verb in verbs.items():
        page = f"sapwood-{name.replace(' ', '-')}"
        commands.add_argument(name, metavar=f"{page}(1)", help=verb.title)
        parser = parser_of(name, verb)
        parser._positionals.title = "arguments"
        formatter = parser._get_formatter()
        for action in parser._actions:  # with their defaults, which the library leaves out
            action.help = formatter._expand_help(action).replace("%", "%%")
        pages[page] = _page(page, verb.title, parser)
    return {"sapwood": _page("sapwood", "small, fast, explainable linear models for language", overview)} | pages


def _page(name: str, what: str, parser: argparse.ArgumentParser) -> str:
    from argparse_manpage.manpage import Manpage

    from sapwood import __version__

    parser.formatter_class = partial(argparse.HelpFormatter, width=1 << 20)  # roff breaks lines itself
    page = Manpage(parser)
    page.prog, page.description, page.date = name, what.removesuffix("."), ""
    page.source, page.manual = f"sapwood {__version__}", "sapwood"
    page.synopsis = [word.replace("-", r"\-") for word in page.synopsis]
    if name != "sapwood":
        page.add_section("see also", ">", ".BR sapwood (1)")
    roff = _DOT.sub(r"\\&", str(page).translate(_CHARACTERS))
    return _INDENTED.sub(lambda lines: f".nf\n{lines[0]}.fi\n", roff)


def verbs(all_verbs: AllVerbs) -> dict[str, Verb]:
    """Return the verb; `all_verbs` returns every verb that shall have a page, by its name."""
    return {"man": Verb(MAN, _options, partial(_man, all_verbs))}
