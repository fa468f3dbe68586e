"""The data of a pipeline's parts: words and tags, sentences of given words, and columns that only a part of them has.

Lemmas are learned from the words that have one, unless these are punctuation alone, FEATS from the sentences that have
some. XPOS is learned together with UPOS or, if there are many, with FEATS, so a word without it teaches that there is
none: below a share of the words it costs more than it gives.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache
from itertools import accumulate, chain
from typing import Any, TypeGuard

import sapwood._core as _core
from sapwood.errors import DataError, Listener
from sapwood.io.conllu import has_values, rows_of
from sapwood.io.source import encoded
from sapwood.parts import PART_NAMED, TAGS, Part
from sapwood.tasks.tagging.data import learnable_tags, split_tags
from sapwood.tasks.tagging.model import SequenceTagger

TAGGER, MORPHOLOGY = PART_NAMED["tagger"], PART_NAMED["morphology"]
NO_FEATS = "no word has morphological features"  # the reason for which there is no model of them

Tags = list[list[tuple[str, ...]]]  # by sentence and word: UPOS, XPOS, FEATS
Rows = list[list[tuple[str, ...]]]  # by sentence and word: form and tags
Given = str | Iterable[str] | Iterable[Iterable[str]]  # a text, a sentence of words, or several
_TAG = re.compile(r"[A-Z][A-Z\d]*\$?(?:[-_+|][\w$]+)*|-[A-Z]+-|[^\w\s]+")  # a tag of a tagset, or of chunks
_FORBIDDEN = {" ": "a blank", "\t": "a tab", "\n": "a line end", "\r": "a line end", "\0": "NUL"}
# Shares of the words that have a value, below which a column is left out. XPOS: on the development parts of treebanks
# with XPOS for a part of the words, or blanked in a part of them, tags and features are worse with it at 0.8 and less,
# and hardly from 0.88 on (docs/training.md). Of FEATS and lemmas a hundredth is enough.
LEAST = {"xpos": 0.85, "feats": 0.01, "lemma": 0.01}
_MANY_XPOS = 250
# FEATS of a sentence are missing if fewer sentences like it than these are expected by chance in the whole treebank.
_CHANCE = 0.01

Treebanks = Mapping[str, _core.Conllu]


def has_many_xpos(data: _core.Conllu) -> bool:
    """Return true if a treebank has so many XPOS that these are learned with FEATS rather than with UPOS.

    Most are rare, and a tagger of both learns UPOS anew for each: on held-out sentences of Slovenian SST (412 XPOS,
    8,000 words) UPOS were 93.6 % for 91.0 %, XPOS 81.9 for 81.7, FEATS 81.9 for 81.6; of Romanian (389, 45,000 words)
    95.3 for 95.2, 91.8 for 91.8, 85.7 for 85.6, in half the time. Of a Russian treebank with 71 XPOS these are worse.
    """
    if len({*chain.from_iterable(data.column("xpos"))}) < _MANY_XPOS or len(filled_columns(data, TAGS)) < len(TAGS):
        return False
    return with_feats(data).words >= LEAST["xpos"] * data.words  # sentences without FEATS would not teach XPOS


def tag_columns(part: Part, first: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns that the tagger or the morphology reads, and those that it learns.

    first : how many columns the tagger learns, of UPOS, XPOS and FEATS; the morphology learns the others
    """
    return (TAGGER.reads, TAGS[:first]) if part is TAGGER else ((*TAGGER.reads, *TAGS[:first]), TAGS[first:])


def tag_examples(part: Part, data: _core.Conllu, first: int) -> tuple[Rows, list[list[str]]]:
    """Return the rows of the tagger or the morphology, and their labels; first : as `tag_columns` has it."""
    reads, learns = tag_columns(part, first)
    return rows_of(data, reads), learnable_tags(data, learns)


