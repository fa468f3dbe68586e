"""Numbers that flatter, or are missing: training data that are scored, chunks and names in other spellings."""

import json
import random
import warnings

from commands import run_command
from heard import heard

from kinds import kind
from kinds.examples import said
from sapwood import Classifier, DependencyParser, SapwoodWarning, SequenceTagger, load
from sapwood.io.conllu import read_conllu
from sapwood.io.entities import items_of
from sapwood.metrics import chunk_scores, compare, conll2018_scores, extract_chunks, looks_like_chunks
from sapwood.metrics.chunks import unknown_scheme
from sapwood.parts import PART_OF
from sapwood.training.cross_validation import Items, hold_out, stratified_folds
from sapwood.training.odd_data import sentence_hashes

SEEN = "stands in the model's training data"
TAG = ["--template", "pos", "--columns", "word,label", "--min-updates", "1", "-o", "m.sap", "-q"]


def sentences(count, tokens, first=0, labels="XYZ"):
    """Sentences of words that no other sentence has, with labels by chance."""
    choose = random.Random(first)
    return [[(f"w{first + s}x{t}", choose.choice(labels)) for t in range(tokens)] for s in range(count)]


def columns(data):
    return "".join("".join(f"{word} {label}\n" for word, label in sentence) + "\n" for sentence in data)


def texts(data):
    return "".join(f"__label__{s[0][1]} {' '.join(word for word, _ in s)}\n" for s in data)


def conllu(data, deprel="dep"):
    rows = []
    for sentence in data:
        for k, (word, label) in enumerate(sentence, 1):
            head = "0\troot" if k == 1 else f"1\t{deprel}"
            rows.append(f"{k}\t{word}\t{word}\t{label}\t_\t_\t{head}\t_\t_\n")
        rows.append("\n")
    return "".join(rows)


FORMS = {
    "tag": (columns, TAG),
    "classify": (texts, ["--min-updates", "1", "-o", "m.sap", "-q"]),
    "parse": (conllu, ["--epochs", "1", "--beam", "1", "-o", "m.sap", "-q"]),
    "pipeline": (conllu, ["--parts", "tag,parse", "-o", "m.sap", "-q"]),
}


@kind("calibrate says that its data are the model's training data")
def calibrated_on_training_data():
    long, short = sentences(120, 9), sentences(120, 4)
    new_long, new_short = sentences(120, 9, 1000), sentences(120, 4, 1000)
    mixed = [random.Random(k).choice(pair) for k, pair in enumerate(zip(long, new_long, strict=True))]
    for name, train, dev, known in [
        ("the same", long, long, True),
        ("in another order", long, long[::-1], True),
        ("a part of it", long, long[20:80], True),
        ("half of it, other sentences beside", long, mixed, True),
        ("twice", long, long * 2, True),
        ("short sentences", short, short[::-1], True),
        ("other labels", long, [[(w, "X") for w, _ in s[:-1]] + [(s[-1][0], "Y")] for s in long], True),
        ("other sentences", long, new_long, False),
        ("other short sentences", short, new_short, False),
        ("one known sentence", long, [*new_long, long[0]], False),
        ("a few short ones known", short, [*new_short, *short[:9]], False),
    ]:
        for task, (write, options) in FORMS.items():
            if task != "tag" and name not in ("the same", "in another order", "other sentences", "short sentences"):
                continue

            def check(folder, task=task, write=write, options=options, train=train, dev=dev, known=known):
                (folder / "train.txt").write_text(write(train))
                (folder / "renamed.txt").write_text(write(dev))
                assert run_command(["train", task, "train.txt", *options]).status == 0
                run = run_command(["calibrate", "m.sap", "renamed.txt"])
                return run.status == 0 and (SEEN in run.err) == known

            yield f"{name}: {task}", check

    def python(folder):
        data = [" ".join(w for w, _ in s) for s in long], [s[0][1] for s in long]
        Classifier(min_updates=1).fit(*data).save(folder / "m.sap")
        return SEEN in " ".join(heard(lambda: load(folder / "m.sap").calibrate(*data), SapwoodWarning)[1])

    yield "in memory, a loaded model", python

    def streamed(folder):
        (folder / "train.txt").write_text(columns(long))
        assert run_command(["train", "tag", "train.txt", *TAG]).status == 0
        plain = (folder / "m.sap").read_bytes()
        assert run_command(["train", "tag", "train.txt", *TAG, "--stream"]).status == 0
        return (folder / "m.sap").read_bytes() == plain

    yield "a stream keeps the same hashes", streamed

    def small(folder):
        model = SequenceTagger(template="pos", epochs=1).fit(sentences(3000, 9))
        return len(model.model_.familiar.seen) == 4 * 65

    yield "260 bytes, however large the data", small


