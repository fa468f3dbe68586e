"""Treebanks in CoNLL-U: of files, and of sentences in memory; which of their gold trees can be used."""

import os
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any

from sapwood._core import Conllu, TreebankText, plain_lines
from sapwood.base.heads import check_heads
from sapwood.errors import DataError, warn
from sapwood.io.formats import named_in_errors
from sapwood.io.memory import COUNTED, called, has_parts
from sapwood.io.source import paths_in, read_bytes, shown

Files = os.PathLike[str] | Sequence[os.PathLike[str]]  # several files are read as one
Treebank = Files | Conllu

_PLUS = rb"(?:\xef\xbb\xbf)?(?:[ \t\r]*\n|#[^\n]*\n)*?# *global\.columns *="
_EDGE = rb"(?<=\t) +(?=[^ \t\r])|(?<=[^ \t\r]) +(?=\t|\r?\Z)|\A +(?=[^ \t\r])"  # blanks beside text
_NODE = re.compile(rb"(?m)^\d+\.\d+\t.*\n")  # the line of an empty node
_NAMED = 3  # fields, in a warning
_DIGITS = 9  # the number of a word has fewer
# Relations of version 1 of Universal Dependencies that version 2 has not, and what they are there.
_OLD_RELATIONS = {
    "dobj": "obj", "nsubjpass": "nsubj:pass", "csubjpass": "csubj:pass", "auxpass": "aux:pass", "neg": "advmod",
    "mwe": "fixed", "name": "flat", "remnant": "orphan", "foreign": "flat:foreign",
}  # fmt: skip
_NEW_RELATIONS = ("obj", "obl", "fixed", "flat", "orphan")  # relations of version 2 that version 1 has not
_FEW = 2  # old relations, of which one may be a treebank's own


def read_conllu(data: bytes, name: str, first_line: int = 1, before: Conllu | None = None) -> Conllu:
    """Return the sentences of a file's bytes. Raises DataError with the place, and names a format that is another.

    It says of a file that it is CoNLL-U Plus, and that there are blanks at the edges of cells, which are left out.
    before : the sentences before these in the file
    """
    with named_in_errors(data, "conllu"):
        found = Conllu.read(data, name, first_line, before)
    if found.other_columns is not None and before is None:
        others = f"; {found.other_columns} stays as it is" if found.other_columns else ""
        warn(f"{name}: this is CoNLL-U Plus, of which the ten columns of CoNLL-U are read{others}")
    count, line = found.padded
    if count > 0:
        cells = "1 cell has a blank at its edge" if count == 1 else f"{count:,} cells have blanks at their edges"
        warn(f"{name}:{line}: {cells}, which is left out; tabs alone stand between columns")
        rows = (line if line[:1] == b"#" else re.sub(_EDGE, b"", line) for line in plain_lines(data).split(b"\n"))
        found = Conllu.read(b"\n".join(rows), name, first_line, before)
    return found


def read_treebank(source: Any) -> Conllu:
    """Return the treebank of a file or of several, plain or compressed, that of a document, or what is given, joined.

    Raises DataError if a file cannot be read or is no CoNLL-U, and if there is no sentence in it.
    """
    if isinstance(source, Conllu):
        files = [source]
    elif hasattr(source, "treebank"):
        files = [source.treebank()]
    elif isinstance(source, list) and any(isinstance(each, Conllu) for each in source):
        files = [*map(read_treebank, source)]
    elif paths := paths_in(source):
        files = [read_conllu(read_bytes(path), shown(path)) for path in paths]
    else:
        files = [read_conllu(read_bytes(source), shown(source))]
    for data in files:
        if data.sentences == 0:
            raise DataError(f"{data.name}: there is no sentence in it")
    return files[0] if len(files) == 1 else Conllu.joined(files)


def with_words(data: Conllu) -> Conllu:
    """Return the sentences to learn from: without those whose words are withheld, of which it warns.

    Raises DataError if no sentence is left.
    """
    withheld, message = _withheld(data)
    if len(withheld) == data.sentences > 0:
        raise DataError(f"{message}; there is nothing to learn from")
    if not withheld:
        return data
    warn(f"{message}; they are left out")
    return data.select([s for s in range(data.sentences) if s not in withheld])


def _withheld(data: Conllu) -> tuple[Collection[int], str]:
    """Return the numbers of the sentences with ``_`` in place of words, and a message that counts them."""
    blank = {s: len(forms) for s, forms in enumerate(data.column("form")) if 2 * forms.count("_") > len(forms)}
    found = blank if max(blank.values(), default=0) > 1 else {}  # a sentence may be nothing but "_"
    share = f"{data.name}: {len(found):,} of {data.sentences:,} sentences have _ in place of words"
    return found, f"{share}, as where texts are withheld (the treebank's README says how to put them in)"


