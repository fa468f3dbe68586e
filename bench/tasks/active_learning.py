"""Which sentences to annotate next: those of which the tagger is least sure, or any?

    python -m bench.tasks.active_learning FOLDER

The folder holds the English Web Treebank, as the corpora of `papers`. A tagger of UPOS starts with 2,000
tokens of EWT's training part. In each round it is trained on what has been annotated so far; then sentences are added
until there are 1.6 times as many tokens: in random order, or the least sure ones first. How sure it is of a sentence is
what `sapwood annotate --least-sure` goes by (`sapwood.model.confidence.doubt`), calibrated on one half of EWT's
development part. The other half is what the accuracies are of, each the mean of three starts.
"""

import random
import sys
from pathlib import Path

from measure.corpora import corpus_files
from sapwood import SequenceTagger
from sapwood.io.conllu import read_treebank
from sapwood.model.confidence import doubt

FIRST, GROWTH, ROUNDS, STARTS = 2000, 1.6, 6, 3


def tagged(folder, part):
    """Return the sentences of a part of EWT, each a list of words with their UPOS."""
    [path] = corpus_files(folder, "ewt", f"en_ewt-ud-{part}.conllu")
    data = read_treebank(path)
    pairs = zip(data.column("form"), data.column("upos"), strict=True)
    return [list(zip(*pair, strict=True)) for pair in pairs]


def learn(pool, held_out, test, least_sure):
    """Return how many tokens have been annotated after each round, and the accuracy then."""
    pool, annotated, tokens, curve, wanted = list(pool), [], 0, [], FIRST
    tagger = None
    for _ in range(ROUNDS):
        if tagger is not None and least_sure:
            tagger.calibrate(held_out)
            sure = tagger.confidences([[word for word, _ in sentence] for sentence in pool])
            doubts = [doubt(sum(sentence) / len(sentence), len(sentence)) for sentence in sure]
            pool = [pool[k] for k in sorted(range(len(pool)), key=lambda k: -doubts[k])]
        while tokens < wanted:
            annotated.append(pool.pop(0))
            tokens += len(annotated[-1])
        tagger = SequenceTagger(template="pos", epochs=5).fit(annotated)
        curve.append((tokens, 100 * tagger.score(test)))
        wanted *= GROWTH
    return curve


def main(folder):
    """Print the two curves."""
    train, dev = tagged(folder, "train"), tagged(folder, "dev")
    curves = {False: [], True: []}
    for seed in range(STARTS):
        pool = list(train)
        random.Random(seed).shuffle(pool)
        for least_sure, found in curves.items():
            found.append(learn(pool, dev[::2], dev[1::2], least_sure))
    print(f"{'tokens':>8}{'random':>10}{'least sure':>12}")
    for rows in zip(*curves[False], *curves[True], strict=True):
        tokens = sum(tokens for tokens, _ in rows) / len(rows)
        means = [sum(accuracy for _, accuracy in part) / STARTS for part in (rows[:STARTS], rows[STARTS:])]
        print(f"{tokens:>8,.0f}{means[0]:>10.2f}{means[1]:>12.2f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
