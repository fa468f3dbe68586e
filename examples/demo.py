"""What sapwood does, in half a minute: train a chunker, tag a sentence, compare sizes.

Uses CoNLL-2000 if SAPWOOD_DATA names a folder with conll2000/, else the generated corpus.
"""

import sys
import time

from sapwood import SequenceTagger
from sapwood.datasets.corpora import chunking_corpus
from sapwood.events import EpochDone, Event
from sapwood.experiments import table1
from sapwood.io.text import read_bytes

ROWS = ["Avg. Percep", "SAP5", "SAP10"]


def show(event: Event) -> None:
    if isinstance(event, EpochDone):
        print(f"  epoch {event.epoch:2}: {event.mistakes:6,} mistakes, {event.tokens_per_second:9,.0f} tokens/s")


def main() -> None:
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

    print("\nThe averaged perceptron, and sparse ones that ask 5 and 10 updates of a feature (greedy search):")
    print(f"  {'':12} {'accuracy':>8} {'features':>10} {'bytes':>10}")
    for row in table1.run(names=ROWS, on_start=lambda _, name: print(f"  {name} ...", end="\r", file=sys.stderr)):
        print(f"  {row.name:12} {row.accuracy:7.2f}% {row.features:10,} {row.bytes:10,}")


if __name__ == "__main__":
    main()
