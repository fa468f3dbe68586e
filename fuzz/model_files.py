"""Changes whole model files and checkpoints, with the checksum made right, and loads and uses what comes of it.

    .ci/sanitized fuzz/model_files.py [--changes N] [--seed S] [KIND...]

Each change must end in an error of sapwood of one line, or in something that works, within a time and a memory. The
file that is being tried is in the working folder, so that it is there if the process ends. Prints a table.
"""

import argparse
import json
import random
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "shared"))

from forged import Contents, contents

import sapwood
from sapwood import Classifier, DependencyParser, Reranker, SequenceTagger
from sapwood._core import Conllu
from sapwood.datasets.treebank import generate
from sapwood.errors import SapwoodError
from sapwood.io.lists import Candidate, CandidateList
from sapwood.model.file import container
from sapwood.model.file.bundled import model_path
from sapwood.model.file.container import Array
from sapwood.tasks.parsing.grammar import PhraseParser
from sapwood.tasks.pipeline.model import Pipeline
from sapwood.tasks.rewriting.model import Lemmatizer, Splitter
from sapwood.tasks.segmenting.model import Segmenter

LONGEST = 20.0  # seconds that a change may take
MOST = 2 << 30  # bytes of memory that the process may grow by

Try = Callable[[Path], object]  # loads a file and uses it
EDGES = [
    0,
    1,
    2,
    7,
    8,
    63,
    64,
    65,
    255,
    256,
    1023,
    1 << 16,
    1 << 31,
    (1 << 32) - 1,
    1 << 40,
    (1 << 62) - 1,
    -1,
    1 << 63,
]

WORDS = [[("the", "D"), ("dog", "N"), ("barks", "V")], [("cats", "N"), ("sleep", "V")], [("no", "D")]] * 4
TREES = [([2, 3, 0], ["det", "subj", "root"]), ([2, 0], ["subj", "root"]), ([0], ["root"])] * 4
TAGS = [[tag for _, tag in sentence] for sentence in WORDS]
TEXTS, LABELS = ["good film", "bad film", "a good one", "so so"] * 4, ["yes", "no", "yes", "maybe"] * 4
PHRASES = ["(TOP (S (NP (D the) (N dog)) (VP (V barks))))", "(TOP (S (NP (D a) (J old) (N cat)) (VP (V sees))))"]


def lists() -> list[CandidateList]:
    """Return lists of candidates: each tree, after a flat one."""
    return [
        CandidateList("tree", [Candidate("(TOP (X y) (X z))", -1.0, 2.0), Candidate(t, -2.0, 0.0)]) for t in PHRASES
    ]


def treebank() -> Conllu:
    """Return a treebank with spaces, lemmas and multiword tokens."""
    lines = []
    for line in "".join(s.conllu(str(k), "attached") for k, s in enumerate(generate(40, 1))).split("\n"):
        cells = line.split("\t")
        if len(cells) == 10 and "-" not in cells[0]:
            cells[2] = cells[1].lower()
        lines.append("\t".join(cells))
    return Conllu.read("\n".join(lines).encode(), "treebank")


def models(folder: Path) -> Iterator[tuple[str, Contents, Try]]:
    """Yield honest files of all kinds, and how each is tried."""
    data = treebank()
    text = ["The dog can't bark. Cats sleep!"]
    kinds: dict[str, tuple[Any, tuple[Any, ...], Callable[[Any], object]]] = {
        "tagger, 8 bits": (
            SequenceTagger(template="pos", bits=8, names=True),
            (WORDS, TAGS),
            lambda m: m.predict(WORDS),
        ),
        "tagger, 16 bits": (
            SequenceTagger(template="U:%x[0,0]\nU:%y[-2]/%y[-1]\nB\n", bits=16, order=2),
            (WORDS, TAGS),
            lambda m: m.n_best(WORDS, 3),
        ),
        "tagger, float": (SequenceTagger(template="pos", bits=32), (WORDS, TAGS), lambda m: m.predict(WORDS)),
        "tagger, greedy": (SequenceTagger(template="pos", search="greedy"), (WORDS, TAGS), lambda m: m.predict(WORDS)),
        "classifier": (Classifier(min_updates=1), (TEXTS, LABELS), lambda m: m.predict(TEXTS)),
        "classifier, voted": (Classifier(voted=True, min_updates=1), (TEXTS, LABELS), lambda m: m.predict(TEXTS)),
        "classifier, multi-label": (
            Classifier(multi_label=True, min_updates=1),
            (TEXTS, [[label, "all"] for label in LABELS]),
            lambda m: m.predict(TEXTS),
        ),
        "reranker": (Reranker(epochs=3), (lists(),), lambda m: m.rank(lists())),
        "reranker, voted": (Reranker(epochs=3, kernel="polynomial", voted=True), (lists(),), lambda m: m.rank(lists())),
        "reranker, trees": (Reranker(epochs=3, kernel="tree"), (lists(),), lambda m: m.rank(lists())),
        "grammar": (PhraseParser(), (PHRASES,), lambda m: m.n_best([["the", "dog"]], 3)),
        "segmenter": (Segmenter(epochs=2), (data,), lambda m: m.predict(text[0])),
        "lemmatizer": (Lemmatizer(epochs=2), (data,), lambda m: m.predict(data)),
        "splitter": (Splitter(epochs=2), (data,), lambda m: m.predict(data)),
        "pipeline": (Pipeline(beam=2), (data,), lambda m: m(text[0]).to_conllu()),
    }
    for search, more in {"beam": {}, "easy-first": {"tags": "predicted"}, "eisner": {"order": 2}}.items():
        parser = DependencyParser(search=search, tag_columns=["xpos"], epochs=3, min_updates=1, **more)
        kinds[f"parser, {search}"] = (parser, (WORDS, TREES), lambda m: m.predict(WORDS))
    for kind, (model, given, use) in kinds.items():
        model.fit(*given).save(folder / "honest.sap")
        honest = contents(folder / "honest.sap")

        def try_it(path: Path, use: Callable[[Any], object] = use) -> object:
            return use(sapwood.load(path))

        yield kind, honest, try_it
    yield "English", contents(Path(model_path("en"))), lambda path: sapwood.load(path)(text[0]).to_conllu()
    yield from checkpoints(folder)


