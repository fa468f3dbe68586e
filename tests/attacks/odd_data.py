"""Models are trained on data that are odd, each in one way: is that said in one line, and nothing of ordinary data?

    python tests/attacks/odd_data.py [--data DIR] [--json FILE]

The command runs with -q. What is said of the corpora in DIR, as they are divided and with a tenth held out, is shown;
it has to be true of them.
"""

import argparse
import contextlib
import io
import os
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
sys.path.insert(1, str(Path(__file__).resolve().parents[2]))

from odd_data import ATTACKS

from measure.records import measuring_command, write_measurements
from sapwood import _core
from sapwood.cli import run
from sapwood.io.conllu import read_treebank
from sapwood.io.source import read_bytes
from sapwood.training.cross_validation import hold_out
from sapwood.training.odd_data import is_same, warn_of_alike, warn_of_odd_held_out, warn_of_odd_sentences

WARNING = "sapwood: warning: "
# Corpora: the training part, and what stands in its place in the names of the other parts.
CORPORA = {
    "*/*-train.conllu.xz": ("train", "dev", "test"),
    "languages/*/*-train.conllu.xz": ("train", "dev", "test"),
    "ud/*-dev.conllu.xz": ("dev", "test"),
    "conll2000/train.txt.xz": ("train", "test"),
    "names/wnut17train.conll.xz": ("wnut17train.conll", "emerging.dev.conll", "emerging.test.annotated"),
    "names/sec/FIN5_train.tsv.xz": ("FIN5_train", "FIN3_test"),
    "names/wikigold.conll.txt.xz": (),
}


def attacked() -> list[dict[str, object]]:
    """Return for each way to be odd how many data were tried, and of how many it was said, and nothing else."""
    tried, said = Counter[str](), Counter[str]()
    for attack in ATTACKS:
        kind = attack.name.partition(":")[0]
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            attack.write(Path(folder))
            with contextlib.redirect_stderr(io.StringIO()) as err:
                run(attack.words())
        lines = [line for line in err.getvalue().splitlines() if line.startswith(WARNING)]
        tried[kind] += 1
        said[kind] += attack.says in "".join(lines) if len(lines) == 1 and attack.says else bool(lines)
    return [{"name": kind, "tried": tried[kind], "said": said[kind]} for kind in tried]


def read(path: Path) -> _core.Conllu | _core.Columns:
    """Return a corpus."""
    return read_treebank(path) if ".conllu" in path.name else _core.Columns.read(read_bytes(path), path.name)


def labels_of(data: _core.Conllu | _core.Columns) -> list[list[str]]:
    """Return the distinct labels of each kind."""
    fields = ("upos", "xpos", "feats", "deprel") if isinstance(data, _core.Conllu) else (data.width - 1,)
    return [list(dict.fromkeys(chain.from_iterable(data.column(field)))) for field in fields]  # type: ignore[arg-type]


def said_of(name: str, look: Callable[[], object]) -> int:
    """Return whether something is said of a corpus, and show it."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        look()
    for each in found:
        print(f"{name}: {each.message}")
    return bool(found)


def corpora(folder: Path) -> list[dict[str, object]]:
    """Return of how many corpora something is said."""
    tried, said = Counter[str](), Counter[str]()

    def count(kind: str, name: str, look: Callable[[], object]) -> None:
        tried[kind] += 1
        said[kind] += said_of(name, look)

    for path, parts in ((path, parts) for each, parts in CORPORA.items() for path in sorted(folder.glob(each))):
        data, name = read(path), path.name
        label = data.width - 1 if isinstance(data, _core.Columns) else 0
        count("corpora: labels", name, lambda data=data: [*map(warn_of_alike, labels_of(data))])
        count("corpora: sentences", name, partial(warn_of_odd_sentences, data))
        for part in parts[1:]:
            other = path.with_name(name.replace(parts[0], part))
            if other.exists():
                held_out = read(other)
                look = partial(warn_of_odd_held_out, data, held_out, "sentences", label, same=is_same(data, held_out))
                count("corpora: held out as they are divided", f"{name}, {other.name}", look)
        count("corpora: a tenth held out", name, partial(hold_out, data, 0.1, "sentences", label))
    return [{"name": kind, "tried": tried[kind], "said": said[kind]} for kind in tried]


def main() -> None:
    """Show, and write, what is said of what."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", default=os.environ.get("SAPWOOD_DATA"), help="the folder of corpora")
    parser.add_argument("--json", help="a file for the figures")
    given = parser.parse_args()
    rows = attacked() + (corpora(Path(given.data)) if given.data else [])
    for row in rows:
        print(f"{row['name']:40} {row['said']:>3} of {row['tried']}")
    if given.json:
        write_measurements(given.json, rows, measuring_command(["python", *sys.argv]))


if __name__ == "__main__":
    main()
