"""Labels of examples as other tools write them: fastText's, and labels that may be one."""

import json
from pathlib import Path

import numpy as np
from commands import run_command
from heard import heard

import sapwood
from kinds import kind
from sapwood import Classifier

TWO = [("up", "high hill top"), ("down", "low deep well"), ("up", "top of tower"), ("down", "well below")] * 3
SETS = [(["a"], "ant ape"), (["b"], "bee bear"), (["a", "b"], "ant bee ape bear"), (["c"], "cat cow")] * 4
TRAIN = ["-o", "m.sap", "--min-updates", "1", "--epochs", "4"]


def train(folder, file, content, *options, task="classify"):
    (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    return run_command(["train", task, file, *TRAIN, *options])


def learned(model="m.sap"):
    return sorted((output.name, weight) for output, weight, _ in sapwood.load(model).contents.weights())


def jsonl(records):
    return "".join(json.dumps(record) + "\n" for record in records)


def said(run, *wanted, status=0):
    """Whether a run ended so, and one line of what it said has all of this."""
    return run.status == status and any(all(each in line for each in wanted) for line in run.err.splitlines())


def refused(run, *wanted):
    return said(run, *wanted, status=1) and run.err.count("\n") == 1


# Labels of fastText's files


def in_front(labels, text):
    return " ".join([*(f"__label__{label}" for label in labels), text])


def at_the_end(labels, text):
    return " ".join([text, *(f"__label__{label}" for label in labels)])


def around(labels, text):
    return " ".join([f"__label__{labels[0]}", text, *(f"__label__{label}" for label in labels[1:])])


def within(labels, text):
    first, *rest = text.split()
    return " ".join([first, *(f"__label__{label}" for label in labels), *rest])


def with_tabs(labels, text):
    return "\t".join([text, *(f"__label__{label}" for label in labels)])


PLACES = {"in front": in_front, "at the end": at_the_end, "around": around, "within": within, "with tabs": with_tabs}


def lines_of(place, examples):
    return "".join(place(labels, text) + "\n" for labels, text in examples)


@kind("labels of fastText stand anywhere in a line")
def places_of_labels():
    one = [([label], text) for label, text in TWO]
    for name, place in PLACES.items():

        def single(folder, place=place):
            assert train(folder, "plain.txt", lines_of(in_front, one)).status == 0
            plain = learned()
            return train(folder, "t.txt", lines_of(place, one)).status == 0 and learned() == plain

        def several(folder, place=place):
            assert train(folder, "plain.txt", lines_of(in_front, SETS), "--multi-label").status == 0
            plain = learned()
            return train(folder, "t.txt", lines_of(place, SETS), "--multi-label").status == 0 and learned() == plain

        def stream(folder, place=place):
            assert train(folder, "plain.txt", lines_of(in_front, one)).status == 0
            plain = learned()
            return train(folder, "t.txt", lines_of(place, one), "--stream").status == 0 and learned() == plain

        def used(folder, place=place):
            assert train(folder, "t.txt", lines_of(in_front, SETS), "--multi-label").status == 0
            (folder / "new.txt").write_text(lines_of(place, SETS))
            (folder / "bare.txt").write_text("".join(text + "\n" for _, text in SETS))
            labels, bare = run_command("classify m.sap new.txt"), run_command("classify m.sap bare.txt")
            return labels.out == bare.out and "16 of 16" in run_command("eval m.sap new.txt").out

        def gold(folder, place=place):
            assert train(folder, "t.txt", lines_of(in_front, SETS), "--multi-label").status == 0
            (folder / "gold.txt").write_text(lines_of(place, SETS))
            (folder / "said.txt").write_text(run_command("classify m.sap t.txt").out)
            return "100.00" in run_command("compare said.txt said.txt gold.txt").out

        yield f"{name}: train", single
        yield f"{name}: train --multi-label", several
        yield f"{name}: train --stream", stream
        yield f"{name}: classify, eval", used
        yield f"{name}: compare", gold


@kind("labels of fastText that are not parted by spaces are said, with their line")
def joined_labels():
    odd = {
        "glued": "__label__a__label__b ant bee",
        "comma": "__label__a,__label__b ant bee",
        "comma and space": "__label__a, __label__b ant bee",
        "semicolon": "__label__a;__label__b ant bee",
        "semicolon and space": "__label__a; __label__b ant bee",
        "bar": "__label__a|__label__b ant bee",
        "in a word": "__label__a ant x__label__b bee",
        "at the end, glued": "ant bee __label__a__label__b",
        "in brackets": "__label__a ant (__label__b) bee",
    }
    for name, line in odd.items():
        content = lines_of(in_front, SETS[:5]) + line + "\n" + lines_of(in_front, SETS[:3]) + line + "\n"

        def several(folder, content=content):
            return said(train(folder, "t.txt", content, "--multi-label"), "t.txt:6: ", "__label__", "2 such lines")

        def classified(folder, content=content):
            assert train(folder, "good.txt", lines_of(in_front, SETS), "--multi-label").status == 0
            (folder / "t.txt").write_text(content)
            return said(run_command("classify m.sap t.txt"), "t.txt:6: ", "__label__", "2 such lines")

        yield f"{name}: train --multi-label", several
        yield f"{name}: classify", classified
    for name, line in odd.items():
        if len(line.split("__label__")[0:]) - 1 == 1 or " __label__b" not in line:
            content = lines_of(in_front, [([label], text) for label, text in TWO]) + line + "\n"

            def single(folder, content=content):
                return said(train(folder, "t.txt", content), "t.txt:13: ", "__label__")

            def stream(folder, content=content):
                return said(train(folder, "t.txt", content, "--stream"), "t.txt:13: ", "__label__")

            yield f"{name}: train", single
            yield f"{name}: train --stream", stream

    def signs(folder):
        content = "".join(f"__label__, a{k} ant\n__label__; b{k} bee\n" for k in range(8))
        return "warning" not in train(folder, "t.txt", content).err

    yield "a sign as a label is none of these", signs

    def two(folder):
        content = lines_of(in_front, [([label], text) for label, text in TWO]) + "__label__up top __label__down\n"
        return refused(train(folder, "t.txt", content), "t.txt:13: two labels", "--multi-label")

    yield "two labels where there is one: train", two

    def in_prose(folder):
        content = lines_of(in_front, [([label], text) for label, text in TWO]) + "__label__up is __label__ a word\n"
        return refused(train(folder, "t.txt", content), "t.txt:13: __label__ without a name")

    yield "a label without a name", in_prose


# Labels that are one number


@kind("labels that are one number, or 0 for O, are warned of as those are that differ in case")
def alike_labels():
    def svm(labels):
        return "".join(f"{label} {1 + k % 2}:1\n" for k, label in enumerate(labels))

    def csv(labels):
        return "label,text\n" + "".join(f"{label},{['big', 'wee'][k % 2]} one\n" for k, label in enumerate(labels))

    def records(labels):
        return jsonl({"label": label, "text": f"{['big', 'wee'][k % 2]} one"} for k, label in enumerate(labels))

    def fasttext(labels):
        return "".join(f"__label__{label} {['big', 'wee'][k % 2]} one\n" for k, label in enumerate(labels))

    cases = {
        "+1 and 1": ["+1", "-1", "1", "-1"],
        "1 and 1.0": ["1", "0", "1.0", "0"],
        "0 and 0.0": ["1", "0", "1", "0.0"],
        "2 and 2.": ["2", "3", "2.", "3"],
        "1e0 and 1": ["1e0", "0", "1", "0"],
        "01 and 1": ["01", "0", "1", "2"],
    }
    writers = {"t.svm": svm, "t.csv": csv, "t.jsonl": records, "t.txt": fasttext}
    for name, labels in cases.items():
        for file, write in writers.items():

            def warned(folder, file=file, write=write, labels=labels):
                return said(train(folder, file, write(labels * 2)), "count as different", f"{file}:")

            yield f"{name}: {file}", warned

    def multi(folder):
        return said(train(folder, "t.jsonl", jsonl(
            {"label": [label, "x"], "text": f"one {label}"} for label in ["1", "1.0", "2"] * 3
        ), "--multi-label"), "'1'", "'1.0'", "count as different")  # fmt: skip

    yield "1 and 1.0: --multi-label", multi
    for odd, usual, same in [
        ("0", "O", "O"),
        ("o", "O", "O"),
        ("0", "o", "o"),
        ("0.0", "O", "O"),
        ("b-per", "O", "B-PER"),
    ]:

        def tagged(folder, odd=odd, usual=usual, same=same):
            rows = [("Ann", "B-PER"), ("sat", usual), ("Bob", "B-PER"), ("ran", usual), ("off", odd)] * 3
            text = "".join(f"{word} {label}\n" for word, label in rows)
            run = train(folder, "t.txt", text, "--template", "U00:%x[0,0]\n", task="tag")
            return said(run, "count as different", f"'{odd}' (t.txt:5)", f"'{same}' (t.txt:")

        yield f"{odd} for {usual}: tag", tagged
    for odd in ("0", "o", "0.0"):

        def everywhere(folder, odd=odd):
            rows = [("Ann", "B-PER"), ("sat", odd), ("Bob", "B-PER"), ("ran", odd)] * 3
            text = "".join(f"{word} {label}\n" for word, label in rows)
            run = train(folder, "t.txt", text, "--template", "U00:%x[0,0]\n", task="tag")
            return said(run, "count as different", f"'{odd}' (t.txt:2)", "'O'")

        yield f"{odd} for O everywhere: tag", everywhere

    def usual_ones(folder):
        run = train(folder, "t.csv", csv(["1", "0", "10", "-1", "1.5"] * 2))
        return run.status == 0 and "count as different" not in run.err

    yield "numbers that differ", usual_ones


@kind("labels that are equal in Python are one class")
def equal_labels():
    X = ["great fun", "dull sad", "fun again", "sad again"] * 3
    cases = {
        "1 and 1.0": [1, 0, 1.0, 0],
        "1.0 first": [1.0, 0, 1, 0.0],
        "True and 1": [True, 0, 1, False],
        "np.int64": [np.int64(1), 0, 1.0, np.int64(0)],
        "np.bool_": [np.bool_(True), 0, 1, 0],
    }
    for name, y in cases.items():

        def two(folder, y=y):
            model = Classifier(min_updates=1).fit(X, y * 3)
            return len(model.classes_) == 2 and model.score(X, y * 3) == 1 and list(model.predict(["fun"])) == [1]

        def held_out(folder, y=y):
            plain = [1, 0, 1, 0] * 3
            model = Classifier(min_updates=1).fit(X, y * 3, dev=(X[:4], plain[:4]))
            return model.model_.provenance["dev_score"] == 100 and model.score(X, plain) == 1

        def several(folder, y=y):
            model = Classifier(min_updates=1, multi_label=True).fit(X, [[label, "x"] for label in y * 3])
            return len(model.labels_) == 3

        yield f"{name}: fit", two
        yield f"{name}: dev", held_out
        yield f"{name}: multi_label", several

    def part(folder):
        model = Classifier(min_updates=1).partial_fit(X[:2], [1, 0], classes=[0, 1]).partial_fit(X[:2], [1.0, 0.0])
        return len(model.classes_) == 2 and model.score(X[:2], [True, False]) == 1

    yield "partial_fit", part


WITHOUT_COMMENTS = "the\nwas\nby the way\n|\n"
WITH_COMMENTS = {
    "Snowball's": " | Stop words. Comments begin with a bar.\n\nthe      |  article\nwas\nby the way | x\n|\n",
    "tabs": "|  words\nthe\t| an article, often\nwas\t|\tto be\nby the way\n|\n",
    "forms in a comment": "the\nwas\n      |  been being be\nby the way\n   |  go, went\n|\n",
    "capitals": "The  | A comment\nWAS\nBy the way\n|\n",
    "none": WITHOUT_COMMENTS,
}
SEVERAL_WORDS = ["the,was,a", "the, was, a", '["the", "was"]', "['the', 'was']", "{'the', 'was'}", '"the"']
USUAL_WORDS = ["don't", "e-mail", ",", '"', "'s\n's", "by the way", "|"]


@kind("comments in Snowball's lists of stop words are no words, and several words in a line are said to be one phrase")
def stop_words():
    texts, labels = ["the dog was here", "the cat was there", "no dog, by the way", "a cat"], ["a", "b", "a", "b"]

    def trained(content):
        Path("stop.txt").write_text(content)
        model, said = heard(lambda: Classifier(stop_words="stop.txt", min_updates=1).fit(texts, labels))
        model.save("m.sap")
        return Path("m.sap").read_bytes(), [each for each in said if each.startswith("stop words")]

    for name, content in WITH_COMMENTS.items():
        yield name, lambda _, content=content: trained(content) == trained(WITHOUT_COMMENTS)
    for line in SEVERAL_WORDS:
        yield line, lambda _, line=line: "is read as one phrase" in str(trained(f"no\n{line}\n")[1])
    for line in USUAL_WORDS:
        yield f"{line!r} alone", lambda _, line=line: trained(f"no\n{line}\n")[1] == []


@kind("records that classify wrote are compared by their answers, with and without gold labels in them")
def compared_records():
    def answered(folder, form, records, seed="1"):
        """The file that `classify --to` writes of these records, by a model of two words."""
        (folder / f"new.{form}").write_text(records)
        train(folder, "t.jsonl", jsonl({"label": y, "text": x} for y, x in TWO))
        (folder / f"{seed}.{form}").write_text(run_command(["classify", "m.sap", f"new.{form}", "--to", form]).out)
        return f"{seed}.{form}"

    wrong = [("down" if y == "up" else "up", x) for y, x in TWO]  # as somebody has labelled these texts
    records = {
        "lines of JSON": ("jsonl", jsonl({"text": x} for _, x in TWO)),
        "lines of JSON with labels": ("jsonl", jsonl({"label": y, "text": x} for y, x in wrong)),
        "CSV": ("csv", "text\n" + "".join(f"{x}\n" for _, x in TWO)),
        "CSV with labels": ("csv", "label,text\n" + "".join(f"{y},{x}\n" for y, x in wrong)),
        "CSV with other columns": ("csv", "id,text,labels\n" + "".join(f"{k},{x},a\n" for k, (_, x) in enumerate(TWO))),
    }
    for name, (form, content) in records.items():

        def with_gold(folder, form=form, content=content):
            (folder / "gold.jsonl").write_text(jsonl({"label": y, "text": x} for y, x in TWO))
            (folder / "lines.txt").write_text("".join(f"{y}\t1.0\n" for y, _ in TWO))
            run = run_command(["compare", answered(folder, form, content), "lines.txt", "gold.jsonl"])
            return run.status == 0 and "accuracy  100.00  100.00" in run.out and "warning" not in run.err

        def alone(folder, form=form, content=content):
            first = answered(folder, form, content)
            (folder / f"2.{form}").write_bytes((folder / first).read_bytes())
            (folder / "lines.txt").write_text("".join(f"{y}\t1.0\n" for y, _ in TWO))
            runs = [run_command(["compare", first, other]) for other in (f"2.{form}", "lines.txt")]
            return all("0 of 12 labels change" in run.out for run in runs)

        yield name, with_gold
        yield f"{name}, without gold", alone

    def without_header(folder):
        (folder / "a.tsv").write_text("".join(f"{y}\t1.0\n" for y, _ in TWO))
        (folder / "gold.jsonl").write_text(jsonl({"label": y, "text": x} for y, x in TWO))
        return "accuracy  100.00  100.00" in run_command("compare a.tsv a.tsv gold.jsonl").out

    yield "a table of lines that has no header", without_header
