"""The generated treebank: one language, the same everywhere, with annotations that agree."""

import hashlib
import re
from itertools import islice, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapwood._core import Conllu, TreebankText
from sapwood.datasets import FORMATS, GeneratedSentence, generate, write_treebank
from sapwood.datasets.derivation import LONGEST
from sapwood.datasets.writing import WRITINGS
from sapwood.errors import DataError, OptionError

SENTENCES = list(generate(3000, seed=1))
some_sentence = st.integers(0, 2**64).map(lambda seed: next(generate(1, seed)))


# -- one language, the same everywhere


def text_of(sentences: list[GeneratedSentence]) -> str:
    blocks = (s.columns() + s.conllu(f"s{i}") + s.bracketed() + "\n" for i, s in enumerate(sentences))
    return "".join(blocks)


def test_a_corpus_is_the_same_bytes_everywhere() -> None:
    digest = hashlib.sha256(text_of(SENTENCES[:500]).encode()).hexdigest()
    assert digest == "19f556b6be2912992e7ff78134cc8211c4d2b31ed49a7fabb023386138c82a9f"


@given(seed=st.integers(0, 2**64), short=st.integers(0, 20), longer=st.integers(0, 20))
def test_a_longer_corpus_begins_with_the_shorter_one(seed: int, short: int, longer: int) -> None:
    first = list(generate(short, seed))
    assert len(first) == short
    assert text_of(first) == text_of(list(islice(generate(short + longer, seed), short)))


def test_corpora_made_in_turns_do_not_disturb_each_other() -> None:
    turns = zip(generate(50, seed=1), generate(50, seed=2), strict=True)
    assert text_of([sentence for sentence, _ in turns]) == text_of(SENTENCES[:50])


def test_another_seed_says_other_things_in_the_same_language() -> None:
    other = list(generate(3000, seed=2))
    assert text_of(SENTENCES[:20]) != text_of(other[:20])
    common = {word for s in SENTENCES for word in s.words}
    assert 0.03 < share_unknown(other, common) < 0.15


# -- every annotation of a sentence


@given(some_sentence)
def test_annotations_are_parallel(sentence: GeneratedSentence) -> None:
    columns = (sentence.tags, sentence.upos, sentence.chunks, sentence.heads, sentence.deprels)
    assert all(len(column) == len(sentence) for column in columns)
    assert 1 <= len(sentence) <= LONGEST
    assert all(word and not re.search(r"\s", word) for word in sentence.words)


@given(some_sentence)
def test_heads_form_one_projective_tree(sentence: GeneratedSentence) -> None:
    heads = [0, *sentence.heads]
    assert heads[1:].count(0) == 1
    assert [relation == "root" for relation in sentence.deprels] == [head == 0 for head in heads[1:]]
    assert all(re.fullmatch(r"[a-z]+(:[a-z]+)?", relation) for relation in sentence.deprels)

    def governs(ancestor: int, word: int) -> bool:
        steps = 0
        while word != ancestor and word != 0:
            word, steps = heads[word], steps + 1
            assert steps <= len(sentence), "a cycle"
        return word == ancestor

    for word, head in enumerate(heads[1:], 1):
        between = range(min(word, head) + 1, max(word, head))
        assert all(governs(head, inner) for inner in between), (word, head)


@given(some_sentence)
def test_chunks_are_well_formed(sentence: GeneratedSentence) -> None:
    kinds = {"NP", "VP", "PP", "ADVP", "ADJP", "SBAR", "PRT", "INTJ"}
    for before, chunk in pairwise(["O", *sentence.chunks]):
        assert chunk == "O" or (chunk[:2] in {"B-", "I-"} and chunk[2:] in kinds)
        assert chunk[0] != "I" or before[2:] == chunk[2:], sentence.chunks


@given(some_sentence)
def test_brackets_yield_the_words_and_tags(sentence: GeneratedSentence) -> None:
    leaves = read_brackets(sentence.bracketed())
    escapes = {"(": "-LRB-", ")": "-RRB-"}
    assert [leaf.tag for leaf in leaves] == sentence.tags
    assert [leaf.word for leaf in leaves] == [escapes.get(word, word) for word in sentence.words]


@pytest.mark.few(2)
@pytest.mark.parametrize("part", range(5))
def test_chunks_follow_from_the_tree(part: int) -> None:
    for sentence in SENTENCES[part::5]:
        assert chunks_of(read_brackets(sentence.bracketed())) == sentence.chunks, sentence.bracketed()


