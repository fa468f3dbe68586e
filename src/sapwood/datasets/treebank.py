"""A generated treebank of any size.

Only real corpora count, but they have licences, must be downloaded, and are finite. Examples, tests and the scale
benchmark need data that is always available and the same everywhere, from a hundred sentences to ten million tokens. So
sapwood has a small language of its own: an unlimited vocabulary with English function words and English-like endings
(``lexicon``), a lexicalised grammar (``grammar``), and a fast way to derive sentences from it (``derivation``). Each
sentence has tags, chunks, a dependency tree and a phrase-structure tree. They are consistent, because all are read off
one derivation.

No annotation is wrong. The language is hard for the reasons that real ones are: words have several tags, words of the
test set are new, a prepositional phrase can belong to the verb or to the noun, and words agree over a distance. So no
learner reaches 100 %, and learners that use more context do better.

The language is fixed; the seed only chooses the sentences. Corpora of different seeds are samples of one distribution,
and a longer corpus begins with the shorter one of the same seed. Of Python's generator only ``random()`` is used, whose
sequence is documented never to change.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import cached_property
from itertools import count, islice
from pathlib import Path
from random import Random

from sapwood.base.writing import explained, make_folder, replacing
from sapwood.datasets.derivation import Leaf, Rule, derive, start_symbol
from sapwood.datasets.writing import WRITINGS, paragraph, tokens_of
from sapwood.errors import OptionError

_BATCH = 1000  # sentences between two writes and two reports of progress

_UPOS = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN",
    "PRP": "PRON", "PRP$": "PRON", "EX": "PRON", "WDT": "PRON", "WP": "PRON",
    "VB": "VERB", "VBP": "VERB", "VBZ": "VERB", "VBD": "VERB", "VBN": "VERB", "VBG": "VERB", "MD": "AUX",
    "JJ": "ADJ", "JJR": "ADJ", "JJS": "ADJ", "RB": "ADV", "WRB": "ADV", "DT": "DET", "CD": "NUM",
    "CC": "CCONJ", "IN": "ADP", "RP": "ADP", "TO": "PART", "POS": "PART", "UH": "INTJ",
}  # fmt: skip
_ESCAPED = {"(": "-LRB-", ")": "-RRB-"}


class GeneratedSentence:
    """A generated sentence: its words, and every annotation that its derivation implies.

    ``words``, ``tags``, ``chunks``, ``heads`` and ``deprels`` are lists of one length. A head is the
    number of a word counted from 1, or 0 for the one root; the tree is projective.

    >>> sentence = next(generate(1, seed=7))
    >>> sentence
    <GeneratedSentence 'In the sany surn , it surn .'>
    >>> sentence.tags
    ['IN', 'DT', 'JJ', 'NN', ',', 'PRP', 'VBD', '.']
    >>> sentence.chunks
    ['B-PP', 'B-NP', 'I-NP', 'I-NP', 'O', 'B-NP', 'B-VP', 'O']
    >>> sentence.heads
    [4, 4, 4, 7, 7, 7, 0, 7]
    >>> sentence.bracketed()
    '(S (PP (IN In) (NP (DT the) (JJ sany) (NN surn))) (, ,) (NP (PRP it)) (VP (VBD surn)) (. .))'
    """

    def __init__(self, words: list[str], leaves: list[Leaf], rules: list[Rule]) -> None:
        self.words = words
        self._leaves = leaves  # [words] what each word was drawn from
        self._rules = rules  # the leftmost derivation

    def __len__(self) -> int:
        return len(self.words)

    def __repr__(self) -> str:
        return f"<GeneratedSentence {' '.join(self.words)!r}>"

    @property
    def tags(self) -> list[str]:
        """Penn Treebank tags."""
        return [leaf.tag for leaf in self._leaves]

    @property
    def chunks(self) -> list[str]:
        """Chunk labels as in CoNLL-2000: ``B-NP``, ``I-NP``, ``O`` ..."""
        return [leaf.chunk for leaf in self._leaves]

    @property
    def heads(self) -> list[int]:
        """The number of each word's head, 0 for the root."""
        return self._attached[0]

    @property
    def deprels(self) -> list[str]:
        """The relation of each word to its head, similar to Universal Dependencies."""
        return self._attached[1]

    @property
    def upos(self) -> list[str]:
        """Universal part-of-speech tags, from the tags and relations."""
        return [_universal(*pair) for pair in zip(self.tags, self.deprels, strict=True)]

    def columns(self) -> str:
        """Return ``word tag chunk`` lines and the blank line that ends a sentence."""
        lines = [word + leaf.ending for word, leaf in zip(self.words, self._leaves, strict=True)]
        return "".join([*lines, "\n"])

    def conllu(self, sent_id: str, writing: str = "plain") -> str:
        """Return the sentence in CoNLL-U, with its two comments and the blank line at its end.

        ``writing`` is one of ``WRITINGS``: it decides about spaces and multiword tokens.
        """
        tokens = tokens_of(self.words, writing)
        words = zip(self.upos, self.tags, self.heads, self.deprels, strict=True)
        lines, number = [], 0
        for token in tokens:
            misc = "_" if token.space else "SpaceAfter=No"
            if len(token.words) > 1:
                lines.append(f"{number + 1}-{number + len(token.words)}\t{token.form}" + "\t_" * 7 + f"\t{misc}\n")
                misc = "_"
            for word in token.words:
                number += 1
                upos, tag, head, deprel = next(words)
                lines.append(f"{number}\t{word}\t_\t{upos}\t{tag}\t_\t{head}\t{deprel}\t_\t{misc}\n")
        text = "".join([token.form + " " * token.space for token in tokens]).rstrip()
        return f"# sent_id = {sent_id}\n# text = {text}\n{''.join(lines)}\n"

    def bracketed(self) -> str:
        """Return the phrase-structure tree on one line, as in the Penn Treebank."""
        rules, words = iter(self._rules), iter(self.words)
        written: list[str] = []

        def write() -> None:
            rule = next(rules)
            for item, before in zip(rule.items, rule.brackets, strict=False):
                written.append(before)
                if item.rules is None:
                    word = next(words)
                    written.append(f" ({item.tag} {_ESCAPED.get(word, word)})")
                else:
                    write()
            written.append(rule.brackets[-1])

        write()
        return "".join(written)[1:]

    @cached_property
    def _attached(self) -> tuple[list[int], list[str]]:
        """Heads and relations: in each rule, the head words of its items are attached to each other."""
        heads, deprels = [0] * len(self.words), ["root"] * len(self.words)
        rules, numbers = iter(self._rules), count()

        def attach() -> int:
            rule = next(rules)
            words = [next(numbers) if item.rules is None else attach() for item in rule.items]
            for item, governor in enumerate(rule.governors):
                if governor != item:
                    heads[words[item]] = words[governor] + 1
                    deprels[words[item]] = rule.relations[item]
            return words[rule.head]

        attach()
        return heads, deprels


