"""The scores of the CoNLL-2018 shared task: the quality of an analysis of raw text (Zeman et al. 2018).

Gold and system may differ in tokens, sentences and words, but not in their text without spaces. Tokens and sentences
are right if they begin and end at the same characters. Words are aligned likewise; where one of the two has a token of
several words, the words between the ends of such tokens are aligned by their longest common subsequence of forms. All
else is scored over words:

=========  ==========================================================================================
UPOS XPOS  the tags
UFeats     the 21 features that were universal in 2018, in any order
AllTags    these three together
Lemmas     any lemma is right where gold has none, ``_``
UAS LAS    head; head and deprel, whose subtype after the colon is cut off
CLAS       LAS of content words (Nivre & Fang 2017): those with a deprel in ``CONTENT_DEPRELS``
MLAS       CLAS, with UPOS and features of the word, and deprels, UPOS and features of its function words
BLEX       CLAS and the lemma
Names      begin, end and label of a name of any number of words (NER in MISC)
=========  ==========================================================================================

Precision is over the system's words, recall over gold's, and aligned accuracy over the gold words that are aligned. The
figures are those of the official script, ``conll18_ud_eval.py``. Unlike there, several words may hang on the root (with
a warning), columns that are empty in gold are not scored, names are, and texts may differ in normal form.
"""

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, pairwise, zip_longest

from sapwood._core import Conllu, composed
from sapwood.errors import DataError, warn
from sapwood.io.conllu import has_values
from sapwood.io.entities import items_of, not_names
from sapwood.io.formats import named_in_errors
from sapwood.io.normal_form import warn_of_normal_form
from sapwood.metrics.chunks import extract_chunks
from sapwood.metrics.evaluation import unseen_text
from sapwood.metrics.labels import Matches, Report, score_rows, table
from sapwood.metrics.words import Words, aligned_words
from sapwood.parts import COLUMNS, Column

CONTENT_DEPRELS = frozenset((
    "nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl", "dislocated", "advcl", "advmod",
    "discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed", "flat", "compound", "list", "parataxis",
    "orphan", "goeswith", "reparandum", "root", "dep",
))  # fmt: skip
FUNCTIONAL_DEPRELS = frozenset(("aux", "cop", "mark", "det", "clf", "case", "cc"))
UNIVERSAL_FEATURES = frozenset((
    "PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number", "Case", "Definite",
    "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity", "Person", "Polite",
))  # fmt: skip

