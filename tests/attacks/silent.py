"""What sapwood was not made for is given to it, as somebody in a hurry would: is there a word about it?

    python tests/attacks/silent.py [--data DIR] [--json FILE] [ATTACK...]

Texts are windows of 200 and of 1,000 characters, a hundred of each. A hit is a SapwoodWarning or an error; of a format
with signs, one that names it. False alarms are warnings of prose that the English model was made for. Commands and
requests that contradict themselves are refused or not.
"""

import argparse
import contextlib
import io
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
sys.path.insert(1, str(Path(__file__).resolve().parents[2]))

from treebanks import treebank
from web import client_of
from windows import (
    beginnings,
    formats,
    languages,
    programs_and_code,
    prose,
    prose_and_joints,
    read,
    tokenised,
    windows,
)

import sapwood
from measure.records import measuring_command, write_measurements
from sapwood import Classifier, DependencyParser, SequenceTagger
from sapwood.cli import run
from sapwood.errors import SapwoodError, SapwoodWarning
from sapwood.io.lists import parse_lists
from sapwood.tasks.parsing.grammar import PhraseParser

SIZES = 200, 1000  # characters of a window
MANY = 100  # windows of each size
MOST = 1000  # windows of prose, for false alarms
NAMED = "this looks like"
UNNAMED = {"Python", "RTF", "prose"}  # have no sign; a model's familiarity, or the error of who reads rows, tells
ROWS = {"columns of words and labels", "a token a line", "tab-separated"}

Row = dict[str, object]
Use = Callable[[str], object]


