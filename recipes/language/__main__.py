"""``python -m recipes.language``: train the bundled classifier of languages again, and score it."""

import sys
from functools import partial

from measure import experiment
from sapwood.base.command.files import OutputFile
from sapwood.base.command.verb import Parser

PROGRAM = "python -m recipes.language"


def _add_model(parser: Parser) -> None:
    model = "write the bundled classifier, trained again, there"
    parser.add_argument("--model", type=OutputFile("model"), metavar="FILE", help=model)


EXPERIMENT = experiment.Experiment(
    "recipes.language.run",
    "Train the bundled classifier of languages again, and score it.",
    "Trains a classifier on sentences of 90 languages and drops its smallest weights. Prints whether it has the\n"
    "bundled one's bytes again, and how many of the sentences of a tenth, which it has not learned from, it gives\n"
    "their language: of all, and of those languages that have a bundled pipeline. Then, what the choice of a\n"
    "pipeline by language does with documents of three sentences of each language's test treebank.",
    ("--data corpora --json language.json", "--data corpora --model language.sap"),
    folders="languages/ and ewt/",
    declare=_add_model,
)
run = partial(experiment.run_alone, PROGRAM, EXPERIMENT.verb(PROGRAM))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
