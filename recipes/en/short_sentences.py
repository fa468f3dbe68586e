"""Short sentences for the English pipeline, whose treebanks have few: some written for it, others cut out of trees.

A short main clause is what stays of a tree when other clauses and most of what nouns carry are left out: "The festival,
which began in 1994, runs through June." gives "The festival runs through June." Those whose verb is elsewhere a noun
are for the tagger: in long sentences such a word is a noun most often.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from sapwood import _core

_ENDS = (".", "!", "?")
_INSIDE = {
    "det",
    "det:predet",
    "amod",
    "advmod",
    "compound",
    "nmod:poss",
    "nummod",
    "flat",
    "fixed",
    "goeswith",
    "case",
}
_INSIDE |= {"mark", "aux", "cop", "obj"}  # relations that are kept below the words that the root keeps
_OF_ROOT = {"nsubj", "nsubj:pass", "expl", "aux", "aux:pass", "cop", "obj", "iobj", "compound:prt", "obl", "advmod"}
_OF_ROOT |= {"xcomp", "det", "case", "amod", "compound", "nmod:poss", "nummod", "flat", "mark"}
_PRESENT = ("VB", "VBP", "VBZ")
_BESIDE = ("'s", "'m", "'re", "'ve", "n't")  # what is written together with the word before, as one token
_NO_SPACE_BEFORE = (".", ",", "HYPH", "POS")  # XPOS
_NO_SPACE_AFTER = ("$", "HYPH")

Row = list[str]


def written_sentences() -> bytes:
    """Return the sentences of short_sentences.txt in CoNLL-U, each of its lines a paragraph: forms and tags."""
    text = Path(__file__).with_name("short_sentences.txt").read_text(encoding="utf-8")
    lines = []
    for paragraph in text.splitlines():
        lines.append("# newpar")
        for sentence in paragraph.split(" | "):
            lines += [*_conllu([word.rsplit("/", 2) for word in sentence.split(" ")]), ""]
    return "\n".join([*lines, ""]).encode()


def short_clauses(treebank: _core.Conllu, longest: int = 8) -> bytes:
    """Return short main clauses of a treebank, whose verb is elsewhere in it a noun, in CoNLL-U: forms and tags.

    They are in random order, the same each time.
    """
    sentences = list(_sentences(treebank))
    nouns = {row[1].lower() for rows in sentences for row in rows if row[3] == "NOUN"}
    found: dict[str, None] = {}
    for rows in sentences:
        words = [row for row in rows if row[0].isdigit()]
        root = next(row for row in words if row[6] == "0")
        if root[3] == "VERB" and root[4] in _PRESENT and root[1].lower() in nouns:
            kept = _kept(words, longest)
            if kept and not _cuts_token(rows, kept):
                found[_clause(words, kept)] = None
    clauses = list(found)
    random.Random(1).shuffle(clauses)
    return "".join(clauses).encode()


def without_subscripts(treebank: _core.Conllu) -> _core.Conllu:
    """Return the sentences without subscripts: where GUM's texts have Q and a small 1, raw text has Q1, one word."""
    blocks = [block for block in treebank.replace({}).split(b"\n\n") if b"subscript" not in block]
    return _core.Conllu.read(b"\n\n".join(blocks), treebank.name)


def _sentences(treebank: _core.Conllu) -> Iterator[list[Row]]:
    for block in treebank.replace({}).decode().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
        if rows:
            yield rows


def _kept(words: list[Row], longest: int) -> list[int]:
    """Return the places of the words of a sentence's main clause, or none if it has no subject or is not shorter."""
    heads, relations = [int(word[6]) - 1 for word in words], [word[7] for word in words]
    root, last = heads.index(-1), len(words) - 1
    if words[last][1] not in _ENDS or heads[last] != root:
        return []
    kept = {root, last}

    def keep(head: int, wanted: set[str]) -> None:
        for place, relation in enumerate(relations):
            if heads[place] == head and relation in wanted:
                kept.add(place)
                keep(place, _INSIDE)

    keep(root, _OF_ROOT)
    subject = any(heads[place] == root and relations[place].startswith("nsubj") for place in range(len(words)))
    fits = 3 <= len(kept) <= longest and len(kept) < len(words)
    return sorted(kept) if fits and (subject or words[root][4] == "VB") else []


def _cuts_token(rows: list[Row], kept: list[int]) -> bool:
    """Whether of a token of several words some are kept, and some are not."""
    spans = [tuple(map(int, row[0].split("-"))) for row in rows if "-" in row[0]]
    return any(0 < sum(place + 1 in range(a, b + 1) for place in kept) < b + 1 - a for a, b in spans)


def _clause(words: list[Row], kept: list[int]) -> str:
    """Return the kept words as a sentence, which begins with a capital if all of them did."""
    forms = [words[place][1] for place in kept]
    if words[0][1][0].isupper():
        forms[0] = forms[0][0].upper() + forms[0][1:]
    rows = zip(forms, kept, strict=True)
    return "\n".join(_line(n, form, *words[k][3:5]) for n, (form, k) in enumerate(rows, 1)) + "\n\n"


def _conllu(words: list[Row]) -> list[str]:
    """Return a written sentence, of the form, UPOS and XPOS of its words; where there are spaces follows from these."""
    lines = []
    for n, (form, upos, xpos) in enumerate(words, 1):
        after, behind = ([*words, ["", "", ""], ["", "", ""]][n + k] for k in (0, 1))
        two = after[0] in _BESIDE  # the word and the next one are one token
        if two:
            lines.append(_line(f"{n}-{n + 1}", form + after[0], "_", "_", glued=behind[2] in _NO_SPACE_BEFORE))
        glued = xpos in _NO_SPACE_AFTER or after[2] in _NO_SPACE_BEFORE or after[0] == "%"
        lines.append(_line(n, form, upos, xpos, glued=glued and not two and form not in _BESIDE))
    return lines


def _line(number: int | str, form: str, upos: str, xpos: str, *, glued: bool = False) -> str:
    misc = "SpaceAfter=No" if glued else "_"
    return "\t".join([str(number), form, "_", upos, xpos, "_", "_", "_", "_", misc])
