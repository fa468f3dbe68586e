"""Rows of other tools: headers again, rejected rows, spaCy's and Prodigy's labels, SVM-light's files."""

import json

from commands import run_command
from heard import heard

import sapwood
from kinds import kind
from kinds.examples import SETS, TWO, jsonl, learned, refused, said, train
from sapwood import Classifier


@kind("a row of CSV that equals the header is left out, with a word")
def headers_again():
    def content(mark, header, rows, again):
        lines = [mark.join(header), *(mark.join(row) for row in rows)]
        for place in again:
            lines.insert(place, mark.join(header))
        return "\n".join(lines) + "\n"

    usual = ("label", "text")
    for name, file, mark, header, again, options in [
        ("in the middle", "t.csv", ",", usual, [5], []),
        ("twice", "t.csv", ",", usual, [5, 9], []),
        ("at once", "t.csv", ",", usual, [1], []),
        ("at the end", "t.csv", ",", usual, [13], []),
        ("tabs", "t.tsv", "\t", usual, [5], []),
        ("tabs in .csv", "t.csv", "\t", usual, [5], []),
        ("tabs, --format csv", "t.txt", "\t", usual, [5, 8], ["--format", "csv"]),
        ("quoted", "t.csv", ",", ('"label"', '"text"'), [5], []),
        ("other names", "t.csv", ",", ("stars", "review"), [5], ["--label", "stars", "--text", "review"]),
    ]:
        rows = [*TWO]

        def trained(folder, file=file, mark=mark, header=header, again=again, options=options, rows=rows):
            assert train(folder, file, content(mark, header, rows, []), *options).status == 0
            plain = learned()
            run = train(folder, file, content(mark, header, rows, again), *options)
            count = f"({len(again)} such lines)" if len(again) > 1 else "header"
            return said(run, f"{file}:{again[0] + 1}: ", "header", count) and learned() == plain

        def classified(folder, file=file, mark=mark, header=header, again=again, options=options, rows=rows):
            assert train(folder, file, content(mark, header, rows, []), *options).status == 0
            (folder / file).write_text(content(mark, header, rows, again))
            run = run_command(["classify", "m.sap", file])
            return len(run.out.splitlines()) == 12 and said(run, f"{file}:{again[0] + 1}: ", "header")

        yield f"{name}: train", trained
        yield f"{name}: classify", classified


@kind("what Prodigy rejects or ignores is left out and counted")
def rejected_rows():
    good = [{"label": label, "text": text, "answer": "accept"} for label, text in TWO]
    bad = [{"label": "down", "text": "high top", "answer": answer} for answer in ("reject", "ignore")]
    for name, rows, first, count in [
        ("reject", [*good[:3], bad[0], *good[3:]], 4, 1),
        ("ignore", [bad[1], *good], 1, 1),
        ("both", [*good[:5], *bad, *good[5:], *bad], 6, 4),
        ("at the end", [*good, *bad], 13, 2),
        ("beside rows without an answer", [{**row, "answer": None} for row in good] + bad, 13, 2),
    ]:

        def counted(folder, run, first, count):
            return said(run, f"t.jsonl:{first}: ", "reject", f"({count} such lines)" if count > 1 else "left out")

        def trained(folder, rows=rows, first=first, count=count, counted=counted):
            assert train(folder, "plain.jsonl", jsonl(good)).status == 0
            plain = learned()
            return counted(folder, train(folder, "t.jsonl", jsonl(rows)), first, count) and learned() == plain

        def streamed(folder, rows=rows, first=first, count=count, counted=counted):
            assert train(folder, "plain.jsonl", jsonl(good)).status == 0
            plain = learned()
            run = train(folder, "t.jsonl", jsonl(rows), "--stream")
            return counted(folder, run, first, count) and learned() == plain

        def scored(folder, rows=rows, first=first, count=count, counted=counted):
            assert train(folder, "plain.jsonl", jsonl(good)).status == 0
            (folder / "t.jsonl").write_text(jsonl(rows))
            run = run_command("eval m.sap t.jsonl")
            return counted(folder, run, first, count) and "12 of 12" in run.out

        def compared(folder, rows=rows):
            assert train(folder, "plain.jsonl", jsonl(good)).status == 0
            (folder / "t.jsonl").write_text(jsonl(rows))
            (folder / "said.txt").write_text(run_command("classify m.sap t.jsonl").out)
            run = run_command("compare said.txt said.txt t.jsonl")
            return len((folder / "said.txt").read_text().splitlines()) == len(rows) and "100.00" in run.out

        yield f"{name}: train", trained
        yield f"{name}: train --stream", streamed
        yield f"{name}: eval", scored
        yield f"{name}: classify, compare", compared

    def array(folder):
        assert train(folder, "plain.jsonl", jsonl(good)).status == 0
        plain = learned()
        run = train(folder, "t.json", json.dumps([*good[:2], bad[0], *good[2:]], indent=1))
        return said(run, "t.json:", "reject") and learned() == plain

    yield "an array", array

    def table(folder):
        def cells(rows):
            lines = [
                "label,text,answer",
                *(",".join(row[name] for name in ("label", "text", "answer")) for row in rows),
            ]
            return "\n".join(lines) + "\n"

        assert train(folder, "plain.csv", cells(good)).status == 0
        plain = learned()
        run = train(folder, "t.csv", cells([*good[:3], *bad, *good[3:]]))
        (folder / "said.txt").write_text(run_command("classify m.sap t.csv").out)
        assert len((folder / "said.txt").read_text().splitlines()) == 14
        assert "12 of 12" in run_command("eval m.sap t.csv").out
        assert "100.00" in run_command("compare said.txt said.txt t.csv").out
        return said(run, "t.csv:5: ", "reject", "(2 such lines)") and learned() == plain

    yield "a column of CSV", table

    def its_own(folder):
        rows = [{"answer": ["accept", "reject"][k % 2], "text": text} for k, (_, text) in enumerate(TWO)]
        return train(folder, "t.jsonl", jsonl(rows), "--label", "answer").status == 0

    yield "the answer is the label", its_own


