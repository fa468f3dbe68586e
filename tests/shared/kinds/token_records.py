"""Records with lists of tokens and labels, as data sets of names and tags come: a tagger reads them as rows."""

import gzip
import json

from commands import run_command

from kinds import kind
from kinds.examples import jsonl, learned, refused, train

WORDS = [["Ada", "left", "#1", "."], ["Rome", "fell", "."], ["#", "is", "a", "sign"]] * 4
TAGS = [["NNP", "VBD", "NN", "."], ["NNP", "VBD", "."], ["SYM", "VBZ", "DT", "NN"]] * 4
NAMES = [["B-PER", "O", "O", "O"], ["B-LOC", "O", "O"], ["O", "O", "O", "O"]] * 4
RECORDS = [{"tokens": words, "ner_tags": names} for words, names in zip(WORDS, NAMES, strict=True)]
BOTH = [{"id": str(k), "tokens": WORDS[k], "pos": TAGS[k], "ner": NAMES[k]} for k in range(len(WORDS))]
LABELS = ["O", "B-PER", "B-LOC"]
OPTIONS = ("--template", "pos")


def rows(*columns):
    sentences = zip(*columns, strict=True)
    return "\n".join("".join("\t".join(row) + "\n" for row in zip(*cells, strict=True)) for cells in sentences)


def table(records, numbers="", names=LABELS):
    """Return a Parquet file, `numbers` as class labels that have names."""
    import pyarrow
    from pyarrow import parquet

    values = {name: [record.get(name) for record in records] for name in records[0]}
    metadata = {}
    if numbers:
        values[numbers] = [[names.index(label) for label in labels] for labels in values[numbers]]
        label = {"names": names, "_type": "ClassLabel"}
        features = {numbers: {"feature": label, "_type": "List"}}
        metadata = {"huggingface": json.dumps({"info": {"features": features}})}
    out = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table(values).replace_schema_metadata(metadata), out)
    return out.getvalue().to_pybytes()


ONE = {
    "lines": ("t.jsonl", jsonl(RECORDS)),
    "an array": ("t.json", json.dumps(RECORDS, indent=1)),
    "lines under any name, with a byte order mark": ("t.txt", "\ufeff" + jsonl(RECORDS)),
    "compressed lines": ("t.jsonl.gz", gzip.compress(jsonl(RECORDS).encode())),
    "labels in front of the tokens": ("t.jsonl", jsonl(dict(reversed(record.items())) for record in RECORDS)),
    "members that are no columns": (
        "t.jsonl", jsonl({**r, "id": 1, "spans": [], "text": " ".join(r["tokens"]), "meta": {}} for r in RECORDS),
    ),
    "sentences without tokens": ("t.jsonl", jsonl([{"tokens": [], "ner_tags": []}, *RECORDS])),
    "Parquet": ("t.parquet", table(RECORDS)),
    "Parquet with class labels": ("t.parquet", table(RECORDS, "ner_tags")),
}  # fmt: skip
TWO = {"lines": ("t.jsonl", jsonl(BOTH)), "Parquet": ("t.parquet", table(BOTH, "ner"))}


@kind("records with tokens and labels teach a tagger what the same rows do, and score it")
def same_model():
    for name, (file, content) in ONE.items():

        def one(folder, file=file, content=content):
            assert train(folder, "rows.tsv", rows(WORDS, NAMES), *OPTIONS, task="tag").status == 0
            plain = learned()
            same = train(folder, file, content, *OPTIONS, "--dev", file, task="tag")
            scored = [run_command(["eval", "m.sap", data]) for data in (file, "rows.tsv")]
            return same.status == 0 and learned() == plain and scored[0].out == scored[1].out != ""

        yield name, one
    for name, (file, content) in TWO.items():

        def two(folder, file=file, content=content):
            assert train(folder, "rows.tsv", rows(WORDS, TAGS, NAMES), *OPTIONS, task="tag").status == 0
            plain = learned()
            return train(folder, file, content, *OPTIONS, task="tag").status == 0 and learned() == plain

        yield f"{name}, two columns of labels", two

    def stream(folder):
        assert train(folder, "rows.tsv", rows(WORDS, NAMES), *OPTIONS, task="tag").status == 0
        plain = learned()
        return (
            train(folder, "t.jsonl", jsonl(RECORDS), *OPTIONS, "--stream", task="tag").status == 0
            and learned() == plain
        )

    yield "a stream of lines", stream


