"""``python -m recipes.languages``: train the bundled pipelines beside the English one again, and score them."""

import sys
from functools import partial

from measure import experiment
from recipes.languages.corpora import LANGUAGES
from sapwood.base.command.verb import Parser

PROGRAM = "python -m recipes.languages"


def _declare(parser: Parser) -> None:
    language = "this language alone (repeat for more)"
    parser.add_argument("--language", action="append", choices=tuple(LANGUAGES), default=[], help=language)
    models = "write the pipelines there, as DIR/de.sap and so on; the folder is there already"
    parser.add_argument("--models", metavar="DIR", help=models)


EXPERIMENT = experiment.Experiment(
    "recipes.languages.run",
    "Train the bundled pipelines beside the English one again, and score them.",
    "Trains a pipeline for each language on treebanks and names, with the same options for all. Prints bytes, CPU\n"
    "seconds, whether they are the bundled one's bytes again, and the scores of the CoNLL-2018 shared task on\n"
    "the official test sets, from raw text and from words; F1 of names from words.",
    ("--data corpora --json languages.json", "--data corpora --language de --models ."),
    folders="languages/ and names_languages/",
    declare=_declare,
)
run = partial(experiment.run_alone, PROGRAM, EXPERIMENT.verb(PROGRAM))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