def checked_text(data: Conllu) -> TreebankText:
    """Return the raw text of a treebank as MISC has it.

    Warns of sentences that have no words or are glued, of what MISC says of spaces that is not understood, and of
    `# text`.
    """
    withheld, message = _withheld(data)
    if withheld:
        warn(message)
    text = data.text()
    if text.glued:
        count = f"{data.name}: {text.glued:,} of {data.sentences:,} sentences end with SpaceAfter=No"
        warn(f"{count}, although tokens have spaces between them; taken as a tool's, a space stands between sentences")
    if text.unknown:
        fields = ", ".join(f"{field[:40]!a} ({count:,})" for field, count, _ in text.unknown[:_NAMED])
        more = f" and {len(text.unknown) - _NAMED:,} more" if len(text.unknown) > _NAMED else ""
        message = f"{data.where(text.unknown[0][2])}: MISC has {fields}{more}, which is not understood"
        warn(f"{message}; SpaceAfter is No, Yes or escapes such as \\s\\n, and fields have | between them")
    misspelled, with_text, first = text.misspelled
    if misspelled:
        where = data.where(sum(len(sentence) for sentence in data.select(range(first)).column("id")))
        message = f"{where}: the words do not spell '# text' in {misspelled:,} of {with_text:,} sentences, here first"
        warn(f"{message}; the words and MISC are what counts")
    return text


def is_conllu(data: bytes) -> bool:
    """Return true if the first line but for comments is a word of CoNLL-U (Plus): a number and ten cells.

    >>> is_conllu(b"# sent_id = 1\\n1\\tHi\\thi\\tINTJ\\tUH\\t_\\t0\\troot\\t_\\t_\\n"), is_conllu(b"Hi\\tUH\\n")
    (True, False)
    """
    found = re.match(rb"(?:\xef\xbb\xbf)?(?:[ \t\r]*\n|#[^\n]*\n)*\d+(?:[-.]\d+)?(?:\t[^\t\n]+){9}\r?(?:\n|$)", data)
    return found is not None or re.match(_PLUS, data) is not None


def has_values(data: Conllu, columns: Sequence[str]) -> bool:
    """Return true if some word has a value, other than ``_``, in one of the columns."""

    def found(part: Conllu) -> bool:
        return any(value != "_" for name in columns for sentence in part.column(name) for value in sentence)

    return data.sentences > 0 and (found(data.select([0])) or found(data))


def rows_of(data: Conllu, fields: Sequence[str]) -> list[list[tuple[str, ...]]]:
    """Return the values of each word in these columns, by sentence."""
    columns = map(data.column, fields)
    return [list(zip(*sentence, strict=True)) for sentence in zip(*columns, strict=True)]


def with_items(misc: str, items: Mapping[str, str | None]) -> str:
    """Return a cell of MISC with these items first, in place of any of the same names; None removes an item.

    >>> with_items("SpaceAfter=No|NER=B-PER", {"NER": None, "ArcConfidence": "0.9312"})
    'ArcConfidence=0.9312|SpaceAfter=No'
    """
    others = (item for item in misc.split("|") if misc != "_" and item.partition("=")[0] not in items)
    return "|".join([*(f"{name}={value}" for name, value in items.items() if value is not None), *others]) or "_"


def without_graph(data: Conllu) -> Conllu:
    """Return a treebank without DEPS and empty nodes. An enhanced graph belongs to the trees that it was made of."""
    deps = data.column("deps")
    if any(cell != "_" for sentence in deps for cell in sentence):
        data = data.with_columns({"deps": [["_"] * len(sentence) for sentence in deps]})
    text, nodes = _NODE.subn(b"", data.to_bytes())
    return Conllu.read(text, data.name, 1, data) if nodes else data


