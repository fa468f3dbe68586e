"""``sapwood completion SHELL``: a script that completes commands, options and files, from the options as declared."""

import argparse

from sapwood.base.command.terminal import show
from sapwood.base.command.verb import Verb
from sapwood.base.optional import require
from sapwood.cli.app import all_verbs
from sapwood.cli.base.verb import parser_of

COMPLETION = """Print a script by which a shell completes commands and options.

Needs shtab: pip install 'sapwood[completion]'. A new shell knows the commands once the script is where the shell looks
for it.

Examples:
  sapwood completion bash > ~/.local/share/bash-completion/completions/sapwood
  sapwood completion zsh > ~/.zfunc/_sapwood    # with fpath+=~/.zfunc before compinit in ~/.zshrc
  sapwood completion fish > ~/.config/fish/completions/sapwood.fish
"""


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], metavar="SHELL", help="bash, zsh or fish")


def _completion(shell: str) -> None:
    require("shtab", "completion")
    import shtab

    show(shtab.complete(_command_line(all_verbs()), shell))


def _command_line(verbs: dict[str, Verb]) -> argparse.ArgumentParser:
    """Return one parser of all commands, which argparse and shtab can walk."""
    import shtab

    root = argparse.ArgumentParser("sapwood")
    root.add_argument("-V", "--version", action="store_true", help="print the version")
    commands = root.add_subparsers()
    groups: dict[str, argparse._SubParsersAction[argparse.ArgumentParser]] = {}
    for name, verb in verbs.items():
        first, _, second = name.partition(" ")
        if second and first not in groups:
            groups[first] = commands.add_parser(first, help=f"{first} {second}, ...").add_subparsers()
        add = groups[first].add_parser if second else commands.add_parser
        parser = add(second or first, help=verb.title, parents=[parser_of(name, verb)], add_help=False)
        for action in parser._actions:
            if action.choices is None and action.nargs != 0:
                completed = {"DIR": shtab.DIRECTORY}.get(str(action.metavar), shtab.FILE)
                action.complete = completed  # type: ignore[attr-defined]
    return root


VERBS = {"completion": Verb(COMPLETION, _options, _completion)}
