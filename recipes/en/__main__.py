"""``python -m recipes.en``: train the bundled English pipeline again, and score it."""

import sys
from functools import partial

from measure import experiment
from sapwood.base.command.files import OutputFile
from sapwood.base.command.verb import Parser

PROGRAM = "python -m recipes.en"


def _add_model(parser: Parser) -> None:
    model = "write the bundled pipeline, trained again, there"
    parser.add_argument("--model", type=OutputFile("model"), metavar="FILE", help=model)


EXPERIMENT = experiment.Experiment(
    "recipes.en.run",
    "Train the bundled English pipeline again, and score it.",
    "Trains a pipeline on treebanks and on text that a larger model labelled, and makes it small.\n"
    "Prints whether it has the bundled one's bytes again; scores on development data; the table of the\n"
    "CoNLL-2018 shared task on the test sets of EWT and GUM, from raw text, from words, and from words in\n"
    "capitals, in small letters and without a final mark; and the F1 of names. It takes 40 CPU minutes,\n"
    "and 10 GB of memory.",
    ("--data corpora --json english.json", "--data corpora --model en.sap"),
    folders="ewt/, gum/, silver/, ewt_names/, names/, gazetteers/, clusters/ and lexicon/",
    declare=_add_model,
)
run = partial(experiment.run_alone, PROGRAM, EXPERIMENT.verb(PROGRAM))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
