"""Features that the sources name, written down by hand, in the laboratory and in the core."""

from itertools import pairwise, product, zip_longest

import pytest
from parsers import tagged
from taggers import slow_weights, weights_of

from sapwood import DependencyParser, SequenceTagger
from sapwood.templates import find_template
from sapwood_lab.arc_parser import ArcParser
from sapwood_lab.atoms import Sentence
from sapwood_lab.easy_first import Action, EasyFirstParser, Pending
from sapwood_lab.template import Line
from sapwood_lab.viterbi import ViterbiTagger

ONCE = {"min_updates": 1, "average": False, "epochs": 1}
CELLS = [
    "quickly", "walking", "walked", "1987", "Rome", "ROME", "IBM-PC", "McDonald's", "3rd", "1,200", "e-Mail", "-", "--",
    "a", "É", "École", "ÉCOLE", "straße", "Größe", "Ωμέγα", "Москва", "Ⅳ", "日本語", "٣", "d", "X", "x\u0301", "U.S.",
]  # fmt: skip


# Dyer's reasons for features: capitals, -ly, -ing, -ed, numbers


@pytest.mark.parametrize("at", [-2, -1, 0, 1])
@pytest.mark.parametrize("macro", ["x", "lower", "prefix", "suffix", "shape", "digit", "hyphen", "capital"])
def test_the_core_takes_the_same_from_a_cell(macro, at):
    """Each label is wrong at first, so each feature has a weight: beyond the borders of the sentence, too."""
    length = ",3" if macro.endswith("fix") else ""
    lines = [f"U{k}:%x[0,0] %{name}[{at},0{length}]|" for k, name in enumerate((macro, macro.capitalize()))]
    sentence = [(cell, "AB"[k % 2]) for k, cell in enumerate(CELLS)]
    options = ONCE | {"template": "\n".join(lines), "search": "argmax", "update": "margin", "gamma": 1e6}
    tagger = SequenceTagger(**options, bits=32, names=True).fit([sentence])
    expected = {
        text for line in map(Line, lines) for i in range(len(sentence)) for text, _ in line.features(sentence, i)
    }
    assert {name for table in tagger.model_.tables for name in table.names} == expected


def test_the_core_learns_the_same_weights_from_spelling():
    template = "U0:%suffix[0,0,2]\nU1:%SUFFIX[0,0,3]/%capital[0,0]\nU2:%digit[0,0]%shape[-1,0]\nB:%prefix[1,0,1]\n"
    corpus = [[(cell, label) for cell, label in zip(CELLS[k:], "ABCABBA", strict=False)] for k in range(6)]
    options = {"min_updates": 1, "epochs": 4, "seed": 3}
    fast = SequenceTagger(template=template, bits=32, names=True, update="perceptron", **options).fit(corpus)
    slow = ViterbiTagger(template, **options).fit(corpus)
    assert weights_of(fast) == pytest.approx(slow_weights(slow), rel=1e-6, abs=1e-5)
    assert ("U0:ed", ("B",)) in slow.w
    assert ViterbiTagger("U:%suffix[0,0,2]\n").phi([("quickly",)], ["RB"]) == {("U:ly", ("RB",)): 1.0}


def test_a_label_after_a_label_is_one_feature():
    """f_12048 of Dyer's slides is 1 where VBD comes after RB, whatever the words are, and 0 elsewhere."""
    slow = ViterbiTagger("B\n")
    assert slow.f(slow.found([("x",)], 0), ("RB", "VBD")) == {("B", ("RB", "VBD")): 1.0}
    tags = ("RB", "VBD", "RB", "VBD", "RB", "NN")
    assert slow.phi([(word,) for word in "abcdef"], tags)["B", ("RB", "VBD")] == 2
    corpus = [[("a", "NN"), ("b", "RB"), ("c", "VBD")], [("d", "RB"), ("e", "VBD"), ("f", "RB"), ("g", "NN")]]
    fast = SequenceTagger(template="B\n", update="perceptron", bits=32, names=True, **ONCE | {"epochs": 5}).fit(corpus)
    weights = weights_of(fast)
    assert weights["B", ("RB", "VBD")] != 0
    labels = fast.model_.labels
    for sequence, score in fast.n_best([[("x",), ("y",), ("z",)]], len(labels) ** 3)[0]:
        pairs = zip(("<start>", *sequence), sequence, strict=False)
        assert score == pytest.approx(sum(weights.get(("B", pair), 0.0) for pair in pairs))


# Parsers


def test_features_of_an_arc_are_mcdonalds():
    """The arc from `noticed` to `girls`: two words to the right, with one word between and one on both sides."""
    x = Sentence([("I", "PRP"), ("noticed", "VBD"), ("two", "CD"), ("girls", "NNS"), ("there", "RB")])
    basic = """
        hw=noticed ht=VBD | hw=noticed | ht=VBD | mw=girls mt=NNS | mw=girls | mt=NNS
        hw=noticed ht=VBD mw=girls mt=NNS | ht=VBD mw=girls mt=NNS | hw=noticed mw=girls mt=NNS
        hw=noticed ht=VBD mt=NNS | hw=noticed ht=VBD mw=girls | hw=noticed mw=girls | ht=VBD mt=NNS"""
    first_five_letters = """
        hp=notic ht=VBD | hp=notic | mp=girls mt=NNS | mp=girls
        hp=notic ht=VBD mp=girls mt=NNS | ht=VBD mp=girls mt=NNS | hp=notic mp=girls mt=NNS
        hp=notic ht=VBD mt=NNS | hp=notic ht=VBD mp=girls | hp=notic mp=girls"""
    around = """
        ht=VBD bt=CD mt=NNS
        ht=VBD h+1t=CD m-1t=CD mt=NNS | h-1t=PRP ht=VBD m-1t=CD mt=NNS
        ht=VBD h+1t=CD mt=NNS m+1t=RB | h-1t=PRP ht=VBD mt=NNS m+1t=RB
        h-1t=PRP ht=VBD mt=NNS | ht=VBD h+1t=CD mt=NNS | ht=VBD m-1t=CD mt=NNS | ht=VBD mt=NNS m+1t=RB"""
    texts = [
        text.strip() for block in (basic, first_five_letters, around) for line in block.split("\n") if line.strip()
        for text in line.split("|")
    ]  # fmt: skip
    found = ArcParser(find_template("mcdonald-2006", "parse").text).f(x, 2, 4)
    assert found == {(text, output): 1 for text in texts for output in ("arc", "arc right 2")}


