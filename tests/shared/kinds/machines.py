"""Machines of other people: links in folders of output, frames, and few libraries."""

import os

import reviews
from alone import run_alone
from commands import run_command

from kinds import kind
from sapwood import Classifier, OptionError
from sapwood.base.writing import replacing


def refused(folder):
    """Whether a run into the folder `out` ends in one line, before the work."""
    (folder / "in").mkdir()
    for name in ("a.txt", "b.txt"):
        (folder / "in" / name).write_text("Ada wrote it.\n")
    found = run_command("annotate en in -o out")
    return found.status == 2 and found.err.count("\n") == 1 and "another folder" in found.err


def kept(path, data):
    """Write a file, and return what says whether it still is as it was."""
    path.write_bytes(data)
    return lambda: path.read_bytes() == data


@kind("a link in a folder of output is not followed")
def links():
    def output(link):
        def check(folder):
            out, other = folder / "out", folder / "precious.txt"
            out.mkdir()
            same = kept(other, b"no line end")
            link(out / "a.conllu", other)
            return refused(folder) and same() and not (folder / "gone").exists() and len(list(out.iterdir())) == 1

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
    for link in every:
        yield f"an output, {link.__name__}", output(link)
    yield "an output that is made one while it is worked on", written
    yield "an output with another name", hard
    yield "a corpus", generated("treebank --sentences 10", "dev.txt")
    yield "reviews", generated("reviews --reviews 10", "test.txt")
    yield "topics", generated("topics --texts 10", "train.txt")


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
