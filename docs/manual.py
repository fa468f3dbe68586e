"""Writes the manual pages of all commands, from the options as declared: python docs/manual.py FOLDER

Each command has a page, 'man sapwood-train-tag' and so on; 'man sapwood' is the overview. man finds them in
~/.local/share/man/man1 and in any other folder man1 of its path.
"""

import argparse
import re
import sys
from functools import partial
from pathlib import Path

from argparse_manpage.manpage import Manpage

from sapwood import __version__
from sapwood.base.command.verb import Verb
from sapwood.cli.app import all_verbs
from sapwood.cli.base.verb import parser_of

# Characters that roff makes others of, lines of text that it would take for requests, and lines that it would fill.
_CHARACTERS = str.maketrans({"'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"})
_DOT = re.compile(r"^(?=\.(?!(TH|SH|TP|BR?)\b))", re.MULTILINE)
_INDENTED = re.compile(r"(^  .*\n)+", re.MULTILINE)


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
    parser.formatter_class = partial(argparse.HelpFormatter, width=1 << 20)  # roff breaks lines itself
    page = Manpage(parser)
    page.prog, page.description, page.date = name, what.removesuffix("."), ""
    page.source, page.manual = f"sapwood {__version__}", "sapwood"
    page.synopsis = [word.replace("-", r"\-") for word in page.synopsis]
    if name != "sapwood":
        page.add_section("see also", ">", ".BR sapwood (1)")
    roff = _DOT.sub(r"\\&", str(page).translate(_CHARACTERS))
    return _INDENTED.sub(lambda lines: f".nf\n{lines[0]}.fi\n", roff)


def main(folder: str) -> None:
    """Write the pages of all verbs into a folder."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in manual(all_verbs()).items():
        Path(folder, f"{name}.1").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
