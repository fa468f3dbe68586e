"""Layouts of texts with spans beside those of annotation tools: pairs, and columns."""

import json
from pathlib import Path

import sapwood
from kinds import kind
from kinds.spans import NAMES, OBJECTS, PLACES, PLAIN, gold, spans_heard, written
from sapwood.errors import DataError
from sapwood.io.spans import has_spans


def columns(spans=OBJECTS):
    return {name: [span[name] for span in spans] for name in ("start", "end", "label")}


@kind("pairs of a text and its spans, as spaCy 2 has them, and spans in columns, as datasets writes them, are read")
def pairs_and_columns():
    other = ["Nobody.", {"entities": []}]
    pair = [PLAIN, {"entities": PLACES}]
    files = {
        "pairs": ([pair, other], [PLAIN, "Nobody."]),
        "pairs with parts of speech": ([[PLAIN, {"entities": PLACES, "tags": ["ADV"]}], other], [PLAIN, "Nobody."]),
        "an annotator's classes": ({"classes": ["PER", "LOC"], "annotations": [pair, other]}, [PLAIN, "Nobody."]),
        "an annotator's gaps": ({"classes": ["PER", "LOC"], "annotations": [None, pair, None]}, [PLAIN]),
        "columns": ([{"text": PLAIN, "entities": columns()}], [PLAIN]),
        "columns called spans": ([{"text": PLAIN, "spans": columns() | {"text": [*NAMES]}}], [PLAIN]),
        "columns without rows": (
            [{"text": PLAIN, "ents": columns()}, {"text": "No.", "ents": columns([])}],
            [PLAIN, "No."],
        ),
    }
    for name, (content, texts) in files.items():

        def read(_, content=content, texts=texts):
            Path("x.json").write_text(json.dumps(content))
            found, said = spans_heard(Path("x.json"))
            return (
                has_spans(Path("x.json")) and not said and found == [gold(PLAIN) if t == PLAIN else [] for t in texts]
            )

        yield name, read
    for name, bad in {
        "columns of other lengths": {"start": [0], "end": [3, 8], "label": ["PER"]},
        "a span by itself": {"start": 0, "end": 3, "label": "PER"},
        "columns without labels": {"start": [0], "end": [3]},
    }.items():

        def refused(_, bad=bad):
            try:
                spans_heard(written({"text": PLAIN, "entities": bad}))
            except DataError as error:
                return "there are no 'spans'" in str(error)
            return False

        yield name, refused

    def classified(_):
        pairs = [[f"{word} {k}", {"cats": {word: 1, "other": 0}}] for k in range(4) for word in ("up", "down")]
        Path("x.jsonl").write_text(json.dumps(pairs))
        return sapwood.Classifier(min_updates=1).fit(Path("x.jsonl")).predict(["up", "down"]).tolist() == ["up", "down"]

    yield "pairs with categories", classified
