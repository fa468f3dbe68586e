"""Documents in use: as sequences, pickled and copied, read from CoNLL-U, as rows of a table, and their words' trees."""

import copy
import gzip
import pickle
from pathlib import Path

import pytest

import sapwood
from sapwood import DataError, Doc
from sapwood._core import Conllu

TEXT = "Ada Lovelace can't meet \U0001f600 Bob in London.  Really?\n\nShe reads books here"
FRENCH = """\
# newpar
# sent_id = 1
# text = Il parle du chat.
1	Il	il	PRON	_	Number=Sing|Person=3	2	nsubj	_	_
2	parle	parler	VERB	_	_	0	root	_	TagConfidence=0.7500
3-4	du	_	_	_	_	_	_	_	_
3	de	de	ADP	_	_	5	case	_	_
4	le	le	DET	_	Case=Acc,Nom	5	det	_	_
5	chat	chat	NOUN	_	_	2	obl	_	NER=B-MISC|SpaceAfter=No
6	.	.	PUNCT	_	_	2	punct	_	SpacesAfter=

"""


@pytest.fixture(scope="module")
def nlp():
    return sapwood.load("en")


@pytest.fixture(scope="module")
def doc(nlp):
    return nlp(TEXT, confidence=True)


@pytest.fixture(scope="module")
def french():
    return Doc.from_conllu(FRENCH)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickled_documents_have_the_same_content(doc, protocol):
    found = pickle.loads(pickle.dumps(doc, protocol))
    assert found == doc
    assert (found.text, found.places, found.familiarity) == (doc.text, doc.places, doc.familiarity)
    assert (found.to_conllu(), found.to_json()) == (doc.to_conllu(), doc.to_json())
    assert [token.confidences for token in found] == [token.confidences for token in doc]
    assert [s.familiarity for s in found.sentences] == [s.familiarity for s in doc.sentences]
    assert found.entities == doc.entities


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda view: pickle.loads(pickle.dumps(view, 0))])
def test_views_are_copied_with_their_document(doc, again):
    assert again(doc) == doc
    assert again(doc[-2]) == doc[-2]
    assert again(doc[-2]).sentence.text == doc[-2].sentence.text
    assert again(doc.sentences[1]) == doc.sentences[1]
    assert again(doc.entities[0]) == doc.entities[0]
    first, second = again([doc[0], doc[1]])
    assert first.sentence == second.sentence


def test_documents_without_words_and_parts_are_pickled(nlp, french):
    for given in (nlp(""), nlp(" \n"), nlp.only("segment")(TEXT), french, nlp.only("segment", "tag")(TEXT)):
        assert pickle.loads(pickle.dumps(given)) == given
        assert given == copy.deepcopy(given)


def test_parts_of_a_stream_end_as_they_did(nlp):
    """Where a text goes on, the space at its end is written in another way."""
    for core in nlp.annotate([b"A helt.\n\nB bungs.\n\n", b"C."]):
        assert Doc(core) == pickle.loads(pickle.dumps(Doc(core)))
        assert copy.deepcopy(core).to_conllu(1) == core.to_conllu(1)


def test_other_content_is_not_equal(nlp, doc):
    assert doc != nlp(TEXT)  # without confidences
    assert nlp("A b.") != nlp("A b. ")
    assert nlp("A b.") == nlp("A b.")
    assert len({nlp("A b."), nlp("A b."), nlp("A c.")}) == 2
    assert doc != TEXT
    assert doc[0] != doc[1]
    assert doc[0] != doc.sentences[0]
    assert doc.sentences[0] != doc.sentences[1]
    assert len({doc[0], doc[0], doc[1]}) == 2


def test_forged_pickles_are_refused(doc):
    state = list(doc._core.__getstate__())
    for place, wrong in ((0, "x"), (7, [(1, 1)] * 9), (8, 3), (8, -1), (6, [("tag", [0.5])]), (2, [0, 9])):
        with pytest.raises(sapwood.SapwoodError):
            Doc._restored((*state[:place], wrong, *state[place + 1 :]))


def test_documents_and_sentences_are_sequences(doc):
    words = list(doc)
    assert (doc[0], doc[-1]) == (words[0], words[-1])
    assert doc[1:3] == words[1:3]
    assert doc[-2:] == words[-2:]
    assert doc[::3] == words[::3]
    assert doc[9:2] == doc[100:] == []
    for sentence in doc.sentences:
        assert sentence[0:2] == list(sentence)[0:2]
        assert sentence[::-1] == list(sentence)[::-1]
        assert (sentence[0].id, sentence[-1].id) == (1, len(sentence))
    assert [doc[w].id for w in range(len(doc))] == [token.id for token in words]
    for wrong in (len(doc), -len(doc) - 1):
        with pytest.raises(IndexError):
            doc[wrong]
    with pytest.raises(TypeError):
        doc["Ada"]