def _universal(tag: str, deprel: str) -> str:
    if deprel.startswith("aux") or deprel == "cop":
        return "AUX"
    if tag == "IN" and deprel == "mark":
        return "SCONJ"
    if tag == "DT" and deprel != "det":
        return "PRON"
    return _UPOS.get(tag, "PUNCT")


def _conllu(sentence: GeneratedSentence, split: str, number: int, writing: str) -> str:
    before = "" if writing == "plain" else paragraph(number)
    return before + sentence.conllu(f"{split}-{number}", writing)


_RENDERED: dict[str, Callable[[GeneratedSentence, str, int, str], str]] = {  # sentence, split, number in it, writing
    "txt": lambda sentence, *_: sentence.columns(),
    "conllu": _conllu,
    "mrg": lambda sentence, *_: f"{sentence.bracketed()}\n",
}
FORMATS = tuple(_RENDERED)


def generate(sentences: int, seed: int = 1) -> Iterator[GeneratedSentence]:
    """Generate sentences one by one, in constant memory.

    The same arguments give the same sentences everywhere. ``generate(n, seed)`` begins with the sentences of
    ``generate(m, seed)`` for any smaller ``m``. Raises ``OptionError`` for negative numbers.
    """
    if sentences < 0:
        raise OptionError(f"sentences is {sentences}; ask for 0 or more")
    if seed < 0:
        raise OptionError(f"seed is {seed}; use 0 or more")
    start, random = start_symbol(), Random(seed).random
    return (_sentence(*derive(start, random)) for _ in range(sentences))