@kind("spaCy's cats and Prodigy's accept are labels")
def other_labels():
    names = ["up", "down"]
    ways = {
        "cats": lambda label: {"cats": {name: float(name == label) for name in names}},
        "cats of numbers": lambda label: {"cats": {name: int(name == label) for name in names}},
        "cats of bools": lambda label: {"cats": {name: name == label for name in names}},
        "cats with shares": lambda label: {"cats": {name: 0.8 if name == label else 0.2 for name in names}},
        "accept": lambda label: {"accept": [label], "options": [{"id": name} for name in names], "answer": "accept"},
    }
    for name, way in ways.items():

        def single(folder, way=way):
            assert train(folder, "plain.jsonl", jsonl({"label": y, "text": x} for y, x in TWO)).status == 0
            plain = learned()
            run = train(folder, "t.jsonl", jsonl({"text": x} | way(y) for y, x in TWO))
            return (run.status, learned()) == (0, plain)

        def stream(folder, way=way):
            assert train(folder, "plain.jsonl", jsonl({"label": y, "text": x} for y, x in TWO)).status == 0
            plain = learned()
            run = train(folder, "t.jsonl", jsonl({"text": x} | way(y) for y, x in TWO), "--stream")
            return (run.status, learned()) == (0, plain)

        yield f"{name}: train", single
        yield f"{name}: train --stream", stream
    for name, way in {
        "cats": lambda labels: {"cats": {each: float(each in labels) for each in "abc"}},
        "accept": lambda labels: {"accept": labels, "answer": "accept"},
    }.items():

        def several(folder, way=way):
            examples = [*SETS, ([], "zoo gate")]
            plain = jsonl({"label": y, "text": x} for y, x in examples)
            assert train(folder, "plain.jsonl", plain, "--multi-label").status == 0
            plain = learned()
            run = train(folder, "t.jsonl", jsonl({"text": x} | way(y) for y, x in examples), "--multi-label")
            return (run.status, learned()) == (0, plain)

        def wanted(folder, way=way):
            run = train(folder, "t.jsonl", jsonl({"text": x} | way(y) for y, x in SETS))
            return refused(run, "t.jsonl:3: ", "more than one of its labels is chosen", "--multi-label")

        def nothing(folder, way=way):
            run = train(
                folder, "t.jsonl", jsonl({"text": x} | way([] if k == 5 else [y]) for k, (y, x) in enumerate(TWO))
            )
            return refused(run, "t.jsonl:", "none of its labels is chosen")

        yield f"{name}: train --multi-label", several
        yield f"{name}: several labels", wanted
        yield f"{name}: none", nothing

    def no_category(folder):
        examples = [*SETS, ([], "zoo gate")]
        assert (
            train(folder, "plain.jsonl", jsonl({"label": y, "text": x} for y, x in examples), "--multi-label").status
            == 0
        )
        plain = learned()
        rows = jsonl({"text": x, "cats": dict.fromkeys(y, 1.0)} for y, x in examples)
        return (train(folder, "t.jsonl", rows, "--multi-label").status, learned()) == (0, plain)

    yield "cats: an object without members is an empty set", no_category


# SVM-light


