"""Word clusters learned from text: files in, files out. tests/core/clustering has the tests of what they are."""

import gzip
import math
import signal
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sapwood
from sapwood import DataError, ModelError, OptionError, SequenceTagger, WordClusterer
from sapwood.datasets.treebank import generate
from sapwood.events import Preparing

pytestmark = pytest.mark.filterwarnings("ignore:one label only")

SENTENCES = [list(sentence.words) for sentence in generate(400, 5)]
TEXT = "".join(" ".join(sentence) + "\n" for sentence in SENTENCES)


def learned(sentences=SENTENCES, **options):
    return WordClusterer(**{"classes": 12, "min_count": 2, "iterations": 4} | options).fit(sentences)


@pytest.fixture(scope="module")
def clusterer():
    return learned()


def test_any_number_of_threads_gives_the_same_bytes(clusterer):
    assert [learned(threads=threads).paths_ for threads in (1, 2, 5)] == [clusterer.paths_] * 3


def test_words_have_their_counts_and_their_order(clusterer):
    words = clusterer.words_
    counts = Counter(token for sentence in SENTENCES for token in sentence)
    frequent = {word for word, count in counts.items() if count >= 2}
    assert {word.word for word in words} >= frequent
    assert all(word.occurrences >= counts[word.word] for word in words)
    assert words == sorted(words, key=lambda word: (word.bits, -word.occurrences, word.word.encode()))


def test_bit_strings_are_the_leaves_of_a_full_tree(clusterer):
    strings = sorted({word.bits for word in clusterer.words_})
    assert len(strings) == 12
    assert not any(b.startswith(a) for a, b in pairwise(strings))
    assert sum(2.0 ** -len(bits) for bits in strings) == 1


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=6), min_size=1, max_size=12), st.integers(2, 5))
def test_the_likelihood_is_that_computed_from_scratch(sentences, classes):
    """The log-likelihood of a class bigram model, but for what does not depend on the classes."""
    tokens = [token for sentence in sentences if sentence for token in ("#", *sentence)]
    if not tokens:
        return
    found = WordClusterer(classes=classes, min_count=1).fit(sentences)
    of = {word.word: word.bits for word in found.words_} | {"#": "#"}
    seen = [of[token] for token in tokens]
    entropy = {n: n * math.log2(n) for n in range(1, len(seen) + 1)}
    likelihood = sum(entropy[n] for n in Counter(zip(seen, [*seen[1:], seen[0]], strict=True)).values())
    likelihood -= 2 * sum(entropy[n] for n in Counter(seen).values())
    assert found.likelihood_ == pytest.approx(likelihood, abs=0.01)


def test_texts_in_files_are_read(tmp_path, clusterer):
    (tmp_path / "text").write_text(TEXT)
    halves = TEXT.splitlines(keepends=True)
    (tmp_path / "a.gz").write_bytes(gzip.compress("".join(halves[:100]).encode()))
    (tmp_path / "b").write_text("\ufeff" + "".join(halves[100:]).rstrip("\n"))
    for paths in (tmp_path / "text", [tmp_path / "text"], [tmp_path / "a.gz", tmp_path / "b"]):
        assert learned(paths, tokenised=True).paths_ == clusterer.paths_


def test_raw_text_is_cut_into_words(tmp_path):
    (tmp_path / "text").write_text("The dog,\nthe cat.\n\nThe dog\r\nbarks.\n" * 3)
    words = {word.word for word in learned(tmp_path / "text", classes=3).words_}
    assert words == {"The", "the", "dog", "cat", "barks", ",", "."}


@pytest.mark.slow
def test_lines_longer_than_what_is_read_at_once(tmp_path):
    (tmp_path / "text").write_text("a b " * 1_500_000)
    found = learned(tmp_path / "text", classes=2, tokenised=True)
    assert [(word.word, word.occurrences) for word in found.words_] == [("a", 1_500_000), ("b", 1_500_000)]


def test_fewer_words_than_classes_have_a_class_each():
    assert sorted(word[1:] for word in learned([["a", "a", "b", "b"]], classes=9).words_) == [("a", 2), ("b", 2)]
    assert learned([["a", "a"]]).words_ == [("0", "a", 2)]