def _sentence(words: list[str], leaves: list[Leaf], rules: list[Rule]) -> GeneratedSentence:
    first = 1 if words[0] == "``" else 0
    words[first] = words[first][0].upper() + words[first][1:]
    return GeneratedSentence(words, leaves, rules)


def write_treebank(
    directory: str | Path,
    sentences: int,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
    formats: Sequence[str] = FORMATS,
    writing: str = "plain",
) -> dict[str, dict[str, int]]:
    """Write a treebank as ``train``, ``dev`` and ``test`` files in each format. Return their sizes.

    The first eight tenths of the sentences are for training, one tenth is for development and the last for testing.
    ``txt`` has ``word tag chunk`` columns, ``conllu`` dependencies, ``mrg`` one bracketed tree a line. ``writing`` says
    how the raw text of ``conllu`` is written (``sapwood.datasets.writing``). Files appear under their names only when a
    split is complete. ``progress`` is called with the number of sentences written and the
    total. The result is ``{"train": {"sentences": ..., "tokens": ...}, "dev": ..., "test": ...}``. Raises
    ``OptionError`` for fewer than three sentences and for an unknown format or writing, ``DataError`` if a file cannot
    be written.
    """
    if sentences < 3:
        raise OptionError(f"sentences is {sentences}; three splits need at least 3")
    if not formats or any(name not in FORMATS for name in formats):
        raise OptionError(f"formats are {', '.join(formats) or 'missing'}; choose from {', '.join(FORMATS)}")
    if writing not in WRITINGS:
        raise OptionError(f"writing is {writing!r}; choose from {', '.join(WRITINGS)}")
    corpus = generate(sentences, seed)
    directory = Path(directory)
    tenth = max(1, sentences // 10)
    sizes = {"train": sentences - 2 * tenth, "dev": tenth, "test": tenth}
    done = 0

    def report(written: int) -> None:
        nonlocal done
        done += written
        if progress:
            progress(done, sentences)

    counts = {}
    make_folder(directory)
    for split, size in sizes.items():
        paths = [directory / f"{split}.{name}" for name in dict.fromkeys(formats)]
        with explained(directory, "written"):
            counts[split] = {"sentences": size, "tokens": _write(paths, islice(corpus, size), writing, report)}
    return counts


def _write(paths: list[Path], corpus: Iterator[GeneratedSentence], writing: str, report: Callable[[int], None]) -> int:
    """Write a split to files of several formats and return its tokens. No file appears before all are complete."""
    written = tokens = 0
    with ExitStack() as stack:
        files = [stack.enter_context(replacing(path, named=False)) for path in paths]
        while batch := list(islice(corpus, _BATCH)):
            for path, file in zip(paths, files, strict=True):
                rendered = _RENDERED[path.suffix[1:]]
                numbered = enumerate(batch, written + 1)
                file.write("".join([rendered(each, path.stem, n, writing) for n, each in numbered]).encode())
            written += len(batch)
            tokens += sum(map(len, batch))
            report(len(batch))
        for file in files:
            file.flush()  # before the first of them takes its place
    return tokens