@given(some_sentence)
def test_subject_and_verb_agree(sentence: GeneratedSentence) -> None:
    """A verb agrees with all of a coordinated subject, whose number is not that of its first noun."""
    finite = {"VBZ": "s", "VBP": "p"}
    number = {"NN": "s", "NNS": "p"}
    coordinated = {h for h, deprel in zip(sentence.heads, sentence.deprels, strict=True) if deprel == "conj"}
    for word, (tag, head) in enumerate(zip(sentence.tags, sentence.heads, strict=True)):
        is_subject = sentence.deprels[word] == "nsubj" and word < head and word + 1 not in coordinated
        if is_subject and sentence.tags[head - 1] in finite and tag in number:
            assert number[tag] == finite[sentence.tags[head - 1]]


@given(some_sentence)
def test_conllu_is_valid(sentence: GeneratedSentence) -> None:
    first, second, *rows, blank, end = sentence.conllu("a-1").split("\n")
    assert (first, second) == ("# sent_id = a-1", f"# text = {' '.join(sentence.words)}")
    assert (blank, end) == ("", "")
    universal = "ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|VERB"
    for number, row in enumerate(rows, 1):
        fields = row.split("\t")
        assert len(fields) == 10 and all(fields)
        assert fields[0] == str(number) and re.fullmatch(universal, fields[3])
        assert 0 <= int(fields[6]) <= len(rows) and int(fields[6]) != number
    assert [row.split("\t")[1] for row in rows] == sentence.words
    assert [row.split("\t")[4] for row in rows] == sentence.tags


@given(some_sentence)
def test_columns_read_back(sentence: GeneratedSentence) -> None:
    *lines, blank, end = sentence.columns().split("\n")
    assert (blank, end) == ("", "")
    expected = zip(sentence.words, sentence.tags, sentence.chunks, strict=True)
    assert [tuple(line.split(" ")) for line in lines] == list(expected)


# -- a language that is neither trivial nor noise


def share_unknown(sentences: list[GeneratedSentence], known: set[str]) -> float:
    words = [word for sentence in sentences for word in sentence.words]
    return sum(word not in known for word in words) / len(words)


def test_lengths_spread() -> None:
    lengths = [len(sentence) for sentence in SENTENCES]
    assert 18 <= sum(lengths) / len(lengths) <= 24
    assert min(lengths) <= 3
    assert 60 <= max(lengths) <= LONGEST


@pytest.mark.slow
def test_new_words_keep_coming() -> None:
    train, test = list(generate(10_500, seed=1)), list(generate(1000, seed=2))
    assert sum(map(len, train)) > 200_000
    assert 0.03 < share_unknown(test, {word for sentence in train for word in sentence.words}) < 0.08


def test_words_are_ambiguous_and_tags_many() -> None:
    tags_of: dict[str, set[str]] = {}
    for sentence in SENTENCES:
        for word, tag in zip(sentence.words, sentence.tags, strict=True):
            tags_of.setdefault(word.lower(), set()).add(tag)
    ambiguous = sum(len(tags_of[word.lower()]) > 1 for s in SENTENCES for word in s.words)
    assert ambiguous / sum(map(len, SENTENCES)) > 0.2
    assert {"DT", "IN", "WDT"} <= tags_of["that"]
    assert {"TO", "IN"} <= tags_of["to"]
    assert {"PRP", "PRP$"} <= tags_of["her"]
    assert len(set.union(*tags_of.values())) > 30


def test_spelling_has_capitals_numbers_hyphens_and_letters_beyond_ascii() -> None:
    words = {word for sentence in SENTENCES for word in sentence.words}
    for pattern in (r"[A-ZÅÖÉ]\w+", r"[\d,.]*\d", r"\w+-\w+", r"\w*[^\W\d_a-zA-Z]\w*", r"\w+ing", r"\w+ed"):
        assert any(re.fullmatch(pattern, word) for word in words), pattern
    firsts = [s.words[1 if s.words[0] == "``" else 0] for s in SENTENCES]
    assert not any(first[0].islower() for first in firsts)


# -- files