@kind("SVM-light's files are read, whatever they may have")
def svmlight():
    rows = [("+1", "1:1 3:0.5"), ("-1", "2:1 4:1")] * 5
    plain = "".join(f"{label} {row}\n" for label, row in rows)
    files = {
        "qid": "".join(f"{label} qid:{k // 2} {row}\n" for k, (label, row) in enumerate(rows)),
        "tabs": plain.replace(" ", "\t"),
        "comment lines": "# a header\n# and 1:1\n" + plain,
        "comments": "".join(f"{label} {row} # doc {k}\n" for k, (label, row) in enumerate(rows)),
        "two spaces": plain.replace(" ", "  "),
        "blanks at the end": plain.replace("\n", " \n"),
        "exponents": plain.replace("0.5", "5e-1"),
        "a byte order mark": "\ufeff" + plain,
        "CRLF": plain.replace("\n", "\r\n"),
        "blank lines": plain.replace("\n", "\n\n"),
    }
    for name, content in files.items():

        def read(folder, content=content):
            assert train(folder, "plain.svm", plain).status == 0
            wanted = learned()
            run = train(folder, "t.svm", content, "-q")
            return (run.status, run.err, learned()) == (0, "", wanted)

        def named(folder, content=content):
            run = train(folder, "t.txt", content)
            return run.status != 0 and "--format svmlight" in run.err and "sapwood tag" not in run.err

        yield f"{name}: train", read
        yield f"{name}: named, where it is read as text", named
    for name, content, what in [
        ("falling indices", plain + "1 4:1 2:1\n", "t.svm:11: "),
        ("names", plain + "1 a:1 b:1\n", "t.svm:11: 'a:1' is not INDEX:VALUE"),
        ("no value", plain + "1 2:\n", "t.svm:11: '2:' is not INDEX:VALUE"),
        ("NaN", plain + "1 2:nan\n", "t.svm:11: "),
        ("too large", plain + "1 2:1e300\n", "t.svm:11: "),
        ("infinite", plain + "1 2:inf\n", "t.svm:11: "),
        ("infinite, in a short file", "+1 1:1 3:0.5\n-1 2:1 4:1\n+1 2:-Infinity 3:1\n", "t.svm:3: "),
        ("indices without values", plain + "1 2 3\n", "t.svm:11: '2' is not INDEX:VALUE"),
        ("an equals sign", "+1 1:1 3:0.5\n-1 2:1 4:1\n+1 1=1 3=1\n", "t.svm:3: '1=1' is not INDEX:VALUE"),
        ("a line of words", plain + "1 is a line of words\n", "t.svm:11: 'is' is not INDEX:VALUE"),
    ]:

        def wrong(folder, content=content, what=what):
            run = train(folder, "t.svm", content)
            return refused(run, what) and "looks like" not in run.err

        yield f"{name}: no wrong road", wrong


@kind("an empty set of labels is one, in any format")
def empty_sets():
    rows = [("1,2", "1:1 2:1"), ("", "3:3 4:1"), ("2", "2:1 5:1"), ("1", "1:2 6:1")] * 4
    for name, content in {
        "a space in front": "".join(f"{label} {row}\n" for label, row in rows),
        "none in front": "".join(f"{label} {row}".lstrip() + "\n" for label, row in rows),
        "with a comment": "".join(f"{label} {row} # {k}\n" for k, (label, row) in enumerate(rows)),
        "with qid": "".join(f"{label} qid:1 {row}\n" for label, row in rows),
        "with tabs": "".join(f"{label}\t{row}\n" for label, row in rows),
    }.items():

        def read(folder, content=content):
            from sklearn.datasets import load_svmlight_file

            (folder / "t.svm").write_text(content)
            _, sets = load_svmlight_file("t.svm", multilabel=True)
            data = sapwood.io.example_files.read_examples("t.svm", sapwood.io.examples.Layout("", [], [], several=True))
            names, found = sapwood.io.label_sets.label_sets(data.answers, "svmlight")
            return [{float(names[y]) for y in each} for each in found] == [set(each) for each in sets]

        def trained(folder, content=content):
            assert train(folder, "t.svm", content, "--multi-label").status == 0
            (folder / "said.txt").write_text(run_command("classify m.sap t.svm").out)
            assert (
                "16 examples" in run_command("eval m.sap t.svm").out or "of 16" in run_command("eval m.sap t.svm").out
            )
            return "100.00" in run_command("compare said.txt said.txt t.svm").out

        yield f"{name}: as scikit-learn reads it", read
        yield f"{name}: train, classify, compare", trained

    def single(folder):
        return refused(train(folder, "t.svm", "1 1:1\n-1 2:1\n 1:1 2:1\n"), "t.svm:3: there is no label")

    yield "where each example has a label", single


@kind("a value that takes all bits of the weights is said")
def large_values():
    def svm(value):
        rows = ["1 1:1", "-1 2:1", "1 3:1", "-1 4:1"] * 3
        return "\n".join([f"{rows[0]} 9:{value}", *rows[1:]]) + "\n"

    for value in ("1e10", "12000000000", "-3e9", "1e14"):

        def warned(folder, value=value):
            return said(train(folder, "t.svm", svm(value)), "8 bits", "scale")

        yield f"{value}: svmlight", warned

    def features(k):
        return {f"f{k % 4}": 1, **({"price": 5e9} if k == 0 else {})}

    def records(folder):
        content = jsonl({"label": str(k % 2), "features": features(k)} for k in range(12))
        return said(train(folder, "t.jsonl", content), "8 bits", "scale")

    yield "jsonl", records

    def dicts(folder):
        rows, labels = [features(k) for k in range(12)], [k % 2 for k in range(12)]
        return "8 bits" in " ".join(heard(lambda: Classifier(min_updates=1).fit(rows, labels))[1])

    yield "dicts", dicts

    def exact(folder):
        run = train(folder, "t.svm", svm("1e10"), "--bits", "32")
        return run.status == 0 and "scale" not in run.err

    yield "32 bits are enough", exact

    def usual(folder):
        run = train(folder, "t.svm", svm("2.5"))
        return run.status == 0 and "scale" not in run.err

    yield "usual values", usual
