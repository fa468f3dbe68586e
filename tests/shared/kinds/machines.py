"""Machines of other people: links in folders of output, strange records of runs, frames, and few libraries."""

import json
import os

import reviews
from alone import run_alone
from commands import run_command

from kinds import kind
from sapwood import Classifier, OptionError, SapwoodError
from sapwood.base.writing import replacing
from sapwood.io.manifest import FORMAT, NAME, FileRecord, Manifest

RUN = {"sapwood": "1", "model": "pipeline 00", "options": {"format": "conllu"}}
CHECKSUM = "ab" * 32
DONE = FileRecord("a.conllu", CHECKSUM, 3)


def refused(folder):
    """Whether a run into this folder ends in one line, before the work."""
    try:
        with Manifest(folder, RUN, ["a.conllu", "b.conllu"]):
            return False
    except SapwoodError as error:
        return "\n" not in str(error) and "another folder" in str(error)


def kept(path, data):
    """Write a file, and return what says whether it still is as it was."""
    path.write_bytes(data)
    return lambda: path.read_bytes() == data


def record(**changed):
    return json.dumps({"output": DONE.output, "input": DONE.input, "bytes": DONE.bytes, **changed}).encode() + b"\n"


FIRST = json.dumps({"format": FORMAT, **RUN}).encode() + b"\n"


@kind("a link in a folder of output is not followed")
def links():
    def manifest(link):
        def check(folder):
            out, other = folder / "out", folder / "precious.txt"
            out.mkdir()
            same = kept(other, b"no line end")
            link(out / NAME, other)
            return refused(out) and same() and not (folder / "gone").exists()

        return check

    def output(link, data=b"old"):
        def check(folder):
            out, other = folder / "out", folder / "precious.txt"
            with Manifest(out, RUN, ["a.conllu"]) as run:
                run.add(DONE)
            same = kept(other, data)
            link(out / "a.conllu", other)
            return refused(out) and same() and (out / NAME).read_bytes() == FIRST + record()

        return check

    def written(folder):
        same = kept(folder / "precious.txt", b"old")
        (folder / "a.conllu").symlink_to("precious.txt")
        try:
            with replacing(folder / "a.conllu", named=False) as file:
                file.write(b"new")
        except OSError:
            return same()
        return False

    def hard(folder):
        same = kept(folder / "precious.txt", b"old")
        (folder / "a.conllu").hardlink_to(folder / "precious.txt")
        with replacing(folder / "a.conllu", named=False) as file:
            file.write(b"new")
        return same() and (folder / "a.conllu").read_bytes() == b"new"

    def generated(command, name):
        def check(folder):
            (folder / "out").mkdir()
            same = kept(folder / "precious.txt", b"__label__a mine")
            (folder / "out" / name).symlink_to("../precious.txt")
            found = run_command(f"generate {command} -o out")
            return found.status == 1 and found.err.count("\n") == 1 and same()

        return check

    def symbolic(at, other):
        at.symlink_to(other)

    def dangling(at, other):
        at.symlink_to(other.with_name("gone"))

    def to_itself(at, other):
        at.symlink_to(at.name)

    def to_a_folder(at, other):
        at.symlink_to(other.parent)

    def to_a_device(at, other):
        at.symlink_to("/dev/null")

    def pipe(at, other):
        os.mkfifo(at)

    def a_folder(at, other):
        at.mkdir()

    every = (symbolic, dangling, to_itself, to_a_folder, to_a_device, pipe, a_folder)
    yield "the record of the run, hard", manifest(lambda at, other: at.hardlink_to(other))
    for link in every:
        yield f"the record of the run, {link.__name__}", manifest(link)
        yield f"an output, {link.__name__}", output(link)
    yield "an output that is made one while it is worked on", written
    yield "an output with another name", hard
    yield "a corpus", generated("treebank --sentences 10", "dev.txt")
    yield "reviews", generated("reviews --reviews 10", "test.txt")
    yield "topics", generated("topics --texts 10", "train.txt")


