"""What the tests of classifiers share: short reviews of two and of three classes, in every format."""

import json

from sapwood import Classifier

POSITIVE = ["good", "great", "lovely", "fine", "charming"]
NEGATIVE = ["bad", "dull", "awful", "poor", "boring"]
NEUTRAL = ["long", "short", "old", "new", "french"]
THINGS = ["film", "plot", "cast", "music"]

# 60 examples of three classes, one word of each telling the class; the order mixes them.
TEXTS = [
    (label, f"a {word} {thing} , what a {words[(k + 2) % 5]} {thing} !")
    for thing in THINGS
    for k in range(5)
    for label, words in (("+", POSITIVE), ("-", NEGATIVE), ("neutral", NEUTRAL))
    for word in [words[k]]
]
TWO = [(label, text) for label, text in TEXTS if label != "neutral"]
SENSES = [
    ("bank_1", "they sat on the bank of the river", 4),
    ("bank_2", "the bank lent money at interest", 1),
    ("bank_1", "the river left its bank again", 4),
    ("bank_2", "she took the money to the bank", 6),
] * 3


def record(**values):
    """Return a line of JSON."""
    return json.dumps(values) + "\n"


def fasttext(examples=TEXTS):
    return "".join(f"__label__{label} {text}\n" for label, text in examples)


def jsonl(examples=TEXTS):
    return "".join(json.dumps({"label": label, "text": text}) + "\n" for label, text in examples)


def delimited(separator, examples=TEXTS):
    """CSV or TSV, the text quoted."""
    rows = [f"{label}{separator}{json.dumps(text)}\n" for label, text in examples]
    return f"label{separator}text\n" + "".join(rows)


def tokens_jsonl():
    return "".join(
        json.dumps({"label": label, "tokens": [[word, word[-1]] for word in text.split()], "marked": marked}) + "\n"
        for label, text, marked in SENSES
    )


def features_jsonl(examples=TEXTS):
    return "".join(json.dumps({"label": label, "features": features(text)}) + "\n" for label, text in examples)


def features(text):
    words = text.split()
    return {"first": words[1], "length": len(text) / 10, **dict.fromkeys(words, 1)}


def svmlight(examples=TEXTS):
    vocabulary = sorted({word for _, text in examples for word in text.split()})
    lines = []
    for label, text in examples:
        numbers = sorted({vocabulary.index(word) + 1 for word in text.split()})
        lines.append(f"{label} " + " ".join(f"{number}:1" for number in numbers) + "\n")
    return "".join(lines)


def senseval(examples=SENSES):
    """As Senseval 2's files are: the marked word inside <head>, a tag at each word."""
    parts = ['<corpus lang="en">\n<lexelt item="bank-n">\n']
    for k, (sense, text, marked) in enumerate(examples):
        words = [f'<wf pos="{word[-1]}">{word}</wf>' for word in text.split()]
        words[marked] = f"<head> {words[marked]}</head>"
        answer = f'<answer instance="b{k}" senseid="{sense}"/>\n' if sense else ""
        parts.append(f'<instance id="b{k}">\n{answer}<context>\n {" ".join(words)} \n</context>\n</instance>\n')
    return "".join(parts) + "</lexelt>\n</corpus>\n"


FORMATS = {
    "t.txt": fasttext(),
    "t.jsonl": jsonl(),
    "t.csv": delimited(","),
    "t.tsv": delimited("\t"),
    "t.svm": svmlight(),
    "features.jsonl": features_jsonl(),
    "tokens.jsonl": tokens_jsonl(),
    "t.pos": senseval(),
}
MARKED = ("tokens.jsonl", "t.pos")  # those that the template wsd is for


def options_for(name):
    """The options that learn a file of FORMATS by heart."""
    return {"min_updates": 1, "template": "wsd" if name in MARKED else "text"}


def write(folder, name, content):
    """Write text or bytes into a file of a folder."""
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def write_formats(folder):
    for name, content in FORMATS.items():
        (folder / name).write_text(content)


def write_models(folder):
    """Write the examples in every format, each with a model of it, text.txt.sap for example."""
    write_formats(folder)
    for name in FORMATS:
        Classifier(**options_for(name)).fit(folder / name).save(folder / f"{name}.sap")