def reads_and_fills(part: Part, model: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns that a model in a pipeline reads, and those that it fills. Labels say which tags these are."""
    if part not in (TAGGER, MORPHOLOGY):
        return part.reads, tuple(column.name for column in part.columns)
    tags = len(split_tags(model.labels_[0]))
    return tag_columns(part, tags if part is TAGGER else len(TAGS) - tags)


def tagsets(models: Mapping[str, Any]) -> dict[str, set[str]]:
    """Return the tags that the models of a pipeline give, by column."""
    found: dict[str, set[str]] = {}
    for part in (part for part in (TAGGER, MORPHOLOGY) if part.name in models):
        _, columns = reads_and_fills(part, models[part.name])
        found |= zip(columns, map(set, zip(*map(split_tags, models[part.name].labels_), strict=True)), strict=True)
    return found


def tag_rows(forms: Iterable[Sequence[str]], tags: Iterable[Sequence[Sequence[str]]]) -> Rows:
    """Return the rows of a tagger: the form of each word and its tags."""
    pairs = zip(forms, tags, strict=True)
    return [[(form, *of_word) for form, of_word in zip(*sentence, strict=True)] for sentence in pairs]


def with_labels(rows: Rows, labels: Sequence[Sequence[str]]) -> Rows:
    """Return rows with their labels behind them."""
    pairs = zip(rows, labels, strict=True)
    return [[(*row, label) for row, label in zip(*sentence, strict=True)] for sentence in pairs]


def with_tags(data: _core.Conllu, tags: Sequence[Sequence[tuple[str, ...]]]) -> _core.Conllu:
    """Return a treebank with other tags."""
    columns = {name: [[of_word[k] for of_word in s] for s in tags] for k, name in enumerate(TAGS)}
    return data.with_columns(columns)


def tagged(forms: Sequence[list[str]], tagger: SequenceTagger, morphology: SequenceTagger | None) -> Tags:
    """Return the tags of words: UPOS, XPOS and FEATS. Equal ones are one object, as a treebank has many words."""
    rows = [[(form,) for form in sentence] for sentence in forms]
    joined = cache(lambda label, more: (*split_tags(label), *split_tags(more)))
    found = tagger.predict(rows)
    if morphology is None:
        return [[joined(label, "_") for label in sentence] for sentence in found]
    split = cache(lambda label: tuple(split_tags(label)))
    more = morphology.predict(tag_rows(forms, [list(map(split, sentence)) for sentence in found]))
    return [list(map(joined, *sentence)) for sentence in zip(found, more, strict=True)]


def are_words(given: object) -> TypeGuard[Iterable[Any]]:
    """Return true for a list or the like, which is no text."""
    return isinstance(given, Iterable) and not isinstance(given, str | bytes | bytearray | Mapping | Set)


def doc_of_words(given: Iterable[Any]) -> _core.Doc:
    """Return a sentence of words, or a list of sentences, as a document: a sentence a line, blanks between words.

    Raises DataError for a word that is no string, is empty or has a blank in it, and for a sentence without words.
    """
    items: list[Any] = list(given)
    several = bool(items) and all(map(are_words, items))
    sentences: list[list[Any]] = [list(item) for item in items] if several else [items] if items else []
    for s, sentence in enumerate(sentences, 1):
        if not sentence:
            raise DataError(f"sentence {s} has no words; leave it out")
        for w, word in enumerate(sentence, 1):
            _check(word, f"sentence {s}, word {w}" if several else f"word {w}")
    lines = [" ".join(sentence) for sentence in sentences]
    words = [word for sentence in sentences for word in sentence]
    begins = [0, *accumulate(len(word) + 1 for word in words)]  # a blank or a line end is behind each word
    places = [(begin, begin + len(word)) for begin, word in zip(begins, words, strict=False)]
    firsts = [0, *accumulate(map(len, sentences))]
    ends = [(first, first, False) for first in firsts]
    return _core.Doc.build("\n".join(lines), places, [*range(len(words) + 1)], ends, {"form": words}, None)


def warn_of_tags(given: Iterable[Any], on_warning: Listener) -> None:
    """Warn of words with tags, as NLTK's taggers give them: each pair would be a sentence of two words.

    The warning is the same for all texts, so that Python shows it once.
    """
    if not isinstance(given, list | tuple) or len(given) < 2 or not all(isinstance(pair, tuple) for pair in given):
        return
    if {len(pair) for pair in given} <= {2, 3} and all(isinstance(part, str) for pair in given for part in pair):
        words, tags = [pair[0] for pair in given], [pair[1] for pair in given]
        if all(map(_TAG.fullmatch, tags)) and not all(map(_TAG.fullmatch, words)) and any(map(str.isalpha, tags)):
            on_warning("each tuple is read as a sentence; if these are words with tags, give the words alone")


def _check(word: object, where: str) -> None:
    if not isinstance(word, str):
        raise DataError(f"{where}: a word is a string, not {type(word).__name__}")
    if not word:
        raise DataError(f"{where} is empty; leave it out")
    if found := next((c for c in word if c in _FORBIDDEN), None):
        texts = "; a list is a sentence of words, and 'pipe' takes a list of texts" if found in " \n" else ""
        raise DataError(f"{where}: {word[:40]!r} has {_FORBIDDEN[found]} in it{texts}")
    encoded(word)


def filled_columns(data: _core.Conllu, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns in which some word has a value."""
    return tuple(name for name in columns if has_values(data, (name,)))


def without_rare_columns(
    data: _core.Conllu, held_out: _core.Conllu | None, own: Treebanks
) -> tuple[_core.Conllu, _core.Conllu | None, Treebanks, dict[str, str]]:
    """Return treebanks without the columns that too few words of the first one have, and for each column the reason."""
    reasons = {}
    for name, least in LEAST.items():
        columns = (chain.from_iterable(data.column(column)) for column in (name, "upos"))
        cells = [value for value, tag in zip(*columns, strict=True) if name != "lemma" or tag != "PUNCT"]
        there = len(cells) - cells.count("_")
        if there < least * len(cells) and has_values(data, (name,)):
            what = "a lemma, punctuation apart" if name == "lemma" else name.upper()
            share = f"{there:,} of {len(cells):,} words have {what}"
            reasons[name] = f"{share}, fewer than {100 * least:.0f} %"
    if not reasons:
        return data, held_out, own, {}
    others = {part: without(each, reasons) for part, each in own.items()}
    return without(data, reasons), None if held_out is None else without(held_out, reasons), others, reasons


def without(data: _core.Conllu, columns: Iterable[str]) -> _core.Conllu:
    """Return a treebank in which no word has a value in some columns."""
    blank = [["_"] * len(sentence) for sentence in data.column("id")]
    return data.with_columns(dict.fromkeys(columns, blank))


def with_feats(data: _core.Conllu) -> _core.Conllu:
    """Return a treebank without the sentences in which FEATS are missing.

    A sentence may well have none: a full stop, an interjection. They are missing where no word has any, although words
    with the same UPOS have them so often that among so many sentences hardly one would be like this by chance.
    """
    feats, upos = data.column("feats"), data.column("upos")
    has_some = [any(value != "_" for value in sentence) for sentence in feats]
    if all(has_some) or not any(has_some):
        return data
    words, without = Counter[str](), Counter[str]()
    for tags, values, known in zip(upos, feats, has_some, strict=True):
        if known:
            words.update(tags)
            without.update(tag for tag, value in zip(tags, values, strict=True) if value == "_")

    def chance(tags: Sequence[str]) -> float:
        """Return the probability that no word with one of these tags has FEATS."""
        return math.prod((without[tag] + 1) / (words[tag] + 2) for tag in tags)

    least = _CHANCE / data.sentences
    return data.select([s for s, known in enumerate(has_some) if known or chance(upos[s]) >= least])


def fills_tags(gold: _core.Conllu, tagged: _core.Conllu) -> bool:
    """Return true if UPOS with some FEATS is better for the parser of a treebank than its XPOS.

    gold : the treebank, whose XPOS are counted; tagged : the same with the tags that new text will have, often fewer

    Without XPOS a third of the template is dead: French LAS was 80.8 for 80.0. Many XPOS are rare ones: LAS of
    Romanian (466 of them) was 78.0 for 77.3, of Slovenian SST (452) 55.9 for 55.1, of Latin LLCT (254) 90.7 for
    90.4, but of Catalan (203) 79.0 for 80.4.
    """
    return has_values(tagged, ("feats",)) and (has_many_xpos(gold) or not has_values(tagged, ("xpos",)))