def test_a_tagger_takes_them(tmp_path, clusterer):
    clusterer.save(tmp_path / "clusters")
    sentences = [[(word, "X") for word in sentence] for sentence in SENTENCES[:5]]
    taggers = [
        SequenceTagger(template="pos", min_updates=1, epochs=1, clusters=clusters).fit(sentences)
        for clusters in (tmp_path / "clusters", clusterer.table())
    ]
    assert taggers[0].model_.clusters.high == taggers[1].model_.clusters.high
    assert taggers[0].model_.clusters.find(clusterer.words_[0].word) == clusterer.words_[0].bits


def test_progress_is_told():
    events = []
    WordClusterer(classes=5, min_count=1, iterations=2).fit(SENTENCES, on_event=events.append)
    assert all(isinstance(event, Preparing) and 0 <= event.share <= 1 for event in events)
    assert list(dict.fromkeys(event.what for event in events)) == ["reading", "counting", "round", "merging classes"]


def test_an_interrupt_ends_the_rounds():
    rounds = []

    def report(event):
        if event.what == "round" and not rounds:
            rounds.append(event)
            signal.raise_signal(signal.SIGINT)

    assert learned(iterations=1000).likelihood_ >= WordClusterer(classes=12, min_count=2).fit(
        SENTENCES, on_event=report
    ).likelihood_  # fmt: skip
    assert len(rounds) == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("a text", "texts are files, whose paths are pathlib.Path, or sentences; a string is neither"),
        (["a text"], "a sentence is a list of tokens, not 'a text'"),
        ([3], "a sentence is a list of tokens, not 3"),
        ([["a", 3]], "a token is a string without spaces, not 3"),
        ([["a b"]], "a token is a string without spaces, not 'a b'"),
        ([[""]], "a token is a string without spaces, not ''"),
        ([["a\n"]], r"a token is a string without spaces, not 'a\n'"),
        ([["\ud800"]], "character 0 of a sentence, U+D800, is not Unicode but half of a character"),
        ([["a\0"]], "data:1: NUL byte: this is not a text file"),
        ([], "no word occurs 2 times; give more text or a smaller min_count"),
        ([["a", "b"]], "no word occurs 2 times; give more text or a smaller min_count"),
    ],
)
def test_data_that_are_none(data, message):
    with pytest.raises(DataError) as caught:
        learned(data)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\n\xff\n", "text:2: invalid UTF-8"),
        (b"a\n" * 9 + b"\0", "text:10: NUL byte"),
        (b"", "no word occurs 2 times"),
    ],
)
def test_files_that_are_no_text(tmp_path, monkeypatch, data, message):
    monkeypatch.chdir(tmp_path)
    Path("text").write_bytes(data)
    with pytest.raises(DataError, match=f"^{message}"):
        learned(Path("text"))


def test_a_file_that_is_missing(tmp_path):
    with pytest.raises(DataError, match="missing: cannot read it"):
        learned(tmp_path / "missing")


def test_clusters_that_are_not_fitted_say_so(tmp_path):
    for use in (lambda c: c.words_, lambda c: c.table(), lambda c: c.save(tmp_path / "m")):
        with pytest.raises(ModelError, match=r"^these clusters are not learned yet; call fit$"):
            use(WordClusterer())


def test_options_are_checked_and_shown():
    assert repr(WordClusterer(classes=5)) == "WordClusterer(classes=5)"
    for wrong in ({"classes": 1}, {"classes": 4097}, {"min_count": 0}, {"threads": 0}, {"iterations": 0}):
        with pytest.raises(OptionError):
            WordClusterer(**wrong).fit(SENTENCES)
    assert "WordClusterer" in dir(sapwood)


def test_the_command_line_writes_the_same_clusters(tmp_path, run_cli):
    clusterer = learned(iterations=10)
    options = ["-o", tmp_path / "c", "--classes", 12, "--min-count", 2, "--tokenised"]
    run = run_cli(["train", "clusters", "-", *options], TEXT)
    assert run.status == 0
    assert (tmp_path / "c").read_bytes() == clusterer.paths_
    assert "merging classes" in run.err
    assert f"{len(clusterer.words_):,} words in 12 classes, {len(clusterer.paths_):,} bytes" in run.err
    (tmp_path / "text").write_text(TEXT)
    assert run_cli(["train", "clusters", tmp_path / "text", "-q", *options]).err == ""
    assert run_cli(["train", "clusters", tmp_path / "none", *options]).status == 1
    assert run_cli(["train", "clusters", tmp_path / "text", "-o", tmp_path / "no" / "c"]).err.count("\n") == 1
    assert run_cli(["train", "clusters", tmp_path / "text", *options, "--classes", 1]).status == 2
