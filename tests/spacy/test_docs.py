"""Documents of sapwood and of spaCy: there and back without loss."""

import re
from itertools import pairwise

import pytest

spacy = pytest.importorskip("spacy")

from documents import TEXTS, analyses, french  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from spacy import displacy  # noqa: E402
from spacy.tokens import Doc as SpacyDoc  # noqa: E402
from spacy.tokens import DocBin  # noqa: E402
from spacy.vocab import Vocab  # noqa: E402

from sapwood import DataError, Doc, _core  # noqa: E402
from sapwood.parts import ITEMS  # noqa: E402


def test_names_with_separators_stay_in_their_cell():
    columns = {"form": ["a"], "entity": ["B-x|y\tz"]}
    doc = _core.Doc.build("a", [(0, 1)], [0, 1], [(0, 0, True), (1, 1, False)], columns, None, ITEMS)
    [row] = [line for line in doc.to_conllu(1).decode().split("\n") if line.startswith("1")]
    assert row.split("\t")[9].split("|") == [r"NER=B-x\py\tz", "SpacesAfter="]


def test_a_document_becomes_spacys_by_eye(english):
    doc = english("Ada Lovelace  wrote.").to_spacy(Vocab())
    assert [token.text_with_ws for token in doc] == ["Ada ", "Lovelace ", " ", "wrote", "."]
    assert [token.pos_ for token in doc] == ["PROPN", "PROPN", "SPACE", "VERB", "PUNCT"]
    assert [token.tag_ for token in doc] == ["NNP", "NNP", "_SP", "VBD", "."]
    assert [token.lemma_ for token in doc] == ["Ada", "Lovelace", "", "write", "."]
    assert [token.head.i for token in doc] == [3, 0, 1, 3, 3]
    assert [token.dep_ for token in doc] == ["nsubj", "flat", "dep", "ROOT", "punct"]
    assert doc[3].morph.get("Tense") == ["Past"]
    assert [(name.text, name.label_) for name in doc.ents] == [("Ada Lovelace", "PER")]
    assert [sentence.root.text for sentence in doc.sents] == ["wrote"]


def test_words_that_do_not_stand_in_the_text_are_one_token():
    doc = Doc(french()).to_spacy(spacy.blank("xx"))
    assert [token.text for token in doc] == ["Il", "vient", "du", "lac", "."]
    du = doc[2]
    assert (du.pos_, du.tag_, du.lemma_, du.dep_, du.head.text) == ("ADP", "", "de le", "case", "lac")
    back = Doc.from_spacy(doc)
    assert back.forms == ["Il", "vient", "de", "le", "lac", "."]
    assert back.to_conllu() == Doc(french()).to_conllu()
    assert "3-4\tdu" in back.to_conllu()


def test_record_that_does_not_agree_with_the_document_is_not_used():
    doc = Doc(french()).to_spacy(spacy.blank("xx"))
    doc[3].lemma_ = "étang"
    assert Doc.from_spacy(doc).forms == ["Il", "vient", "du", "lac", "."]
    assert Doc.from_spacy(doc).values("lemma") == ["il", "venir", "de le", "étang", "."]


def two_roots(words, heads):
    """A document as spaCy makes it of words and their heads, counted from 0 in the text."""
    deps = ["ROOT" if head == word else "dep" for word, head in enumerate(heads)]
    return SpacyDoc(Vocab(), words=words, heads=heads, deps=deps)


def test_a_sentence_of_two_trees_that_cross_is_read_as_one():
    doc = two_roots(["Ada", "ran", "he", "fell", "."], [1, 1, 3, 3, 1])
    assert [sentence.text.strip() for sentence in doc.sents] == ["Ada ran", "he fell ."]  # the dot hangs on "ran"
    back = Doc.from_spacy(doc)
    assert [list(sentence.words) for sentence in back.sentences] == [[0, 5]]
    assert back.heads == [2, 0, 4, 0, 2]