def treebank_in_memory(
    sentences: Sequence[Sequence[str | Sequence[str]]],
    tag_columns: Sequence[str],
    trees: Sequence[tuple[Sequence[int], Sequence[str]]] | None,
    name: str,
) -> Conllu:
    """Return sentences in memory as a treebank: words are forms or (form, tag, ...), trees (heads, relations).

    Raises DataError, in which `name` stands for the data, for a word that has not one value a column, for a value
    that is empty or breaks a line, and where trees and sentences do not go together.
    """
    if trees is not None and len(trees) != len(sentences):
        raise DataError(f"{name}: {len(sentences)} sentences and {len(trees)} trees")
    columns: dict[str, list[list[str]]] = {column: [] for column in ("form", *tag_columns)}
    for s, sentence in enumerate(sentences, 1):
        if trees is not None and len(sentence) and {*map(len, trees[s - 1])} != {len(sentence)}:
            heads, deprels = trees[s - 1]
            words = f"{len(sentence)} words, {len(heads)} heads and {len(deprels)} relations"
            raise DataError(f"{name}: sentence {s}: {words}")
        rows = [_values(word, columns, f"{name}: sentence {s}, word {w}") for w, word in enumerate(sentence, 1)]
        for k, column in enumerate(columns.values()):
            column.append([row[k] for row in rows])
    if trees is not None:
        columns["head"] = [list(map(str, heads)) for heads, _ in trees]
        columns["deprel"] = [list(deprels) for _, deprels in trees]
    return Conllu.build(columns, name)


def _values(word: str | Sequence[str], columns: Collection[str], where: str) -> Sequence[str]:
    if not isinstance(word, str) and not has_parts(word):
        raise DataError(f"{where} {COUNTED} is {called(word)}; a word is a string or a tuple")
    values = (word,) if isinstance(word, str) else tuple(word)
    if len(values) not in (1, len(columns)):
        raise DataError(f"{where} has {len(values)} values; a word is a form, or {', '.join(columns)}")
    return values if len(values) > 1 else (*values, *["_"] * (len(columns) - 1))


def tree_flaw(heads: Sequence[str], *, single_root: bool) -> str:
    """Return the reason why heads of a sentence's words are no tree, with one root or several; else nothing.

    >>> tree_flaw(["2", "0", "2"], single_root=True), tree_flaw(["2", "1"], single_root=True)
    ('', 'without a root')
    """
    if "_" in heads:
        return "without heads" if set(heads) == {"_"} else "with words that have no head"
    if not all(head.isascii() and head.isdigit() and len(head) < _DIGITS for head in heads):
        return "with heads that are no numbers"
    numbers = [*map(int, heads)]
    if max(numbers, default=0) > len(numbers):
        return "with heads outside of the sentence"
    if 0 not in numbers:
        return "without a root"
    if single_root and numbers.count(0) > 1:
        return "with several roots"
    try:
        check_heads(numbers, "")
    except DataError:
        return "with a cycle"
    return ""


def with_trees(data: Conllu, *, single_root: bool, skip_bad: bool) -> Conllu:
    """Return the sentences that have a tree; see `trees_in`."""
    chosen = trees_in(data, single_root=single_root, skip_bad=skip_bad)
    return data if len(chosen) == data.sentences else data.select(chosen)


def trees_in(data: Conllu, *, single_root: bool, skip_bad: bool) -> list[int]:
    """Return the numbers of the sentences that have a tree, with one word that is its root or several.

    Where others have none, it warns if they are to be skipped, and raises DataError if not, or if no sentence is left.
    Both name the first of them with its line, and count them by what is wrong.
    """
    found = enumerate(tree_flaw(heads, single_root=single_root) for heads in data.column("head"))
    flaws = {s: flaw for s, flaw in found if flaw}
    if not flaws:
        return list(range(data.sentences))
    first = min(flaws)
    try:
        data.select([first]).trees(single_root)
        message = data.name
    except DataError as error:
        message = str(error)
    count = f"{len(flaws):,} of {data.sentences:,} sentences {'has' if len(flaws) == 1 else 'have'} no usable tree"
    kinds = ", ".join(f"{number:,} {flaw}" for flaw, number in Counter(flaws.values()).most_common())
    message = f"{message}; {count} ({kinds})"
    if len(flaws) == data.sentences:
        raise DataError(message)
    if not skip_bad:
        raise DataError(f"{message}; --skip-bad (skip_bad=True) leaves such out")
    warn(f"{message}; {'it is' if len(flaws) == 1 else 'they are'} left out")
    return [s for s in range(data.sentences) if s not in flaws]


def warn_of_old_relations(data: Conllu) -> None:
    """Warn if relations are those of version 1 of Universal Dependencies, but for a few that a conversion has left."""
    counts = Counter(chain.from_iterable(data.column("deprel")))
    old = [name for name in _OLD_RELATIONS if name in counts]
    if len(old) >= _FEW and sum(counts[name] for name in old) > sum(counts[name] for name in _NEW_RELATIONS):
        names = ", ".join(f"{name} ({counts[name]:,}; now {_OLD_RELATIONS[name]})" for name in old[:3])
        message = f"{data.name}: relations of version 1 of Universal Dependencies, such as {names}"
        warn(f"{message}; models and scores of version 2 do not go with them, so convert them first")
