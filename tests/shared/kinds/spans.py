"""Spans of annotation tools and of language models: offsets that are off, and the files of each tool."""

import json
from itertools import chain
from pathlib import Path

from heard import heard

import sapwood
from kinds import kind
from sapwood.errors import DataError
from sapwood.io.spans import are_spans, read_spans
from sapwood.tasks.pipeline.spans import treebank_of_spans

PLAIN = "Then Ada Lovelace met Zoë in Paris."
EMOJI = "\N{SMILING FACE WITH OPEN MOUTH} Zoë \N{PARTY POPPER} met Ada Lovelace in Paris."
LINES = "Dear all,\r\nAda Lovelace met Zoë.\r\nShe lives in Paris.\r\n"
NAMES = {"Ada Lovelace": "PER", "Zoë": "PER", "Paris": "LOC"}
TEXTS = {"plain": PLAIN, "emoji": EMOJI, "lines": LINES}
UNITS = {
    "UTF-16": lambda text: len(text.encode("utf-16-le")) // 2,
    "bytes": lambda text: len(text.encode()),
    "CR LF as one": lambda text: len(text.replace("\r\n", "\n")),
    "UTF-16, CR LF as one": lambda text: len(text.replace("\r\n", "\n").encode("utf-16-le")) // 2,
}


def gold(text):
    """The right spans of a text: begin, end, label."""
    return sorted((text.index(name), text.index(name) + len(name), label) for name, label in NAMES.items())


def written(*records, name="spans.jsonl"):
    path = Path(name)
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return path


def spans_heard(source):
    """The spans of each text, and what was said of them."""
    found, said = heard(lambda: read_spans(source))
    return [sorted((s.start, s.end, s.label) for s in each.spans) for each in found], said


def record(text, change, *, quoted=True):
    """A record whose spans are changed: `change` gives the begin and end that the file has."""
    spans = []
    for begin, end, label in gold(text):
        start, stop = change(text, begin, end)
        spans.append({"start": start, "end": stop, "label": label} | ({"text": text[begin:end]} if quoted else {}))
    return {"id": 7, "text": text, "spans": spans}


CHANGES = {
    "begin one early": lambda text, a, b: (a - 1, b),
    "begin one late": lambda text, a, b: (a + 1, b),
    "end is the last character": lambda text, a, b: (a, b - 1),
    "both one late": lambda text, a, b: (a + 1, b + 1),
    "both three early": lambda text, a, b: (a - 3, b - 3),
    "reversed": lambda text, a, b: (b, a),
    "empty": lambda text, a, b: (a, a),
    "beyond the text": lambda text, a, b: (a + 1000, b + 1000),
    "below zero": lambda text, a, b: (-1, -1),
    "a length in place of the end": lambda text, a, b: (a, b - a),
    "without offsets": lambda text, a, b: (None, None),
    "counted from one": lambda text, a, b: (a + 1, b),
}


@kind("offsets that do not give the quoted text of a span are repaired by it, and counted")
def quoted_text():
    def check(text, change):
        found, said = spans_heard(written(record(text, change)))
        given = [change(text, a, b) for a, b, _ in gold(text)]
        differs = any(None not in (a, b) and text[a:b].strip() not in NAMES for a, b in given)  # by more than space
        return found == [gold(text)] and (bool(said) or not differs)

    for name, text in TEXTS.items():
        for what, change in CHANGES.items():
            yield f"{what}, {name}", lambda _, t=text, c=change: check(t, c)


@kind("offsets that count something else than characters are told by the spans that fit, with and without their text")
def units():
    def check(text, size, *, quoted):
        change = lambda t, a, b: (size(t[:a]), size(t[:b]))  # noqa: E731
        if record(text, change) == record(text, lambda t, a, b: (a, b)):
            return spans_heard(written(record(text, change, quoted=quoted))) == ([gold(text)], [])
        found, said = spans_heard(written(record(text, change, quoted=quoted)))
        return found == [gold(text)] and len(said) == 1 and "offsets count" in said[0]

    for name, text in TEXTS.items():
        for unit, size in UNITS.items():
            for quoted in (True, False):
                how = "quoted" if quoted else "not quoted"
                yield f"{unit}, {name}, {how}", lambda _, t=text, s=size, q=quoted: check(t, s, quoted=q)


