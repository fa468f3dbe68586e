"""English as people type it: frames of lists, abbreviations, clitics, numbers, emoji, lemmas, and what is right.

A frame is a text in which ``|`` stands where a sentence ends and another begins, and ``·`` where a word begins within a
chunk; neither is part of the text. What is asked of it is said by its kind: sentences, words, or the lemma of one word.
The frames are not those that a model learns from; treebanks (EWT, GUM) decide what is right.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple


class Frame(NamedTuple):
    """A text, what is asked of it, and what is right."""

    text: str
    asked: str  # "sentences", "words", "lemma", "relation", "graphemes" or "borders"
    right: list[str]


def sentences(marked: str) -> Frame:
    """Return a frame of which the sentences are asked; "|" ends them."""
    parts = marked.split("|")
    return Frame("".join(parts), "sentences", [part.strip() for part in parts])


def words(marked: str) -> Frame:
    """Return a frame of which the words are asked: chunks, cut at "·"; "|" ends sentences, which are not asked."""
    plain = marked.replace("|", "")
    return Frame(plain.replace("·", ""), "words", plain.replace("·", " ").split())


def lemma(text: str, form: str, right: str) -> Frame:
    """Return a frame of which the lemma of the first word of this form is asked."""
    return Frame(text, "lemma", [form, right])


def answer(doc: object, frame: Frame) -> list[str]:
    """Return what an analysed document (sapwood.Doc) says of what is asked."""
    match frame.asked:
        case "sentences":
            return [sentence.text for sentence in doc.sentences]
        case "words":
            return [word.text for word in doc]
        case "lemma":
            return [frame.right[0], next((word.lemma for word in doc if word.text == frame.right[0]), "")]
        case "borders":
            return [name.text for name in doc.entities if "\t" in name.text or "\n" in name.text]
        case "graphemes":
            found = [word.text for word in doc]
            return [sign for sign in frame.right if any(sign in word for word in found)]
        case "relation":
            return [frame.right[0], next((word.deprel for word in doc if word.text == frame.right[0]), "")]
    raise ValueError(frame.asked)


def kinds() -> dict[str, Callable[[], Iterator[Frame]]]:
    """Return the frames of each kind, by its name, in the order of the page that counts them."""
    from typed import (
        abbreviations,
        clitics,
        lemmas,
        lines,
        marks,
        others_clitics,
        others_ends,
        others_golden,
        others_lemmas,
        others_lines,
        others_marks,
    )

    first = lines.KINDS | abbreviations.KINDS | marks.KINDS | clitics.KINDS | lemmas.KINDS
    others = others_lines.KINDS | others_ends.KINDS | others_marks.KINDS | others_clitics.KINDS | others_lemmas.KINDS
    return first | others | others_golden.KINDS
