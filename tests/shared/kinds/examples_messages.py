"""Files that are something else, members that are missing, formats, templates: what is said of them."""

import bz2
import gzip
import io
import json
import pickle
import re
import sqlite3
import zipfile
from pathlib import Path

from commands import run_command
from heard import heard

import sapwood
from kinds import kind
from kinds.examples import SETS, TWO, in_front, jsonl, learned, lines_of, refused, said, train
from sapwood import Classifier, SequenceTagger


def parquet():
    return b"PAR1\x15\x04\x15\x20\x15\x22" + bytes(range(256)) + b"PAR1"


def zipped(name, content):

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, content)
    return file.getvalue()


def database():
    connection = sqlite3.connect("scratch.db")
    connection.execute("create table t (a)")
    connection.commit()
    connection.close()
    return Path("scratch.db").read_bytes()


BINARY = {
    "Parquet": (parquet, "Parquet"),
    "a spreadsheet": (lambda: zipped("xl/workbook.xml", "<x/>"), "CSV"),
    "a zip archive": (lambda: zipped("a.txt", "__label__a b"), "unzip"),
    "a PDF": (lambda: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "PDF"),
    "a pickle": (lambda: pickle.dumps([("a", "b")] * 9), "pickle"),
    "an SQLite database": (database, "SQLite"),
    "an array of NumPy": (lambda: b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'}" + bytes(64), "NumPy"),
    "zstd": (lambda: b"\x28\xb5\x2f\xfd\x04\x58\x01\x00\x00", "zstd"),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "picture"),
    "UTF-16": (lambda: "__label__a b\n".encode("utf-16"), "UTF-16"),
    "UTF-16 without a mark": (lambda: "__label__a b\n".encode("utf-16-le"), "UTF-16"),
    "Latin-1": (lambda: "__label__a b\n__label__b is ca\xe9t to the cook\n".encode("latin1"), "iconv -f latin1"),
    "Windows-1252": (
        lambda: "__label__a b\n__label__b is \u201cx\u201d to the cook\n".encode("cp1252"),
        "iconv -f windows-1252",
    ),
    "half of a character": (lambda: b"__label__a b\n__label__b \xed\xa0\xbd\n", "half of a character"),
}


