"""What a model remembers of the words that it has seen changes no answer."""

import random
from itertools import pairwise

import pytest

import sapwood
from sapwood import Lemmatizer, SequenceTagger

pytestmark = pytest.mark.filterwarnings("ignore:.* labels in .* tokens")  # one file has many on purpose

TEMPLATE = "\n".join(
    [
        *(f"U{10 + k}:%X[{k - 2},0]" for k in range(5)),
        *(f"U{20 + k}:%suffix[{k - 2},0,2]" for k in range(5)),
        *(f"U{30 + k}:%prefix[0,0,{k + 1}]" for k in range(3)),
        "U40:%shape[0,0]",
        "U41:%shape[-1,0]/%shape[0,0]",
        "U42:%x[0,0]/%x[1,0]",
        "U43:%x[@1,0]",
        "U44:%x[0,1]",
        "U45:%x[0,1]/%suffix[0,1,1]",
        "{labels}",
    ]
)
LABELS = {
    "greedy": "U50:%y[-1]/%x[0,0]",
    "easiest-first": "U50:%y[-1]/%y[+1]",
    "viterbi": "B50:%x[0,0]\nB51",
    "argmax": "",
}


def sentences(count, seed, words):
    draw = random.Random(seed)
    ends = ["", "s", "ing", "ed", "-and-a-tail-of-more-than-sixteen-bytes"]

    def word():
        number = min(int(draw.expovariate(20 / words)), words)
        return f"{draw.choice('Abc')}{number}{draw.choice(ends)}", draw.choice("xy")

    return [[word() for _ in range(draw.randint(1, 12))] for _ in range(count)]


def labelled(data):
    """Labels that depend on the word and the one before it."""
    return [
        [(*row, f"{row[0][-1]}{row[0][0]}{before[0][-1]}") for before, row in pairwise([("#",), *sentence])]
        for sentence in data
    ]


@pytest.fixture(scope="module", params=[*((search, 8) for search in LABELS), ("greedy", 16), ("viterbi", 32)])
def file(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("remembering") / "model.sap"
    search, bits = request.param
    template = TEMPLATE.replace("{labels}", LABELS[search])
    tagger = SequenceTagger(template=template, search=search, bits=bits, min_updates=1, epochs=3)
    tagger.fit(labelled(sentences(400, 1, words=300))).save(path)
    return path


@pytest.mark.few(1)
def test_sentences_have_the_labels_that_each_has_alone(file):
    data = sentences(120, 2, words=60)
    tagger = sapwood.load(file)
    together = tagger.predict(data)
    assert together == tagger.predict(data) == tagger.predict(data[::-1])[::-1]
    assert together * 4 == tagger.set_params(threads=3).predict(data * 4)
    assert together == [sapwood.load(file).predict([sentence])[0] for sentence in data]
    assert len({label for labels in together for label in labels}) > 5


@pytest.mark.slow
def test_more_different_words_than_are_remembered(file):
    data = sentences(9_000, 3, words=40_000)
    assert len({row[0] for sentence in data for row in sentence}) > 2**14
    tagger = sapwood.load(file)
    together = tagger.predict(data)
    assert together == [labels for k in range(0, len(data), 700) for labels in tagger.predict(data[k : k + 700])]
    assert together[-300:] == sapwood.load(file).predict(data[-300:])


def word(k):
    """A word without digits, another one for each number below 26 ** 4."""
    return "".join(chr(ord("a") + k // 26**place % 26) for place in range(4)) + "ab"


@pytest.mark.slow
def test_more_kinds_of_rows_than_are_remembered_change_nothing(tmp_path):
    rows = [(f"{word(k)}{end}", word(k)) for k in range(450) for end in ("s", "ing")]
    lines = [f"1\t{form}\t{lemma}\tNOUN\tNN\t_\t0\troot\t_\t_\n" for form, lemma in rows]
    (tmp_path / "train.conllu").write_text("\n".join(lines) + "\n", encoding="utf-8")
    lemmatizer = Lemmatizer(min_updates=1).fit(tmp_path / "train.conllu")
    many = [[(f"{word(k)}{end}", "NOUN", "NN", "_") for k in range(40_000)] for end in ("s", "ing")]
    together = lemmatizer.predict(many)
    assert together == [lemmatizer.predict([sentence])[0] for sentence in many]
    assert [lemmas[:2] for lemmas in together] == [[word(0), word(1)], [word(0), word(1)]]
    assert lemmatizer.predict([[(form, "NOUN", "NN", "_") for form, _ in rows]]) == [[lemma for _, lemma in rows]]
