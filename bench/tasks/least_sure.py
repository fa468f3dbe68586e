"""Which sentences to list as the least sure ones: by the mean of the words, or so that short ones do not fill the list?

    python -m bench.tasks.least_sure FOLDER

The folder holds the English Web Treebank and GUM, as the corpora of `papers`. `en` analyses the words of
their development parts, and a sentence's doubt is the mean of its words' doubts and of those of k more words that the
model is sure of. For each k and the 50 and 200 sentences that come first: how many have at most three tokens, how many
are right in all columns, and how many words in a hundred are wrong in one of UPOS, XPOS, FEATS, head and relation.
"""

import sys
from itertools import pairwise
from math import prod
from pathlib import Path

import sapwood
from measure.corpora import corpus_files
from sapwood.io.conllu import read_treebank

PARTS = {"EWT": ("ewt", "en_ewt-ud-dev.conllu"), "GUM": ("gum", "en_gum_open-ud-dev.conllu")}
WORDS = (0, 1, 3, 5, 10)
SHOWN = (50, 200)
COLUMNS = ("upos", "xpos", "feats", "head", "deprel")


def sentences(nlp, path):
    """Return confidences of each sentence's words, and how many of the words are wrong."""
    data = read_treebank(path)
    doc = nlp.pipeline_.read_words(data)
    nlp.confidence.parts.add_confidences(doc, threads=1)
    gold = [[value for sentence in data.column(name) for value in sentence] for name in COLUMNS]
    guess = [[*map(str, doc.heads)] if name == "head" else doc.column(name) for name in COLUMNS]
    wrong = [pair[0] != pair[1] for pair in zip(zip(*gold, strict=True), zip(*guess, strict=True), strict=True)]
    sure = [prod(p for p in of if p == p) for of in zip(*doc.confidences.values(), strict=True)]
    return [(sure[a:b], sum(wrong[a:b])) for (_, a, _), (_, b, _) in pairwise(doc.sentences)]


def main(folder):
    """Print a row for each k."""
    nlp = sapwood.load("en")
    for name, (corpus, file) in PARTS.items():
        found = sentences(nlp, *corpus_files(folder, corpus, file))
        for k in WORDS:
            found.sort(key=lambda sentence: sum(1 - p for p in sentence[0]) / (len(sentence[0]) + k), reverse=True)
            cells = []
            for many in SHOWN:
                tokens = sum(len(sure) for sure, _ in found[:many])
                short = sum(len(sure) <= 3 for sure, _ in found[:many])
                right = sum(not wrong for _, wrong in found[:many])
                cells += [many, short, right, f"{100 * sum(wrong for _, wrong in found[:many]) / tokens:.1f}"]
            print(name, k, *cells, sep="\t")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