@kind("a file that is no text is named as what it is, with what to do")
def no_texts():
    for name, (make, what) in BINARY.items():
        for verb, file in (
            ("train classify", "t.txt"),
            ("train classify", "t.csv"),
            ("train tag", "t.txt"),
            ("tag", "t.txt"),
        ):

            def named(folder, make=make, what=what, verb=verb, file=file):
                (folder / file).write_bytes(make())
                if verb == "tag":
                    SequenceTagger(template="U00:%x[0,0]\n", min_updates=1).fit([[("a", "X"), ("b", "Y")]] * 3).save(
                        "m.sap"
                    )
                    return refused(run_command(["tag", "m.sap", file]), file, what)
                return refused(run_command([*verb.split(), file, "-o", "n.sap"]), file, what)

            yield f"{name}: {verb} {file}", named

        def annotated(folder, make=make, what=what):
            (folder / "t.txt").write_bytes(make())
            run = run_command("annotate en t.txt")
            return refused(run, "t.txt", what) and "--errors replace" not in run.err

        yield f"{name}: annotate", annotated

    def a_model(folder):
        Classifier(min_updates=1).fit(["a b", "c d"] * 3, ["x", "y"] * 3).save("m.sap")
        return all(
            refused(run_command(words), "m.sap: this is a model")
            for words in (
                "classify m.sap m.sap",
                "train classify m.sap -o n.sap",
                "train tag m.sap -o n.sap",
            )
        )

    yield "a model as data", a_model

    def model_from(folder):
        assert train(folder, "t.csv", "label,text\n" + "".join(f"{y},{x}\n" for y, x in TWO)).status == 0
        run = run_command("train classify t.csv -o n.sap --from m.sap")
        return refused(run, "m.sap: this is a model, not a checkpoint", "--checkpoint")

    yield "a model as a checkpoint: --from", model_from

    def model_resumed(folder):
        assert train(folder, "t.csv", "label,text\n" + "".join(f"{y},{x}\n" for y, x in TWO)).status == 0
        return refused(
            run_command("train classify t.csv -o n.sap --resume m.sap"), "m.sap: this is a model, not a checkpoint"
        )

    yield "a model as a checkpoint: --resume", model_resumed
    for name, content in {
        "UTF-16": "__label__a b\n".encode("utf-16"),
        "Latin-1": "caf\xe9 and more text\n".encode("latin1"),
        "gzip": gzip.compress(b"__label__a b\n"),
        "noise": bytes(range(200, 256)),
        "NUL": b"abc\0defghijkl\n",
    }.items():

        def another(folder, content=content):
            (folder / "m.sap").write_bytes(content)
            (folder / "t.txt").write_text("__label__a b\n__label__b c\n" * 3)
            commands = ("classify m.sap t.txt", "train classify t.txt -o n.sap --from m.sap")
            return all(
                refused(run_command(words), "m.sap: not a sapwood", "another kind of file") for words in commands
            )

        yield f"{name} as a model, or a checkpoint", another

    def as_model(folder):
        (folder / "m.sap").write_bytes(parquet())
        (folder / "t.txt").write_text("a\n")
        return refused(run_command("classify m.sap t.txt"), "m.sap: not a sapwood model: this is a Parquet file")

    yield "Parquet as a model", as_model
    for verb in ("train classify {} -o n.sap", "train tag {} -o n.sap", "train parse {} -o n.sap", "compare {} {} {}"):

        def a_folder(folder, verb=verb):
            (folder / "data").mkdir()
            return refused(
                run_command(verb.format(*["data"] * verb.count("{}"))), "data: cannot read it: it is a folder"
            )

        yield f"a folder: {verb}", a_folder

    def folders(folder):
        for label, text in TWO:
            (folder / "data" / label).mkdir(parents=True, exist_ok=True)
            (folder / "data" / label / f"{text}.txt").write_text(text)
        (folder / "data" / ".DS_Store").write_text("")
        return refused(run_command("train classify data -o n.sap"), "it is a folder; name the files in it (data/*/*)")

    yield "a folder of folders", folders
    for name, compress in (("gzip", gzip.compress), ("bzip2", bz2.compress)):

        def compressed(folder, compress=compress):
            content = "label,text\n" + "".join(f"{y},{x}\n" for y, x in TWO)
            return train(folder, "t.csv", compress(content.encode())).status == 0

        yield f"{name} is decompressed", compressed

    def words(folder):
        rows = "PAR1 X\n7z X\n%PDF- Y\nPK Y\nGIF8 X\n\n" * 3
        return train(folder, "t.txt", rows, "--template", "U00:%x[0,0]\n", task="tag").status == 0

    yield "words like beginnings are text", words
    for escape in ("\\ud83d", "\\uDE00", "a\\ud800b"):

        def half(folder, escape=escape):
            return refused(
                train(folder, "t.jsonl", f'{{"label": "a", "text": "{escape}"}}\n'), "t.jsonl:1: ", "half", "\\u"
            )

        yield f"half of a character in JSON: {escape}", half


@kind("CSV with other marks between its cells is read")
def marks_of_csv():
    def content(mark, header=("label", "text")):
        return mark.join(header) + "\n" + "".join(f"{label}{mark}{text}\n" for label, text in TWO)

    for name, file, text in [
        ("semicolons", "t.csv", content(";")),
        ("bars", "t.csv", content("|")),
        ("semicolons, other names", "t.csv", content(";", ("stars", "review"))),
        ("semicolons and a byte order mark", "t.csv", "\ufeff" + content(";")),
        ("SEP=; and CR LF", "t.csv", ("SEP=;\n" + content(";")).replace("\n", "\r\n")),
        ("semicolons, commas in texts", "t.csv", content(";").replace("hill top", "hill, top")),
    ]:

        def read(folder, file=file, text=text, mark="|" if name == "bars" else ";"):
            names = ["--label", "stars", "--text", "review"] if "stars" in text else []
            assert train(folder, "t.tsv", re.sub("\ufeff|SEP=;\r\n", "", text).replace(mark, "\t"), *names).status == 0
            plain = learned()
            return train(folder, file, text, *names).status == 0 and learned() == plain

        yield name, read

    def tabs(folder):
        assert train(folder, "t.tsv", content("\t")).status == 0
        plain = learned()
        return train(folder, "t.csv", content("\t")).status == 0 and learned() == plain

    yield "tabs", tabs


