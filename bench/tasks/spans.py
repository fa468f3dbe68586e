"""What `train entities` finds, from texts with spans, beside the bundled pipelines' own names.

    python -m bench.tasks.spans --data DIR [--json FILE]

DIR is the folder of the corpora. Their sentences, five a text with spaces between words, are written as spans; those of
the training part train a pipeline on the tokens and tags of the bundled one of their language, and one on words alone.
A row for each corpus:

spans       of the training part, at most 10,000 sentences
names       F1 of the spans of the development part, in percent: begin, end and label (of German the test part is
            trained on, and of Russian the test part measured on, as there are no others)
words       the same of the pipeline that goes by words alone
bundled     the same of the bundled pipeline of the language, if it has these labels
answered    share of the names that are given at a precision of 90 %, in percent; it is fitted to half of the
            development part, and measured on the other half
precision   share of these that is right, in percent
"""

import json
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from measure.layout import command_line, print_rows, write_rows
from sapwood import DataError, Pipeline, load
from sapwood.io.entities import _sentences
from sapwood.metrics.chunks import extract_chunks

_COLUMNS = {name: (name, ".2f") for name in ("names", "words", "bundled", "answered", "precision")}
_OTHERS = "names_languages"
_CORPORA = {  # training part, development part, bundled pipeline with the same labels
    "EWT (Universal NER)": ("ewt_names/en_ewt-ner-train.iob2.xz", "ewt_names/en_ewt-ner-dev.iob2.xz", "en"),
    "WNUT17": ("names/wnut17train.conll.xz", "names/emerging.dev.conll.xz", ""),
    "German GermEval": (f"{_OTHERS}/de/germeval/test.iob2.xz", f"{_OTHERS}/de/germeval/dev.iob2.xz", "de"),
    "Russian FactRuEval": (f"{_OTHERS}/ru/factrueval/train.iob2.xz", f"{_OTHERS}/ru/factrueval/test.iob2.xz", ""),
}
_MOST, _OF_TEXT = 10_000, 5  # sentences


def records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the sentences of a column file of names, five a text, with spans."""
    sentences = (words for _, _, words in islice(_sentences(path), _MOST))
    while some := list(islice(sentences, _OF_TEXT)):
        text, spans = "", []
        for words in some:
            places = []
            for form, _ in words:
                places.append((len(text), len(text) + len(form)))
                text += f"{form} "
            for label, begin, end in extract_chunks([label for _, label in words]):
                spans.append({"start": places[begin][0], "end": places[end - 1][1], "label": label})
        yield {"text": text, "spans": spans}


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def measured(name: str, folder: Path, scratch: Path) -> dict[str, Any]:
    """Return the row of a corpus."""
    train, dev, bundled = _CORPORA[name]
    rows, held_out = list(records(folder / train)), list(records(folder / dev))
    source, gold = write(scratch / "train.jsonl", rows), write(scratch / "dev.jsonl", held_out)
    half = [write(scratch / f"half{k}.jsonl", held_out[k::2]) for k in (0, 1)]
    model = Pipeline().fit(source)
    row = {"name": name, "spans": sum(len(each["spans"]) for each in rows), "names": model.evaluate(gold).f1}
    row["words"] = Pipeline(base=None).fit(source).evaluate(gold).f1
    row["bundled"] = load(bundled).evaluate(gold).f1 if bundled else None
    before = model.evaluate(half[1]).guessed
    try:
        after = model.calibrate(half[0], precision=0.9).evaluate(half[1])
    except DataError:  # no names reach this precision
        return row
    return row | {"answered": 100 * after.guessed / before, "precision": after.precision}


def main() -> None:
    """Print the rows, and write them."""
    given = command_line(__doc__).parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as scratch:
        rows = [measured(name, Path(given.data or os.environ["SAPWOOD_DATA"]), Path(scratch)) for name in _CORPORA]
    print_rows(rows, {"spans": ("spans", ",d"), **_COLUMNS})
    if given.json is not None:
        write_rows(given.json, rows)


if __name__ == "__main__":
    sys.exit(main())
