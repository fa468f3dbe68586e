"""Texts with the spans of names in them."""

import json
import random

PEOPLE = ("Ada Lovelace", "Alan Turing", "Grace Hopper", "Edsger Dijkstra", "Barbara Liskov", "Donald Knuth")
PLACES = ("London", "Paris", "New York", "Rome", "Berlin", "Madrid", "Vienna")
FORMS = (
    "Then PER went to LOC. It was late.",
    "My friend PER lives in LOC, and so do I!",
    "In LOC, PER wrote a letter to PER.",
    "\N{PARTY POPPER} PER has moved to LOC with her dog.",
    "There is nothing to say about it.",
)


def filled(form, rng):
    """A text with its spans: names in place of their labels."""
    text, spans = "", []
    for word in form.replace("PER", "\0PER\0").replace("LOC", "\0LOC\0").split("\0"):
        names = {"PER": PEOPLE, "LOC": PLACES}.get(word)
        name = word if names is None else rng.choice(names)
        if names is not None:
            spans.append({"start": len(text), "end": len(text) + len(name), "label": word})
        text += name
    return {"text": text, "spans": spans}


def records(count, seed):
    rng = random.Random(seed)
    return [{"id": f"r{k}", **filled(rng.choice(FORMS), rng), "source": {"page": k}} for k in range(count)]


def write(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def noisy(rows, share, seed):
    """The records with another label in a share of the spans."""
    rng = random.Random(seed)
    for row in rows:
        for span in row["spans"]:
            if rng.random() < share:
                span["label"] = {"PER": "LOC", "LOC": "PER"}[span["label"]]
    return rows
