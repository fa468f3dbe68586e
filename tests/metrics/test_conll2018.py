"""The table of the CoNLL-2018 shared task, by eye and against the official script's successor in udtools."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from udtools import udeval

from sapwood.datasets import generate
from sapwood.errors import DataError
from sapwood.metrics import conll2018_scores

NEEDED = {
    "UPOS": {"upos"},
    "XPOS": {"xpos"},
    "UFeats": {"feats"},
    "AllTags": {"upos", "xpos", "feats"},
    "Lemmas": {"lemma"},
    "MLAS": {"upos", "feats"},
    "BLEX": {"lemma"},
}
TREE_METRICS = ("UAS", "LAS", "CLAS", "MLAS", "BLEX")
METRICS = ("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", *TREE_METRICS)

upos = st.sampled_from(["NOUN", "VERB", "ADP"])
feats = st.sampled_from(["_", "Case=Nom|Typo=Yes", "Case=Nom", "Foo=Bar", "Number=Sing|Case=Nom"])
deprels = st.sampled_from(["nsubj", "nsubj:pass", "obl", "case", "aux", "aux:pass", "punct", "cc:preconj"])
lemmas = st.sampled_from(["_", "a", "b"])
parts = st.sampled_from(["a", "b", "A", "ab", "à", "a b", "x"])  # words of multiword tokens
spaces = st.sampled_from(["", "", "", " ", "\u00a0", "\u3000"])


def oracle(gold: str, system: str) -> dict[str, object]:
    loaded = [udeval.load_conllu(io.StringIO(text), "file", {}) for text in (gold, system)]
    return udeval.evaluate(*loaded)


def expected_metrics(gold: str, system: str) -> list[str]:
    """Those of columns that gold has; of several columns those that the system has not more of."""

    def filled(text: str) -> set[str]:
        words = [line.split("\t") for line in text.splitlines() if line.split("\t")[0].isdigit()]
        columns = {"lemma": 2, "upos": 3, "xpos": 4, "feats": 5}
        return {name for name, c in columns.items() if any(cells[c] != "_" for cells in words)}

    here, there = filled(gold), filled(system)

    def wanted(metric: str) -> bool:
        needed = NEEDED.get(metric)
        return needed is None or (bool(needed & here) and needed & there <= here)

    return [metric for metric in METRICS if wanted(metric)]


def assert_same_as_oracle(gold: str, system: str) -> None:
    report, expected = conll2018_scores(gold.encode(), system.encode()), oracle(gold, system)
    assert [score.metric for score in report.scores] == expected_metrics(gold, system)
    for score in report.scores:
        other = expected[score.metric]
        assert (score.gold, score.guessed, score.correct) == (other.gold_total, other.system_total, other.correct)
        assert score.aligned == (None if score.metric in METRICS[:3] else other.aligned_total), score.metric
        found = score.precision, score.recall, score.f1, score.aligned_accuracy
        fractions = other.precision, other.recall, other.f1, other.aligned_accuracy
        assert found == tuple(None if x is None else 100 * x for x in fractions), score.metric


@st.composite
def pieces(draw: st.DrawFn, text: str, longest: int) -> list[str]:
    """Cut a text into pieces."""
    found = []
    while text:
        size = draw(st.integers(1, longest))
        found.append(text[:size])
        text = text[size:]
    return found


@st.composite
def sentences(draw: st.DrawFn, text: str) -> str:
    """Return a sentence of this text in CoNLL-U: plain and multiword tokens, spaces in forms, empty nodes, a tree."""
    rows: list[str] = []
    words = []
    for token in draw(pieces(text, 3)):
        form = token[0] + draw(spaces) + token[1:]
        if draw(st.integers(0, 2)) == 0:
            inside = draw(st.lists(parts, min_size=1, max_size=3))
            rows.append(f"{len(words) + 1}-{len(words) + len(inside)}\t{form}" + "\t_" * 8)
        else:
            inside = [form]
        for word in inside:
            rows.append("")
            words.append((len(rows) - 1, word))
            if draw(st.integers(0, 9)) == 0:
                rows.append(f"{len(words)}.1\tempty" + "\t_" * 8)
    order = draw(st.permutations(range(1, len(words) + 1)))
    heads = {order[0]: 0} | {word: order[draw(st.integers(0, k))] for k, word in enumerate(order[1:])}
    for id, (row, form) in enumerate(words, 1):
        deprel = draw(deprels) if heads[id] else "root"
        cells = [form, draw(lemmas), draw(upos), draw(upos), draw(feats), heads[id], deprel, "_", "_"]
        rows[row] = "\t".join(map(str, [id, *cells]))
    return "\n".join(["# sent_id = s", *rows]) + "\n\n"


@st.composite
def analyses(draw: st.DrawFn) -> tuple[str, str]:
    """Return two analyses of one text."""
    text = draw(st.text("abAé日", min_size=1, max_size=16))
    gold, system = ("".join(draw(sentences(part)) for part in draw(pieces(text, 8))) for _ in range(2))
    return gold, system


@given(analyses())
def test_any_two_analyses_of_a_text_have_the_official_scores(pair: tuple[str, str]) -> None:
    assert_same_as_oracle(*pair)


def rows(*tokens: str) -> str:
    """A sentence of tokens, the first word its root: "ab" is a plain one, "ab=a b" has two words."""
    lines, number = [], 0
    for token in tokens:
        form, _, inside = token.partition("=")
        words = inside.split() or [form]
        if inside:
            lines.append(f"{number + 1}-{number + len(words)}\t{form}" + "\t_" * 8)
        for word in words:
            number += 1
            lines.append(f"{number}\t{word}\t_\tX\t_\t_\t{int(number > 1)}\tdep\t_\t_")
    return "\n".join(lines) + "\n\n"


@pytest.mark.parametrize(
    ("gold", "system", "aligned"),
    [
        (["abc=a b c"], ["a", "b", "c"], 3),
        (["a", "bc=b c", "d"], ["a", "b", "c", "d"], 4),
        (["abc=a b c", "de=d e"], ["a", "bcd=b c d", "e"], 5),  # tokens overlap: one span
        (["abcd"], ["a", "b", "c", "d"], 0),
        (["abc", "d"], ["a", "b", "c", "d"], 1),
        (["abc=a BX c", "def=d EX f"], ["ab=a b", "cd=c d", "ef=e f"], 4),
        (["dont=do n't"], ["dont"], 0),
        (["a", "b"], ["ab"], 0),
    ],
)
def test_words_of_multiword_tokens_are_aligned_by_their_forms(gold: list[str], system: list[str], aligned: int) -> None:
    report = conll2018_scores(rows(*gold).encode(), rows(*system).encode())
    assert report["Words"].correct == aligned
    assert_same_as_oracle(rows(*gold), rows(*system))


def test_generated_treebank_against_itself_is_perfect() -> None:
    text = "".join(sentence.conllu(f"s{k}") for k, sentence in enumerate(generate(50, seed=3)))
    report = conll2018_scores(text.encode(), text.encode())
    assert all(score.f1 == 100 for score in report.scores)
    assert_same_as_oracle(text, text)


def test_without_trees_the_rest_is_scored() -> None:
    text = rows("ab=a b", "c")
    bare = text.replace("\t0\tdep", "\t_\t_").replace("\t1\tdep", "\t_\t_")
    for pair in ((text, bare), (bare, text), (bare, bare)):
        report = conll2018_scores(*(part.encode() for part in pair))
        assert not any(metric in report for metric in TREE_METRICS)
        assert report["UPOS"].f1 == 100
    with pytest.raises(KeyError):
        report["LAS"]


def test_the_report_is_a_table_and_json() -> None:
    report = conll2018_scores(rows("ab", "c").encode(), rows("a", "b", "c").encode())
    lines = report.format().splitlines()
    assert lines[0].split() == ["gold", "system", "correct", "precision", "recall", "F1", "aligned", "accuracy"]
    assert lines[1].split() == ["Tokens", "2", "3", "1", "33.33", "50.00", "40.00"]
    assert lines[4].split() == ["UPOS", "2", "3", "1", "33.33", "50.00", "40.00", "100.00"]
    assert list(json.loads(json.dumps(report.as_dict()))) == expected_metrics(rows("ab", "c"), rows("a", "b", "c"))
    assert report.as_dict()["UPOS"]["aligned_accuracy"] == 100


def words(*cells: str) -> bytes:
    """A sentence whose words have these cells, spaces for tabs."""
    return ("\n".join(cell.replace(" ", "\t") for cell in cells) + "\n\n").encode()


@pytest.mark.filterwarnings("ignore:.*no word has NER=")
def test_what_gold_has_no_values_for_is_left_out() -> None:
    bare = words("1 a _ _ _ _ 0 root _ _", "2 b _ _ _ _ 1 obj _ _")
    full = words("1 a a X Y F=G 0 root _ NER=B-PER", "2 b b X Y _ 1 obj _ _")
    assert [score.metric for score in conll2018_scores(bare, full).scores] == [*METRICS[:3], "UAS", "LAS", "CLAS"]
    assert conll2018_scores(full, bare)["UPOS"].f1 == 0 and conll2018_scores(full, bare)["Names"].correct == 0


def test_names_are_right_if_they_begin_and_end_alike() -> None:
    gold = words(
        *("1-2 Google's _ _ _ _ _ _ _ _", "1 Google _ X _ _ _ _ _ NER=B-ORG", "2 's _ X _ _ _ _ _ _"),
        *("3 New _ X _ _ _ _ _ NER=B-LOC", "4 York _ X _ _ _ _ _ NER=I-LOC", "5 Ada _ X _ _ _ _ _ NER=B-PER"),
    )
    whole = gold.replace(b"NER=I-LOC", b"_")  # New alone
    taken_along = gold.replace(b"'s\t_\tX\t_\t_\t_\t_\t_\t_", b"'s\t_\tX\t_\t_\t_\t_\t_\tNER=I-ORG")
    other_words = words(
        *("1 Google's _ X _ _ _ _ _ NER=B-ORG", "2 NewYork _ X _ _ _ _ _ NER=B-LOC", "3 Ada _ X _ _ _ _ _ NER=B-ORG"),
    )
    found = [conll2018_scores(gold, system)["Names"] for system in (gold, whole, taken_along, other_words)]
    assert [(score.guessed, score.correct) for score in found] == [(3, 3), (3, 2), (3, 2), (3, 1)]


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        (rows("ab", "c"), rows("ab", "d"), "the texts differ: 'c' at gold:2, 'd' at system:2; a system must keep"),
        (rows("ab", "c"), rows("ab"), "the texts differ: 'c' at gold:2, the end of system; a system must keep"),
        (rows("ab"), rows("ab", "c=x y"), "the texts differ: the end of gold, 'c' at system:3; a system must keep"),
        ("", rows("a"), "the texts differ: the end of gold, 'a' at system:1; a system must keep"),
        (rows("a"), rows("\u00a0", "a"), "system:1: the form of a token has nothing but spaces"),
        (rows("a"), "1\ta\n\n", "system:1: this line has 2 columns"),
        (rows("a"), rows("a").replace("\t0\t", "\t1\t"), "system:1: "),
    ],
)
def test_what_cannot_be_compared_is_one_line(gold: str, system: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        conll2018_scores(gold.encode(), system.encode())
    assert str(caught.value).startswith(message) and "\n" not in str(caught.value)


def test_files_are_named_in_messages() -> None:
    with pytest.raises(DataError, match=r"'a' at g.conllu:1, 'b' at s.conllu:1"):
        conll2018_scores(rows("a").encode(), rows("b").encode(), gold_name="g.conllu", system_name="s.conllu")