def test_a_head_joins_only_the_sentences_between_it_and_its_word():
    heads = [0, 2, 2, 4, 4, 2, 6]  # "f" hangs on "c", across the tree of "d" and "e"
    back = Doc.from_spacy(two_roots(list("abcdefg"), heads))
    assert [list(sentence.words) for sentence in back.sentences] == [[0, 1], [1, 6], [6, 7]]
    assert back.heads == [0, 2, 0, 4, 0, 2, 0]


def test_trees_beside_each_other_in_a_sentence_are_sentences_of_spacy_and_come_back_as_one():
    rows = [("Ada", 2), ("ran", 0), ("he", 4), ("fell", 0)]
    cells = [f"{i}\t{form}\t_\t_\t_\t_\t{head}\tdep\t_\t_\n" for i, (form, head) in enumerate(rows, 1)]
    ours = Doc.from_conllu("".join([*cells, "\n"]))
    doc = ours.to_spacy(Vocab())
    assert [sentence.text.strip() for sentence in doc.sents] == ["Ada ran", "he fell"]
    assert Doc.from_spacy(doc).to_conllu() == ours.to_conllu()


def odd():
    """ "She didn't." with features in an order that spaCy changes, a multiword token and confidences."""
    columns = {"form": ["She", "did", "n't", "."], "upos": ["PRON", "AUX", "PART", "PUNCT"], "xpos": ["_"] * 4}
    columns |= {"feats": ["B=1|A=2", "_", "_", "_"], "lemma": ["she", "do", "not", "."]}
    tokens, sentences = [(0, 3), (4, 10), (10, 11)], [(0, 0, True), (3, 4, False)]
    core = _core.Doc.build("She didn't.", tokens, [0, 1, 3, 4], sentences, columns, None, ITEMS)
    core.add_confidences("tag", [0.25, 0.5, 0.75, 1.0])
    return Doc(core)


def test_what_is_recorded_of_other_columns_stays_where_one_is_changed():
    ours, doc = odd(), odd().to_spacy(Vocab())
    doc[1].lemma_ = "make"
    back = Doc.from_spacy(doc)
    assert (back.values("feats"), back.values("lemma")) == (["B=1|A=2", "_", "_", "_"], ["she", "make", "not", "."])
    assert back.confidences == ours.confidences
    assert "2-3\tdidn't" in back.to_conllu()
    doc[3].set_morph("C=3")
    back = Doc.from_spacy(doc)
    assert back.values("feats") == ["A=2|B=1", "_", "_", "C=3"]
    assert "2-3\tdidn't" in back.to_conllu()


def test_documents_that_are_joined_keep_what_is_recorded_of_each():
    vocab = Vocab()
    docs = [odd().to_spacy(vocab), Doc(french()).to_spacy(vocab), odd().to_spacy(vocab)]
    back = Doc.from_spacy(SpacyDoc.from_docs(docs))
    assert back.forms == [*odd().forms, *french().column("form"), *odd().forms]
    assert back.values("feats")[0] == back.values("feats")[-4] == "B=1|A=2"
    assert back.to_conllu().count("2-3\tdidn't") == 2 and "3-4\tdu" in back.to_conllu()


@pytest.mark.parametrize(
    "record",
    [7, {"columns": 7}, {"tokens": [[0, 99]]}, {"tokens": [[1]]}, {"tokens": 1, "first_words": [0, 2]},
     {"first_words": [0, 400]}, {"sentences": ["x"]}, {"sentences": [[0, 0, 1]]}, {"heads": [1, 1, 1, 1]},
     {"columns": {"lemma": ["a"]}}, {"columns": {"lemma": ["", "", "", ""]}}, {"columns": {"color": ["a"] * 4}},
     {"columns": {"lemma": ["a"] * 4, "upos": ["NOUN"] * 4}}, {"columns": [1]}, {"more": 1},
     {"confidences": {"tag": [1.0]}},
     {"confidences": {"Tag": [0.5] * 4}}, {"confidences": {"tag": [2.0] * 4}}],
)  # fmt: skip
def test_record_of_a_stranger_does_no_harm(english, record):
    doc = english("Ada wrote it.").to_spacy(Vocab())
    expected = Doc.from_spacy(doc).to_conllu()
    doc.user_data["._.", "sapwood", 0, len(doc.text)] = record
    assert Doc.from_spacy(doc).to_conllu().replace("# newpar\n", "") == expected.replace("# newpar\n", "")


