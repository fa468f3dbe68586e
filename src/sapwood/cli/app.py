"""The verbs, and how a command line finds its verb. Only that verb's file is imported.

argparse, because importing anything larger costs more than labelling a test set: the time to start is the
time that a user of ``sapwood tag`` waits.
"""

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import Any

from sapwood.errors import OptionError

__all__ = ["VERBS", "Parser", "find_verb", "overview", "whole_number"]

VERBS = {
    "train tag": ("train_tag", "Train a tagger or chunker on a column file."),
    "train parse": ("train_parse", "Train a dependency parser on a CoNLL-U treebank."),
    "train classify": ("train_classify", "Train a classifier of texts, words in context, or features."),
    "train grammar": ("train_grammar", "Read a phrase-structure grammar off a treebank."),
    "train rank": ("train_rank", "Train a reranker on lists of candidates."),
    "tag": ("tag", "Label column files, or one token a line."),
    "parse": ("parse", "Parse CoNLL-U: the same file with heads and relations; or draw the trees."),
    "classify": ("classify", "Classify texts: a label and its margin for each."),
    "nbest": ("nbest", "Write the n best structures of each sentence, as lists for a reranker."),
    "rank": ("rank", "Choose the best candidate of each list."),
    "calibrate": ("calibrate", "Fit a classifier's confidences on held-out examples."),
    "eval": ("evaluate", "Score a model on a file with gold answers."),
    "compare": ("compare", "Compare two systems' answers: scores and significance of their difference."),
    "inspect": ("inspect", "Show what a model is, what its bytes go to, and its heaviest features."),
    "reproduce table1": ("reproduce_table1", 'Measure Table 1 of "Learning Sparser Perceptron Models": chunking.'),
    "reproduce table2": ("reproduce_table2", "Measure its Table 2: structured prediction, Eisner parsing."),
    "reproduce table3": ("reproduce_table3", "Measure its Table 3: guided learning, easy-first parsing."),
    "reproduce wsd": ("reproduce_wsd", "Measure word-sense disambiguation beside other learners."),
    "reproduce sentiment": ("reproduce_sentiment", "Measure sentiment classification beside other learners."),
    "reproduce sparsity": ("reproduce_sparsity", "Draw accuracy against size: SAP, pruning and L1 penalties."),
    "reproduce early-stopping": ("reproduce_early_stopping", "Draw training and held-out error per pass."),
    "reproduce averaging": ("reproduce_averaging", "Measure what voting and averaging cost: seven algorithms."),
    "reproduce stability": ("reproduce_stability", "Measure the held-out error of vanilla, voted and averaged."),
    "reproduce ranking": ("reproduce_ranking", "Rerank trees and chunks: gain, oracle and learning curve."),
    "reproduce kernels": ("reproduce_kernels", "Measure what kernels cost, and what they gain in a reranker."),
    "generate treebank": ("generate", "Generate a treebank of an invented language."),
}


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Descriptions as they are written; defaults that say something are shown."""

    def _get_help_string(self, action: argparse.Action) -> str:
        shown = action.default not in (None, True, False, argparse.SUPPRESS, (), [])
        return f"{action.help}{' (default: %(default)s)' if shown else ''}"


class Parser(argparse.ArgumentParser):
    """A verb's parser: its errors are OptionErrors of one line."""

    def __init__(self, verb: str, description: str) -> None:
        super().__init__(
            prog=f"sapwood {verb}", description=description, formatter_class=_Formatter, allow_abbrev=False
        )

    def read(self, arguments: list[str]) -> dict[str, Any]:
        """Return the values of the arguments; options may stand before, between and behind the files."""
        files = any(action.nargs == "*" for action in self._actions)
        return vars(self.parse_intermixed_args(arguments) if files else self.parse_args(arguments))

    def error(self, message: str) -> Any:
        """Raise an OptionError."""
        line = " ".join(message.split())
        raise OptionError(f"{line[:1].upper()}{line[1:]}. See '{self.prog} --help'.")


def whole_number(least: int, most: int = (1 << 64) - 1) -> Callable[[str], int]:
    """Return argparse's type for a whole number in a range."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text!a} is not a whole number from {least} to {most}")
        return value

    return read


def overview(group: str = "") -> str:
    """Return the help of `sapwood`, or of a group of its verbs."""
    lines = [f"Usage: sapwood {group or 'VERB'} ...", ""]
    if not group:
        lines += ["Small, fast, explainable linear models for language: train, tag, score and look inside.", ""]
    lines += [
        f"  sapwood {verb:19} {text}" for verb, (_, text) in VERBS.items() if verb.split()[0] == group or not group
    ]
    return "\n".join(
        [*lines, "", "'sapwood VERB --help' has the options and examples; 'sapwood --version' the version."]
    )


def find_verb(arguments: list[str]) -> tuple[Any, list[str]] | str:
    """Return the verb's module and its arguments, or the help that is asked for. Raises OptionError."""
    first, second = [*arguments, "", ""][:2]
    groups = {verb.split()[0] for verb in VERBS if " " in verb}
    if first in ("-h", "--help"):
        return overview()
    if first in groups and second in ("-h", "--help"):
        return overview(first)
    words = 2 if first in groups else 1
    verb = " ".join(arguments[:words])
    if verb not in VERBS:
        wrong = second if first in groups else first
        kind = "option" if wrong.startswith("-") else "command"
        raise OptionError(f"No such {kind} {wrong!a}. See 'sapwood{f' {first}' if first in groups else ''} --help'.")
    return import_module(f"sapwood.cli.{VERBS[verb][0]}"), arguments[words:]