@pytest.mark.few(1)
@pytest.mark.parametrize(("sentences", "sizes"), [(3, (1, 1, 1)), (9, (7, 1, 1)), (2345, (1877, 234, 234))])
def test_splits(tmp_path: Path, sentences: int, sizes: tuple[int, int, int]) -> None:
    seen: list[tuple[int, int]] = []
    counts = write_treebank(tmp_path / "new" / "corpus", sentences, seed=1, progress=lambda *now: seen.append(now))
    assert tuple(counts[split]["sentences"] for split in ("train", "dev", "test")) == sizes
    assert seen == sorted(seen) and seen[-1] == (sentences, sentences)

    corpus = generate(sentences, seed=1)
    for split, size in zip(("train", "dev", "test"), sizes, strict=True):
        expected = list(islice(corpus, size))
        assert counts[split]["tokens"] == sum(map(len, expected))
        rendered = {
            "txt": "".join(s.columns() for s in expected),
            "conllu": "".join(s.conllu(f"{split}-{number}") for number, s in enumerate(expected, 1)),
            "mrg": "".join(f"{s.bracketed()}\n" for s in expected),
        }
        for name in FORMATS:
            written = (tmp_path / "new" / "corpus" / f"{split}.{name}").read_bytes()
            assert written == rendered[name].encode()
    assert len(list((tmp_path / "new" / "corpus").iterdir())) == 9