def checkpoints(folder: Path) -> Iterator[tuple[str, Contents, Try]]:
    """Yield honest checkpoints, and how each is tried: by going on to the end of training."""
    trainings: dict[str, tuple[Any, tuple[Any, ...]]] = {
        "tagger": (SequenceTagger(template="pos", epochs=2, min_updates=1), (WORDS, TAGS)),
        "parser": (DependencyParser(tag_columns=["xpos"], epochs=2, min_updates=1), (WORDS, TREES)),
        "classifier": (Classifier(epochs=2, min_updates=1), (TEXTS, LABELS)),
        "classifier, voted": (Classifier(epochs=2, voted=True, min_updates=1), (TEXTS, LABELS)),
        "reranker, trees": (Reranker(epochs=2, kernel="tree"), (lists(),)),
    }
    for kind, (model, data) in trainings.items():
        path = folder / "training.checkpoint"
        states: list[Contents] = []

        def keep(event: object, path: Path = path, states: list[Contents] = states) -> None:
            if path.exists() and not states:
                states.append(contents(path))

        model.fit(*data, checkpoint=path, every=0, on_event=keep)

        def resume(path: Path, model: Any = model, data: tuple[Any, ...] = data) -> object:
            return type(model)(**model.get_params()).fit(*data, resume=path)

        yield f"checkpoint, {kind}", states[0] if states else contents(path), resume
        path.unlink(missing_ok=True)


