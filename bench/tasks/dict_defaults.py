"""Which gamma, min_updates and how many epochs suit a tagger of dicts of features?

    python -m bench.tasks.dict_defaults --data DIR [--gamma G,...] [--min-updates N,...] [--epochs N] [--seeds N]

The features are those of sklearn-crfsuite's tutorial; the data are the names of EWT in DIR, see
`sapwood.datasets.corpora`, with its tags. Scores are F1 on its development part after some of the epochs, means over
the seeds. Test data are not looked at.
"""

import sys
from collections.abc import Sequence
from itertools import product
from statistics import fmean

from bench.shared.layout import command_line, print_rows, write_rows
from bench.shared.names import ewt_names
from bench.shared.tutorial import dicts_of
from sapwood import SequenceTagger
from sapwood.datasets.corpora import data_folder
from sapwood.events import EpochDone, Event
from sapwood.experiments import Row

_EPOCHS = (5, 10, 15, 20, 30)


def scores(train: Sequence, dev: Sequence, **options: float) -> list[float]:
    """Return F1 on the development data after each epoch."""
    found: list[float] = []

    def note(event: Event) -> None:
        if isinstance(event, EpochDone) and event.dev_score is not None:
            found.append(event.dev_score)

    SequenceTagger(**options).fit(*train, dev=dev, on_event=note)
    return found


def main() -> None:
    """Measure every gamma with every min_updates."""
    parser = command_line(__doc__)
    parser.add_argument("--gamma", default="1,3,5,10,20", metavar="G,...", help="the costs to train with")
    parser.add_argument("--min-updates", default="5", metavar="N,...", help="updates of a feature that counts")
    parser.add_argument(
        "--seeds", type=int, default=3, metavar="N", help="orders of the sentences, of which the mean counts"
    )
    parser.add_argument("--epochs", type=int, default=30, metavar="N", help="epochs of each training")
    given = parser.parse_args()
    folder = data_folder(given.data)
    if folder is None:
        parser.error("--data or SAPWOOD_DATA names the folder of the corpora")
    train, dev = (dicts_of(ewt_names(folder, part)) for part in ("train", "dev"))
    columns = {str(epoch): (str(epoch), ".2f") for epoch in _EPOCHS if epoch <= given.epochs}
    rows: list[Row] = []
    for least, gamma in product(map(int, given.min_updates.split(",")), map(float, given.gamma.split(","))):
        options = {"gamma": gamma, "min_updates": least, "epochs": given.epochs}
        few = "" if len(given.min_updates.split(",")) == 1 else f"min_updates {least}, "
        found = [scores(train, dev, seed=seed, **options) for seed in range(1, given.seeds + 1)]
        means = {epoch: fmean(each[int(epoch) - 1] for each in found) for epoch in columns}
        rows.append({"name": f"{few}gamma {gamma:g}", **means})
        print(rows[-1], file=sys.stderr, flush=True)
    print_rows(rows, columns)
    if given.json:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