def names_of(spans, text=PLAIN, *, by_model=False):
    """The names that words get from spans, and what was said."""
    texts = written({"text": f"{text}\ufeff", "spans": spans})
    core = sapwood.load("en").core_of(["segment"]) if by_model else None
    made, said = heard(lambda: treebank_of_spans(read_spans(texts), core, 1).treebank)
    words = zip(*(chain.from_iterable(made.column(name)) for name in ("form", "misc")), strict=True)
    found = [(form, misc.partition("NER=")[2].split("|")[0]) for form, misc in words if "NER=" in misc]
    return found, said


ADA = [("Ada", "B-PER"), ("Lovelace", "I-PER")]


@kind("spans are of whole tokens, and each token is in one; what is changed or left out is counted")
def tokens():
    def span(begin, end, label="PER"):
        return {"start": begin, "end": end, "label": label}

    cases = {
        "whole": ([span(5, 17)], ADA, ""),
        "inside of two tokens": ([span(6, 15)], ADA, "inside of a token"),
        "space around": ([span(4, 18)], ADA, ""),
        "reversed": ([span(17, 5)], ADA, "exchanged"),
        "there twice": ([span(5, 17)] * 3, ADA, "so 2 times"),
        "two labels": ([span(5, 17), span(5, 17, "ORG")], ADA, "is left out"),
        "nested": ([span(5, 8, "ORG"), span(5, 17)], ADA, "ORG 'Ada' (5 to 8) and PER 'Ada Lovelace'"),
        "crossing": ([span(5, 17), span(9, 21, "ORG")], ADA, "is left out"),
        "beyond the end": ([span(29, 99, "LOC")], [("Paris", "B-LOC"), (".", "I-LOC")], "is cut there"),
        "outside": ([span(5, 17), span(60, 70)], ADA, "is left out"),
        "empty": ([span(5, 17), span(8, 9), span(20, 20)], ADA, "empty, and is left out (so 2 times)"),
        "a mark that is no token": ([span(5, 17), span(35, 36)], ADA, "no token in it"),
        "offsets as floats": ([span(5.0, 17.0)], ADA, ""),
        "beside each other": ([span(5, 8), span(9, 17)], [("Ada", "B-PER"), ("Lovelace", "B-PER")], ""),
    }
    for name, (spans, names, what) in cases.items():
        for by_model in (False, True):

            def check(_, spans=spans, names=names, what=what, by_model=by_model):
                found, said = names_of(spans, by_model=by_model)
                return found == names and (any(what in each for each in said) if what else not said)

            yield f"{name}, cut by {'a model' if by_model else 'rule'}", check

    def over_an_end(_):
        found, said = names_of([span(0, 13, "WORK")], "Go. Then stop.")
        return found[0] == ("Go", "B-WORK") and [label for _, label in found[1:]] == ["I-WORK"] * 3 and len(said) == 1

    yield "over the end of a sentence", over_an_end


PLACES = [[begin, end, label] for begin, end, label in gold(PLAIN)]
OBJECTS = [{"start": begin, "end": end, "label": label} for begin, end, label in gold(PLAIN)]
REGIONS = [
    {"id": f"r{k}", "from_name": "label", "to_name": "text", "type": "labels",
     "value": {"start": begin, "end": end, "text": PLAIN[begin:end], "labels": [label]}}
    for k, (begin, end, label) in enumerate(gold(PLAIN))
]  # fmt: skip
RELATION = {"from_id": "r0", "to_id": "r1", "type": "relation", "direction": "right"}


