"""Data that are odd, each in one way, and what is said of them: for tests, and for the attacks by them.

An attack trains on `train.*`, with `dev.*` held out where that is there; `says` is what the one warning has in it, and
of ordinary data nothing is said.
"""

import json
import lzma
from typing import NamedTuple

WORDS = [  # 16 that are adjectives here, then nouns
    "the", "a", "one", "each", "some", "every", "this", "that", "red", "old", "sly", "shy", "wet", "dry", "hot", "new",
    "dog", "cat", "fox", "hen", "cow", "pig", "owl", "ant",
]  # fmt: skip


class Attack(NamedTuple):
    """What is odd, the model's task and options, the files, and what is said."""

    name: str
    task: str
    files: dict  # name -> text or bytes, or another file's name after "->"
    says: str
    flags: str = ""

    def words(self):
        """The words of the command that trains on it, in the folder of the files."""
        train = next(name for name in self.files if name.startswith("train"))
        dev = [word for name in self.files if name.startswith("dev") for word in ("--dev", name)]
        return ["train", self.task, train, "-o", "m.sap", "-q", *dev, *self.flags.split()]

    def write(self, folder):
        """Write the files."""
        for name, content in self.files.items():
            if isinstance(content, bytes):
                (folder / name).write_bytes(content)
            elif content.startswith("->"):
                (folder / name).symlink_to(content[2:])
            else:
                (folder / name).write_text(content, encoding="utf-8")