@kind("a record of a run is read whole before anything is changed")
def records():
    def damaged(data):
        def check(folder):
            same = kept(folder / NAME, data)
            return refused(folder) and same() and {path.name for path in folder.iterdir()} == {NAME}

        return check

    yield "another file without a line end", damaged(b"My diary, the only copy")
    yield "another file with a line end", damaged(b"My diary\nthe only copy")
    yield "half a character", damaged(FIRST + record(output="\ud800"))
    yield "half a character, and a torn line", damaged(FIRST + record(output="\ud800") + b'{"output"')
    yield "half a character in the first line", damaged(FIRST.replace(b"pipeline 00", rb"pipeline \ud800"))
    yield "a name in another folder", damaged(FIRST + record(output="../a.conllu"))
    yield "a name with NUL", damaged(FIRST + record(output="a\0b"))
    yield "no name", damaged(FIRST + record(output=""))
    yield "a number for a name", damaged(FIRST + record(output=3))
    yield "a truth for a size", damaged(FIRST + record(bytes=True))
    yield "a size below 0", damaged(FIRST + record(bytes=-1))
    yield "a size that is no whole number", damaged(FIRST + record(bytes=3.5))
    yield "a huge size", damaged(FIRST + record().replace(b"3}", b"9" * 5000 + b"}"))
    yield "no checksum", damaged(FIRST + record(input="x"))
    yield "a member too many", damaged(FIRST + record(more=1))
    yield "deep", damaged(FIRST + b"[" * 50_000 + b"\n")
    yield "deep, in the first line", damaged(FIRST.replace(b'"conllu"', b"[" * 900 + b"]" * 900))
    yield "deep, and torn", damaged(b"[" * 50_000)
    yield "a line without end", damaged(FIRST + b" " * 100_000)
    yield "bytes of nothing", damaged(b"\0" * 5_000_000)
    yield "a version to come", damaged(FIRST.replace(FORMAT.encode(), b"sapwood run/2"))
    yield "a version that is a number", damaged(FIRST.replace(b'"sapwood run/1"', b"2"))
    yield "other options", damaged(FIRST.replace(b"conllu", b"json") + b"torn")
    yield "options that are a list", damaged(FIRST.replace(b'{"format": "conllu"}', b"[1]"))
    yield "a line end in a value", damaged(FIRST.replace(b"pipeline 00", rb"a\nb"))
    yield "a list", damaged(b"[]\n")
    yield "UTF-16", damaged(FIRST.decode().encode("utf-16"))

    def empty_beside_a_file(folder):
        same, mine = kept(folder / NAME, b""), kept(folder / "a.conllu", b"mine")
        return refused(folder) and same() and mine()

    yield "an empty one, beside a file of no run", empty_beside_a_file


@kind("a run that was stopped goes on")
def resumed():
    def read(data, wanted):
        def check(folder):
            (folder / NAME).write_bytes(data)
            (folder / "a.conllu").write_bytes(b"abc")
            with Manifest(folder, RUN, ["a.conllu"]) as run:
                return run.finished("a.conllu") == wanted

        return check

    def sorted_again(folder):
        names = ["b.conllu", "caf\udce9.conllu", "a\n.conllu"]
        for _ in range(2):
            with Manifest(folder, RUN, names) as run:
                for name in names:
                    run.add(FileRecord(name, CHECKSUM, 3))
                run.close_sorted()
        with Manifest(folder, RUN, names) as run:
            return list(run.records) == sorted(names)

    def torn_first_line(folder):
        (folder / NAME).write_bytes(FIRST[:20])
        with Manifest(folder, RUN, ["a.conllu"]):
            return (folder / NAME).read_bytes() == FIRST

    yield "whole", read(FIRST + record(), DONE)
    yield "torn behind a line", read(FIRST + record() + b'{"output": "b', DONE)
    yield "torn in a line", read(FIRST + record()[:-3], None)
    yield "torn by NULs", read(FIRST + record() + b"\0" * 100, DONE)
    yield "another size", read(FIRST + record(bytes=4), None)
    yield "torn in the first line", torn_first_line
    yield "names that are not UTF-8", sorted_again


TWO, THREE = ([(text, label) for label, text in pairs] for pairs in (reviews.TWO, reviews.TEXTS))
SETS = [(text, [label] * (label != "neutral") + ["old"] * ("old" in text)) for text, label in THREE]