def said(use: Use, text: str) -> str:
    """Return what is warned of or raised; nothing if there is no word."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            use(text)
            error = ""
        except SapwoodError as raised:
            error = str(raised)
    return "\n".join(
        [*(str(each.message) for each in found if issubclass(each.category, SapwoodWarning)), error]
    ).strip()


def hits(use: Use, texts: Iterator[str], wanted: str = "") -> int:
    """Return of how many texts there is a word, with `wanted` in it."""
    return sum(bool(answer) and wanted in answer for answer in (said(use, text) for text in texts))


def row(attack: str, name: str, use: Use, of: Callable[[int], Iterator[str]], wanted: str = "") -> Row:
    """Return the hits of a kind of text, for each size of windows."""
    return {"attack": attack, "name": name, **{f"at_{size}": hits(use, of(size), wanted) for size in SIZES}}


def lines_of(text: str) -> Callable[[int], Iterator[str]]:
    """Return what yields windows that begin with a line."""
    return lambda size: windows(text, size, MANY, whole_lines=True)


def lines_with(text: str, counted: str, least: float) -> Callable[[int], Iterator[str]]:
    """Return what yields windows that begin with a line, and of which a share counts."""
    return partial(windows, text, number=MANY, whole_lines=True, counted=counted, least=least)


def anywhere(text: str) -> Callable[[int], Iterator[str]]:
    """Return what yields windows from anywhere."""
    return lambda size: windows(text, size, MANY)


class Models:
    """The English model, and one of each other kind, trained on corpora in a few seconds."""

    def __init__(self, data: Path) -> None:
        self.english = sapwood.load("en")
        rows = [line.split() for line in read(data / "conll2000/train.txt.xz").split("\n")[:60_000]]
        self.words = "\n".join(" ".join(cells[:2]) for cells in rows)
        with tempfile.TemporaryDirectory() as folder:
            (file := Path(folder) / "words.txt").write_text(self.words, encoding="utf-8")
            self.tagger = SequenceTagger(template="pos", epochs=3).fit(file)
        self.parser = DependencyParser(epochs=1).fit(treebank(100, 1))
        self.grammar = PhraseParser().fit(["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"])
        self.reviews = Classifier(epochs=3).fit(data / "movie_reviews/movie_reviews.txt.xz")

    def annotate(self, text: str, input: str = "text") -> object:
        """Do what `sapwood annotate` does."""
        return list(self.english.writer.documents([text.encode()], name="text", input=input))

    def tag(self, text: str) -> object:
        """Do what `sapwood tag` does."""
        return list(self.tagger.annotate([text.encode()], name="text"))

    def classify(self, text: str) -> object:
        """Do what `sapwood classify` does."""
        return list(self.reviews.annotate([text.encode()], name="text"))


@cache
def models(data: Path) -> Models:
    """Return the models, which are trained once."""
    return Models(data)


def text(data: Path) -> Iterator[Row]:
    """Formats, given where running text or lines of tokens are expected."""
    use = models(data).annotate
    for name, content in formats(data).items():
        yield row("text", name, use, lines_of(content), "" if name in UNNAMED else NAMED)
    yield row("text", "Python, a tenth of it code", use, lines_with(*programs_and_code(), 0.1))
    yield row("text", "Python, beginnings of files", use, lambda size: beginnings(size, MANY))
    for name, content in {"prose": prose(data)["EWT"], **formats(data)}.items():
        named = "" if name in UNNAMED else NAMED
        yield row("tokens", name, partial(use, input="tokens"), lines_of(content), named)
    joined = lines_with(*prose_and_joints(data), 1 / 200)
    yield row("tokens", "prose with signs in its words", partial(use, input="tokens"), joined, NAMED)


def readers(data: Path) -> Iterator[Row]:
    """Prose and formats, given to what reads columns, CoNLL-U, trees, lists and examples."""
    m = models(data)
    uses: dict[str, tuple[Use, set[str]]] = {  # and the formats that may well be what is read
        "columns": (m.tag, ROWS),
        "CoNLL-U": (lambda text: list(m.parser.annotate([text.encode()])), {"CoNLL-U"}),
        "trees": (lambda text: m.grammar.lists.read(text.encode(), "file", True, 1, None), {"bracketed trees"}),
        "lists": (lambda text: list(parse_lists(text.encode(), "file")), {"bracketed trees", "JSON", "JSON lines"}),
        "examples": (m.classify, {"prose", "HTML", "XML", "Python", *ROWS} - {"tab-separated"}),
    }
    for reader, (use, fitting) in uses.items():
        for name, content in {"prose": prose(data)["EWT"], **formats(data)}.items():
            if name not in fitting:
                yield row(reader, name, use, lines_of(content), "" if name in UNNAMED else NAMED)


def unfamiliar(data: Path) -> Iterator[Row]:
    """Text of other languages, and rows in another order: whatever is said about them."""
    m = models(data)
    for name, content in languages(data).items():
        yield row("the English model", name, m.annotate, anywhere(content))
        yield row("a classifier of reviews", name, m.classify, anywhere(" ".join(content.split())))
    swapped = "\n".join(" ".join(reversed(line.split())) for line in m.words.split("\n"))
    yield row("a tagger of words", "tags and words swapped", m.tag, lines_of(swapped))
    yield row("a tagger of words", "prose", m.tag, lines_of(prose(data)["EWT"]))
    numbers = " ".join(f"q{k}z" for k in range(20_000))
    yield row("a classifier of reviews", "no known feature", m.classify, anywhere(numbers))


def alarms(data: Path) -> Iterator[Row]:
    """Prose to the English model, and files to what they are for."""
    m = models(data)
    for name, content in prose(data).items():
        yield {"attack": "alarms", "name": name, "alarms": hits(m.annotate, windows(content, 1000, MOST)), "of": MOST}
    found = formats(data)
    fitting: dict[str, tuple[Use, str]] = {
        "tokens between spaces": (partial(m.annotate, input="tokens"), tokenised(data)),
        "words with tags": (m.tag, m.words),
        "a token a line": (m.tag, found["a token a line"]),
        "reviews": (m.classify, read(data / "movie_reviews/movie_reviews.txt.xz")),
    }
    for name, (use, content) in fitting.items():
        given = windows(content, 1000, MANY, whole_lines=True)
        yield {"attack": "alarms", "name": name, "alarms": hits(use, given), "of": MANY}


def refused(data: Path) -> Iterator[Row]:
    """Commands and requests that contradict themselves, texts of another encoding, texts in place of models."""
    m = models(data)
    english = [*windows(prose(data)["EWT"], 1000, MANY)]
    for code in ("utf-16", "utf-16-le", "utf-16-be"):
        given = iter(english)
        use = partial(_replaced, m, code=code)
        yield {"attack": "refused", "name": f"{code}, --errors replace", "hits": hits(use, given), "of": MANY}
    with tempfile.TemporaryDirectory() as folder:
        (file := Path(folder) / "text.txt").write_text("A dog barks.\n", encoding="utf-8")
        for words in (
            f"annotate en {file} --threads 1 --threads 2",
            f"annotate en {file} --format json --format=conllu",
            f"annotate en {file} --input text --input tokens",
            f"train tag {file} --epochs 3 --epochs 5",
            f"train classify {file} -o {folder}/a.sap -o {folder}/b.sap",
        ):
            shown = words.replace(str(file), "FILE").replace(f"{folder}/", "")
            yield {"attack": "refused", "name": f"sapwood {shown}", "hits": int(_status(words) == 2), "of": 1}
        texts = [*lines_of(prose(data)["EWT"])(1000)]
        named = sum("it is a text" in said(partial(_load, file), each) for each in texts)
        yield {"attack": "refused", "name": "a text given as a model", "hits": named, "of": MANY}
    client = client_of({"en": m.english})
    for body in ('{"text": null}', '{"text": "A dog.", "text": "A cat."}', '{"text": ["A dog."]}', '{"text": 1}', "{}"):
        answer = client.post("/annotate", content=body, headers={"Content-Type": "application/json"})
        yield {"attack": "refused", "name": f"the API: {body}", "hits": int(400 <= answer.status_code < 500), "of": 1}


def _replaced(m: Models, text: str, code: str) -> object:
    return list(m.english.writer.written([text.encode(code)], errors="replace"))


def _load(file: Path, text: str) -> object:
    file.write_text(text, encoding="utf-8")
    return sapwood.load(file)


def _status(words: str) -> int:
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        return run(words.split())


ATTACKS = {attack.__name__: attack for attack in (text, readers, unfamiliar, alarms, refused)}


def main() -> None:
    """Run the attacks that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"{', '.join(ATTACKS)}; without, all")
    parser.add_argument("--data", type=Path, default=os.environ.get("SAPWOOD_DATA"), help="the folder of the corpora")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    given = parser.parse_args()
    rows = []
    for name in given.attacks or ATTACKS:
        for found in ATTACKS[name](given.data):
            rows.append(found)
            print("\t".join(map(str, found.values())), flush=True)
    if given.json:
        write_measurements(given.json, rows, measuring_command(["python", "tests/attacks/silent.py", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
