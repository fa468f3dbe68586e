"""Templates of typed English (typed_templates.txt): in their slots are words of a treebank or a list."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from recipes.en.typed_rows import FEATS, FORM, LEMMA, MISC, UPOS, XPOS, Sentence, Text, join, word_row
from sapwood.errors import DataError

_HERE = Path(__file__).parent
_ITEM = re.compile(
    r"(.+?)(?:/(ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|SYM|VERB|X)/([A-Z$`':]+)(?:/(\S+))?)?"
)

_FEATS = {
    "VBD": "Mood=Ind|Number=Plur|Person=3|Tense=Past|VerbForm=Fin",
    "VBN": "Tense=Past|VerbForm=Part",
    "NNS": "Number=Plur",
}


class Words:
    """The words of a treebank with their commonest tags, and words for the slots of templates."""

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        counts: Counter[tuple[str, str, str, str]] = Counter()
        for sentence in sentences:
            counts.update((row[FORM], row[UPOS], row[XPOS], row[LEMMA]) for row in sentence if row[UPOS] != "_")
        self.tags: dict[str, tuple[str, str, str]] = {}
        self.of_tag: dict[str, list[str]] = {}
        for (form, upos, xpos, lemma), count in counts.most_common():
            self.tags.setdefault(form, (upos, xpos, lemma))
            names_itself = xpos != "NNP" or upos == "PROPN"  # not Royal and United, which are adjectives in names
            if count >= 4 and form.isalpha() and len(form) > 2 and self.tags[form][1] == xpos and names_itself:
                self.of_tag.setdefault(xpos, []).append(form)
        self.lists = {path.stem: path.read_text(encoding="utf-8").split() for path in (_HERE / "typed").glob("*.txt")}

    def around(self, form: str, upos: str, xpos: str, lemma: str, draw: random.Random) -> Text:
        """Return a short sentence with a past or participle (VBD, VBN), or a plural noun (NNS), which may begin it."""
        before, after = {
            "VBD": ("They", "it _."),
            "VBN": ("They had/AUX/VBD/have", "it _."),
            "NNS": draw.choice((("Two", "came _."), ("", "are {JJ} _."))),
        }[xpos]
        row = word_row(form if before else form.capitalize(), upos, xpos, lemma)
        row[FEATS] = _FEATS[xpos]
        return [[*(self.filled(before, draw)[0] if before else []), row, *self.filled(after, draw)[0]]]

    def filled(self, line: str, draw: random.Random) -> Text:
        """Return the sentences of a template (typed_templates.txt says what stands in it)."""
        text: Text = [[]]
        glued = False
        for item in line.split(" "):
            if item in ("|", "||"):
                glued = item == "||"
                text.append([])
                continue
            before = text[-1] or (text[-2] if len(text) > 1 else [])
            if item.startswith("_") or (glued and not text[-1]):
                before[-1][MISC] = "SpaceAfter=No"
                item = item.removeprefix("_")
            joined = item.startswith("=")
            rows = self._rows(item.removeprefix("="), draw)
            if joined:
                join(text[-1], rows[0])
            text[-1] += rows
        return text

    def _rows(self, item: str, draw: random.Random) -> Sentence:
        """Return the words of an item: a form with tags and lemma, as far as they are not the commonest, or a slot."""
        parsed = _ITEM.fullmatch(item)
        if parsed is None:
            raise DataError(f"a template has two spaces in a row, or a space at an end, beside '{item}'")
        form, *given = parsed.groups()
        if form.startswith("{"):
            rows = self._slot(form.strip("{}"), draw)
        else:
            known = self.tags.get(form) or self.tags.get(form.lower())
            if known is None and not given[0]:
                raise DataError(f"the template's '{item}' is a word that the treebank lacks; give it tags")
            rows = [word_row(form, *(known or (given[0], given[1], form)))]
        for column, value in zip((UPOS, XPOS, LEMMA), given, strict=False):
            rows[-1][column] = value or rows[-1][column]
        return rows

    def _slot(self, name: str, draw: random.Random) -> Sentence:
        match name:
            case "Number":
                number = str(draw.choice((draw.randint(1, 12), draw.randint(1, 99), draw.randint(1, 2000))))
                return [word_row(number, "NUM", "CD", number)]
            case "Decimal":
                number = f"{draw.randint(0, 99)}.{draw.randint(1, 99)}"
                return [word_row(number, "NUM", "CD", number)]
            case "Date":
                date = f"{draw.randint(1985, 2029)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
                return [word_row(date, "NUM", "CD", date)]
            case "Time":
                time = f"{draw.randint(0, 23):02}:{draw.randint(0, 59):02}"
                return [word_row(time, "NUM", "CD", time)]
            case "Roman":
                number = draw.choice(("", "X", "XX")) + draw.choice(("I", "II", "III", "IV", "V", "VI", "VII", "IX"))
                return [word_row(number, "NUM", "CD", number)]
            case "Letter":
                letter = draw.choice("ABCDEFGHIJKLMNOPRSTVW") + "."
                return [word_row(letter, "PROPN", "NNP", letter)]
            case "Initials":
                letters = "".join(
                    draw.choice("ABCDEFGHIKLMNOPRSTUVWY") + "." for _ in range(draw.choice((2, 2, 3, 3, 4)))
                )
                return [word_row(letters, "PROPN", "NNP", letters)]
            case "File":
                words = [draw.choice(self.of_tag["NN"]).capitalize() for _ in range(draw.choice((1, 1, 2, 3)))]
                form = draw.choice(("", "", "_")).join(words) + "." + draw.choice(("pdf", "doc", "txt", "xls", "jpg"))
                return [word_row(draw.choice((form, form.lower())), "NOUN", "NN", form.lower())]
            case "Name":
                form = draw.choice(self.of_tag["NNP"])
                return [word_row(form, "PROPN", "NNP", form)]
            case "Title":
                form = draw.choice(self.lists["titles"])
                return [word_row(form.capitalize(), "PROPN", "NNP", form.capitalize())]
            case "reference" | "Reference" | "shortened":
                form = draw.choice(self.lists[name.lower()])
                form = form.capitalize() if name == "Reference" else form
                return [word_row(form, *self.tags.get(form, ("NOUN", "NN", form)))]
            case _:
                form = draw.choice(self.of_tag[name])
                return [word_row(form, *self.tags[form])]