def task(*annotations, data=None, member="annotations", **others):
    return {"id": 1, "data": data or {"id": "x", "text": PLAIN}, member: list(annotations), "predictions": [], **others}


@kind("the files of annotation tools are told by their members, and what is no span in them is counted")
def tools():
    prodigy = [span | {"token_start": 1, "token_end": 2} for span in OBJECTS]
    doccano = [{"id": k, "start_offset": a, "end_offset": b, "label": c} for k, (a, b, c) in enumerate(PLACES)]
    done = {"id": 3, "completed_by": 1, "result": REGIONS, "was_cancelled": False, "ground_truth": False}
    other = done | {"result": []}
    files = {  # records, and a part of what is said
        "spans": ([{"text": PLAIN, "spans": OBJECTS}], ""),
        "Prodigy": ([{"text": PLAIN, "spans": prodigy, "tokens": [], "answer": "accept", "_input_hash": 5}], ""),
        "Prodigy, rejected": (
            [{"text": PLAIN, "spans": prodigy, "answer": "accept"}, {"text": "No", "spans": [], "answer": "reject"}],
            "rejected",
        ),
        "doccano's label": ([{"id": 1, "text": PLAIN, "label": PLACES, "Comments": []}], ""),
        "doccano's labels": ([{"id": 1, "text": PLAIN, "labels": PLACES}], ""),
        "doccano's relations": (
            [{"id": 1, "text": PLAIN, "entities": doccano, "relations": [{"from_id": 0, "to_id": 1}]}],
            "relations are not read",
        ),
        "spaCy 2's entities": ([{"text": PLAIN, "entities": PLACES}], ""),
        "sapwood annotate": ([{"text": PLAIN, "entities": OBJECTS, "sentences": []}], ""),
        "not annotated": ([{"text": PLAIN, "spans": OBJECTS}, {"text": "No", "spans": None}], "not annotated"),
        "Label Studio": ([task(done)], ""),
        "Label Studio, completions": ([task(done, member="completions")], ""),
        "Label Studio, another name": ([task(done, data={"url": "x", "body": PLAIN})], ""),
        "Label Studio, relations": (
            [task(done | {"result": [*REGIONS, RELATION]})],
            "a region of type 'relation' is no span, and is not read",
        ),
        "Label Studio, cancelled": ([task({"result": [], "was_cancelled": True}, done)], ""),
        "Label Studio, two annotators": ([task(done, other)], "several annotations"),
        "Label Studio, the true one": ([task(other, done | {"ground_truth": True})], "several annotations"),
        "Label Studio, nobody": ([task(done), task()], "not annotated"),
        "Label Studio, two labels": (
            [
                task(
                    done
                    | {
                        "result": [
                            REGIONS[0] | {"value": REGIONS[0]["value"] | {"labels": [PLACES[0][2]]}},
                            *REGIONS[1:],
                        ]
                    }
                )
            ],
            "",
        ),
        "Label Studio, JSON-MIN": (
            [{"id": 1, "text": PLAIN, "label": [region["value"] for region in REGIONS], "annotator": 1}],
            "",
        ),
        "Label Studio, JSON-MIN, another control": (
            [{"id": 1, "text": PLAIN, "ner": [region["value"] for region in REGIONS], "annotation_id": 4}],
            "",
        ),
    }
    for name, (records, what) in files.items():
        for form in ("lines", "array"):

            def check(_, records=records, what=what, form=form):
                path = written(*records)
                if form == "array":
                    path.write_text(json.dumps(records, indent=1), encoding="utf-8")
                found, said = spans_heard(path)
                return (
                    are_spans(path) and found == [gold(PLAIN)] and (any(what in s for s in said) if what else not said)
                )

            yield f"{name}, {form}", check


