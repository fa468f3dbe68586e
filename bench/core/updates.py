"""Updates of structures in a second: in the core alone, and in a whole training by `sapwood.structured`.

Gold and guess are a part each, with 50 features that are numbers in a NumPy array, so an update changes 100 weights.
Times are CPU times of the fastest of some epochs. "update" is what an epoch with updates takes longer than one without;
"scores and update" is all that the core does for an example; "fit" is all of a training, without what the user's
functions take alone.
"""

import argparse
import time
from itertools import pairwise
from statistics import median

import numpy as np

import sapwood
from sapwood import _core
from sapwood.events import EpochDone
from sapwood.tasks.structured.model import StructuredOptions

FEATURES = 50  # of a part
EPOCHS = 5


def parts(examples, distinct):
    """Return a pair of arrays of features for each example."""
    random = np.random.default_rng(1)
    return [tuple(random.integers(0, distinct, FEATURES) for _ in "yz") for _ in range(examples)]


def seconds_in_core(data, *, updates):
    """Return the time of an epoch of the core's trainer, whose search asks for two scores."""

    def search(trainer, example):
        trainer.score(given[example])
        return wrong if updates else None

    given, wrong = [list(pair) for pair in data], ([0], [1], 0.0)
    trainer, times = _core.StructuredTrainer(StructuredOptions().for_core(), [1] * len(data), search), []
    for _ in range(EPOCHS):
        begin = time.process_time()
        trainer.step(1 << 48)
        times.append(time.process_time() - begin)
    return min(times[1:])


def seconds_of_fit(data):
    """Return the time of an epoch of a training, without that of the user's functions."""
    times, guess = [], [1]

    def features(pair, part):
        return pair[part]

    def search(pair, score):
        score(0), score(1)
        return guess

    def note(event):
        if isinstance(event, EpochDone):
            times.append(time.process_time())

    sapwood.structured(features, search, epochs=EPOCHS).fit(data, [[0]] * len(data), on_event=note)
    begin = time.process_time()
    for pair in data:
        search(pair, lambda part, pair=pair: features(pair, part))
    alone = time.process_time() - begin
    return min(b - a for a, b in pairwise(times)) - alone


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=20_000, metavar="N", help="of an epoch")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="medians of so many runs")
    options = parser.parse_args()
    print(f"{'different features':>18}  {'update':>9}  {'scores and update':>17}  {'fit':>9}")
    for distinct in (1_000, 10_000, 100_000, 1_000_000):
        data, rows = parts(options.examples, distinct), []
        for _ in range(options.runs):
            with_updates, without = (seconds_in_core(data, updates=updates) for updates in (True, False))
            rows.append((with_updates - without, with_updates, seconds_of_fit(data)))
        update, both, fit = (options.examples / median(column) for column in zip(*rows, strict=True))
        print(f"{distinct:>18,}  {update:>9,.0f}  {both:>17,.0f}  {fit:>9,.0f}")


if __name__ == "__main__":
    main()
