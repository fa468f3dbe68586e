"""``sapwood man``: manual pages of all commands, from the options as declared."""

import argparse
import re
from collections.abc import Iterable

from sapwood import __version__
from sapwood.cli.app import all_verbs, parser_of
from sapwood.cli.files import OutputFolder
from sapwood.cli.options import Parser, Verb
from sapwood.io.writing import make_folder, write_text

MAN = """Write manual pages of all commands.

Each command has a page, 'man sapwood-train-tag' and so on; 'man sapwood' is the overview. man finds them in
~/.local/share/man/man1 and in any other folder man1 of its path.

Example:
  sapwood man -o ~/.local/share/man/man1
"""

_EXAMPLES = re.compile("Examples?:")


def _options(parser: argparse.ArgumentParser) -> None:
    folder = OutputFolder("text", "sapwood*.1")
    parser.add_argument("-o", "--output", type=folder, required=True, metavar="DIR", help="the folder to write to")


def _man(output: str) -> None:
    folder = make_folder(output)
    pages = manual()
    for name, text in pages.items():
        write_text(folder / f"{name}.1", text)
    print(f"{output}: {len(pages)} pages")


def manual() -> dict[str, str]:
    """Return the manual pages as roff, by their names, the overview first."""
    verbs = all_verbs()
    pages = {"sapwood": _overview(verbs)}
    for name, verb in verbs.items():
        pages[_page(name)] = _verb(name, verb, parser_of(name, verb))
    return pages


def _page(name: str) -> str:
    return f"sapwood-{name.replace(' ', '-')}"


def _overview(verbs: dict[str, Verb]) -> str:
    lines = _heading("sapwood", "small, fast, explainable linear models for language")
    lines += [".SH SYNOPSIS", ".B sapwood", ".I VERB", r"[options]", ".br", r".B sapwood \-\-version"]
    lines += [".SH COMMANDS"]
    for name, verb in verbs.items():
        lines += [".TP", rf"\fBsapwood {name}\fR, see \fB{_roff(_page(name))}\fR(1)", _roff(verb.title)]
    return "\n".join(lines) + "\n"


def _verb(name: str, verb: Verb, parser: Parser) -> str:
    lines = _heading(_page(name), verb.title.removesuffix("."))
    positional = [action for action in parser._actions if not action.option_strings]
    options = [action for action in parser._actions if action.option_strings]
    needed = [*positional, *(action for action in options if action.required)]
    lines += [".SH SYNOPSIS", rf"\fBsapwood {name}\fR [options] " + " ".join(map(_given, needed))]
    about, examples = [*_EXAMPLES.split(verb.help.partition("\n")[2], maxsplit=1), ""][:2]
    lines += [".SH DESCRIPTION", *_paragraphs(about)] if about.strip() else []
    formatter = parser._get_formatter()
    for title, actions in (("ARGUMENTS", positional), ("OPTIONS", options)):
        lines += [f".SH {title}"] if actions else []
        for action in actions:
            lines += [".TP", _name(action), _roff(" ".join(formatter._expand_help(action).split()))]
    if examples.strip():
        lines += [".SH EXAMPLES", ".nf", *(_roff(line.strip()) for line in examples.strip().split("\n")), ".fi"]
    lines += [".SH NOTES", *_paragraphs(parser.epilog)] if parser.epilog else []
    return "\n".join([*lines, ".SH SEE ALSO", ".BR sapwood (1)"]) + "\n"


def _heading(page: str, what: str) -> list[str]:
    title = f'.TH {_roff(page.upper())} 1 "" "sapwood {__version__}" "sapwood"'
    return [title, ".SH NAME", rf"{_roff(page)} \- {_roff(what)}"]


def _given(action: argparse.Action) -> str:
    """Return an argument as it stands in a command, with three dots where there may be several."""
    value = _value(action)
    if action.option_strings:
        return rf"\fB{_roff(action.option_strings[0])}\fR {value}"
    optional, several = action.nargs in ("?", "*"), action.nargs in ("*", "+")
    value += " ..." if several else ""
    return f"[{value}]" if optional else value


def _name(action: argparse.Action) -> str:
    """Return an argument as it stands above its description: all its names, bold, and its value, in italics."""
    names = ", ".join(rf"\fB{_roff(option)}\fR" for option in action.option_strings)
    return f"{names} {_value(action)}".strip() if action.nargs != 0 else names


def _value(action: argparse.Action) -> str:
    shown = str(action.metavar or "|".join(map(str, action.choices or ())) or action.dest.upper())
    return rf"\fI{_roff(shown)}\fR"


def _paragraphs(text: str) -> Iterable[str]:
    """Yield running text as paragraphs, and indented lines as they are."""
    indented = False
    for line in text.strip("\n").split("\n"):
        if line.startswith(" ") != indented and line:
            indented = not indented
            yield ".nf" if indented else ".fi"
        yield _roff(line) if line.strip() else ".PP"
    if indented:
        yield ".fi"


def _roff(text: str) -> str:
    """Return text with nothing in it that roff would take for a command."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga")
    escaped = escaped.replace("^", r"\(ha").replace("~", r"\(ti")
    return rf"\&{escaped}" if escaped.startswith(".") else escaped


VERBS = {"man": Verb(MAN, _options, _man)}