@kind("a table without a header is named as one, and a header is not")
def no_header():
    rows = {
        "label, text": [(label, f"the {text}") for label, text in TWO],
        "text, label": [(f"the {text}", label) for label, text in TWO],
        "a number, title, text": [("2", "Title", text) for _, text in TWO],
        "an empty cell": [("gj04", "-1", "", text) for _, text in TWO],
        "a share": [("0.5", "x", text) for _, text in TWO],
    }
    for name, cells in rows.items():
        for file, mark in (("t.csv", ","), ("t.tsv", "\t")):

            def named(folder, file=file, mark=mark, cells=cells):
                text = "\n".join(map(mark.join, cells)) + "\n"
                return refused(train(folder, file, text), f"{file}:1: ", "if this is no header, put one above it")

            yield f"{name}: {file}", named
    for header in ("review,stars", "Review Text,Stars", "sentence,label", "0_text,label1", "review_2024,x2"):

        def not_named(folder, header=header):
            run = train(folder, "t.csv", f"{header}\na,b\n")
            return refused(run, f"it has {', '.join(header.split(','))}; --text names")

        yield f"a header: {header}", not_named

    def long(folder):
        return len(train(folder, "t.csv", "up," + "many words " * 1000 + "\n").err) < 400

    yield "a long text", long


@kind("who misses a text or a label lists what the line has, and says how to name it")
def missing_members():
    other = [{"meta": {"review": text, "by": {"id": 3}}, "stars": label} for label, text in TWO]
    for name, file, content, options, wanted in [
        (
            "no text",
            "t.jsonl",
            jsonl(other),
            [],
            ["t.jsonl:1: ", "meta.review", "meta.by.id", "stars", "--text", "--label"],
        ),
        ("no text in an array", "t.json", json.dumps(other), [], ["t.json:1: ", "meta.review", "--text"]),
        (
            "no text later",
            "t.jsonl",
            jsonl([{"text": "a", "label": "x"}, *other]),
            [],
            ["t.jsonl:2: ", "meta.review", "--text"],
        ),
        (
            "no label",
            "t.jsonl",
            jsonl(other),
            ["--text", "meta.review"],
            ["t.jsonl:1: there is no label", "stars", "--label"],
        ),
        (
            "no label, several",
            "t.jsonl",
            jsonl(other),
            ["--text", "meta.review", "--multi-label"],
            ["t.jsonl:1: there is no 'label'", "stars", "--label"],
        ),
        ("no column", "t.csv", "review,stars\na,b\n", [], ["t.csv:1: ", "review, stars", "--text", "--label"]),
        (
            "no column of labels",
            "t.csv",
            "review,text\na,b\nc,d\n",
            [],
            ["t.csv:2: there is no label", "review", "--label"],
        ),
        ("no prefix", "t.txt", "good film\nbad film\n", [], ["t.txt:1: there is no label", "__label__NAME"]),
    ]:

        def listed(folder, file=file, content=content, options=options, wanted=wanted):
            return refused(train(folder, file, content, *options), *wanted)

        yield name, listed
    for name, value, called in [
        ("null", "null", "null"),
        ("NaN", "NaN", "NaN"),
        ("a list", '["a", "b"]', "a list"),
        ("an object", '{"a": "b"}', "a dict"),
        ("a number", "7", "the number 7"),
        ("a bool", "true", "True"),
    ]:

        def no_text(folder, value=value, called=called):
            rows = jsonl({"label": label, "text": text} for label, text in TWO)
            run = train(folder, "t.jsonl", f'{rows}{{"label": "up", "text": {value}}}\n')
            return refused(run, "t.jsonl:13: ", "'text', which is ", called)

        yield f"{name} in place of a text", no_text
    for name, value, options in [
        ("NaN", "NaN", []),
        ("null", "null", []),
        ("NaN among several", '["up", NaN]', ["--multi-label"]),
        ("null among several", '["up", null]', ["--multi-label"]),
        ("NaN in place of several", "NaN", ["--multi-label"]),
    ]:

        def no_label(folder, value=value, options=options):
            rows = jsonl({"label": [label] if options else label, "text": text} for label, text in TWO)
            run = train(folder, "t.jsonl", f'{rows}{{"label": {value}, "text": "a"}}\n', *options)
            return refused(run, "t.jsonl:13: ", "label")

        yield f"{name} in place of a label", no_label


