"""What does spaCy's pipeline cost around sapwood's, which does the work?

    python -m bench.spacy.pipe [--data DIR] [--json FILE] [--runs N]

10,000 sentences, each a text, go through `nlp.pipe` of spaCy with the component `sapwood`, and through the same
pipeline of sapwood directly; then 500 sentences one by one, by `nlp(text)`: first all of them in a row, as a program
that has one pipeline would; then the rows below take turns at each sentence, so that none of them finds its code in the
processor's caches ("in turn").
"sapwood" makes documents of arrays; with "all views" every word's attributes are read as Python values, too, as a
spaCy document has them. The sentences are those of UD English EWT's training part from --data or SAPWOOD_DATA, else
generated ones; the model is the bundled English one. CPU seconds of this process, medians of the runs; "overhead" is
the median of the rounds' ratios to the first row. Last it is checked that two processes (`n_process=2`) give the same
documents.
"""

from collections.abc import Callable
from functools import partial
from statistics import median

import spacy

import sapwood
import sapwood.spacy
from measure.layout import command_line, print_rows, write_rows
from measure.processes import timed, timed_in_turn
from measure.texts import treebank
from sapwood import Doc
from sapwood._core import Conllu
from sapwood.io.source import read_bytes

_SENTENCES = 10_000
_COLUMNS = {
    "us/sentence": ("us", ",.0f"),
    "overhead %": ("overhead", ".1f"),
    "one sentence us": ("one_us", ",.0f"),
    "overhead, one %": ("one_overhead", ".1f"),
    "one in turn us": ("turn_us", ",.0f"),
    "overhead, one in turn %": ("turn_overhead", ".1f"),
}
_VALUES = ("form", "lemma", "upos", "xpos", "feats", "deprel", "entity")


def _sentences(data: str | None) -> list[str]:
    with treebank(data) as (_, paths):
        lines = Conllu.read(read_bytes(paths["train"]), "train").replace({}).decode().splitlines()
    texts = [line.removeprefix("# text = ") for line in lines if line.startswith("# text = ")]
    return (texts * (_SENTENCES // len(texts) + 1))[:_SENTENCES]


def _see(doc: Doc) -> Doc:
    for column in _VALUES:
        doc.values(column)
    doc.heads, doc.places  # noqa: B018
    return doc


def _one_by_one(texts: list[str], calls: list[Callable[[str], object]]) -> list[float]:
    """Return the CPU seconds of each call over all texts; the calls take turns at every text."""
    seconds = [[timed(partial(call, text)) for call in calls] for text in texts]
    return [sum(column) for column in zip(*seconds, strict=True)]


def main() -> None:
    given = command_line(__doc__, runs=5).parse_args()
    texts = _sentences(given.data)
    direct = sapwood.load("en")
    nlp = spacy.blank("en")
    nlp.add_pipe("sapwood")
    works = {
        "sapwood": (direct.pipe, direct),
        "sapwood, all views": (lambda some: map(_see, direct.pipe(some)), lambda text: _see(direct(text))),
        "spaCy": (nlp.pipe, nlp),
    }
    some = texts[:500]
    calls = [call for _, call in works.values()]
    turns = [_one_by_one(some, calls) for _ in range(given.runs + 1)][1:]
    one = timed_in_turn(given.runs, *(lambda k, call=call: [call(text) for text in some] for call in calls))
    many = timed_in_turn(given.runs, *(lambda k, pipe=pipe: [*pipe(texts)] for pipe, _ in works.values()))
    rows = []
    for k, name in enumerate(works):
        rows.append(
            {
                "name": name,
                "us": 1e6 / len(texts) * median(used[k] for used in many),
                "overhead": 100 * (median(used[k] / used[0] for used in many) - 1),
                "one_us": 1e6 / len(some) * median(used[k] for used in one),
                "one_overhead": 100 * (median(used[k] / used[0] for used in one) - 1),
                "turn_us": 1e6 / len(some) * median(used[k] for used in turns),
                "turn_overhead": 100 * (median(used[k] / used[0] for used in turns) - 1),
            }
        )
    print(f"{len(texts):,} sentences, medians of {given.runs} runs")
    print_rows(rows, _COLUMNS)
    alone, both = nlp.pipe(some), nlp.pipe(some, n_process=2, batch_size=50)
    same = all(a.to_bytes() == b.to_bytes() for a, b in zip(alone, both, strict=True))
    print(f"n_process=2 gives {'the same' if same else 'OTHER'} documents")
    if given.json:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