def test_words_know_their_trees(doc, nlp):
    for sentence in doc.sentences:
        heads = [token.head_token for token in sentence]
        assert heads.count(None) == 1
        for token, head in zip(sentence, heads, strict=True):
            assert token.sentence == sentence
            assert head is None or (head.id == token.head and token in head.children)
            below = [word for child in token.children for word in child.subtree]
            assert token.subtree == sorted([token, *below], key=lambda word: word.i)
        assert sum(len(token.children) for token in sentence) == len(sentence) - 1
    flat = nlp.only("segment", "tag")("She reads.")
    assert (flat[0].children, flat[0].head_token, flat[0].subtree) == ([], None, [flat[0]])


def test_words_of_a_multiword_token_know_it(doc, french):
    assert [token.multiword and token.multiword.text for token in french] == [None, None, "du", "du", None, None]
    assert french[2].multiword == french[3].multiword == ("du", 9, 11, (2, 4))
    [several] = {token.multiword for token in doc} - {None}
    assert [token.text for token in doc[slice(*several.words)]] == ["ca", "n't"]
    assert doc.text[several.start : several.end] == several.text == "can't"


def test_features_are_a_dict(french, nlp):
    assert french[0].features == {"Number": "Sing", "Person": "3"}
    assert french[1].features == {}
    assert french[3].features == {"Case": "Acc,Nom"}
    assert nlp.only("segment")("She reads.")[0].features is None


def test_conllu_is_read(french, tmp_path, monkeypatch):
    assert french.text == "Il parle du chat."
    assert [token.lemma for token in french] == ["il", "parler", "de", "le", "chat", "."]
    assert [token.head for token in french] == [2, 0, 5, 5, 2, 2]
    assert [(name.text, name.label) for name in french.entities] == [("chat", "MISC")]
    assert [token.confidences for token in french][:2] == [{}, {"tag": 0.75}]
    assert french.to_conllu() == FRENCH
    monkeypatch.chdir(tmp_path)
    Path("a.conllu").write_text(FRENCH, encoding="utf-8")
    Path("b").write_bytes(gzip.compress(FRENCH.encode()))
    for source in ("a.conllu", Path("a.conllu"), Path("b"), FRENCH.encode(), FRENCH.replace("\n", "\r\n")):
        assert Doc.from_conllu(source) == french


def test_what_was_written_is_read_again(nlp):
    for text in (TEXT, "", " Two  blanks.\n\n\nA\ttab. ", "x" * 300, "Ada's | \\ = .\r\nB"):
        for parts in ("segment", "segment tag", "segment tag lemmatize parse entities"):
            doc = nlp.only(*parts.split())(text)
            found = Doc.from_conllu(doc.to_conllu())
            assert found.to_conllu() == doc.to_conllu()
            assert found.text == doc.text if len(doc) else found.text == ""
            assert [token.entity for token in found if token.entity not in (None, "O")] == [
                token.entity for token in doc if token.entity not in (None, "O")
            ]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("1\ta\tb\n", "text:1: this line has 3 columns"),
        ("1\ta\t_\t_\t_\t_\t7\tdep\t_\t_\n\n", "text:1: the head is .7."),
        (FRENCH.replace("\t2\tnsubj", "\t_\t_"), "text:4"),
        ("gone.conllu", "gone.conllu: cannot read it"),
        ("a\udc80\n", "half of a character"),
    ],
)
def test_what_is_no_conllu_is_named(source, message):
    with pytest.raises(DataError, match=message):
        Doc.from_conllu(source)


def test_paragraphs_of_a_treebank_stay():
    two = FRENCH + FRENCH.replace("# newpar\n", "").replace("sent_id = 1", "sent_id = 2")
    assert Doc.from_conllu(two).to_conllu().count("# newpar") == 1
    assert Doc.from_conllu(FRENCH * 2).to_conllu().count("# newpar") == 2


def test_rows_are_for_a_table(doc, french, nlp):
    rows = doc.rows()
    assert [row["text"] for row in rows] == [token.text for token in doc]
    assert [row["sentence"] for row in rows] == [s for s, each in enumerate(doc.sentences, 1) for _ in each]
    assert rows[0]["tag_confidence"] == doc[0].confidences["tag"]
    assert all(row.keys() == rows[0].keys() for row in rows)
    assert rows[2]["name_confidence"] is None
    assert list(french.rows()[0]) == [
        "sentence", "id", "text", "lemma", "upos", "xpos", "feats", "head", "deprel", "entity", "start", "end",
        "tag_confidence",
    ]  # fmt: skip
    assert nlp("").rows() == []
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows)
    assert list(frame["upos"]) == [token.upos for token in doc]
    assert list(frame["head"]) == [token.head for token in doc]


def test_a_treebank_read_as_document_says_what_its_columns_say(nlp):
    data = Conllu.read(FRENCH.encode(), "text")
    assert Doc.from_conllu(FRENCH).forms == data.column("form")[0]