@kind("classify, eval and explain tell a format by the file's name, as train does")
def told_formats():
    texts = {
        "csv": "label,text\n" + "".join(f"{y},{x}\n" for y, x in TWO),
        "tsv": "label\ttext\n" + "".join(f"{y}\t{x}\n" for y, x in TWO),
        "jsonl": jsonl({"label": y, "text": x} for y, x in TWO),
        "json": json.dumps([{"label": y, "text": x} for y, x in TWO]),
        "txt": "".join(f"__label__{y} {x}\n" for y, x in TWO),
    }
    for trained, used in [
        ("txt", "csv"),
        ("txt", "jsonl"),
        ("csv", "tsv"),
        ("jsonl", "csv"),
        ("csv", "json"),
        ("tsv", "jsonl"),
    ]:

        def same(folder, trained=trained, used=used):
            assert train(folder, f"t.{trained}", texts[trained]).status == 0
            (folder / f"new.{used}").write_text(texts[used])
            (folder / "all").mkdir()
            run, known = run_command(f"classify m.sap new.{used}"), run_command(f"classify m.sap t.{trained}")
            scored, why = run_command(f"eval m.sap new.{used}"), run_command(f"explain m.sap new.{used} --top 1")
            return run.out == known.out and "12 of 12" in scored.out and why.out.count("sentence ") == 12

        def python(folder, trained=trained, used=used):
            assert train(folder, f"t.{trained}", texts[trained]).status == 0
            (folder / f"new.{used}").write_text(texts[used])
            return sapwood.load("m.sap").score(folder / f"new.{used}") == 1

        yield f"trained on .{trained}, used on .{used}", same
        yield f"trained on .{trained}, used on .{used}: Python", python


@kind("compare takes what classify writes, and labels inside of others")
def compared():
    examples = [*SETS, ([], "zoo gate"), ([], "zoo gate")]

    def gold_of(file, content, *options):
        def check(folder):
            assert (
                train(folder, "t.jsonl", jsonl({"label": y, "text": x} for y, x in examples), "--multi-label").status
                == 0
            )
            (folder / "new.jsonl").write_text(jsonl({"text": x} for _, x in examples))
            (folder / "said.txt").write_text(run_command("classify m.sap new.jsonl").out)
            assert any(line.startswith("\t") for line in (folder / "said.txt").read_text().splitlines())
            (folder / file).write_text(content)
            run = run_command(["compare", "said.txt", "said.txt", file, *options])
            return run.status == 0 and "100.00" in run.out

        return check

    yield "empty sets: jsonl", gold_of("g.jsonl", jsonl({"label": y, "text": x} for y, x in examples))
    yield "empty sets: fastText", gold_of("g.txt", lines_of(in_front, examples))
    yield "empty sets: csv", gold_of("g.csv", "label,text\n" + "".join(f"{'|'.join(y)},{x}\n" for y, x in examples))
    yield "another order", gold_of("g.jsonl", jsonl({"label": y[::-1], "text": x} for y, x in examples))
    nested = jsonl({"out": {"label": y}, "text": x} for y, x in examples)
    yield "--label", gold_of("g.jsonl", nested, "--label", "out.label")
    yield "without a text", gold_of("g.jsonl", jsonl({"label": y} for y, _ in examples))
    yield "cats", gold_of("g.jsonl", jsonl({"cats": {k: float(k in y) for k in "abc"}} for y, _ in examples))

    def what_classify_wrote(folder):
        assert (
            train(folder, "t.jsonl", jsonl({"label": y, "text": x} for y, x in examples), "--multi-label").status == 0
        )
        (folder / "said.txt").write_text(run_command("classify m.sap t.jsonl").out)
        return "100.00" in run_command("compare said.txt said.txt said.txt").out

    yield "as gold", what_classify_wrote

    def missing(folder):
        (folder / "said.txt").write_text("up\t1\ndown\t1\n")
        (folder / "g.txt").write_text("__label__up a\nb\n")
        return refused(run_command("compare said.txt said.txt g.txt"), "g.txt:2: there is no label")

    yield "a label that is missing", missing


