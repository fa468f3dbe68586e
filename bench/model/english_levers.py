"""Levers of the English pipeline: what each is worth in accuracy, bytes and time, on development data.

    python -m bench.model.english_levers --data DIR [--only NAME;...] [--epochs N] [--json FILE]

DIR has the corpora, as `python -m recipes.en` needs them. Each row is a pipeline of tagger, morphology and parser
alone, of one run each and few epochs of the parser (N), trained like the bundled one but for what the row names: each
row adds a lever to the one before. The scores are those of the development parts of EWT and GUM with words given, also
of EWT in capitals, in small letters, and without final marks. Test data are not looked at.
"""

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from measure.corpora import data_folder
from measure.layout import command_line, print_rows, write_rows
from measure.processes import Clock
from measure.report import Row
from recipes.en.recast import SHARES, recast
from recipes.en.recipe import OPTIONS, corpus, gold_data, lexicon, silver_data, treebank
from sapwood.errors import SapwoodWarning
from sapwood.tasks.pipeline.model import Pipeline

COLUMNS = {
    "EWT UPOS": ("EWT UPOS", ".2f"),
    "EWT LAS": ("EWT LAS", ".2f"),
    "GUM UPOS": ("GUM UPOS", ".2f"),
    "GUM LAS": ("GUM LAS", ".2f"),
    **{f"LAS, {writing}": (f"LAS, {writing}", ".2f") for writing in SHARES},
    "bytes": ("bytes", ",d"),
    "cpu_s": ("cpu_s", ".0f"),
}


class Lever(NamedTuple):
    """A change of the recipe.

    texts : how many of the silver texts are learned from: none, MASC, or the texts of names, too
    shares : parts of their sentences that are recast
    weight : options of tagger and parser about silver data
    names : whether words of lists of names stand in the lexicon
    """

    texts: int = 2
    shares: Mapping[str, float] = SHARES
    weight: Mapping[str, float] = {}
    names: bool = False


LEVERS = {
    "gold alone": Lever(0),
    "MASC beside it": Lever(1, {}, {"gold_times": 1, "least_sureness": 0}),
    "its sure sentences, and gold more often": Lever(1, {}),
    "half of them recast": Lever(1),
    "texts of names, too": Lever(),
    "lists of names": Lever(names=True),
}


def trained(folder: Path, lever: Lever, epochs: int) -> Pipeline:
    """Return a pipeline of tags and trees."""
    data, own = gold_data(folder)
    pipeline = Pipeline(
        parts=["tag", "parse"],
        clusters=corpus(folder, "clusters/en-brown-1000.tsv"),
        lexicon=lexicon(folder, names=lever.names),
        silver=[recast(text, lever.shares) for text in silver_data(folder)[: lever.texts]],
    )
    options = {"morphology": dict(OPTIONS["morphology"])}
    for model in ("tagger", "parser"):
        options[model] = OPTIONS[model] | {"runs": 1} | lever.weight
    options["parser"]["epochs"] = epochs
    return pipeline.fit(data, model_options=options, model_data={"tagger": own["tagger"]})


def row_of(folder: Path, name: str, epochs: int) -> Row:
    """Return the row of a lever."""
    with Clock() as clock:
        pipeline = trained(folder, LEVERS[name], epochs)
    row: Row = {"name": name, "bytes": pipeline.model_.size(), "cpu_s": clock.seconds}
    for title, place in (("EWT", "ewt/en_ewt-ud-dev"), ("GUM", "gum/en_gum_open-ud-dev")):
        scores = pipeline.evaluate(treebank(folder, place), tokens=True)
        row |= {f"{title} {metric}": scores[metric].f1 for metric in ("UPOS", "LAS")}
    for writing in SHARES:
        changed = recast(treebank(folder, "ewt/en_ewt-ud-dev"), {writing: 1.0})
        row[f"LAS, {writing}"] = pipeline.evaluate(changed, tokens=True)["LAS"].f1
    return row


def main() -> None:
    """Measure all levers."""
    parser = command_line(__doc__)
    parser.add_argument("--only", default="", metavar="NAME;...", help="some of the levers")
    parser.add_argument("--epochs", type=int, default=3, metavar="N", help="epochs of the parser")
    args = parser.parse_args()
    folder = data_folder(args.data)
    if folder is None:
        parser.error("the corpora are needed: name their folder, --data DIR")
    warnings.simplefilter("ignore", SapwoodWarning)
    rows: list[Row] = []
    for name in args.only.split(";") if args.only else LEVERS:
        rows.append(row_of(folder, name, args.epochs))
        print_rows(rows[-1:], COLUMNS)
    if args.json:
        write_rows(args.json, rows)


if __name__ == "__main__":
    main()
