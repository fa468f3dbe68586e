"""The texts that the benchmarks read: plain files in a scratch folder, from the corpora or generated."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from measure.corpora import chunking_corpus, data_folder, tree_corpora
from sapwood.datasets import generate
from sapwood.datasets.documents import generate_reviews
from sapwood.io.source import read_bytes

__all__ = ["REPEATS", "SMALL", "Text", "Texts", "labels", "prepared", "reviews", "treebank", "write_generated"]

SMALL = 100  # sentences of a small file
REPEATS = 10  # the long text of a parser or classifier is its test set so many times

_LONG = 2_000_000  # tokens that the long text has at least
_QUICK = 20_000  # training tokens of a quick run; it tests on a fourth and has a long text of ten times that


class Text(NamedTuple):
    """A file and how many tokens it has."""

    path: Path
    tokens: int


class Texts(NamedTuple):
    """A corpus and what is made of it."""

    name: str
    folder: Path  # for models and output
    train: Text
    test: Text
    one: Text  # the first sentence of `train`: what is left is start-up
    small: Text  # the first sentences of `test`
    long: Text  # `train`, repeated


@contextmanager
def prepared(data: str | None, quick: bool) -> Iterator[Texts]:
    """Unpack CoNLL-2000, or generate a corpus, and give its texts."""
    with chunking_corpus(data) as corpus, TemporaryDirectory(prefix="sapwood-bench-") as scratch:
        folder = Path(scratch)
        train = _copy(corpus.train, folder / "train.txt", _QUICK if quick else None)
        test = _copy(corpus.test, folder / "test.txt", _QUICK // 4 if quick else None)
        one = _copy(corpus.train, folder / "one.txt", 1)
        small = _first(test, folder / "small.txt", SMALL)
        long = _repeat(train, folder / "long.txt", _QUICK * 10 if quick else _LONG)
        yield Texts(corpus.name, folder, train, test, one, small, long)


@contextmanager
def treebank(data: str | None) -> Iterator[tuple[str, dict[str, Path]]]:
    """Give the name and the plain files "train", "test" and "long" of UD English EWT, or of a generated treebank."""
    with tree_corpora(data, "ewt" if data_folder(data) else None) as [corpus], TemporaryDirectory() as scratch:
        test = read_bytes(corpus.test)
        texts = {"train": read_bytes(corpus.train), "test": test, "long": test * REPEATS}
        yield corpus.name, _written(Path(scratch), texts, "conllu")


@contextmanager
def reviews(data: str | None) -> Iterator[tuple[int, dict[str, Path]]]:
    """Give the number of the movie reviews or generated ones, and files: every tenth is in "test" and "long"."""
    folder = data_folder(data)
    if folder is not None:
        lines = read_bytes(next(folder.glob("**/movie_reviews.txt*"))).splitlines()
    else:
        lines = [f"__label__{label} {text}".encode() for text, label in generate_reviews(2000, seed=1)]
    parts = {"train": [line for k, line in enumerate(lines) if k % 10], "test": lines[::10]}
    parts["long"] = parts["test"] * REPEATS
    with TemporaryDirectory() as scratch:
        yield len(lines), _written(Path(scratch), {k: b"\n".join(part) + b"\n" for k, part in parts.items()}, "txt")


def _written(folder: Path, texts: dict[str, bytes], ending: str) -> dict[str, Path]:
    paths = {name: folder / f"{name}.{ending}" for name in texts}
    for name, text in texts.items():
        paths[name].write_bytes(text)
    return paths


def labels(path: Path, column: int) -> Iterator[list[str]]:
    """Yield one column of a column file, a list a sentence."""
    values: list[str] = []
    with path.open(encoding="utf-8") as lines:
        for line in chain(lines, [""]):
            if cells := line.split():
                values.append(cells[column])
            elif values:
                yield values
                values = []


def write_generated(paths: dict[Path, int], seed: int = 1) -> list[Text]:
    """Write generated text: each path gets the first sentences that together have so many tokens or more."""
    targets = sorted(paths.items(), key=lambda item: item[1])
    files = [(path.open("w", encoding="utf-8", newline="\n"), path, target) for path, target in targets]
    texts: list[Text] = []
    tokens = 0
    sentences = generate(1 << 40, seed)
    while files:
        sentence = next(sentences)
        columns = sentence.columns()
        tokens += len(sentence)
        for file, _, _ in files:
            file.write(columns)
        while files and tokens >= files[0][2]:
            file, path, _ = files.pop(0)
            file.close()
            texts.append(Text(path, tokens))
    return texts


def _copy(source: Path, target: Path, most: int | None) -> Text:
    """Write the first sentences of a file, plain; `most` tokens or the sentence that goes beyond."""
    tokens = 0
    with target.open("wb") as out:
        for block in read_bytes(source).replace(b"\r", b"").split(b"\n\n"):
            if not block.strip():
                continue
            out.write(block.strip(b"\n") + b"\n\n")
            tokens += block.strip(b"\n").count(b"\n") + 1
            if most is not None and tokens >= most:
                break
    return Text(target, tokens)


def _first(text: Text, target: Path, sentences: int) -> Text:
    blocks = text.path.read_bytes().split(b"\n\n")[:sentences]
    target.write_bytes(b"".join(block + b"\n\n" for block in blocks if block))
    return Text(target, sum(len(block.splitlines()) for block in blocks))


def _repeat(text: Text, target: Path, least: int) -> Text:
    content = text.path.read_bytes()
    times = -(-least // text.tokens)
    with target.open("wb") as out:
        for _ in range(times):
            out.write(content)
    return Text(target, text.tokens * times)