def json_of_document(doc):
    """The JSON without familiarity, which is a model's and not a document's."""
    return re.sub(r', "familiarity": [\d.]+', "", doc.to_json())


@pytest.mark.parametrize("text", TEXTS)
def test_documents_come_back_from_spacy(english, text):
    doc = english(text)
    there = doc.to_spacy(Vocab())
    assert there.text == text
    assert Doc.from_spacy(there).to_json() == json_of_document(doc)
    assert Doc.from_spacy(there).to_conllu() == doc.to_conllu()


def test_saved_documents_lose_nothing(english):
    for doc in [*map(english, TEXTS), Doc(french())]:
        there = doc.to_spacy(Vocab())
        back = SpacyDoc(Vocab()).from_bytes(there.to_bytes())
        assert Doc.from_spacy(back).to_conllu() == doc.to_conllu()
    box = DocBin(store_user_data=True, docs=[english(text).to_spacy(Vocab()) for text in TEXTS if text])
    docs = DocBin().from_bytes(box.to_bytes()).get_docs(Vocab())
    assert analyses(docs) == [english(text).to_conllu() for text in TEXTS if text]


def test_document_of_spacy_comes_without_anything_of_ours():
    doc = SpacyDoc(
        Vocab(),
        words=["We", " ", "saw", "Rome", "."],
        spaces=[True, False, True, False, False],
        pos=["PRON", "SPACE", "VERB", "PROPN", "PUNCT"],
        heads=[2, 0, 2, 2, 2],
        deps=["nsubj", "", "ROOT", "obj", "punct"],
        ents=["O", "O", "O", "B-GPE", "O"],
    )
    found = Doc.from_spacy(doc)
    assert [(token.text, token.upos, token.xpos, token.feats, token.lemma) for token in found][:2] == [
        ("We", "PRON", "_", "_", None), ("saw", "VERB", "_", "_", None)]  # fmt: skip
    assert (found.heads, found.values("deprel")) == ([2, 0, 2, 2], ["nsubj", "root", "obj", "punct"])
    assert [(name.text, name.label, name.start) for name in found.entities] == [("Rome", "GPE", 8)]
    assert len(Doc.from_spacy(spacy.blank("en")("A b. C d.")).sentences) == 1


LETTERS = st.text(alphabet="ab'é汉\N{ZERO WIDTH JOINER}-", min_size=1, max_size=4)
VALUES = st.sampled_from(["_", "A=b", "B=2|A=1", "A=2,1", "NOUN", "VERB", "NN", "x y", "I-X", "ROOT", "root", "SPACE"])


@st.composite
def documents(draw):
    """Documents with whatever stands in columns, also what spaCy has other rules for."""
    text, tokens, first_words, sentences, forms = draw(st.sampled_from(["", " ", "\n\n"])), [], [0], [], []
    for _ in range(draw(st.integers(0, 3))):
        sentences.append((len(tokens), len(forms), draw(st.booleans())))
        for _ in range(draw(st.integers(1, 4))):
            words = draw(st.lists(LETTERS, min_size=1, max_size=3))
            form = "".join(words) if draw(st.booleans()) else draw(LETTERS)
            tokens.append((len(text), len(text) + len(form)))
            forms += words if len(words) > 1 else [form]
            first_words.append(len(forms))
            text += form + draw(st.sampled_from(["", " ", "  ", "\n", "\n \n", "\N{NO-BREAK SPACE}", " \t "]))
    sentences.append((len(tokens), len(forms), False))

    def column(values):
        return draw(st.lists(values, min_size=len(forms), max_size=len(forms)))

    columns, heads = {"form": forms}, None
    if draw(st.booleans()):
        columns |= {name: column(VALUES) for name in ("upos", "xpos", "feats")}
    if draw(st.booleans()):
        columns["lemma"] = column(VALUES)
    if draw(st.booleans()):
        columns["entity"] = column(st.sampled_from(["O", "B-X", "I-X", "I-Y", "B-Y", "X"]))
    if draw(st.booleans()):
        columns["deprel"], heads = column(VALUES), []
        for (_, first, _), (_, last, _) in pairwise(sentences):
            order = draw(st.permutations(range(last - first)))  # each word hangs on one before it, or on the root
            sentence = [0] * (last - first)
            for k, word in enumerate(order):
                sentence[word] = 0 if k == 0 else draw(st.sampled_from([0, *(w + 1 for w in order[:k])]))
            heads += sentence
    doc = _core.Doc.build(text, tokens, first_words, sentences, columns, heads, ITEMS)
    if forms and draw(st.booleans()):
        sure = st.one_of(st.floats(0, 1), st.just(float("nan")))
        doc.add_confidences("tag", draw(st.lists(sure, min_size=len(forms), max_size=len(forms))))
    return doc


