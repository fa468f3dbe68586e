"""Update counts by feature and by weight (`count_updates`): score and size at equal min_updates and at equal bytes.

    python -m bench.training.update_counts --data DIR [--only chunks,names,wsj,trees] [--epochs N] [--json FILE]

DIR has the corpora, see `measure.corpora`. Scores are those of development data: every tenth sentence of the
training data of CoNLL-2000 (F1 of chunks) and of the Penn Treebank sample (UAS), the development parts of the names of
EWT (F1) and of its trees (LAS). Test data are not looked at. All options but those in the rows are the defaults.

For each task there are two rows at the task's default of min_updates. Behind each of them is a row of the other way of
counting, with the min_updates whose file is nearest in bytes; "off" says by how many percent it is larger. As
min_updates are whole numbers, it may be off by more than 3. Counts of weights are then raised until there is a file of
counts of features that is off by no more.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from measure.corpora import chunking_corpus, corpus_files, data_folder, tree_corpora
from measure.layout import command_line, print_rows, write_rows
from measure.names import ewt_names
from measure.report import Row
from sapwood import DependencyParser, SequenceTagger, _core
from sapwood.io.conllu import read_treebank
from sapwood.io.source import read_bytes
from sapwood.training.cross_validation import hold_out

MOST_OFF = 3.0  # percent of bytes
MOST_TRIED = 5  # min_updates
COLUMNS = {
    "score": ("score", ".2f"),
    "features": ("features", ",d"),
    "weights": ("weights", ",d"),
    "bytes": ("bytes", ",d"),
    "off": ("off", "+.1f"),
}


class Task(NamedTuple):
    """What is learned: a new model, its training data, and the score of a fitted one in percent."""

    new: Callable[..., Any]
    train: Any
    score: Callable[[Any], float]


def chunks(folder: Path) -> Task:
    """Return the chunks of CoNLL-2000, by Viterbi."""
    with chunking_corpus(folder) as corpus:
        data = _core.Columns.read(read_bytes(corpus.train), "train")
    train, held_out = hold_out(data, 0.1, "sentences")
    return Task(SequenceTagger, train, lambda model: model.evaluate(held_out).as_dict()["f1"])


def names(folder: Path) -> Task:
    """Return the names of EWT, by Viterbi."""
    train, dev = ewt_names(folder, "train"), ewt_names(folder, "dev")
    return Task(partial(SequenceTagger, template="ner"), train, lambda model: model.evaluate(dev).as_dict()["f1"])


def wsj(folder: Path) -> Task:
    """Return the trees of the Penn Treebank sample, by Eisner's algorithm."""
    with tree_corpora(folder, "wsj") as [corpus]:
        train, held_out = hold_out(read_treebank(corpus.train), 0.1, "sentences")
    new = partial(DependencyParser, search="eisner", labelling="none", tag_columns=corpus.tag_columns)
    return Task(new, train, lambda model: model.evaluate(held_out).uas)


def trees(folder: Path) -> Task:
    """Return the trees of EWT, by a beam."""
    with tree_corpora(folder, "ewt") as [corpus]:
        train = read_treebank(corpus.train)
    [dev] = corpus_files(folder, "ewt", "en_ewt-ud-dev.conllu")
    return Task(DependencyParser, train, lambda model: model.evaluate(dev).las)


TASKS = {"chunks": chunks, "names": names, "wsj": wsj, "trees": trees}


def compare(name: str, task: Task, epochs: int) -> Iterator[Row]:
    """Yield the rows of a task."""

    @cache
    def measured(count: str, least: int) -> Row:
        model = task.new(count_updates=count, min_updates=least, epochs=epochs).fit(task.train)
        packed = [table.packed for table in model.model_.tables]
        return {
            "name": f"{name}, {count}, {least}",
            "count_updates": count,
            "min_updates": least,
            "score": task.score(model),
            "features": sum(table.features for table in packed),
            "weights": sum(table.weights for table in packed),
            "bytes": model.model_.size(),
        }

    default = task.new().params.min_updates

    def pair(count: str, least: int, other: str) -> tuple[Row, Row]:
        row = measured(count, least)
        near = nearest(partial(measured, other), row["bytes"], least)
        return row, {**near, "off": 100 * (near["bytes"] / row["bytes"] - 1)}

    yield from pair("feature", default, "weight")
    for least in range(default, default + MOST_TRIED):
        row, near = pair("weight", least, "feature")
        yield from (row, near)
        if abs(near["off"]) <= MOST_OFF:
            break


def nearest(measured: Callable[[int], Row], size: int, first: int) -> Row:
    """Return the row whose bytes are nearest to `size`; they fall with the number that `measured` takes.

    >>> nearest(lambda k: {"bytes": 1000 // k}, 70, 3)
    {'bytes': 71}
    """
    low, high, at = 0, 1 << 32, first  # the bytes at `low` are at least `size`, and those at `high` less
    while high - low > 1:
        found = measured(at)["bytes"]
        low, high = (at, high) if found >= size else (low, at)
        at = min(max(round(at * found / size), low + 1), high - 1)  # they are about the inverse of the number
    return min(map(measured, {low or high, high}), key=lambda row: abs(row["bytes"] - size))


def main() -> None:
    """Measure all tasks."""
    parser = command_line(__doc__)
    parser.add_argument("--only", default=",".join(TASKS), metavar="TASK,...", help="some of the tasks")
    parser.add_argument("--epochs", type=int, default=10, metavar="N")
    args = parser.parse_args()
    folder = data_folder(args.data)
    if folder is None:
        parser.error("the corpora are needed: name their folder, --data DIR")
    rows: list[Row] = []
    for name in args.only.split(","):
        for row in compare(name, TASKS[name](folder), args.epochs):
            print_rows([row], COLUMNS)
            rows.append(row)
    print_rows(rows, COLUMNS)
    if args.json:
        write_rows(args.json, rows)


if __name__ == "__main__":
    main()