@kind("equal examples stay on one side of what is held out")
def equal_examples():
    base = sentences(100, 5)
    chance = random.Random(3)
    again = [[(word, chance.choice("XYZ")) for word, _ in s] for s in base * 4]
    for name, data in [
        ("one after the other", sorted(again, key=lambda s: s[0][0])),
        ("the file four times", again),
        ("shuffled", random.Random(1).sample(again, len(again))),
        ("twice, long", [*sentences(100, 9), *sentences(100, 9)]),
        ("a tenth twice, long", [*sentences(100, 9), *sentences(10, 9)]),
    ]:
        for task, (write, options) in FORMS.items():

            def check(folder, task=task, write=write, options=options, data=data):
                (folder / "t.txt").write_text(write(data))
                run = run_command(["train", task, "t.txt", "--dev", "10%", *options])
                return said(run, "stand there several times", f"of the {len(data)} ") and "held-out" not in run.err

            yield f"{name}: {task}", check

    def by_chance(folder):
        (folder / "t.txt").write_text(columns(again))
        assert run_command(["train", "tag", "t.txt", "--dev", "10%", *TAG]).status == 0
        return load("m.sap").model_.provenance["dev_score"] < 60

    yield "chance is seen as chance: --dev", by_chance

    def folds_by_chance(folder):
        (folder / "t.txt").write_text(texts(again))
        run = run_command(["train", "classify", "t.txt", "--cv", "5", "--min-updates", "1", "-o", "m.sap", "-q"])
        return said(run, "several times") and load("m.sap").model_.provenance["cv_accuracy"] < 60

    yield "chance is seen as chance: --cv", folds_by_chance

    def rows(folder):
        lines = [f"{k % 2} " + " ".join(f"{9 * (k % 50) + j + 1}:1" for j in range(9)) + "\n" for k in range(200)]
        (folder / "t.svm").write_text("".join(lines))
        run = run_command(["train", "classify", "t.svm", "--format", "svmlight", "--dev", "10%", "-o", "m.sap", "-q"])
        return said(run, "200 of the 200 examples")

    yield "rows of features", rows

    def one(folder):
        (folder / "t.txt").write_text(texts(sentences(1, 9, labels="X") * 30 + sentences(1, 9, labels="Y") * 30))
        run = run_command(["train", "classify", "t.txt", "--dev", "10%", "-o", "m.sap"])
        return said(run, "too few examples", "counted once", status=1)

    yield "all are the same", one

    for name, data in [
        ("nothing equal", sentences(60, 9)),
        ("short ones equal by chance", [*sentences(60, 9), *[[("Yes", "X"), (".", "Y")]] * 20]),
        ("few tokens, most come once", [*sentences(60, 3), *sentences(20, 3)]),
    ]:

        def same(folder, data=data):
            read = read_conllu(conllu(data).encode(), "t")
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                train, held_out = hold_out(read, 0.1, "sentences")
            old = [int((k + 1) * 0.1) > int(k * 0.1) for k in range(len(data))]
            forms = [[word for word, _ in s] for s in data]
            return [train.column("form"), held_out.column("form")] == [
                [f for f, out in zip(forms, old, strict=True) if out == side] for side in (False, True)
            ]

        yield f"as before: {name}", same

    def lists(folder):
        return hold_out(Items("abcdefgh"), 0.25, "letters") == (list("abcefg"), list("dh"))

    yield "as before: data without hashes", lists

    def folds(folder):
        inputs = [k // 3 for k in range(30)]
        found = stratified_folds([k % 2 for k in range(30)], 5, 1, inputs)
        each = {(number, fold) for number, fold in zip(inputs, found, strict=True)}
        return len(each) == 10 and [found.count(fold) for fold in range(5)] == [6] * 5

    yield "folds are as large as each other", folds

    def hashes(folder):
        read = read_conllu(conllu([*sentences(5, 4) * 3, *sentences(20, 9)]).encode(), "t")
        return not any(sentence_hashes(read)[:15]) and all(sentence_hashes(read)[15:])

    yield "five short sentences say nothing", hashes


@kind("gold without a chunk has the report of chunks, and F1 in JSON")
def gold_without_chunks():
    names = [[("we", "O"), ("Kim", "B-PER"), ("Ray", "I-PER"), ("ran", "O")]] * 8
    for name, change in [
        ("BIO", lambda label: label),
        ("BILUO", lambda label: label.replace("I-", "L-")),
        ("small letters", str.lower),
        ("B_PER", lambda label: label.replace("-", "_")),
        ("types behind", lambda label: "-".join(reversed(label.split("-")))),
    ]:

        def check(folder, change=change):
            (folder / "t.txt").write_text(columns([[(w, change(y)) for w, y in s] for s in names]))
            (folder / "g.txt").write_text(columns([[(w, change("O")) for w, _ in s] for s in names]))
            assert run_command(["train", "tag", "t.txt", *TAG]).status == 0
            run = run_command(["eval", "m.sap", "g.txt", "--json", "s.json"])
            [row] = json.loads((folder / "s.json").read_text())["rows"]
            return "with 0 phrases; found: 8 phrases" in run.out and row["f1"] == 0

        yield name, check

    def compared(folder):
        found = compare([["O", "O"]] * 4, [["B-X", "O"]] * 4, [["O", "O"]] * 4)
        return [each.score for each in found.scores] == ["accuracy", "chunk F1"]

    yield "compare", compared

    def tags(folder):
        return not looks_like_chunks(["O"], ["O"], ["O", "NN"]) and not looks_like_chunks([], [], [])

    yield "labels that are no chunks", tags


@kind("chunks are scored as their scheme spells them, and other schemes are said")
def schemes():
    for labels, chunks in [
        ("B I O B", [("", 0, 2), ("", 3, 4)]),
        ("B I E S B E", [("", 0, 3), ("", 3, 4), ("", 4, 6)]),
        ("B M M E S S", [("", 0, 4), ("", 4, 5), ("", 5, 6)]),
        ("b i o b", [("", 0, 2), ("", 3, 4)]),
        ("B-A M-A E-A O S-A", [("A", 0, 3), ("A", 4, 5)]),
        ("B.A I.A O B.C", [("A", 0, 2), ("C", 3, 4)]),
        ("B_A I_A B_A", [("A", 0, 2), ("A", 2, 3)]),
        ("B:A L:A O U:C", [("A", 0, 2), ("C", 3, 4)]),
        ("B/A I/A O O", [("A", 0, 2)]),
        ("A-B A-I O C-B", [("A", 0, 2), ("C", 3, 4)]),
        ("b-per i-per o b-per", [("per", 0, 2), ("per", 3, 4)]),
        ("B-A-B I-A-B O O", [("A-B", 0, 2)]),
    ]:

        def check(folder, labels=labels, chunks=chunks):
            labels = labels.split()
            report = chunk_scores([labels], [labels])
            known = looks_like_chunks(labels) and not unknown_scheme(labels)
            return known and [*map(tuple, extract_chunks(labels))] == chunks and report.f1 == 100

        yield labels, check
    for labels in ("B-A X-A O", "B.A I.A X", "B-A I", "B_A I_A B-C", "A-B A-I I-"):

        def unknown(folder, labels=labels):
            labels = labels.split()
            return not looks_like_chunks(labels) and unknown_scheme(labels)

        yield f"unknown: {labels}", unknown
    for labels in [
        *("NN VB DT", "S.sg B.pl", "K Q R B N P", "B I X", "S M L", "NN-B DT-S", "B", "I-a S-b X", "B L", "E S"),
        "O I B I O I B O I B I O I O I",
    ]:

        def quiet(folder, labels=labels):
            labels = labels.split()
            return not looks_like_chunks(labels) and not unknown_scheme(labels)

        yield f"no chunks: {labels}", quiet


@kind("labels of gold that training never saw are named")
def never_seen():
    data = sentences(20, 9)
    for task, tags, deprel, lines in [
        ("parse", "XYZ", "SBJ", ["relations that training never saw, scored as wrong: SBJ ("]),
        ("pipeline", "XYZ", "SBJ", ["DEPREL that training never saw, scored as wrong: SBJ ("]),
        ("pipeline", "QXYZ", "dep", ["UPOS that training never saw, scored as wrong: Q ("]),
        ("pipeline", "QXYZ", "SBJ", ["UPOS that training never saw", "DEPREL that training never saw"]),
        ("parse", "XYZ", "dep", []),
        ("pipeline", "XYZ", "dep", []),
    ]:

        def check(folder, task=task, tags=tags, deprel=deprel, lines=lines):
            (folder / "t.conllu").write_text(conllu(data))
            (folder / "g.conllu").write_text(conllu(sentences(20, 9, 50, tags), deprel))
            assert run_command(["train", task, "t.conllu", *FORMS[task][1]]).status == 0
            found = run_command(["eval", "m.sap", "g.conllu", *(["--from", "tokens"] if task == "pipeline" else [])])
            return found.out.count("never saw") == len(lines) and all(line in found.out for line in lines)

        yield f"{task}: {', '.join(lines) or 'all are known'}", check

    def unlabelled(folder):
        read = read_conllu(conllu(data, "_").encode().replace(b"\troot", b"\t_"), "t")
        model = DependencyParser(beam=1, epochs=1).fit(read)
        return "never saw" not in model.evaluate(read).format()

    yield "trees without relations", unlabelled


NAMES = [("Ada", "B-PER"), ("Byron", "I-PER"), ("saw", "O"), ("Rome", "B-LOC")]


def named(item, labels):
    cells = [item(label) for label in labels]
    heads = ["2\tdep", "3\tdep", "0\troot", "3\tdep"]
    rows = zip(NAMES, heads, cells, strict=True)
    return "".join(f"{k}\t{w}\t_\t_\t_\t_\t{h}\t_\t{m}\n" for k, ((w, _), h, m) in enumerate(rows, 1)) + "\n"


@kind("names in the items of other tools are read, and other things are not")
def names_of_others():
    usual = [label for _, label in NAMES]
    gold = named(lambda label: f"NER={label}", usual)
    for name, item, labels in [
        ("ner=, all words", lambda label: f"ner={label}", usual),
        ("ner=, BIOES", lambda label: f"start_char=0|end_char=3|ner={label}", ["B-PER", "E-PER", "O", "S-LOC"]),
        ("name=, names alone", lambda label: "_" if label == "O" else f"name={label}", usual),
        ("name=, others beside", lambda label: f"SpaceAfter=No|name={label}|x=y", usual),
        ("NE=, BILUO", lambda label: f"NE={label}", ["B-PER", "L-PER", "O", "U-LOC"]),
        ("NER= beside name=", lambda label: f"name=O|NER={label}", usual),
    ]:

        def check(folder, item=item, labels=labels):
            system = named(item, labels)
            scores = [conll2018_scores(*pair)["Names"] for pair in ((gold.encode(), system.encode()),
                      (system.encode(), gold.encode()))]  # fmt: skip
            return all((each.gold, each.correct) == (2, 2) for each in scores)

        yield name, check
    for name, item in [
        ("NameType=", lambda label: "NameType=Giv"),
        ("name= of something else", lambda label: "name=Ada"),
        ("Entity= of coreference", lambda label: "Entity=(1-person-new-cf1-1-sgl)"),
        ("a longer item", lambda label: f"myner={label}"),
    ]:

        def not_read(folder, item=item):
            read = read_conllu(named(item, usual).encode(), "t")
            said = " ".join(heard(lambda: conll2018_scores(gold.encode(), read.to_bytes()))[1])
            column = PART_OF["entity"].columns[0]
            return (
                items_of(read, column) is None
                and "no word has NER=" in said
                and ("Entity=" in said) == ("Entity" in item("O"))
            )

        yield name, not_read

    def replaced(folder):
        (folder / "t.conllu").write_text(named(lambda label: "name=B-PER", usual))
        run = run_command(["annotate", "en", "--input", "conllu", "t.conllu"])
        return run.status == 0 and "name=" not in run.out

    yield "annotate puts its names in their place", replaced


@kind("sentences with several roots are scored, and said")
def several_roots():
    def rows(*heads):
        return "".join(f"{k}\tw{k}\t_\tX\t_\t_\t{h}\tdep\t_\t_\n" for k, h in enumerate(heads, 1)) + "\n"

    one = rows(0, 1, 1)
    for name, gold, system, place in [
        ("two", one, rows(0, 0, 1), "system:3"),
        ("all", one, rows(0, 0, 0), "system:3"),
        ("in the second sentence", one + one, one + rows(0, 0, 1), "system:7"),
        ("in each", one + one, rows(0, 0, 1) * 2, "(there are 2)"),
        ("in gold", rows(0, 0, 1), one, "gold:3"),
        ("none", one, one, ""),
    ]:

        def check(folder, gold=gold, system=system, place=place):
            report, said = heard(lambda: conll2018_scores(gold.encode(), system.encode()))
            return "LAS" in report and ((not said and not place) or (place in said[0] and "several roots" in said[0]))

        yield name, check


@kind("a lexicon of training's own words is learned around")
def own_lexicon():
    choose = random.Random(7)
    endings = {"ing": "VERB", "ness": "NOUN", "ly": "ADV", "ous": "ADJ"}

    def words(count, first):
        return [(f"{choose.choice('bdfgklmnp')}{first + k}{end}", end) for k in range(count) for end in endings]

    old, new = words(300, 0), words(60, 1000)
    rows = [[(word, endings[end])] for word, end in old] + [[(word, endings[end])] for word, end in old[:200]]
    entries = [(word, endings[end], [word]) for word, end in old]
    others = [(word, endings[end], [word]) for word, end in words(60, 3000)]
    for name, lexicon, warned in [
        ("all of them", entries, True),
        ("all, and others", entries + others, True),
        ("in capitals", [(word.upper(), tag, [word]) for word, tag, _ in entries], True),
        ("19 of 20", entries[: len(entries) * 19 // 20], True),
        ("a tenth of them", entries[::10], False),
        ("others", others, False),
    ]:

        def check(folder, lexicon=lexicon, warned=warned):
            tagger = SequenceTagger(template="tags", columns=["form", "label"], lexicon=lexicon, epochs=3)
            _, said = heard(lambda: tagger.fit(rows))
            right = [tagger.predict([[word]]) == [[endings[end]]] for word, end in new]
            return ("training data, which then" in " ".join(said)) == warned and sum(right) > 0.95 * len(right)

        yield name, check