@pytest.mark.slow
@settings(max_examples=200)
@given(documents())
def test_no_document_loses_anything(core):
    doc = Doc(core)
    there = doc.to_spacy(Vocab())
    assert there.text == doc.text
    back = Doc.from_spacy(SpacyDoc(Vocab()).from_bytes(there.to_bytes()))
    assert back.text == doc.text
    assert back.to_conllu() == doc.to_conllu()
    assert back.to_json() == json_of_document(doc)
    assert repr(back.confidences) == repr(doc.confidences)
    assert all(0 <= token.head.i < len(there) for token in there)
    assert "".join(sentence.text_with_ws for sentence in there.sents) == doc.text
    assert all(name.label_ for name in there.ents)


def test_displacy_shows_it(english):
    doc = english("Ada Lovelace wrote it.").to_spacy(Vocab())
    picture = displacy.render(doc, style="dep", jupyter=False)
    assert all(word in picture for word in ("Ada", "nsubj", "VERB"))
    assert "PER" in displacy.render(doc, style="ent", jupyter=False)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"text": "a\0"}, "NUL"),
        ({"tokens": [(0, 3)]}, "behind the text"),
        ({"tokens": [(1, 1)]}, "token 1 is empty"),
        ({"first_words": [0, 0]}, "token 1 has no words"),
        ({"first_words": [0]}, "first word for each token"),
        ({"sentences": [(0, 0, True)]}, "last sentence does not end"),
        ({"sentences": []}, "no end of the last sentence"),
        ({"columns": {}}, "no forms"),
        ({"columns": {"form": ["a", "b"]}}, "1 words, but 2 values of form"),
        ({"columns": {"form": [""]}}, "is empty"),
        ({"columns": {"form": ["a"], "upos": ["X"]}}, "go together"),
        ({"columns": {"form": ["a"], "color": ["X"]}}, "no column 'color'"),
        ({"columns": {"form": ["a"], "deprel": ["x"]}}, "heads and relations"),
        ({"columns": {"form": ["a"], "deprel": ["x"]}, "heads": [2]}, "has the head 2 in a sentence of 1 words"),
        ({"columns": {"form": ["a"], "deprel": ["x"]}, "heads": [1]}, "make a cycle"),
    ],
)
def test_parts_that_contradict_each_other_are_refused(change, message):
    parts = {
        "text": "ab",
        "tokens": [(0, 1)],
        "first_words": [0, 1],
        "sentences": [(0, 0, True), (1, 1, False)],
        "columns": {"form": ["a"]},
        "heads": None,
    }
    _core.Doc.build(**parts)
    with pytest.raises(DataError, match=message):
        _core.Doc.build(**parts | change)


@pytest.mark.slow
@pytest.mark.corpus
def test_documents_of_ewt_come_back_from_spacy(english):
    from measure.corpora import data_folder
    from sapwood.io.conllu import read_treebank

    path = next(data_folder(None).glob("**/en_ewt-ud-test.conllu*"))
    text = read_treebank(path).text().text.decode()
    doc = english(text)
    there = doc.to_spacy(spacy.blank("en"))
    back = Doc.from_spacy(SpacyDoc(there.vocab).from_bytes(there.to_bytes()))
    assert (there.text, back.text) == (text, text)
    assert back.to_conllu() == doc.to_conllu()
    assert back.to_json() == json_of_document(doc)
