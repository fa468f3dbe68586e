"""Answers of other libraries, as they are written: columns of any name, and lists of labels."""

import json

import numpy as np
from commands import run_command

from kinds import kind
from kinds.examples import TWO, jsonl, refused

ANSWERED = {  # as other libraries' answers are written
    "an id and another name, between commas": (
        "a.csv",
        "id,prediction\n" + "".join(f"{k},{y}\n" for k, (y, _) in enumerate(TWO)),
    ),
    "an id and another name, between tabs": (
        "a.tsv",
        "index\tprediction\n" + "".join(f"{k}\t{y}\n" for k, (y, _) in enumerate(TWO)),
    ),
    "an index without a name": ("a.csv", ",0\n" + "".join(f"{k},{y}\n" for k, (y, _) in enumerate(TWO))),
    "texts with marks, quotes and another name": (
        "a.csv",
        "text,guess\n" + "".join(f'"{x}, ""so""",{y}\n' for y, x in TWO),
    ),
    "texts of two lines": ("a.csv", "text,guess\n" + "".join(f'"{x}\n{x}",{y}\n' for y, x in TWO)),
    "a probability beside": ("a.csv", "y_pred;p\n" + "".join(f"{y};0.75\n" for y, _ in TWO)),
    "lines of JSON": ("a.jsonl", jsonl({"id": k, "prediction": y} for k, (y, _) in enumerate(TWO))),
    "an array of objects": ("a.json", json.dumps([{"prediction": y, "p": 0.5} for y, _ in TWO])),
    "a list of JSON": ("a.json", json.dumps([y for y, _ in TWO])),
    "a list of JSON, an item a line": ("a.json", json.dumps([y for y, _ in TWO], indent=1)),
    "a list as Python shows it": ("a.txt", f"{[y for y, _ in TWO]}\n"),
    "an array as NumPy shows it": ("a.txt", f"{np.array([y for y, _ in TWO])}\n"),
}
UNCLEAR = {  # with what is said
    "no column of labels": ("a.csv", "up,down\n" + "0.5,0.5\n" * 12, "a.csv:1: none of its columns"),
    "two columns of labels": (
        "a.csv",
        "old,new\n" + "".join(f"{y},{y}\n" for y, _ in TWO),
        "a.csv:1: 2 of its columns",
    ),
    "rows without a header": (
        "a.csv",
        "".join(f"{n},{y}\n" for n, (y, _) in enumerate(TWO)),
        "a.csv:1: a label of gold.txt is one cell of several",
    ),
    "rows without a header, in quotes": (
        "a.csv",
        "".join(f'"{n}";"{y}"\n' for n, (y, _) in enumerate(TWO)),
        "a.csv:1: a label of gold.txt is one cell of several",
    ),
    "no member of labels": ("a.jsonl", jsonl({"p": 0.5} for _ in TWO), "a.jsonl:1: none of its columns"),
    "a list of JSON with one label less": (
        "a.json",
        json.dumps([y for y, _ in TWO[1:]]),
        "a.json:12: there is no label",
    ),
    "a list as NumPy shortens it": (
        "a.txt",
        "['up' 'down' ... 'up' 'down']\n",
        "a.txt: item 3 of the list is no label",
    ),
    "an array in each line": (
        "a.jsonl",
        '[{"label": "up", "score": 0.5}]\n' * 12,
        "a.jsonl:1: the array is followed by more",
    ),
}


@kind("answers in a column of any name, and lists of labels, are compared, or it is said what to write")
def compared_columns():
    def compared(folder, file, content):
        (folder / file).write_text(content)
        (folder / "gold.txt").write_text("".join(f"{y}\n" for y, _ in TWO))
        return run_command(["compare", file, "gold.txt", "gold.txt"])

    for name, (file, content) in ANSWERED.items():

        def right(folder, file=file, content=content):
            run = compared(folder, file, content)
            return run.status == 0 and "accuracy  100.00  100.00" in run.out and run.err == ""

        yield name, right
    for name, (file, content, wanted) in UNCLEAR.items():
        yield (
            name,
            lambda folder, file=file, content=content, wanted=wanted: refused(compared(folder, file, content), wanted),
        )

    def number(folder):
        (folder / "t.txt").write_text("1\n2\n2\n")
        (folder / "a.csv").write_text("id,y\n1,1\n2,2\n3,2\n")  # the ids are no labels of gold
        (folder / "a.txt").write_text("[1 2\n 2]\n")
        return all("100.00" in run_command(f"compare {file} t.txt t.txt").out for file in ("a.csv", "a.txt"))

    yield "labels that are numbers", number
