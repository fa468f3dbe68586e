"""Guided learning: what presenting a decision until it is right gains, and what parts easy-first from Eisner parsing.

    python -m bench.tasks.guided --data DIR [--only guided|gap] [--epochs N] [--json FILE]

Both tables are of held-out data: every tenth sentence of the training data, which is not trained on. The first has the
easy-first parser (Goldberg & Elhadad 2010) and the easiest-first tagger (Shen, Satta & Joshi 2007), each decision
presented once and until it is right. The second begins with the parsers of Tables 2 and 3 of Goldberg & Elhadad (2011),
where easy-first is 0.2 points below Eisner, and changes one thing at a time: tags, features, training, corpus.
Treebanks are cut to the words of the smallest one.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from measure.corpora import chunking_corpus, tree_corpora
from measure.layout import command_line, write_rows
from measure.report import Data, Options, Row
from papers.parsing import MARGIN, PERCEPTRON
from sapwood._core import Columns, Conllu
from sapwood.io.conllu import read_treebank
from sapwood.metrics.labels import table
from sapwood.metrics.trees import TreeReport
from sapwood.tasks.parsing.model import DependencyParser
from sapwood.tasks.tagging.data import read_columns
from sapwood.tasks.tagging.model import SequenceTagger
from sapwood.training.cross_validation import hold_out

_HELD_OUT = 0.1
_SAME: Options = {}
_SAP10: Options = {**PERCEPTRON, "min_updates": 10}
_REPEAT: Options = {"guided": "repeat"}
_OURS: Options = {"template": None, "tag_columns": None}  # of the treebank: all columns of tags that it has
_EISNER: Options = {"search": "eisner", "template": "mcdonald-2006", "tag_columns": ["xpos"], **PERCEPTRON}
_EASY: Options = {"search": "easy-first", "template": "easy-first-2010", "tag_columns": ["xpos"], **PERCEPTRON}

GUIDED: dict[str, Options] = {  # parsers, each trained once and with repetitions
    "the paper's features, Avg. Percep": _EASY,
    "the paper's features, SAP10": {**_EASY, **_SAP10},
    "our features, margin SAP10": {"search": "easy-first", **MARGIN},
}
TAGGERS: dict[str, Options] = {"Avg. Percep": PERCEPTRON, "margin SAP10": MARGIN}


class Factor(NamedTuple):
    """Two parsers that differ from those of the papers in one thing."""

    name: str
    both: Options = _SAME
    eisner: Options = _SAME
    easy_first: Options = _SAME


FACTORS = (
    Factor("as in the papers, gold tags"),
    Factor("automatic tags", {"tags": "jackknife"}),
    Factor("Eisner with our features", eisner=_OURS),
    Factor("easy-first with our features", easy_first=_OURS),
    Factor("presented until it is right", easy_first=_REPEAT),
)


class Halves(NamedTuple):
    """A treebank, and the tenth of it that is not trained on."""

    name: str
    train: Conllu
    held_out: Conllu
    tag_columns: Sequence[str]
    measured: dict[str, "_Scored"]  # by the options of the parser


def main() -> None:
    """Print the tables, and write their rows."""
    parser = command_line(__doc__)
    only = "measure one of both alone: repeated decisions, or what parts easy-first from Eisner"
    parser.add_argument("--only", choices=["guided", "gap"], help=only)
    parser.add_argument("--epochs", type=int, default=10, metavar="N", help="passes over the data")
    args = parser.parse_args()
    treebanks = list(as_large_as_the_smallest(list(_treebanks(args.data))))
    rows: list[Row] = []
    if args.only != "gap":
        repeated = [*guided(treebanks, args.epochs), *taggers(args.data, args.epochs)]
        print("held-out sentences; a decision is presented once, or until it is right")
        _print(repeated, _GUIDED)
        rows += repeated
    if args.only != "guided":
        differences = list(gaps(treebanks, args.epochs))
        print("UAS of Eisner and easy-first parsing, held-out sentences")
        _print(differences, _GAP)
        rows += differences
    if args.json:
        write_rows(args.json, rows)


def _treebanks(data: Data) -> Iterator[Halves]:
    with tree_corpora(data) as corpora:
        for corpus in corpora:
            halves = hold_out(read_treebank(corpus.train), _HELD_OUT, "sentences")
            yield Halves(corpus.name, *halves, corpus.tag_columns, {})


def as_large_as_the_smallest(treebanks: Sequence[Halves]) -> Iterator[Halves]:
    """Yield the treebanks with about as many words to learn from as the smallest one has, evenly spread."""
    least = min(treebank.train.words for treebank in treebanks)
    for treebank in treebanks:
        share = least / treebank.train.words
        if share < 1:
            _, part = hold_out(treebank.train, share, "sentences")
            yield treebank._replace(name=f"{treebank.name}, {share:.0%} of it", train=part, measured={})
        else:
            yield treebank


class _Scored(NamedTuple):
    score: float
    features: int
    repeated: int  # presentations
    given_up: int  # decisions
    report: TreeReport | None = None


def _scored(model: DependencyParser | SequenceTagger, score: float, report: TreeReport | None = None) -> _Scored:
    facts = model.model_.provenance
    repeated, given_up = (int(str(facts.get(name, 0))) for name in ("repeated", "given_up"))
    return _Scored(score, int(str(facts["features_before_quantisation"])), repeated, given_up, report)


def _parsed(treebank: Halves, epochs: int, options: Options) -> _Scored:
    tag_columns = options.get("tag_columns") or treebank.tag_columns
    parser = DependencyParser(**{**options, "labelling": "none", "tag_columns": tag_columns, "epochs": epochs})
    if (key := repr(parser)) not in treebank.measured:
        report = parser.fit(treebank.train).evaluate(treebank.held_out)
        treebank.measured[key] = _scored(parser, report.uas, report)
    return treebank.measured[key]


def guided(treebanks: Sequence[Halves], epochs: int) -> Iterator[Row]:
    """Yield the scores of parsers to which each decision was presented once, and until it was right."""
    for treebank in treebanks:
        for name, options in GUIDED.items():
            _say(treebank.name, name)
            once, repeat = (_parsed(treebank, epochs, {**options, **more}) for more in ({}, _REPEAT))
            yield _compared(treebank.name, name, "uas", once, repeat)


def taggers(data: Data, epochs: int) -> Iterator[Row]:
    """Yield the same of easiest-first taggers."""
    with chunking_corpus(data) as corpus:
        columns: Columns = read_columns(corpus.train, None, corpus.name)
        train, held_out = hold_out(columns, _HELD_OUT, "sentences")
        for name, options in TAGGERS.items():
            _say(corpus.name, name)
            once, repeat = (
                _scored(tagger, tagger.evaluate(held_out).labels.accuracy)
                for more in ({}, _REPEAT)
                for tagger in [SequenceTagger(search="easiest-first", epochs=epochs, **options, **more).fit(train)]
            )
            yield _compared(f"{corpus.name}, easiest-first", name, "accuracy", once, repeat)


def _compared(corpus: str, name: str, measure: str, once: _Scored, repeat: _Scored) -> Row:
    row: Row = {"part": "guided", "corpus": corpus, "name": name, "measure": measure}
    row |= {"once": once.score, "repeat": repeat.score, "gain": repeat.score - once.score}
    row |= {"features_once": once.features, "features_repeat": repeat.features}
    return row | {"repeated": repeat.repeated, "given_up": repeat.given_up}


def gaps(treebanks: Sequence[Halves], epochs: int) -> Iterator[Row]:
    """Yield the scores of Eisner and easy-first parsers that differ in one thing from those of the papers."""
    for treebank in treebanks:
        for factor in FACTORS:
            _say(treebank.name, factor.name)
            yield _gap(treebank, factor, epochs)


def _gap(treebank: Halves, factor: Factor, epochs: int) -> Row:
    eisner = _parsed(treebank, epochs, {**_EISNER, **factor.both, **factor.eisner})
    easy_first = _parsed(treebank, epochs, {**_EASY, **factor.both, **factor.easy_first})
    row: Row = {"part": "gap", "corpus": treebank.name, "name": factor.name}
    row |= {"eisner": eisner.score, "easy_first": easy_first.score, "gap": easy_first.score - eisner.score}
    assert eisner.report is not None
    assert easy_first.report is not None
    bare = easy_first.report.no_punctuation.uas - eisner.report.no_punctuation.uas
    return row | {"gap_without_punctuation": bare}


_GUIDED = {"once": ".2f", "repeat": ".2f", "gain": "+.2f", "features_once": ",", "features_repeat": ",",
           "repeated": ",", "given_up": ","}  # fmt: skip
_GAP = {"eisner": ".2f", "easy_first": ".2f", "gap": "+.2f", "gap_without_punctuation": "+.2f"}


def _print(rows: Sequence[Row], columns: dict[str, str]) -> None:
    heading = ["corpus", "", *(name.replace("_", " ") for name in columns)]
    cells = [[row["corpus"], row["name"], *(format(row[name], form) for name, form in columns.items())] for row in rows]
    print("\n".join(table([heading, *cells])))


def _say(corpus: str, name: str) -> None:
    print(f"{corpus}: {name} ...", file=sys.stderr)


if __name__ == "__main__":
    main()
