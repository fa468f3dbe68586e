"""How a command line finds its verb. Only the file that the verb is in is imported."""

from importlib import import_module

from sapwood.cli.options import Parser, Verb, nearest
from sapwood.errors import OptionError

# The first word of each verb, in the order of the overview -> the file that it is in.
VERBS = {
    "train": "train",
    "annotate": "annotate",
    "tag": "predict",
    "parse": "predict",
    "classify": "predict",
    "nbest": "predict",
    "rank": "predict",
    "calibrate": "judge",
    "eval": "judge",
    "compare": "judge",
    "inspect": "inspect",
    "explain": "explain",
    "report": "report",
    "serve": "serve",
    "shrink": "shrink",
    "reproduce": "reproduce",
    "generate": "generate",
    "completion": "completion",
    "man": "man",
}


def find_verb(arguments: list[str]) -> tuple[str, Verb, list[str]]:
    """Return the verb's name, the verb, and its arguments. Raises OptionError."""
    first = arguments[0]
    if first not in VERBS:
        kind = "option" if first.startswith("-") else "command"
        known = {name.split()[-1]: name for name in all_verbs()} | {word: word for word in VERBS}
        raise OptionError(_unknown(kind, first, {"--version": "--version"} if kind == "option" else known, ""))
    verbs = _verbs_of(first)
    words = 2 if is_group(first) else 1
    name = " ".join(arguments[:words])
    if name not in verbs:
        kind = "option" if arguments[1].startswith("-") else "command"
        raise OptionError(_unknown(kind, arguments[1], {name.split()[1]: name for name in verbs}, f" {first}"))
    return name, verbs[name], arguments[words:]


def is_group(word: str) -> bool:
    """Whether a word is not a verb, but the first of the two words of several verbs."""
    return word in VERBS and word not in _verbs_of(word)


def all_verbs() -> dict[str, Verb]:
    """Return every verb by its name, in the order of the overview."""
    return {name: verb for first in VERBS for name, verb in _verbs_of(first).items()}


def parser_of(name: str, verb: Verb) -> Parser:
    """Return the parser of a verb's arguments."""
    parser = Parser(name, verb.help)
    verb.add_options(parser)
    return parser


def overview(group: str = "") -> str:
    """Return the help of `sapwood`, or of a group of its verbs."""
    lines = [f"Usage: sapwood {group or 'VERB'} ...", ""]
    if not group:
        lines += ["Small, fast, explainable linear models for language: train, tag, score and look inside.", ""]
    verbs = _verbs_of(group) if group else all_verbs()
    lines += [f"  sapwood {name:26} {verb.title}" for name, verb in verbs.items()]
    last = "'sapwood VERB --help' shows the options and examples of a command, 'sapwood --version' the version."
    return "\n".join([*lines, "", last])


def _verbs_of(first: str) -> dict[str, Verb]:
    """Return the verbs whose name begins with this word."""
    verbs: dict[str, Verb] = import_module(f"sapwood.cli.{VERBS[first]}").VERBS
    return {name: verb for name, verb in verbs.items() if name.partition(" ")[0] == first}


def _unknown(kind: str, wrong: str, known: dict[str, str], group: str) -> str:
    found = nearest(wrong, known)
    return f"No such {kind} {wrong!a}{found or '.'} See 'sapwood{group} --help'."