@kind("a template of one line is a template")
def one_line_templates():
    tags = "the DT\ndog NN\nran VB\n\n" * 4
    for line in ("U00:%x[0,0]", "U:%x[0,0]/%x[-1,0]", "U01:%suffix[0,0,2]", "*00:%x[0,0]", 'U00:%t[0,0,"^a"]'):

        def tagged(folder, line=line):
            return train(folder, "t.txt", tags, "--template", line, task="tag").status == 0

        yield f"tag: {line}", tagged
    for line in ("A1:%X[0,0]", "U:bias", "C1:%CHARS[0,0,2]"):

        def classified(folder, line=line):
            content = "".join(f"__label__{y} {x}\n" for y, x in TWO)
            run = train(folder, "t.txt", content, "--template", line)
            return "no such template file" not in run.err and run.status == (0 if line[0] != "C" else run.status)

        yield f"classify: {line}", classified

    def python(folder):
        tagger = SequenceTagger(template="U00:%x[0,0]", min_updates=1).fit([[("a", "X"), ("b", "Y")]] * 3)
        return tagger.predict([["a", "b"]]) == [["X", "Y"]]

    yield "Python", python
    for name in ("none.tpl", "templates/pos", "chunkng"):

        def no_file(folder, name=name):
            return refused(
                train(folder, "t.txt", tags, "--template", name, task="tag"), "there is no such template file"
            )

        yield f"a file that is not there: {name}", no_file


@kind("a warning names its line")
def warned_lines():
    def sets(folder):
        content = "label,text\n" + "".join(f"{y},{x}\n" for y, x in TWO) + "up;down,top of well\n"
        return said(train(folder, "t.csv", content), "t.csv:14: ", "'up;down'")

    yield "a label made of others", sets

    def cut(folder):
        words = ["sun", "moon", "star", "sky", "rain", "hail"]
        content = "".join(f"__label__very good {w} {k}\n__label__dull {w} {k}\n" for k, w in enumerate(words * 3))
        return said(train(folder, "t.txt", content), "t.txt:1: ", "__label__very")

    yield "a label that was cut", cut

    def case(folder):
        content = jsonl({"label": y, "text": x} for y, x in [*TWO, ("Up", "top")])
        return said(train(folder, "t.jsonl", content), "'Up' (t.jsonl:13)", "'up' (t.jsonl:1)")

    yield "labels that differ in case: classify", case

    def tags(folder):
        return said(
            train(folder, "t.txt", "a X\nb Y\n\nc x\nb Y\n\n" * 3, "--template", "U00:%x[0,0]", task="tag"),
            "'x' (t.txt:4)",
        )

    yield "labels that differ in case: tag", tags

    def memory(folder):
        texts, labels = [x for _, x in TWO] + ["top"], [y for y, _ in TWO] + ["Up"]
        return "example 13" in " ".join(heard(lambda: Classifier(min_updates=1).fit(texts, labels))[1])

    yield "labels that differ in case: Python", memory