def changed_number(value: float, chance: random.Random) -> float:
    """Return another number."""
    return chance.choice([*EDGES, value + 1, value - 1, value * 2, value // 2, 0.5, 1e308, float("nan")])


def changed_json(value: Any, chance: random.Random) -> Any:
    """Return a value with one part of it changed."""
    if isinstance(value, dict) and value and chance.random() < 0.95:
        key = chance.choice(sorted(value))
        if chance.random() < 0.05:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: changed_json(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.95:
        k = chance.randrange(len(value))
        if chance.random() < 0.1:
            return [*value[:k], *value[k + 1 :]] if chance.random() < 0.5 else [*value, value[k]]
        return [*value[:k], changed_json(value[k], chance), *value[k + 1 :]]
    if isinstance(value, (int, float)) and not isinstance(value, bool) and chance.random() < 0.95:
        return changed_number(value, chance)
    if isinstance(value, str) and chance.random() < 0.9:
        k = chance.randrange(len(value) + 1)
        return (
            value[:k] + chance.choice(["", "\x00", "\n", "[", "é", "9", "%x[0,0]"]) + value[k + chance.randrange(3) :]
        )
    return chance.choice([None, True, "", [], {}, 0, -1, 1 << 62, "x", [0], 1.5])


def changed_text(text: str, chance: random.Random) -> str:
    """Return another text; of JSON mostly other JSON."""
    try:
        value = json.loads(text)
    except ValueError:
        value = text
    if isinstance(value, str) or chance.random() < 0.1:
        return str(changed_json(text, chance))
    return json.dumps(changed_json(value, chance))


def changed_bytes(data: bytes, chance: random.Random) -> bytes:
    """Return other bytes, of another length now and then."""
    new = bytearray(data)
    way = chance.random()
    if way < 0.1:
        return bytes(new[: chance.randrange(len(new) + 1)])
    if way < 0.2:
        return bytes(new) + chance.randbytes(chance.randrange(1, 17))
    for _ in range(chance.choice([1, 1, 1, 2, 4, 16])):
        if new:
            at = chance.randrange(len(new))
            new[at] = chance.choice([0, 255, new[at] ^ 1 << chance.randrange(8), chance.randrange(256)])
    return bytes(new)


def change_array(name: str, metadata: dict[str, str], arrays: dict[str, Array], chance: random.Random) -> None:
    """Change an array; of a coded table a section, and often the header says its new length."""
    array = arrays[name]
    if name.endswith(".table") and chance.random() < 0.7:
        try:
            tables = json.loads(metadata["tables"])
            lengths = tables[int(name.split(".")[-2])]["lengths"]
            k = chance.randrange(len(lengths))
            begin = sum(lengths[:k])
            section = changed_bytes(bytes(array.data[begin : begin + lengths[k]]), chance)
            data = bytes(array.data[:begin]) + section + bytes(array.data[begin + lengths[k] :])
            lengths[k] = len(section)
            metadata["tables"] = json.dumps(tables)
            arrays[name] = Array.of("U8", data)
            return
        except (KeyError, ValueError, TypeError, IndexError):
            pass  # a table of a part, or changed before
    item = len(array.data) // array.shape[0] if array.shape and array.shape[0] else container.ITEM_SIZES[array.dtype]
    data = changed_bytes(bytes(array.data), chance)
    arrays[name] = Array.of(array.dtype, data[: len(data) // item * item])


def changed(honest: Contents, chance: random.Random) -> bytes:
    """Return a file with one to three changes, and a checksum that is right."""
    metadata, arrays = dict(honest.metadata), dict(honest.arrays)
    for _ in range(chance.choice([1, 1, 2, 3])):
        way = chance.random()
        if way < 0.35 or not arrays:
            key = chance.choice(sorted(metadata))
            metadata[key] = changed_text(metadata[key], chance)
        elif way < 0.9:
            change_array(chance.choice(sorted(arrays)), metadata, arrays, chance)
        elif way < 0.95:
            del arrays[chance.choice(sorted(arrays))]
        else:
            a, b = chance.choice(sorted(arrays)), chance.choice(sorted(arrays))
            arrays[a] = arrays[b]
    try:
        data = container.dump(arrays, metadata)
    except ValueError:  # what no container can hold
        data = container.dump(honest.arrays, honest.metadata)
    if chance.random() < 0.1:  # the container itself
        data = changed_bytes(data, chance)
        if len(data) > 45:
            data = data[:37] + b"%08x" % _checksum(data) + data[45:]
    return data


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def _checksum(data: bytes) -> int:
    import zlib

    return zlib.crc32(data[:37] + b"00000000" + data[45:])


def run(kind: str, honest: Contents, try_it: Try, count: int, seed: int, path: Path) -> tuple[str, ...]:
    """Try so many changes, and return a row of the table."""
    chance = random.Random(f"{kind} {seed}")
    path.write_bytes(container.dump(honest.arrays, honest.metadata))
    try_it(path)  # the honest one
    refused = works = 0
    before = _peak()
    slowest, began = 0.0, time.process_time()
    for _ in range(count):
        path.unlink()  # others may have mapped it
        path.write_bytes(changed(honest, chance))
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, 2 * LONGEST)  # kills what hangs
        try:
            try_it(path)
            works += 1
        except SapwoodError as error:
            assert str(error).isprintable() and str(error), error
            refused += 1
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        slowest = max(slowest, time.process_time() - start)
        assert slowest < LONGEST, f"{slowest} s"
    memory = _peak()
    assert memory - before < MOST, f"{memory:,} bytes of memory, {before:,} before"
    seconds = time.process_time() - began
    return kind, f"{count:,}", f"{works:,}", f"{refused:,}", f"{slowest:.2f}", f"{memory >> 20:,}", f"{seconds:.0f}"


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", help="beginnings of kinds (default: all)")
    parser.add_argument("--changes", type=int, default=100_000, help="of all kinds together (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    path = Path("model-files.last").resolve()
    with tempfile.TemporaryDirectory() as folder:
        chosen = [m for m in models(Path(folder)) if not given.kinds or m[0].startswith(tuple(given.kinds))]
    columns = ("kind", "changes", "work", "refused", "slowest, s", "memory, MB", "CPU, s")
    print("| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|", flush=True)
    for kind, honest, try_it in chosen:
        row = run(kind, honest, try_it, -(-given.changes // len(chosen)), given.seed, path)
        print("| " + " | ".join(row) + " |", flush=True)
    path.unlink()


if __name__ == "__main__":
    main()
