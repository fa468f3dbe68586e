"""How many decisions are explained in a second of one core, from text in memory to lines of JSON.

    python -m bench.model.explain FOLDER

The folder holds CoNLL-2000 and the English Web Treebank, as the corpora of `papers`. Each model is trained
on part of the training data in a few passes, then all of the test set is explained. Sums are checked: how many
explanations do not add up to their margin is the last column, and 0.
"""

import json
import sys
from pathlib import Path

from measure.processes import Clock
from sapwood import DependencyParser, SequenceTagger, _core
from sapwood.io.conllu import read_treebank
from sapwood.io.source import read_bytes
from sapwood.model.explanation import in_batches, question


def wrong_sums(blocks):
    """Return how many explanations do not add up, in whole units of the weights."""
    wrong = 0
    for block in blocks:
        for line in block.splitlines():
            e = json.loads(line)
            total = sum(round(f["contribution"] / e["scale"]) for f in e["features"])
            wrong += total != round(e["margin"] / e["scale"])
    return wrong


def measure(name, tokens, count, explain):
    """Print a row: explain(begin, end) gives lines of JSON."""
    best, blocks = float("inf"), []
    for _ in range(2):
        with Clock() as clock:
            blocks = list(in_batches(explain, count, question()))
        best = min(best, clock.seconds)
    size = sum(map(len, blocks))
    print(f"{name:34}{tokens / best:>12,.0f}{size / tokens:>12,.0f}{wrong_sums(blocks):>10}", flush=True)


def explain_tagger(name, data, **options):
    """Train a tagger on columns and explain the test columns."""
    train, test = data
    tagger = SequenceTagger(epochs=3, **options).fit(train)
    core, asked = tagger.tagger_, question()
    measure(name, test.tokens, test.sentences, lambda begin, end: core.explain(test, asked, begin, end, 1))


def explain_parser(name, train, test, **options):
    """Train a parser on a treebank and explain the test treebank."""
    parser = DependencyParser(epochs=2, **options).fit(train)
    outputs = [[output.name for output in table] for table in parser.contents.outputs]
    core, asked = parser.parser_, question()
    measure(name, test.words, test.sentences, lambda begin, end: core.explain(outputs, test, asked, begin, end, 1))


def columns_of(treebank):
    """Return word and XPOS of a treebank as columns."""
    pairs = zip(treebank.column("form"), treebank.column("xpos"), strict=True)
    return _core.Columns.build([list(zip(*each, strict=True)) for each in pairs], None, treebank.name)


def main(folder):
    """Print the table."""
    parts = ("train", "test")
    chunks = [_core.Columns.read(read_bytes(folder / "conll2000" / f"{part}.txt.xz"), part) for part in parts]
    treebank = [read_treebank(folder / "ewt" / f"en_ewt-ud-{part}.conllu.xz") for part in parts]
    tags = [columns_of(each) for each in treebank]
    some = treebank[0].select(list(range(0, treebank[0].sentences, 6)))
    print(f"{'':34}{'tokens/s':>12}{'bytes/token':>12}{'wrong':>10}")
    explain_tagger("chunks, viterbi", chunks)
    explain_tagger("chunks, greedy", chunks, search="greedy")
    explain_tagger("tags, viterbi", tags, template="pos")
    explain_tagger("tags, greedy", tags, template="pos", search="greedy")
    explain_tagger("tags, argmax", tags, template="pos", search="argmax")
    explain_tagger("tags, easiest-first", tags, template="pos", search="easiest-first")
    explain_parser("arcs and labels, beam 8", some, treebank[1])
    explain_parser("arcs and labels, greedy", some, treebank[1], beam=1)
    explain_parser("arcs, then labels, easy-first", some, treebank[1], search="easy-first")
    explain_parser("arcs, then labels, eisner", some, treebank[1], search="eisner")
    explain_parser("arcs, then labels, eisner order 2", some, treebank[1], search="eisner", order=2)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