@kind("a record whose labels do not fit its tokens is refused with its line, and numbers without names are")
def odd_records():
    first = RECORDS[0]
    odd = {
        "a label is missing": ({**first, "ner_tags": ["O"]}, "'ner_tags' has no label for each"),
        "labels are null": ({**first, "ner_tags": None}, "'ner_tags' has no label for each"),
        "a label is null": ({**first, "ner_tags": ["O", None, "O", "O"]}, "'ner_tags' has no label for each"),
        "no labels": ({"tokens": ["a"]}, "'ner_tags' has no label for each"),
        "labels are numbers": ({**first, "ner_tags": [1, 0, 0, 0]}, "'ner_tags' has numbers"),
        "tokens are a text": ({**first, "tokens": "Ada left"}, "'tokens' is no list"),
        "tokens are null": ({**first, "tokens": None}, "'tokens' is no list"),
        "no tokens": ({"text": "Ada"}, "'tokens' is no list; the record has text"),
        "a token is a number": ({**first, "tokens": ["Ada", 1, "x", "."]}, "tokens are texts, not the number 1"),
    }
    for name, (record, wanted) in odd.items():

        def where(folder, record=record, wanted=wanted):
            return refused(
                train(folder, "t.jsonl", jsonl([*RECORDS, record]), *OPTIONS, task="tag"), "t.jsonl:13: ", wanted
            )

        yield name, where


@kind("records with tokens are tagged as records, and other files are what they were")
def other_files():
    def tagged(folder):
        assert train(folder, "t.jsonl", jsonl(RECORDS), *OPTIONS, task="tag").status == 0
        run = run_command(["tag", "m.sap", "t.jsonl", "--to", "jsonl"])
        return [json.loads(line)["labels"] for line in run.out.splitlines()] == NAMES

    def as_columns(folder):
        assert train(folder, "t.jsonl", jsonl(RECORDS), *OPTIONS, task="tag").status == 0
        return refused(run_command(["tag", "m.sap", "t.jsonl"]), "t.jsonl: ", "--to jsonl")

    def table_as_columns(folder):
        assert train(folder, "t.parquet", table(RECORDS), *OPTIONS, task="tag").status == 0
        return refused(run_command(["tag", "m.sap", "t.parquet"]), "t.parquet: ", "with --to")

    def names(folder):
        (folder / "t.jsonl").write_text(jsonl(RECORDS))
        return refused(run_command(["train", "entities", "t.jsonl", "-o", "m.sap"]), "t.jsonl:1: ", "'train tag' reads")

    def empty(folder):
        content = jsonl([{"tokens": [], "ner_tags": []}] * 3)
        return refused(train(folder, "t.jsonl", content, task="tag"), "there is no sentence")

    yield "tagged", tagged
    yield "no tokens at all", empty
    yield "not tagged into columns", as_columns
    yield "Parquet is not tagged into columns", table_as_columns
    yield "not texts with spans", names
    for name, content in {
        "records without tokens": jsonl([{"text": "Ada", "label": "x"}]),
        "records with a text as tokens": jsonl([{"tokens": "Ada", "label": "x"}]),
    }.items():
        yield (
            name,
            lambda folder, content=content: refused(train(folder, "t.jsonl", content, task="tag"), "looks like JSON"),
        )
    for name, first in {"a brace": "{", "a brace and a mark": '{"', "a bracket": "[", "an object": '{"a":1}'}.items():

        def a_row(folder, first=first):
            content = rows([[first, "left"], *WORDS], [["O", "O"], *NAMES])
            return train(folder, "t.tsv", content, *OPTIONS, task="tag").status == 0

        yield f"a word that is {name}", a_row
