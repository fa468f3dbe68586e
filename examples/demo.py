"""What sapwood does, in half a minute: read English, train a chunker, tag a sentence, train a parser, compare sizes.

Chunks CoNLL-2000 if SAPWOOD_DATA names a folder with conll2000/, else the generated corpus; parses the generated one.
"""

import sys
import time
from itertools import islice

import sapwood
from measure.corpora import chunking_corpus
from papers import table1
from sapwood import DependencyParser, ModelError, SequenceTagger
from sapwood.datasets import generate
from sapwood.draw import text_tree
from sapwood.events import EpochDone, Event
from sapwood.io.source import read_bytes

TEXT = "Ada Lovelace wrote the first program in 1843. It wasn't run in her lifetime: the engine was never built."
ROWS = ["Avg. Percep", "SAP5", "SAP10"]


def show(event: Event) -> None:
    if isinstance(event, EpochDone):
        print(f"  epoch {event.epoch:2}: {event.mistakes:6,} mistakes, {event.tokens_per_second:9,.0f} tokens/s")


def annotate() -> None:
    try:
        nlp = sapwood.load("en")
    except ModelError as error:
        print(f"English cannot be read at once: {error}\n")
        return
    started = time.process_time()
    doc = nlp(TEXT)
    print(f"English, by the model that comes with sapwood, in {1000 * (time.process_time() - started):.1f} ms of CPU\n")
    print(doc.draw(width=80))
    print("\nNames:", ", ".join(f"{name.text} ({name.label})" for name in doc.entities), "\n")


def parse() -> None:
    print("\nTraining a parser on 1,000 sentences of the generated treebank")
    started = time.process_time()
    sentences = generate(1100, seed=1)
    train, test = list(islice(sentences, 1000)), list(sentences)
    words = [[list(zip(s.words, s.tags, strict=True)) for s in part] for part in (train, test)]
    parser = DependencyParser(beam=1, tag_columns=["xpos"]).fit(words[0], [(s.heads, s.deprels) for s in train])
    print(f"  {time.process_time() - started:.2f} s of CPU")

    guess = parser.predict(words[1])
    arcs = [(h, g) for s, tree in zip(test, guess, strict=True) for h, g in zip(s.heads, tree.heads, strict=True)]
    print(f"  {100 * sum(h == g for h, g in arcs) / len(arcs):.1f}% of the heads of 100 new sentences are right\n")
    shown = next(k for k, sentence in enumerate(test) if len(sentence) in range(8, 13))
    print(text_tree(test[shown].words, *guess[shown], test[shown].tags))


def main() -> None:
    annotate()
    with chunking_corpus() as corpus:
        print(f"Training a chunker on {corpus.name}")
        started = time.process_time()
        tagger = SequenceTagger(template="chunking").fit(corpus.train, on_event=show)
        print(f"  {time.process_time() - started:.2f} s of CPU, text in to model out\n")

        sentences = read_bytes(corpus.test).decode().split("\n\n")
        sentence = next(text for text in sentences if text.count("\n") >= 10)
        tokens = [tuple(line.split()[:2]) for line in sentence.splitlines()]
        print("A sentence it has not seen: word, tag, predicted chunk label")
        for (word, tag), label in zip(tokens, tagger.predict([tokens])[0], strict=True):
            print(f"  {word:16} {tag:6} {label}")

    parse()

    def progress(_: str, name: str) -> None:
        if sys.stderr.isatty():
            print(f"  {name} ...", end="\r", file=sys.stderr)

    print("\nThe averaged perceptron, and sparse ones that ask 5 and 10 updates of a feature (greedy search):")
    print(f"  {'':12} {'accuracy':>8} {'features':>10} {'bytes':>10}")
    for row in table1.measure(on_start=progress, only=ROWS):
        print(f"  {row.name:12} {row.scores['accuracy']:7.2f}% {row.features:10,} {row.bytes:10,}")


if __name__ == "__main__":
    main()
