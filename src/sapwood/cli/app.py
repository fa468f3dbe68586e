"""A command line from its words to its exit status: which verbs there are, and how it finds its own.

Only the file of the verb is imported.
"""

import argparse
import sys
from importlib import import_module

from sapwood.base.command.terminal import show
from sapwood.base.command.verb import Parser, Verb, nearest, perform, run_command
from sapwood.base.optional import require
from sapwood.cli.base.verb import help_of, parser_of
from sapwood.errors import OptionError
from sapwood.version import __version__

# What a person wants -> the first word of each verb for it, in the order of the overview, with the file of its verbs.
HEADINGS: dict[str, dict[str, str]] = {
    "use": {
        "annotate": "use.annotate", "tag": "use.predict", "parse": "use.predict", "classify": "use.predict",
        "nbest": "use.predict", "rank": "use.predict", "serve": "use.serve", "page": "use.serve",
    },
    "train": {
        "train": "training.train", "shrink": "training.after", "calibrate": "training.after",
        "suspects": "training.suspects", "package": "training.after",
    },
    "look inside": {"inspect": "look.inspect", "explain": "look.explain", "report": "look.explain"},
    "measure": {
        "eval": "measure.evaluate", "compare": "measure.evaluate", "drift": "measure.evaluate",
        "generate": "measure.generate",
    },
    "sapwood itself": {"help": "app", "version": "app", "completion": "app"},
}  # fmt: skip
# Commands of the laboratory, which is a package of its own -> what they are there.
LABORATORY = {"steps": "steps", "reproduce steps": "steps", "reproduce averaging": "averaging"}
_FILES = {word: file for files in HEADINGS.values() for word, file in files.items()}


def run_verb(arguments: list[str]) -> int:
    """Run the command line and return the exit status. Every error is one line on standard error."""
    long = "use less data, a smaller template or a lower order, or train with --stream"
    out_of_memory = long if arguments[:1] == ["train"] else "give fewer sentences at a time"
    return run_command("sapwood", lambda: _dispatch(arguments), out_of_memory)


def _dispatch(arguments: list[str]) -> int:
    if not arguments or (len(arguments) == 1 and is_group(arguments[0])):
        show(overview(*arguments), sys.stderr)
        return 2
    if arguments[0] in ("-V", "--version"):
        arguments = ["version", *arguments[1:]]
    if arguments[0] in ("-h", "--help"):
        arguments = ["help", *arguments[1:]]
    if arguments[1:2] in (["-h"], ["--help"]) and is_group(arguments[0]):
        show(overview(arguments[0]))
        return 0
    name, verb, rest = find_verb(arguments)
    return perform("sapwood", parser_of(name, verb), verb, rest)


def find_verb(arguments: list[str]) -> tuple[str, Verb, list[str]]:
    """Return the verb's name, the verb, and its arguments. Raises OptionError."""
    first = arguments[0]
    for name in (first, " ".join(arguments[:2])):
        if name in LABORATORY:
            where = "of the package sapwood-lab, the directory lab of sapwood's source tree: pip install ./lab"
            raise OptionError(f"'sapwood {name}' is 'sapwood-lab {LABORATORY[name]}' now, {where}")
    if first == "reproduce":
        raise OptionError(_measured([word for word in arguments[1:2] if not word.startswith("-")]))
    if first not in _FILES:
        known = {name.split()[-1]: name for name in all_verbs()} | {word: word for word in _FILES}
        if first.startswith("-"):
            raise OptionError(_unknown("option", first, {"--version": "--version", "--help": "--help"}, ""))
        raise OptionError(_unknown("command", first, known, ""))
    verbs = _verbs_of(first)
    words = 2 if is_group(first) else 1
    name = " ".join(arguments[:words])
    if name not in verbs:
        kind = "option" if arguments[1].startswith("-") else "command"
        raise OptionError(_unknown(kind, arguments[1], {name.split()[1]: name for name in verbs}, f" {first}"))
    return name, verbs[name], arguments[words:]