@kind("a column of a frame gets what classify writes of the texts")
def columns():
    def same(data, texts=None, calibrated=False, **options):
        def check(folder):
            import pandas as pd

            from sapwood.dask import annotate_column

            given, labels = zip(*data, strict=True)
            model = Classifier(epochs=3, min_updates=1, **options).fit(given, labels)
            if calibrated:
                model.calibrate(given, labels)
            model.save(folder / "model.sap")
            wanted = texts or list(given)
            found = annotate_column(pd.DataFrame({"text": wanted}), "text", str(folder / "model.sap"))
            lines = run_command(["classify", "model.sap", "-"], "".join(f"{text}\n" for text in wanted)).out
            said = [
                (label, float(number)) for label, _, number in (line.partition("\t") for line in lines.splitlines())
            ]
            return list(zip(found["label"], found["score"], strict=True)) == said

        return check

    yield "two classes", same(TWO)
    yield "two classes, calibrated", same(TWO, calibrated=True)
    yield "three classes", same(THREE)
    yield "three classes, calibrated", same(THREE, calibrated=True)
    yield "numbers as classes", same([(text, 3 + (label == TWO[0][1])) for text, label in TWO])
    yield "sets of labels", same(SETS, multi_label=True)
    yield "sets of labels, calibrated", same(SETS, calibrated=True, multi_label=True)
    yield "votes", same(TWO, voted=True)
    yield "words that the model does not know", same(TWO, texts=["zzz qqq", TWO[0][0]])
    yield "one text", same(TWO, texts=[TWO[3][0]])

    def missing(folder):
        import pandas as pd

        from sapwood.dask import annotate_column

        model = Classifier(epochs=3, min_updates=1).fit(*zip(*TWO, strict=True))
        frame = pd.DataFrame({"text": [None, TWO[0][0], float("nan")]}, index=[7, 7, 1])
        found = annotate_column(frame, "text", model, columns="label")
        return found["label"].isna().tolist() == [True, False, True] and list(found.columns) == ["text", "label"]

    def nothing(folder):
        import pandas as pd

        from sapwood.dask import annotate_column

        model = Classifier(epochs=3, min_updates=1).fit(*zip(*TWO, strict=True))
        return len(annotate_column(pd.DataFrame({"text": pd.Series([], dtype=str)}), "text", model)) == 0

    def refused(of):
        def check(folder):
            import pandas as pd

            from sapwood.dask import annotate_column

            try:
                annotate_column(of(pd), "text", Classifier(epochs=3, min_updates=1).fit(*zip(*TWO, strict=True)))
            except OptionError:
                return True
            return False

        return check

    yield "missing texts, and rows of one name", missing
    yield "no rows", nothing
    yield "a column of pandas is no frame", refused(lambda pd: pd.Series(["a"], name="text"))
    yield "a list is no frame", refused(lambda pd: [{"text": "a"}])
    yield "two columns of the name", refused(lambda pd: pd.DataFrame([["a", "b"]], columns=["text", "text"]))
    yield "a column that is there", refused(lambda pd: pd.DataFrame({"text": ["a"], "label": ["b"]}))


@kind("where rich alone is installed, results are the same, in lists")
def alone():
    begin = """
import warnings
from pathlib import Path
import sapwood
from reviews import TEXTS, TWO
from sapwood import Classifier, OptionError
def plain(value):
    return value.tolist() if hasattr(value, "tolist") else value
def model(pairs=TWO, **options):
    X, y = [text for _, text in pairs], [[label] if options else label for label, _ in pairs]
    return Classifier(epochs=3, min_updates=1, **options).fit(X, y), X, y
def calibrated(pairs=TWO, method="temperature", **options):
    fitted, X, y = model(pairs, **options)
    with warnings.catch_warnings():  # of texts that training saw
        warnings.simplefilter("ignore")
        return fitted.calibrate(X, y, method=method), X, y
"""

    def same(code):
        code = f"{begin}\n{code}"

        def check(folder):
            names = {}
            exec(code, names)
            found = run_alone(f"{code}\nprint(repr(result))", folder)
            return found.stdout == f"{names['result']!r}\n" and not found.stderr

        return check

    tasks = {"TWO": "two classes", "TEXTS": "three classes", "TEXTS, multi_label=True": "sets of labels"}
    for data, name in tasks.items():
        yield f"scores of {name}", same(f"m, X, y = model({data})\nresult = plain(m.decision_function(X))")
        yield f"scores of no example, {name}", same(f"m, X, y = model({data})\nresult = plain(m.decision_function([]))")
        yield f"confidences in {name}", same(f"m, X, y = calibrated({data})\nresult = plain(m.predict_proba(X))")
        yield f"reliability of {name}", same(f"m, X, y = calibrated({data})\nresult = m.reliability_")
    yield "isotonic curves", same("m, X, y = calibrated(TEXTS, 'isotonic')\nresult = m.model_.calibration")
    yield "labels", same("m, X, y = model(TEXTS)\nresult = plain(m.predict(X))")
    yield "no labels", same("m, X, y = model(TEXTS)\nresult = plain(m.predict([]))")
    yield "sets of labels", same("m, X, y = model(TEXTS, multi_label=True)\nresult = plain(m.predict(X))")
    yield "the classes", same("m, X, y = model(TEXTS)\nresult = plain(m.classes_)")
    yield "answers of a report", same("m, X, y = calibrated()\nresult = m._answers(X, y)[0].confidences")
    yield "bytes of a model", same("m, X, y = calibrated()\nresult = m.model_.dump()")

    def says(code, extra):
        def check(folder):
            raised = f"{begin}\ntry:\n    {code}\nexcept OptionError as error:\n    print(error)"
            return f"pip install 'sapwood[{extra}]'" in run_alone(raised, folder).stdout

        return check

    yield "estimators need it", says("from sapwood import PerceptronClassifier", "sklearn")
    yield "comparing needs NumPy", says("from sapwood.metrics import compare; compare(['a'], ['a'], ['b'])", "sklearn")
    yield "Dask", says("import sapwood.dask", "dask")
    yield "spaCy", says("import sapwood.spacy", "spacy")