PENDING = (
    # form, tag, tags of the leftmost and the rightmost child, form of the rightmost, words under it, is it a leaf
    {"w": "<root>", "t": "<root>", "len": "1", "nc": "1"},
    {"w": "dogs", "t": "NNS", "lc": "DT", "rc": None, "len": "2", "nc": "2"},
    {"w": "saw", "t": "VBD", "lc": "RB", "rc": None, "len": "2", "nc": "2"},
    {"w": "in", "t": "IN", "lc": None, "rc": "NNP", "rcw": "Rome", "len": "2", "nc": "2"},
    {"w": "cats", "t": "NNS", "len": "1", "nc": "1"},
)


def test_features_of_an_attachment_are_those_of_goldberg_and_elhadad():
    """`The dogs often saw in Rome cats`: The, often and Rome are attached; the place is that between `saw` and `in`.

    The lists are those of table 1, in its order: structure, one tree, two trees, prepositions. Outside of the sentence
    there is no structure. A feature that asks for a child that is not there is none.
    """
    tags = {"The": "DT", "dogs": "NNS", "often": "RB", "saw": "VBD", "in": "IN", "Rome": "NNP", "cats": "NNS"}
    pending = Pending(Sentence(list(tags.items())))
    for action in (Action(1, "right", "det"), Action(2, "right", "advmod"), Action(3, "left", "obj")):
        pending.make(action)
    assert pending.items == [0, 2, 4, 5, 7]

    names = ("p-2", "p-1", "p0", "p1", "p2", "p3")
    p = dict(zip_longest(names, PENDING, fillvalue={"w": "<outside>", "t": "<outside>"}))
    gap = {"p-2-p-1": "2", "p-1-p0": "2", "p0-p1": "1", "p1-p2": "2"}  # the cats are the second word after `in`
    atoms = {"lc": "lt", "rc": "rt", "rcw": "rw"}  # as templates call what the paper calls lc, rc and the word of rc
    found = []

    def feature(*parts):
        """A conjunction, such as of (("p0", "t"), ("p1", "t"))."""
        values = [(place + atoms.get(name, name), p[place].get(name)) for place, name in parts]
        if all(value is not None for _, value in values):
            found.append(" ".join(f"{atom}={value}" for atom, value in values))

    for a in names:
        feature((a, "len"))
        feature((a, "nc"))
    for a, b in pairwise(names):
        if distance := gap.get(f"{a}-{b}"):
            found += [f"{a}-{b}={distance}", f"{a}-{b}={distance} {a}t={p[a]['t']} {b}t={p[b]['t']}"]
    for a in names:
        for rest in ([], ["lc"], ["rc"], ["lc", "rc"]):
            feature((a, "t"), *((a, name) for name in rest))
        feature((a, "w"))
    for a, b in (("p0", "p1"), ("p0", "p2"), ("p-1", "p0"), ("p-1", "p2"), ("p1", "p2")):
        for of_a, of_b in product("tw", repeat=2):
            feature((a, of_a), (b, of_b))
        for of_a, of_b in product(("lc", "rc"), repeat=2):
            feature((a, "t"), (b, "t"), (a, of_a), (b, of_b))
    # `in` is p1: with the neighbour before it and the one before that, by word and by tag
    found += [f"p-1{name}={p['p-1'][name]} p1pp=in p1rw=Rome" for name in "wt"]
    found += [f"p0{name}={p['p0'][name]} p1pp=in p1rw=Rome" for name in "wt"]

    parser = EasyFirstParser(find_template("easy-first-2010", "parse").text)
    place = pending.items.index(4)
    assert sorted(parser.attachments.features(pending.atoms(place))) == sorted(found)
    assert len(found) == (10 + 8) + (9 + 6) + (20 + 2) + 4


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("template", "search", "make"),
    [("mcdonald-2006", "eisner", ArcParser), ("easy-first-2010", "easy-first", EasyFirstParser)],
)
def test_the_core_has_the_features_of_the_papers(template, search, make):
    words, trees = tagged(3, 3)
    labelling = {"eisner": "none", "easy-first": "joint"}[search]
    options = ONCE | {"seed": 2}
    core = {"search": search, "labelling": labelling, "update": "perceptron", "bits": 32, "names": True}
    fast = DependencyParser(template=template, drop_below=0, **core, **options).fit(words, trees)
    slow = make(find_template(template, "parse").text, **options).fit(words, trees)
    found = {(name, output.name): weight for output, weight, name in fast.contents.weights()}
    assert found == slow.weights()
    assert len(found) > 1000