@kind("a text in which nothing was marked teaches that there is nothing, whatever the tool")
def nothing():
    records = {
        "spans": {"text": PLAIN, "spans": []},
        "doccano": {"id": 1, "text": PLAIN, "entities": [], "relations": []},
        "Label Studio": task({"result": [], "was_cancelled": False}),
        "Label Studio, JSON-MIN": {"id": 1, "text": PLAIN, "annotator": 1, "annotation_id": 4, "lead_time": 2.5},
    }
    for name, each in records.items():
        yield name, lambda _, each=each: spans_heard(written(each)) == ([[]], [])


@kind("brat's standoff is read: spans over lines, not those in parts, and what is no span is counted")
def brat():
    text = "Ada\nLovelace met Zoë in Paris.\n"

    def check(lines, wanted, what):
        Path("corpus").mkdir()
        Path("corpus/a.txt").write_bytes(text.encode())
        Path("corpus/a.ann").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        found, said = spans_heard(Path("corpus"))
        [alone, _] = spans_heard(Path("corpus/a.ann"))
        return found == alone == [wanted] and (any(what in each for each in said) if what else not said)

    zoe = "T1\tPER 17 20\tZoë", [(17, 20, "PER")]
    cases = {
        "a span": ([zoe[0]], zoe[1], ""),
        "over two lines": (["T1\tPER 0 3;4 12\tAda Lovelace"], [(0, 12, "PER")], ""),
        "over two lines, in one part": (["T1\tPER 0 12\tAda Lovelace"], [(0, 12, "PER")], ""),
        "in parts": ([zoe[0], "T2\tPER 0 3;17 20\tAda Zoë"], zoe[1], "in several parts"),
        "notes, relations, events": (
            [
                zoe[0],
                "#1\tAnnotatorNotes T1\twho?",
                "R1\tMet Arg1:T1 Arg2:T1",
                "E1\tMeet:T1",
                "A1\tSure T1",
                "*\tEquiv T1 T2",
            ],
            zoe[1],
            "so 5 times",
        ),
        "nothing": ([], [], ""),
        "an old offset": (["T1\tPER 15 18\tZoë"], zoe[1], "nearest place"),
    }
    for name, case in cases.items():
        yield name, lambda _, case=case: check(*case)


@kind("what is no span is refused with its line, and what to write")
def refused():
    good = {"text": PLAIN, "spans": OBJECTS}
    cases = {
        "no text": ({"spans": OBJECTS}, "need a 'text'"),
        "no spans": ({"text": PLAIN, "cats": {}}, "no 'spans'; the record has text, cats"),
        "no label": ({"text": PLAIN, "spans": [{"start": 0, "end": 4}]}, "a 'label'"),
        "an empty label": ({"text": PLAIN, "spans": [[0, 4, " "]]}, "a 'label'"),
        "a bar in a label": ({"text": PLAIN, "spans": [[0, 4, "a|b"]]}, "a bar"),
        "labels of a text": ({"text": PLAIN, "labels": ["good"]}, "a span is an object or"),
        "offsets as text": ({"text": PLAIN, "spans": [["0", 4, "X"]]}, "whole number"),
        "offsets as truth": ({"text": PLAIN, "spans": [[False, True, "X"]]}, "whole number"),
        "half an offset": ({"text": PLAIN, "spans": [[0.5, 4, "X"]]}, "whole number"),
        "neither offsets nor text": ({"text": PLAIN, "spans": [{"label": "X"}]}, "or else its 'text'"),
        "text that is none": (
            {"text": PLAIN, "spans": [{"start": 0, "end": 4, "label": "X", "text": 5}]},
            "is a string",
        ),
        "a task of pictures": (task(data={"image": 5}), "no text in its data"),
        "annotations as an object": ({"data": {"text": PLAIN}, "annotations": {}}, "lists of objects"),
        "an offset beyond all numbers": ({"text": PLAIN, "spans": [[0, 1e400, "X"]]}, "whole number"),
    }
    for name, (bad, what) in cases.items():

        def check(_, bad=bad, what=what):
            try:
                spans_heard(written(good, bad))
            except DataError as error:
                return what in str(error) and "spans.jsonl:2" in str(error)
            return False

        yield name, check
