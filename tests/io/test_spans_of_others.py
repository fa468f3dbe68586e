"""Spans as libraries and language models write them into records of JSON."""

import json

import pytest

from sapwood.io.spans import read_spans

TEXT = "Ada met Bob in Rome."
NAMES = [(0, 3, "PER"), (15, 19, "LOC")]
SPACY = {  # Doc.to_json of spaCy 3.8
    "text": TEXT,
    "ents": [{"start": start, "end": end, "label": label} for start, end, label in NAMES],
    "tokens": [{"id": 0, "start": 0, "end": 3}],
}
RECORDS = {
    "spaCy": SPACY,
    "spaCy, with groups of spans": SPACY | {"spans": {"sc": [{"start": 4, "end": 7, "label": "X", "kb_id": ""}]}},
    "a pipeline of transformers": {
        "text": TEXT,
        "entities": [
            {"entity_group": label, "score": 0.99, "word": TEXT[start:end], "start": start, "end": end}
            for start, end, label in NAMES
        ],
    },
    "a language model": {"text": TEXT, "entities": [{"text": TEXT[a:b], "type": label} for a, b, label in NAMES]},
    "a type beside a label": {
        "text": TEXT,
        "spans": [{"start": a, "end": b, "label": label, "type": "span"} for a, b, label in NAMES],
    },
}


@pytest.mark.parametrize("name", RECORDS)
def test_spans_are_read(name, tmp_path):
    (tmp_path / "t.jsonl").write_text(json.dumps(RECORDS[name]) + "\n")
    [read] = read_spans(tmp_path / "t.jsonl")
    assert [(span.start, span.end, span.label) for span in read.spans] == NAMES