def _measured(names: list[str]) -> str:
    """Return the command that measures a table or figure, as ``sapwood reproduce NAME`` did in earlier versions."""
    command = "recipes.en" if names == ["english"] else " ".join(["papers", *names])
    where = "is in the sources, not in the package; run in a checkout of them"
    return f"'{' '.join(['reproduce', *names])}' {where}: python -m {command}"


def is_group(word: str) -> bool:
    """Return true if a word is not a verb, but the first of the two words of several verbs."""
    return word in _FILES and word not in _verbs_of(word)


def all_verbs() -> dict[str, Verb]:
    """Return every verb by its name, in the order of the overview."""
    return {name: verb for first in _FILES for name, verb in _verbs_of(first).items()}


def overview(group: str = "") -> str:
    """Return the help of `sapwood`, or of a group of its verbs."""
    lines = [f"Usage: sapwood {group or 'VERB'} ...", ""]
    if group:
        lines += _lines(group)
    else:
        lines += ["Small, fast, explainable linear models for language: train, tag, score and look inside."]
        for heading, words in HEADINGS.items():
            lines += ["", f"{heading}:", *(line for word in words for line in _lines(word))]
    return "\n".join([*lines, "", "'sapwood help VERB' shows the options and examples of a command."])


def helped(words: list[str]) -> str:
    """Return the help of a verb, of a group of verbs or, without a word, the overview. Raises OptionError."""
    if len(words) < 2 and (not words or is_group(words[0])):
        return overview(*words)
    name, verb, rest = find_verb(words)
    if rest:
        raise OptionError(f"'{' '.join(words)}' is no command; did you mean '{name}'?")
    return parser_of(name, verb).format_help().rstrip("\n")


def _lines(first: str) -> list[str]:
    return [f"  sapwood {name:26} {verb.title}" for name, verb in _verbs_of(first).items()]


def _verbs_of(first: str) -> dict[str, Verb]:
    verbs: dict[str, Verb] = import_module(f"sapwood.cli.{_FILES[first]}").VERBS
    return {name: verb for name, verb in verbs.items() if name.partition(" ")[0] == first}


def _unknown(kind: str, wrong: str, known: dict[str, str], group: str) -> str:
    found = nearest(wrong, known)
    return f"No such {kind} {wrong!a}{found or '.'} See 'sapwood{group} --help'."


def _help_options(parser: Parser) -> None:
    parser.add_argument("words", metavar="VERB", nargs="*", help="a command, such as tag or train tag")


def _completion_options(parser: Parser) -> None:
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], metavar="SHELL", help="bash, zsh or fish")


def _completion(shell: str) -> None:
    require("shtab", "completion")
    import shtab

    root = argparse.ArgumentParser("sapwood")
    root.add_argument("-V", "--version", action="store_true", help="print the version")
    commands = root.add_subparsers()
    groups: dict[str, argparse._SubParsersAction[argparse.ArgumentParser]] = {}
    for name, verb in all_verbs().items():
        first, _, second = name.partition(" ")
        if second and first not in groups:
            groups[first] = commands.add_parser(first, help=f"{first} {second}, ...").add_subparsers()
        add = groups[first].add_parser if second else commands.add_parser
        parser = add(second or first, help=verb.title, parents=[parser_of(name, verb)], add_help=False)
        for action in parser._actions:
            if action.choices is None and action.nargs != 0:
                completed = {"DIR": shtab.DIRECTORY}.get(str(action.metavar), shtab.FILE)
                action.complete = completed  # type: ignore[attr-defined]
    show(shtab.complete(root, shell))


VERBS = {
    "help": Verb(help_of("help"), _help_options, lambda words: show(helped(words))),
    "version": Verb(help_of("version"), lambda parser: None, lambda: show(f"sapwood {__version__}")),
    "completion": Verb(help_of("completion"), _completion_options, _completion),
}