def test_only_the_formats_asked_for_are_written(tmp_path: Path) -> None:
    write_treebank(str(tmp_path), 10, seed=1, formats=["txt"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dev.txt", "test.txt", "train.txt"]


def test_an_interrupted_split_leaves_nothing_behind(tmp_path: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        if done > 1800:
            raise KeyboardInterrupt

    (tmp_path / "train.txt").write_text("the old one")
    with pytest.raises(KeyboardInterrupt):
        write_treebank(tmp_path, 5000, progress=interrupt)
    assert [path.name for path in tmp_path.iterdir()] == ["train.txt"]
    assert (tmp_path / "train.txt").read_text() == "the old one"


@pytest.mark.parametrize("sentences", [-1, 0, 2])
def test_too_few_sentences_to_split_are_refused(tmp_path: Path, sentences: int) -> None:
    with pytest.raises(OptionError, match=rf"sentences is {sentences}; three splits"):
        write_treebank(tmp_path, sentences)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("formats", [(), ("txt", "xml")])
def test_unknown_formats_are_refused(tmp_path: Path, formats: tuple[str, ...]) -> None:
    with pytest.raises(OptionError, match="choose from txt, conllu, mrg"):
        write_treebank(tmp_path, 10, formats=formats)


@pytest.mark.parametrize(("sentences", "seed"), [(-1, 1), (5, -1)])
def test_impossible_numbers_are_refused_at_once(sentences: int, seed: int) -> None:
    with pytest.raises(OptionError):
        generate(sentences, seed)


@pytest.mark.parametrize("below", ["", "deeper"])
def test_a_file_in_the_way_is_named(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match=r"file.*cannot be written: ") as caught:
        write_treebank(tmp_path / "file" / below, 10)
    assert "\n" not in str(caught.value)


# -- oracles: a reader of brackets, and chunks by their definition


class Node:
    def __init__(self, label: str, parent: "Node | None") -> None:
        self.label, self.parent, self.children = label, parent, list[Node | Leaf]()

    def up(self) -> "list[Node]":
        return [self, *(self.parent.up() if self.parent else [])]


class Leaf:
    def __init__(self, tag: str, word: str, parent: Node) -> None:
        self.tag, self.word, self.parent = tag, word, parent


def read_brackets(text: str) -> list[Leaf]:
    """Return the leaves of a bracketed tree, and fail unless it is one tree, well spaced."""
    leaves: list[Leaf] = []
    here = top = Node("", None)
    tokens = re.findall(r"\([^\s()]+ [^\s()]+\)|\([A-Z]+|\)", text)
    assert "".join(tokens) == re.sub(r" (?=\()", "", text)
    for token in tokens:
        if token == ")":
            assert here.children and here.parent
            here = here.parent
        elif " " in token:
            tag, word = token[1:-1].split(" ")
            leaves.append(Leaf(tag, word, here))
            here.children.append(leaves[-1])
        else:
            node = Node(token[1:], here)
            here.children.append(node)
            here = node
    assert here is top and len(top.children) == 1
    return leaves


def chunks_of(leaves: list[Leaf]) -> list[str]:
    """Label the leaves of a tree with CoNLL-2000 chunks."""
    labels = []
    last: tuple[str, Node] | None = None
    for leaf in leaves:
        chunk = chunk_of(leaf)
        if chunk is None:
            labels.append("O")
        else:
            kind, node = chunk
            within = node.up() if kind == "VP" else [node]  # a verb group descends through the tree
            goes_on = last and last[0] == kind and last[1] in within and leaf.tag != "POS"
            labels.append(f"{'I' if goes_on else 'B'}-{kind}")
        last = chunk
    return labels


def chunk_of(leaf: Leaf) -> tuple[str, Node] | None:
    """Return the kind of a leaf's chunk and the node that it is the base of."""
    node = leaf.parent
    beside_phrases = any(isinstance(child, Node) for child in node.children)
    if leaf.tag in {",", ".", ":", "``", "''", "-LRB-", "-RRB-"} or (leaf.tag == "CC" and beside_phrases):
        return None
    while node.parent and node.label in {"NP", "ADJP", "QP"} and node.parent.label == "NP":
        words = [child for child in node.parent.children if isinstance(child, Leaf)]
        if all(word.tag in {"CC", ",", "-LRB-", "-RRB-"} for word in words):
            break
        node = node.parent
    kinds = {"WHNP": "NP", "WHADVP": "ADVP", "SQ": "VP"}
    return kinds.get(node.label, node.label), node


# -- ways of writing


def written(writing: str, sentences: list[GeneratedSentence]) -> TreebankText:
    text = "".join(s.conllu(f"s{k}", writing) for k, s in enumerate(sentences))
    return Conllu.read(text.encode(), writing).text()


@pytest.mark.slow
@pytest.mark.parametrize("writing", WRITINGS)
def test_a_way_of_writing_keeps_words_tags_and_trees(writing: str) -> None:
    some = SENTENCES[:300]
    text = "".join(s.conllu(f"s{k}", writing) for k, s in enumerate(some))
    data = Conllu.read(text.encode(), writing)
    assert [[form.replace(" ", "") for form in forms] for forms in data.column("form")] == [s.words for s in some]
    assert data.column("xpos") == [s.tags for s in some]
    assert [heads for heads, _ in data.trees(True)] == [s.heads for s in some]
    found = data.text()
    texts = re.findall("^# text = (.*)$", text, re.M)
    spans = zip(found.sentences, found.sentences[1:], strict=False)
    assert [found.text[found.tokens[i][0] : found.tokens[j - 1][1]].decode() for i, j in spans] == texts


def test_ways_of_writing_differ_as_they_are_described() -> None:
    sentence = next(s for s in SENTENCES if s.words[:6] == ["If", "it", "is", "the", "thom", "flooswent"])
    ways = [re.findall("# text = (.*)", sentence.conllu("s", writing))[0] for writing in WRITINGS]
    assert ways == [
        "If it is the thom flooswent , it 's of the traclubresk .",
        "If it is the thom flooswent, it's ofe traclubresk.",
        "Ifitisthethomflooswent,it'softhetraclubresk.",
        "If it is the thom floos went, it's of the trac lub resk.",
    ]
    data = Conllu.read(sentence.conllu("s", "attached").encode(), "attached")
    assert data.multiwords == [(7, 9, "it's"), (9, 11, "ofe")]


def test_other_writings_have_paragraphs_and_multiword_tokens(tmp_path: Path) -> None:
    for writing in WRITINGS:
        write_treebank(tmp_path / writing, 200, formats=["conllu"], writing=writing)
    texts = {writing: (tmp_path / writing / "train.conllu").read_text("utf-8") for writing in WRITINGS}
    assert texts["plain"] == "".join(s.conllu(f"train-{k}") for k, s in enumerate(generate(160), 1))
    for writing, text in texts.items():
        assert (text.count("# newpar") > 50) == (writing != "plain")
        assert (text.count("# newdoc") == 4) == (writing != "plain")
        assert (re.search(r"^\d+-\d+\t", text, re.M) is not None) == (writing == "attached")
        assert (re.search(r"^\d+\t\S+ \S", text, re.M) is not None) == (writing == "syllables")
    assert b" " not in Conllu.read(texts["unspaced"].encode(), "x").text().text


def test_an_unknown_writing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="writing is 'latin'; choose from plain, attached, unspaced, syllables"):
        write_treebank(tmp_path, 10, writing="latin")
