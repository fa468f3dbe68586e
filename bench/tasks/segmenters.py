"""Sentences and lemmas by libraries that install here, beside a pipeline of sapwood.

    python -m bench.tasks.segmenters TREEBANK.conllu... [--model MODEL] [--json FILE]

Each treebank is English, plain or compressed; what sapwood was not trained on, so a dev or test set. Sentences are
found in its raw text, and score F1: a sentence is right if it begins and ends where gold's does. Lemmas are asked for
word by word, with gold words and where the library takes them gold UPOS tags; the scores are percentages of the words,
and of nouns, verbs, adjectives and adverbs ("open"), as LemmInflect has no pronouns and determiners. Libraries that
are not installed are left out: pip install '.[bench]'.

The libraries are given paragraph by paragraph, because they do not look for those; NLTK's Punkt, which needs no
annotation, is trained on the text itself. A row of sapwood, which finds paragraphs by itself, is there with --model:
`sapwood annotate` of the raw text for sentences; for lemmas see `sapwood eval --from tokens`.

"words/s" is per CPU second of the work alone, without imports and loading; sapwood's is of the whole process.
"""

import argparse
import importlib.util
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from measure.layout import print_rows, write_rows
from measure.processes import SAPWOOD, run, timed
from measure.report import Row
from sapwood._core import Conllu
from sapwood.io.source import read_bytes
from sapwood.metrics import conll2018_scores
from sapwood.metrics.labels import percent

Sentences = Callable[[str], Iterable[str]]  # of a paragraph
OPEN = frozenset(("NOUN", "VERB", "ADJ", "ADV"))
Lemma = Callable[[str, str], str]  # of a form and its UPOS


def punkt(text: str) -> Sentences:
    from nltk.tokenize.punkt import PunktSentenceTokenizer, PunktTrainer

    return PunktSentenceTokenizer(PunktTrainer(text).get_params()).tokenize


def pysbd(text: str) -> Sentences:
    import pysbd

    return pysbd.Segmenter(language="en", clean=False).segment


def nupunkt(text: str) -> Sentences:
    import nupunkt

    nupunkt.sent_tokenize("It loads its model.")
    return nupunkt.sent_tokenize


def lemminflect() -> Lemma:
    from lemminflect import getLemma

    def lemma(form: str, upos: str) -> str:
        found = getLemma(form.lower(), upos) if upos in OPEN or upos == "AUX" else ()
        return found[0] if found else form if upos == "PROPN" else form.lower()

    lemma("loads", "VERB")
    return lemma


def simplemma() -> Lemma:
    import simplemma

    simplemma.lemmatize("loads", lang="en")
    return lambda form, upos: simplemma.lemmatize(form, lang="en")


SEGMENTERS = {"nltk": ("NLTK Punkt", punkt), "pysbd": ("pySBD", pysbd), "nupunkt": ("nupunkt", nupunkt)}
LEMMATIZERS = {"lemminflect": ("LemmInflect, gold UPOS", lemminflect), "simplemma": ("simplemma", simplemma)}


def sentences(gold: bytes, name: str, model: str | None) -> list[Row]:
    data = Conllu.read(gold, name)
    raw = data.text().text
    text = raw.decode()
    paragraphs = [paragraph for paragraph in text.split("\n\n") if paragraph.strip()]
    rows = []

    def add(system: str, output: bytes, seconds: float) -> None:
        scores = conll2018_scores(gold, output, gold_name=name, system_name=system)
        rows.append({"name": system, "f1": scores["Sentences"].f1, "words_per_cpu_s": data.words / seconds})

    for module, (title, load) in SEGMENTERS.items():
        if importlib.util.find_spec(module) is None:
            continue
        segment, found = load(text), []
        seconds = timed(lambda segment=segment, found=found: found.extend(s for p in paragraphs for s in segment(p)))
        joined = ["".join(sentence.split()) for sentence in found]
        lines = ["\t".join(["1", form, "_", "_", "_", "_", "0", "root", "_", "_\n\n"]) for form in joined if form]
        add(title, "".join(lines).encode(), seconds)
    if model is not None:
        with TemporaryDirectory() as scratch:
            path, output = Path(scratch, "text"), Path(scratch, "output")
            path.write_bytes(raw)
            used = run([*SAPWOOD, "annotate", model, path], output)
            add("sapwood", output.read_bytes(), used.cpu_s)
    return rows


def lemmas(gold: bytes, name: str) -> list[Row]:
    data = Conllu.read(gold, name)
    words = [
        (form, upos, lemma)
        for columns in zip(data.column("form"), data.column("upos"), data.column("lemma"), strict=True)
        for form, upos, lemma in zip(*columns, strict=True)
        if lemma != "_"
    ]
    rows = []
    for module, (title, load) in LEMMATIZERS.items():
        if importlib.util.find_spec(module) is not None:
            lemma, found = load(), []
            seconds = timed(lambda lemma=lemma, found=found: found.extend(lemma(form, upos) for form, upos, _ in words))
            right = [guess == wanted for guess, (_, _, wanted) in zip(found, words, strict=True)]
            right_open = [ok for ok, (_, upos, _) in zip(right, words, strict=True) if upos in OPEN]
            rows.append(
                {
                    "name": title,
                    "right": percent(sum(right), len(right)),
                    "right_open": percent(sum(right_open), len(right_open)),
                    "words_per_cpu_s": len(words) / seconds,
                }
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+", metavar="TREEBANK.conllu")
    parser.add_argument("--model", help="a pipeline of sapwood, or en")
    parser.add_argument("--json", metavar="FILE", help="also write the figures to this file")
    given = parser.parse_args()
    everything: list[Row] = []
    for path in given.treebanks:
        name, gold = Path(path).name.partition(".")[0], bytes(read_bytes(path))
        tables = {
            "sentences": (sentences(gold, name, given.model), {"F1": ("f1", ".2f")}),
            "lemmas": (lemmas(gold, name), {"right": ("right", ".2f"), "open": ("right_open", ".2f")}),
        }
        for what, (rows, columns) in tables.items():
            print(f"{name}, {what}")
            print_rows(rows, {**columns, "words/s": ("words_per_cpu_s", ",.0f")})
            print()
            everything += [{"treebank": name, "what": what, **row} for row in rows]
    if given.json is not None:
        write_rows(given.json, everything)


if __name__ == "__main__":
    main()
