"""What does a column cost that only a part of a treebank has?

    python -m bench.tasks.partial_columns [--data DIR] [--json FILE]

Six treebanks in which a part of the words has XPOS, 1,200 sentences of each, and two with XPOS everywhere, blanked in a
part of the sentences. Taggers are trained on each with XPOS as it is, and without XPOS; UPOS, FEATS (F1) and XPOS (of
the words that have it) are scored on the development part with its words given.
"""

import random
import warnings
from unittest.mock import patch

from measure.corpora import data_folder
from measure.layout import command_line, print_rows, write_rows
from measure.report import Row
from sapwood import Pipeline, SapwoodWarning
from sapwood._core import Conllu
from sapwood.io.conllu import read_treebank
from sapwood.metrics.labels import percent
from sapwood.tasks.pipeline.data import LEAST

PARTIAL, WHOLE = ("ca", "es", "fr", "nl", "pt", "ru"), ("it", "ro")
SENTENCES = 1200
SHARES = (1.0, 0.9, 0.8, 0.5)
COLUMNS = {
    "share": ("share", ".2f"),
    "UPOS": ("upos", ".2f"),
    "FEATS": ("feats", ".2f"),
    "XPOS": ("xpos", ".2f"),
    "UPOS without": ("upos_without", ".2f"),
    "FEATS without": ("feats_without", ".2f"),
}


def with_xpos(data: Conllu, share: float) -> Conllu:
    """Return a treebank in which about this share of the sentences has XPOS."""
    draw = random.Random(1)
    xpos = [s if draw.random() < share else ["_"] * len(s) for s in data.column("xpos")]
    return Conllu.read(data.replace({"xpos": xpos}), data.name)


def scores(train: Conllu, dev: Conllu) -> Row:
    """Return the scores of taggers, whatever the share of XPOS is."""
    with patch.dict(LEAST, {"xpos": 0.0}), warnings.catch_warnings():
        warnings.simplefilter("ignore", SapwoodWarning)
        nlp = Pipeline(parts=["tag"]).fit(train)
        report = nlp.evaluate(dev, tokens=True)
    found = Conllu.read(nlp.fill(dev.replace({}), dev.name), dev.name).column("xpos")
    pairs = [
        pair
        for gold, guess in zip(dev.column("xpos"), found, strict=True)
        for pair in zip(gold, guess, strict=True)
        if pair[0] != "_"
    ]
    right = percent(sum(gold == guess for gold, guess in pairs), len(pairs))
    return {"upos": report["UPOS"].f1, "feats": report["UFeats"].f1, "xpos": right}


def share_of(data: Conllu) -> float:
    """Return the share of the words that have XPOS."""
    xpos = [value for sentence in data.column("xpos") for value in sentence]
    return sum(value != "_" for value in xpos) / len(xpos)


def main() -> None:
    given = command_line(__doc__).parse_args()
    folder = data_folder(given.data)
    assert folder is not None, "it needs the corpora"
    rows: list[Row] = []
    for language in (*PARTIAL, *WHOLE):
        place = folder / "languages" / language
        data, dev = (read_treebank(place / f"{language}-{part}.conllu.xz") for part in ("train", "dev"))
        some = data.select(sorted(random.Random(3).sample(range(data.sentences), min(SENTENCES, data.sentences))))
        left = scores(with_xpos(some, 0.0), dev)
        for share in (1.0,) if language in PARTIAL else SHARES:
            train = with_xpos(some, share)
            name = language if language in PARTIAL else f"{language}, {share:.0%} of the sentences"
            without = {"upos_without": left["upos"], "feats_without": left["feats"]}
            rows.append({"name": name, "share": share_of(train), **scores(train, dev), **without})
    print_rows(rows, COLUMNS)
    if given.json:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