def words(k, n=9):
    """Sentence number k: no two are the same."""
    return [
        *(WORDS[(k // len(WORDS) ** i + 5 * i) % len(WORDS)] for i in range(3)),
        *(WORDS[(k + i) % 16] for i in range(n - 3)),
    ]


def columns(numbers, label=lambda word, k: "ADJ" if WORDS.index(word) < 16 else "NOUN", n=9):
    return "\n".join("".join(f"{word} {label(word, k)}\n" for word in words(k, n)) for k in numbers)


def examples(numbers, labels=("spam", "ham")):
    """Pairs of a label and a text that ends with the word to go by."""
    tells = ("buy", "see", "eat")
    return [(labels[k % len(labels)], " ".join([*words(k), tells[k % len(labels)]])) for k in numbers]


def fasttext(pairs):
    return "".join(f"__label__{label} {text}\n" for label, text in pairs)


def csv(pairs):
    return "label,text\n" + "".join(f'"{label}",{text}\n' for label, text in pairs)


def jsonl(pairs):
    return "".join(json.dumps({"label": label, "text": text}) + "\n" for label, text in pairs)


def conllu(numbers, n=9, relation=lambda k: "dep", upos=lambda k: "NOUN", misc="SpaceAfter=No|NER=O"):
    """Chains: each word depends on the one before."""
    sentences = []
    for k in numbers:
        for i, word in enumerate(words(k, n)):
            arc = f"{i}\t{relation(k) if i else 'root'}\t_\t{misc if i == n - 2 else '_'}"
            sentences.append(f"{i + 1}\t{word}\t{word}\t{upos(k)}\tN\tA=B\t{arc}\n")
        sentences.append("\n")
    return "".join(sentences)


def lists(numbers):
    """Lists of two candidates."""
    rows = []
    for k in numbers:
        candidates = [
            {"score": -j, "loss": (j + k) % 2, "labels": ["AB"[(i + j + k) % 2] for i in range(9)]} for j in (0, 1)
        ]
        rows.append(json.dumps({"tokens": [[word] for word in words(k)], "candidates": candidates}) + "\n")
    return "".join(rows)


SAME = "the held-out data are the training data"
REPEATED = "2 of the 100 held-out {} of 8 tokens or more (2.0 %) stand in the training data"
ALIKE = "differ in case or blanks only"
LONG = "a sentence of 2,700 tokens; are the blank lines after sentences lost?"
OWN = "has a label of its own"
FORMS = {  # task -> the ending of its files, the data of some numbers, what they consist of
    "tag": ("txt", columns, "sentences", "--template pos"),
    "classify": ("txt", lambda ks: fasttext(examples(ks)), "examples", ""),
    "parse": ("conllu", conllu, "sentences", "--beam 1 --epochs 1"),
    "lemmatizer": ("conllu", conllu, "sentences", "--epochs 1"),
    "pipeline": ("conllu", conllu, "sentences", "--parts tag"),
    "rank": ("jsonl", lists, "lists", ""),
}
TRAIN, DEV = range(300), range(300, 400)


def _of_held_out():
    for task, (ending, data, unit, flags) in FORMS.items():
        train, dev = f"train.{ending}", f"dev.{ending}"
        yield Attack(f"nothing odd: {task}", task, {train: data(TRAIN), dev: data(DEV)}, "", flags)
        repeated = {train: data(TRAIN), dev: data([*DEV[2:], 5, 7])}
        yield Attack(f"repeated sentences: {task}", task, repeated, REPEATED.format(unit), flags)
        yield Attack(f"the same file: {task}", task, {train: data(TRAIN), dev: f"->{train}"}, SAME, flags)
        if task in ("tag", "classify"):
            files = {train: data(TRAIN), dev: f"->{train}"}
            yield Attack(f"the same file: {task}, stream", task, files, SAME, f"{flags} --stream")
        copy = {train: data(TRAIN), f"{dev}.xz": lzma.compress(data(TRAIN).encode())}
        yield Attack(f"the same content: {task}", task, copy, SAME, flags)
    for form, write in (("csv", csv), ("jsonl", jsonl)):
        files = {f"train.{form}": write(examples(TRAIN)), f"dev.{form}": write(examples([*DEV[2:], 5, 7]))}
        yield Attack(f"repeated sentences: classify, {form}", "classify", files, REPEATED.format("examples"))
    doubles = fasttext(examples([*range(201), *range(199)]))
    yield Attack(
        "repeated sentences: a part",
        "classify",
        {"train.txt": doubles},
        "398 of the 400 examples stand there several times",
        "--dev 10%",
    )


def _of_labels():
    for form, write in (("txt", fasttext), ("csv", csv), ("jsonl", jsonl)):
        three = ("spam", "ham", "Spam")
        yield Attack(
            f"labels that differ in case: classify, {form}",
            "classify",
            {f"train.{form}": write(examples(TRAIN, three))},
            ALIKE,
        )
        fine = ("spam", "ham", "not spam") if form != "txt" else ("spam", "ham", "not_spam")
        yield Attack(
            f"nothing odd: three labels, {form}", "classify", {f"train.{form}": write(examples(TRAIN, fine))}, ""
        )
        swapped = [(text, label) for label, text in examples(range(40))]
        if form != "txt":
            yield Attack(f"one label each: {form}", "classify", {f"train.{form}": write(swapped)}, OWN)
    own = [(f"l{k}", text) for k, (_, text) in enumerate(examples(range(40)))]
    yield Attack("one label each: fastText", "classify", {"train.txt": fasttext(own)}, OWN)
    blank = ("not spam", "ham", " not  spam")
    yield Attack("labels that differ in blanks: csv", "classify", {"train.csv": csv(examples(TRAIN, blank))}, ALIKE)
    spaces = "after __label__not each text begins with 'spam'; if that is a part of the label, write __label__not_spam"
    yield Attack(
        "labels with spaces: one label",
        "classify",
        {"train.txt": fasttext(examples(TRAIN, ("not spam", "spam")))},
        spaces,
    )
    genres = ("sci fi", "sci fact", "crime")
    yield Attack(
        "labels with spaces: two of three",
        "classify",
        {"train.txt": fasttext(examples(TRAIN, genres))},
        "after __label__sci",
    )
    some = "__label__very each text begins with 'bad' or another of few words"
    yield Attack(
        "labels with spaces: all", "classify", {"train.txt": fasttext(examples(TRAIN, ("very good", "very bad")))}, some
    )
    many = "".join(f"{word} L{k}{i}\n" + "\n" * (i == 8) for k in range(30) for i, word in enumerate(words(k)))
    yield Attack("one label each: tokens", "tag", {"train.txt": many}, OWN, "--template pos --epochs 1")
    odd = columns(TRAIN, lambda word, k: "Adj" if k == 3 else "ADJ" if WORDS.index(word) < 16 else "NOUN")
    yield Attack("labels that differ in case: tag", "tag", {"train.txt": odd}, ALIKE, "--template pos")
    spaced = columns(TRAIN).replace(" ADJ", "\tan ADJ").replace(" NOUN", "\tNOUN")
    yield Attack(
        "labels with spaces: tag",
        "tag",
        {"train.txt": spaced},
        "the label 'an ADJ' has a space in it",
        "--template pos",
    )
    odd = conllu(TRAIN, relation=lambda k: "Dep" if k == 3 else "dep")
    yield Attack("labels that differ in case: parse", "parse", {"train.conllu": odd}, ALIKE, "--beam 1 --epochs 1")
    odd = conllu(TRAIN, upos=lambda k: "noun" if k == 3 else "NOUN")
    yield Attack("labels that differ in case: pipeline", "pipeline", {"train.conllu": odd}, ALIKE, "--parts tag")
    rare = [("spam", text) for _, text in examples(range(600, 603))]
    heavy = fasttext([*examples(range(600), ("ham",)), *rare])
    weights = "balanced gives the 3 examples of 'spam' a weight of 100 each"
    yield Attack("balanced weights", "classify", {"train.txt": heavy}, weights, "--class-weight balanced")


def _of_sentences():
    yield Attack(
        "lost blank lines: tag", "tag", {"train.txt": columns(TRAIN).replace("\n\n", "\n")}, LONG, "--template pos"
    )
    flags = "--beam 1 --epochs 1"
    yield Attack("lost blank lines: parse", "parse", {"train.conllu": conllu([1, 2]) + conllu([3], 2700)}, LONG, flags)
    long = conllu([1, 2]) + conllu([3], 2700)
    yield Attack("lost blank lines: pipeline", "pipeline", {"train.conllu": long}, LONG, "--parts tag")


def _of_parts():
    for what, part, odd in (
        ("spaces", "segment", {"misc": "NER=O"}),
        ("names", "entities", {"misc": "SpaceAfter=No"}),
    ):
        yield Attack(
            f"no {what}: pipeline",
            "pipeline",
            {"train.conllu": conllu(range(60), **odd)},
            f"without {part}: it ",
            "--beam 1",
        )
    no_lemmas = conllu(range(60))
    for word in WORDS:
        no_lemmas = no_lemmas.replace(f"\t{word}\t{word}\t", f"\t{word}\t_\t")
    yield Attack(
        "no lemmas: pipeline",
        "pipeline",
        {"train.conllu": no_lemmas},
        "without lemmatize: no word has a lemma",
        "--beam 1",
    )


ATTACKS = [*_of_held_out(), *_of_labels(), *_of_sentences(), *_of_parts()]
