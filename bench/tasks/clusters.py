"""Learning word clusters, and what they are good for.

    python -m bench.tasks.clusters --data DIR [--tokens N] [--classes N] [--json FILE]

Time: `sapwood train clusters` as a process of its own, on N tokens (20 million) made of the raw English in DIR/text,
which has 8.2 million as the plain tokenizer cuts them. The rest are copies of it in which every tenth word is
replaced by one drawn from anywhere in the text, so that copies have bigrams of their own: more different ones, and so
more work, than real text of that size.

Gain: tags, trees (from gold tags) and names of English Web Treebank, scored on its development set, without clusters,
with clusters learned from DIR/text, and with the clusters in DIR/clusters. Few epochs; greedy search, but Viterbi for
names. Bytes are the size of the cluster table in a model.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from measure.layout import print_rows, write_rows
from measure.processes import SAPWOOD, Job, in_turn
from measure.report import Row
from sapwood import DependencyParser, SequenceTagger, WordClusterer, _core
from sapwood.io.lexicons import read_clusters
from sapwood.io.source import read_bytes
from sapwood.metrics import chunk_scores

TEXTS = ("masc-tokens", "novels", "peps", "speeches")
EWT = "ewt/en_ewt-ud-{}.conllu.xz"
NAMES = "ewt_names/en_ewt-ner-{}.iob2.xz"
FEW = 30_000  # of the most frequent words
_TIME = {"tokens": ("tokens", ","), "classes": ("classes", ","), "CPU s": ("cpu_s", ".0f"), "MB": ("peak_mb", ".0f")}
_GAIN = {
    "words": ("words", ","),
    "bytes": ("bytes", ","),
    "XPOS": ("xpos", ".2f"),
    "UPOS": ("upos", ".2f"),
    "UAS": ("uas", ".2f"),
    "LAS": ("las", ".2f"),
    "names F1": ("names", ".2f"),
    "CPU s": ("cpu_s", ".0f"),
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the folder of the corpora")
    parser.add_argument("--tokens", type=int, default=20_000_000, metavar="N", help="size of the text to be timed on")
    parser.add_argument("--classes", type=int, default=1000, metavar="N", help="classes")
    parser.add_argument("--json", metavar="FILE", help="also write the figures to this file")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        rows = measure_time(given.data, Path(folder), given.tokens, given.classes)
        rows += measure_gain(given.data, Path(folder), given.classes)
    if given.json:
        write_rows(given.json, rows)


def measure_time(data: Path, folder: Path, tokens: int, classes: int) -> list[Row]:
    """Print what learning takes."""
    text = folder / "text.txt"
    with text.open("w", encoding="utf-8") as out:
        out.writelines(_text(data, tokens))
    train = [*SAPWOOD, "train", "clusters", text, "-o", folder / "clusters", "--classes", str(classes), "-q"]
    used = in_turn([Job("clusters", train)], 1)
    row: Row = {"name": "train clusters", "tokens": tokens, "classes": classes}
    row |= {"cpu_s": used.cpu("clusters"), "peak_mb": used.peak("clusters")}
    print_rows([row], _TIME)
    return [row]


def _text(data: Path, tokens: int) -> Iterator[str]:
    """Yield lines of so many tokens, about."""
    raw = [read_bytes(path) for path in _texts(data)]
    counted = _core.Clustering(False)
    for text in raw:
        counted.add(text, "text", 1)
    counted.begin(2, 1)
    lines = [line for text in raw for line in text.decode().splitlines(keepends=True)]
    words = [line.split() for line in lines]
    pool = [word for line in words for word in line]
    drawn = random.Random(1)
    wanted = tokens / counted.tokens * len(lines)
    for number in range(round(wanted)):
        copy, line = divmod(number, len(lines))
        if copy == 0:
            yield lines[line]
        else:
            yield " ".join(drawn.choice(pool) if drawn.random() < 0.1 else word for word in words[line]) + "\n"


def _texts(data: Path) -> list[Path]:
    return [data / f"text/{name}.txt.xz" for name in TEXTS]


def measure_gain(data: Path, folder: Path, classes: int) -> list[Row]:
    """Print scores with and without clusters."""
    WordClusterer(classes=classes).fit(_texts(data)).save(folder / "own")
    published = data / "clusters/en-brown-1000.tsv.xz"
    few = {"clusters": published, "clusters_limit": FEW}
    given: list[tuple[str, dict[str, Any]]] = [
        ("none", {}),
        ("of text/", {"clusters": folder / "own"}),
        ("of clusters/", {"clusters": published}),
        (f"of clusters/, {FEW:,} words", few),
    ]
    rows = []
    for name, clusters in given:
        started = process_time()
        row: Row = {"name": name}
        if clusters:
            table = read_clusters(clusters["clusters"], clusters.get("clusters_limit"))
            row |= {"words": len(table), "bytes": sum(map(len, (table.high, table.low, table.classes, table.tree)))}
        for tags in ("xpos", "upos"):
            row[tags] = _tags(data, tags, **clusters)
        row |= _trees(data, **clusters) | {"names": _names(data, **clusters)} | {"cpu_s": process_time() - started}
        rows.append(row)
    print()
    print_rows(rows, _GAIN)
    return rows


def _treebanks(data: Path) -> list[_core.Conllu]:
    return [_core.Conllu.read(read_bytes(data / EWT.format(part)), part) for part in ("train", "dev")]


def _tags(data: Path, column: str, **clusters: Any) -> float:
    train, dev = [(bank.column("form"), bank.column(column)) for bank in _treebanks(data)]
    tagger = SequenceTagger(template="pos", search="greedy", epochs=6, **clusters).fit(*train)
    return 100 * tagger.score(*dev)


def _trees(data: Path, **clusters: Any) -> Row:
    train, dev = _treebanks(data)
    report = DependencyParser(beam=1, epochs=4, **clusters).fit(train).evaluate(dev)
    return {"uas": report.uas, "las": report.las}


def _names(data: Path, **clusters: Any) -> float:
    train, dev = [_entities(data / NAMES.format(part)) for part in ("train", "dev")]
    tagger = SequenceTagger(template="pos", search="viterbi", epochs=6, **clusters).fit(*train)
    return chunk_scores(dev[1], tagger.predict(dev[0])).f1


def _entities(path: Path) -> tuple[list[list[str]], list[list[str]]]:
    """Return forms and tags by sentence."""
    blocks = read_bytes(path).decode().strip().split("\n\n")
    rows = [[line.split("\t") for line in block.splitlines() if not line.startswith("#")] for block in blocks]
    return [[row[1] for row in block] for block in rows], [[row[2] for row in block] for block in rows]


if __name__ == "__main__":
    main()