_OF_CONTENT_WORDS = ("CLAS", "MLAS", "BLEX")
_NEEDED = {
    "UPOS": ["upos"], "XPOS": ["xpos"], "UFeats": ["feats"], "AllTags": ["upos", "xpos", "feats"], "Lemmas": ["lemma"],
    "MLAS": ["upos", "feats"], "BLEX": ["lemma"],
}  # fmt: skip
_ROOT, _NOT_ALIGNED = -1, -2
_SPACES = dict.fromkeys((0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000))  # category Zs
_SHOWN = 20  # characters of a text in a message

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Conll2018Score(Matches):
    """The counts of one line of the table: in gold, in the system's output, and correct there."""

    key = "metric"
    figures = (*Matches.columns.values(), "aligned", "aligned_accuracy")
    columns = Matches.columns | {"aligned accuracy": "aligned_accuracy"}

    metric: str
    gold: int
    guessed: int
    correct: int
    aligned: int | None  # gold words that are aligned; None for tokens, sentences, words and names

    @staticmethod
    def _share(part: int, whole: int) -> float:
        return _percent(part, whole)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0.0 if both are 0."""
        return _percent(2 * self.correct, self.gold + self.guessed)

    @property
    def aligned_accuracy(self) -> float | None:
        """Percent of the aligned words that are correct; None where ``aligned`` is None."""
        return None if self.aligned is None else _percent(self.correct, self.aligned)


@dataclass(frozen=True, slots=True)
class Conll2018Report(Report):
    """The result of ``conll2018_scores``: the lines of the table, in its order.

    ``report["LAS"]`` is one of them. There is no line for a column that gold lacks, and none from UAS to BLEX if the
    system has no trees.
    """

    scores: tuple[Conll2018Score, ...]
    unseen: Mapping[str, Mapping[str, int]] = field(
        default_factory=dict
    )  # tagset -> its labels, as `unseen_labels` has them

    def __getitem__(self, metric: str) -> Conll2018Score:
        return {score.metric: score for score in self.scores}[metric]

    def __contains__(self, metric: str) -> bool:
        return any(score.metric == metric for score in self.scores)

    def as_dict(self) -> dict[str, object]:
        return {score.metric: score.as_dict() for score in self.scores}

    def format(self) -> str:
        rows = score_rows("", self.scores, Conll2018Score)
        rows[0][2] = "system"
        rows = [["" if cell is None else cell for cell in row] for row in rows]
        return "\n".join(line.rstrip() for line in table(rows)) + unseen_text(**self.unseen)


def conll2018_scores(
    gold: Conllu | bytes,
    system: Conllu | bytes,
    *,
    gold_name: str = "gold",
    system_name: str = "system",
    unnamed: Iterable[int] = (),
) -> Conll2018Report:
    """Compare the CoNLL-U of a system with gold; messages call them by the two names.

    unnamed : numbers of gold sentences, from 0, whose names are not known; the system's names there do not count

    Raises ``DataError``, with name and line, if one is no CoNLL-U, if heads are no tree, if a form has only spaces, or
    if the texts differ in more than spaces.

    >>> gold = b"1-2\\tdu\\t_\\t_\\t_\\t_\\t_\\t_\\t_\\t_\\n1\\tde\\tde\\tADP\\t_\\t_\\t_\\t_\\t_\\t_\\n"
    >>> gold += b"2\\tle\\tle\\tDET\\t_\\t_\\t_\\t_\\t_\\t_\\n\\n"
    >>> system = b"1\\tdu\\tdu\\tADP\\t_\\t_\\t_\\t_\\t_\\t_\\n\\n"
    >>> print(conll2018_scores(gold, system).format())
               gold  system  correct  precision  recall      F1  aligned accuracy
    Tokens        1       1        1     100.00  100.00  100.00
    Sentences     1       1        1     100.00  100.00  100.00
    Words         2       1        0       0.00    0.00    0.00
    UPOS          2       1        0       0.00    0.00    0.00              0.00
    AllTags       2       1        0       0.00    0.00    0.00              0.00
    Lemmas        2       1        0       0.00    0.00    0.00              0.00
    """
    a, b = _Treebank(gold, gold_name), _Treebank(system, system_name)
    if a.text != b.text:
        raise DataError(_difference(a, b))
    pairs = aligned_words(*(Words(each.words, each.forms, each.multiword) for each in (a, b)))
    for column in ("form", "lemma"):
        here, there = (list(chain.from_iterable(each.conllu.column(column))) for each in (a, b))
        warn_of_normal_form(f"{column}s of {gold_name} and {system_name}", ((here[i], there[j]) for i, j in pairs))

    def same(of_gold: Sequence[object], of_system: Sequence[object]) -> list[bool]:
        return [of_gold[i] == of_system[j] for i, j in pairs]

    upos, xpos, feats = same(a.upos, b.upos), same(a.xpos, b.xpos), same(a.feats, b.feats)
    lemmas = [a.lemmas[i] in ("_", b.lemmas[j]) for i, j in pairs]
    correct = {"UPOS": upos, "XPOS": xpos, "UFeats": feats, "AllTags": _all(upos, xpos, feats), "Lemmas": lemmas}
    lacking = {metric for metric, columns in _NEEDED.items() if not a.can_judge(columns, b)}
    if a.has_trees and b.has_trees:
        gold_of = [_NOT_ALIGNED] * len(b.words) + [_ROOT]  # [words + 1] gold words; gold_of[_ROOT] is _ROOT
        for i, j in pairs:
            gold_of[j] = i
        uas = [a.heads[i] == gold_of[b.heads[j]] for i, j in pairs]
        las = _all(uas, same(a.deprels, b.deprels))
        of_gold, of_system = a.function_words(range(len(a.words))), b.function_words(gold_of)
        functions = [of_gold.get(i) == of_system.get(j) for i, j in pairs]
        correct |= {"UAS": uas, "LAS": las, "CLAS": las}
        correct |= {"MLAS": _all(las, upos, feats, functions), "BLEX": _all(las, lemmas)}

    scores = [
        _span_score("Tokens", a.tokens, b.tokens),
        _span_score("Sentences", a.sentences, b.sentences),
        Conll2018Score("Words", len(a.words), len(b.words), len(pairs), None),
    ]
    content = [a.content[i] for i, _ in pairs] if a.content else []
    for metric, right in correct.items():
        if metric in lacking:
            continue
        if metric in _OF_CONTENT_WORDS:
            counts = sum(a.content), sum(b.content), sum(_all(content, right)), sum(content)
        else:
            counts = len(a.words), len(b.words), sum(right), len(pairs)
        scores.append(Conll2018Score(metric, *counts))
    outside = {at for s in unnamed for at in range(*a.sentences[s])}  # characters
    for part in (column for column in COLUMNS if column.item):
        wanted, found = a.items(part), b.items(part)
        if wanted and found is None and isinstance(system, bytes):  # another tool's output
            items = " or ".join(f"{item}=" for item in (part.item, *part.others))
            message = f"{b.conllu.name}: no word has {items} in MISC, so that there are no {part.compared} to score"
            warn(message + not_names(b.conllu))
        if part.has_chunks and outside and wanted is not None:
            wanted, found = ([each for each in chunks or () if each[0] not in outside] for chunks in (wanted, found))  # type: ignore[index]
        if wanted is not None:
            scores.append(_item_score(part, wanted, found or [], pairs))
    return Conll2018Report(tuple(scores))


class _Treebank:
    """A file, ready to be scored. Spaces are no characters; words, heads and tokens are numbered through the file."""

    def __init__(self, data: Conllu | bytes, name: str) -> None:
        if isinstance(data, bytes):
            with named_in_errors(data, "conllu"):
                data = Conllu.read(data, name)  # without the warnings of read_conllu
        self.conllu = conllu = data
        fields = ("form", "lemma", "upos", "xpos", "feats", "head")
        column = {field: [*map(composed, chain.from_iterable(conllu.column(field)))] for field in fields}
        self.lemmas, self.upos, self.xpos = column["lemma"], column["upos"], column["xpos"]
        universal = {feats: _universal(feats) for feats in set(column["feats"])}
        self.feats = [universal[feats] for feats in column["feats"]]
        self.forms = [form.lower() for form in column["form"]]  # words of multiword tokens keep their spaces
        self.multiword = [False] * conllu.words  # the word is one of a multiword token

        tokens = list(_tokens(column["form"], conllu.multiwords))
        pieces = [composed(form).translate(_SPACES) for _, _, form, _ in tokens]
        self.text = "".join(pieces)
        self.tokens = list(pairwise(accumulate(map(len, pieces), initial=0)))  # characters
        self.token_words = [begin for begin, *_ in tokens]  # [tokens] first word
        self.words: list[Span] = []  # [words] characters of the word's token
        for (begin, end, _, multiword), piece, span in zip(tokens, pieces, self.tokens, strict=True):
            if not piece:
                raise DataError(f"{conllu.where(begin)}: the form of a token has nothing but spaces")
            if multiword:
                self.multiword[begin:end] = [True] * (end - begin)
            else:
                self.forms[begin] = piece.lower()
            self.words += [span] * (end - begin)

        starts = list(accumulate(map(len, conllu.column("id")), initial=0))
        self.sentences = [(self.words[begin][0], self.words[end - 1][1]) for begin, end in pairwise(starts)]
        self.heads: list[int] = []  # [words] or _ROOT
        self.deprels: list[str] = []  # without subtypes
        self.has_trees = any(head != "_" for head in column["head"])
        if self.has_trees:
            trees = conllu.trees(False)
            for begin, (heads, deprels) in zip(starts, trees, strict=False):
                self.heads += [begin + head - 1 if head else _ROOT for head in heads]
                self.deprels += [deprel.partition(":")[0] for deprel in deprels]
            if several := [end for end, (heads, _) in zip(starts[1:], trees, strict=True) if heads.count(0) > 1]:
                what = f"a sentence with several roots ends here (there are {len(several):,})"
                warn(f"{conllu.where(several[0] - 1)}: {what}; the official script refuses the file")
        self.content = [deprel in CONTENT_DEPRELS for deprel in self.deprels]

    def can_judge(self, columns: Sequence[str], system: "_Treebank") -> bool:
        """Return true if gold has values in one of these columns, and in every one in which the system has some."""
        here, there = ({column for column in columns if has_values(each.conllu, [column])} for each in (self, system))
        return bool(here) and there <= here

    def items(self, column: Column) -> list[Hashable] | None:
        """Return the values of a column in MISC: one a word, or (begin, end, label) a chunk; None if there is none."""
        labels = items_of(self.conllu, column)
        if labels is None or not column.has_chunks:
            return None if labels is None else list(chain.from_iterable(labels))
        places = list(self.words)  # [words] a word that is spelled in its multiword token has a place of its own
        for first, after, _ in self.conllu.multiwords:
            begin, end = self.words[first]
            forms = self.forms[first:after]
            ends = list(accumulate(map(len, forms), initial=begin))
            if "".join(forms) == self.text[begin:end].lower() and ends[-1] == end:
                places[first:after] = pairwise(ends)
        starts = accumulate(map(len, labels), initial=0)
        return [
            (places[at + begin][0], places[at + end - 1][1], label)
            for at, sentence in zip(starts, labels, strict=False)
            for label, begin, end in extract_chunks([*map(composed, sentence)])
        ]

    def function_words(self, gold_of: Sequence[int]) -> dict[int, list[tuple[int, str, str, str]]]:
        """Return for each head its function words, each as (gold word, deprel, UPOS, features)."""
        found: dict[int, list[tuple[int, str, str, str]]] = {}
        for word, (head, deprel) in enumerate(zip(self.heads, self.deprels, strict=True)):
            if deprel in FUNCTIONAL_DEPRELS and head != _ROOT:
                found.setdefault(head, []).append((gold_of[word], deprel, self.upos[word], self.feats[word]))
        return found


def _tokens(forms: Sequence[str], multiwords: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str, bool]]:
    """Yield (first word, end, form, is a multiword token) of every token."""
    word = 0
    for begin, end, form in multiwords:
        yield from ((w, w + 1, forms[w], False) for w in range(word, begin))
        yield begin, end, form, True
        word = end
    yield from ((w, w + 1, forms[w], False) for w in range(word, len(forms)))


def _universal(feats: str) -> str:
    return "|".join(sorted(feat for feat in feats.split("|") if feat.partition("=")[0] in UNIVERSAL_FEATURES))


def _span_score(metric: str, gold: Sequence[Hashable], system: Sequence[Hashable]) -> Conll2018Score:
    """Score tokens, sentences or names. No two of a file are equal, so sets count them."""
    return Conll2018Score(metric, len(gold), len(system), len(set(gold) & set(system)), None)


def _item_score(
    column: Column, gold: Sequence[Hashable], system: Sequence[Hashable], pairs: Sequence[tuple[int, int]]
) -> Conll2018Score:
    """Score a column in MISC: chunks by their characters, other values by the words that have one."""
    if column.has_chunks:
        return _span_score(column.metric, gold, system)
    guess = dict(enumerate(system))
    wanted = sum(value != column.nothing for value in gold)
    both = [gold[i] == guess.get(j) for i, j in pairs if gold[i] != column.nothing]
    return Conll2018Score(column.metric, wanted, sum(value != column.nothing for value in system), sum(both), len(both))


def _difference(gold: _Treebank, system: _Treebank) -> str:
    """Return the message about texts that differ: the first character that does, in both."""
    at = next(k for k, (a, b) in enumerate(zip_longest(gold.text, system.text)) if a != b)
    places = []
    for treebank in (gold, system):
        if at < len(treebank.text):
            token = bisect_right(treebank.tokens, (at, len(treebank.text))) - 1
            where = treebank.conllu.where(treebank.token_words[token])
            places.append(f"{treebank.text[at : at + _SHOWN]!r} at {where}")
        else:
            places.append(f"the end of {treebank.conllu.name}")
    return f"the texts differ: {places[0]}, {places[1]}; a system must keep the characters of gold, all but spaces"


def _all(*columns: Sequence[bool]) -> list[bool]:
    return [all(row) for row in zip(*columns, strict=True)]


def _percent(part: int, whole: int) -> float:
    """Return a percentage that rounds like the official script's, which divides first."""
    return 100 * (part / whole) if whole else 0.0
