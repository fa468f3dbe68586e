"""Lemmatizers and splitters: learned from treebanks, saved, scored, and refused what they were not made for."""

import re

import pytest
from heard import heard
from hypothesis import given
from hypothesis import strategies as st
from oracles.naive_scripts import apply_script

import sapwood
from sapwood import DataError, Lemmatizer, OptionError, Splitter, _core
from sapwood.io.lexicons import LexiconEntry
from sapwood.metrics import lemma_scores, split_scores

NOUNS = ["dog", "cat", "tree", "house", "city", "lady", "book", "table", "Rome", "fly"]
VERBS = ["walk", "talk", "jump", "bark", "play", "look"]


def conllu(sentences):
    """CoNLL-U of sentences of (token, [(form, lemma, upos, xpos), ...]); a token of one word has no range."""
    lines = []
    for sentence in sentences:
        number = 1
        for token, words in sentence:
            if len(words) > 1:
                lines.append(f"{number}-{number + len(words) - 1}\t{token}" + "\t_" * 8)
            for form, lemma, upos, xpos in words:
                lines.append(f"{number}\t{form}\t{lemma}\t{upos}\t{xpos}\t_\t0\troot\t_\t_")
                number += 1
        lines.append("")
    return "\n".join(lines) + "\n"


def plural(noun):
    return noun[:-1] + "ies" if noun.endswith("y") else noun + "s"


def word(form, lemma, upos, xpos="_"):
    return form, [(form, lemma, upos, xpos)]


def clitic(host, lemma, form):
    return host + form, [(host, lemma, "NOUN", "NN"), (form, "be", "AUX", "VBZ")]


SENTENCES = [
    [
        word("The", "the", "DET", "DT"),
        word(plural(noun), noun, "NOUN", "NNS"),
        word(verb + "ed", verb, "VERB", "VBD"),
        word("a", "a", "DET", "DT"),
        clitic(noun, noun, "'s"),
        word(verb + "ing", verb, "VERB", "VBG"),
    ]
    for noun in NOUNS
    for verb in VERBS
]


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    path = tmp_path_factory.mktemp("rewriting") / "train.conllu"
    path.write_text(conllu(SENTENCES))
    return path


@pytest.fixture(scope="module")
def lemmatizer(treebank):
    return Lemmatizer(epochs=3).fit(treebank)


@pytest.fixture(scope="module")
def splitter(treebank):
    return Splitter(epochs=3, known_words="never").fit(treebank)


def test_lemmas_of_words_that_training_does_not_have(lemmatizer):
    words = [("puppies", "NOUN", "NNS", "_"), ("kicked", "VERB", "VBD", "_"), ("The", "DET", "DT", "_")]
    assert lemmatizer.predict([words, [], [("zones", "NOUN", "NNS", "_")]]) == [["puppy", "kick", "the"], [], ["zone"]]


def test_lemmas_depend_on_tags(lemmatizer):
    flies = [("flies", upos, xpos, "_") for upos, xpos in (("NOUN", "NNS"), ("DET", "DT"))]
    assert lemmatizer.predict([flies]) == [["fly", "flies"]]


def test_tokens_that_training_does_not_have_are_split(splitter):
    assert splitter.predict([["zebra's", "zebra"], [], ["a"]]) == [[["zebra", "'s"], ["zebra"]], [], [["a"]]]


def test_the_training_data_are_learned(treebank, lemmatizer, splitter):
    lemmas, words = lemmatizer.evaluate(treebank), splitter.evaluate(treebank)
    assert lemmas.accuracy == 100
    assert lemmas.words == sum(len(words) for sentence in SENTENCES for _, words in sentence)
    assert dict(lemmas.as_dict()["tags"])["VERB"] == {"words": 2 * len(SENTENCES), "correct": 2 * len(SENTENCES)}
    assert (words.words.f1, words.multiword.f1, words.multiword.gold) == (100, 100, 2 * len(SENTENCES))


def test_saved_models_are_the_same(treebank, lemmatizer, splitter, tmp_path):
    for model in (lemmatizer, splitter):
        path = tmp_path / "model.sap"
        model.save(path)
        again = sapwood.load(path)
        assert type(again) is type(model)
        assert again.predict(treebank) == model.predict(treebank)
        assert again.set_params(threads=2).predict(treebank) == model.predict(treebank)
        type(model)(**model.get_params()).set_params(threads=2).fit(treebank).save(tmp_path / "two.sap")
        assert (tmp_path / "two.sap").read_bytes() == path.read_bytes()


@pytest.mark.filterwarnings("ignore:.* the training data:sapwood.SapwoodWarning")
def test_held_out_data_are_scored_by_what_comes_out(treebank):
    scores = []
    for model in (Lemmatizer(epochs=2), Splitter(epochs=2)):
        model.fit(treebank, dev=treebank, on_event=lambda event: scores.append(getattr(event, "dev_score", None)))
        model.fit(treebank, dev_fraction=0.2)
    assert scores.count(100) == 4


@given(st.lists(st.text("dogsieyf'é", min_size=1, max_size=6), min_size=1, max_size=8))
def test_words_come_from_scripts_of_the_model(lemmatizer, splitter, forms):
    tags = [("NOUN", "NNS", "_"), ("VERB", "VBD", "_")]
    words = [(form, *tags[len(form) % 2]) for form in forms]
    for (form, *_), lemma in zip(words, lemmatizer.predict([words])[0], strict=True):
        assert lemma
        assert [lemma] in [apply_script(label, form) for label in lemmatizer.labels_]
    for form, split in zip(forms, splitter.predict([forms])[0], strict=True):
        assert split in [apply_script(label, form) for label in splitter.labels_]


def test_a_form_that_is_too_short_for_the_best_script_gets_one_that_fits(lemmatizer):
    for form in ("ies", "s", "ed"):
        (lemma,) = lemmatizer.predict([[(form, "NOUN", "NNS", "_")]])[0]
        assert lemma


def test_equal_words_are_lemmatized_alike_wherever_they_are(lemmatizer):
    words = [[(plural(noun), "NOUN", "NNS", "_") for noun in NOUNS]] * 20
    assert lemmatizer.predict(words) == [NOUNS] * 20


def test_words_without_the_tags_that_training_has(lemmatizer, treebank, tmp_path):
    untagged = tmp_path / "untagged.conllu"
    untagged.write_text(re.sub("NOUN|DET|VERB|AUX", "_", treebank.read_text()))
    with pytest.raises(DataError, match="no word has UPOS, by which lemmas are chosen; tag it first"):
        lemmatizer.predict(untagged)


def test_a_treebank_without_lemmas_is_refused(lemmatizer, tmp_path):
    path = tmp_path / "bare.conllu"
    path.write_text(conllu([[word("dogs", "_", "NOUN", "NNS")]]))
    with pytest.raises(DataError, match=r"bare.conllu: no word has a lemma \(column 3 is _ everywhere\)"):
        Lemmatizer().fit(path)
    with pytest.raises(DataError, match="no word has a lemma to compare with"):
        lemmatizer.evaluate(path)


def test_words_whose_lemma_is_left_out_are_not_learned_from(tmp_path):
    path = tmp_path / "some.conllu"
    path.write_text(conllu([[word("dogs", "dog", "NOUN"), word("cats", "cat", "NOUN"), word("out", "_", "X")]] * 5))
    model = Lemmatizer(epochs=2, min_updates=1).fit(path)
    assert sorted(model.labels_) == ["[:-1]"]
    assert model.evaluate(path).accuracy == 100


def test_treebanks_without_tags_or_multiword_tokens_are_learned_or_refused(tmp_path):
    path = tmp_path / "forms.conllu"
    path.write_text(conllu([[word("dogs", "dog", "_"), word("cats", "cat", "_"), word("a", "a", "_")]] * 5))
    model = Lemmatizer(epochs=2, min_updates=1).fit(path)
    assert model.predict(path)[0] == ["dog", "cat", "a"]
    assert Splitter(epochs=2).fit(path).predict([["dogs"]]) == [[["dogs"]]]


def test_words_in_memory_that_are_none(lemmatizer):
    with pytest.raises(DataError, match=r"sentence 1, word 1: a word is \(form, UPOS, XPOS, FEATS\), not 'dogs'"):
        lemmatizer.predict([["dogs"]])


def test_other_searches_are_refused(treebank):
    with pytest.raises(OptionError, match="a lemmatizer chooses each script by itself"):
        Lemmatizer(search="greedy").fit(treebank)


@pytest.mark.parametrize(
    ("verb", "score"), [("lemmatizer", "lemmas: 420 of 420 correct"), ("splitter", "tokens: 360 of 360 split right")]
)
def test_the_command_line_trains_scores_and_annotates(run_cli, treebank, tmp_path, verb, score):
    model = tmp_path / "model.sap"
    assert run_cli(f"train {verb} {treebank} -o {model} -q --epochs 3") == (0, "", "")
    code, out, _ = run_cli(f"eval {model} {treebank}")
    assert (code, score in out) == (0, True)
    code, out, _ = run_cli(f"inspect {model} --template --top 0")
    assert (code, "\nU" in out) == (0, True)


# Known words


def prefixed(*words):
    return "".join(words), [(word, word, "X", "_") for word in words]


PARTS = [[prefixed("b", rest), prefixed(rest), prefixed("bar")] for rest in ("dog", "cat", "tree", "house", "book")] * 4


def test_a_token_is_split_if_its_rest_is_a_word(tmp_path):
    path = tmp_path / "parts.conllu"
    path.write_text(conllu([*PARTS, [prefixed("lamp"), prefixed("eagle")]]))
    model = Splitter(epochs=10, min_updates=1).fit(path)
    assert model.predict([["blamp", "beagle", "bring"]]) == [[["b", "lamp"], ["b", "eagle"], ["bring"]]]
    model.save(tmp_path / "model.sap")
    assert sapwood.load(tmp_path / "model.sap").predict(path) == model.predict(path)
    assert "known words" in model.contents.arrays.values()
    never = Splitter(epochs=3, known_words="never").fit(path)
    assert not never.model_.extra


def test_words_are_known_where_many_tokens_are_several_words(tmp_path):
    path = tmp_path / "parts.conllu"
    for known, sentences in ((True, PARTS), (False, [*PARTS[:1], [prefixed("a")] * 30])):
        path.write_text(conllu(sentences))
        assert ("known" in Splitter(epochs=1).fit(path).model_.extra) == known
    assert "known" in Splitter(epochs=1, known_words="always").fit(path).model_.extra


@given(st.lists(st.lists(st.text("abé", min_size=1, max_size=4), min_size=1, max_size=3), min_size=1, max_size=6))
def test_parts_of_tokens_are_words_of_other_tokens(tokens):
    data = _core.Conllu.read(conllu([[prefixed(*words) for words in tokens]]).encode(), "data")
    forms, known, _ = (_core.split_examples(data, known=True).column(c)[0] for c in range(3))
    assert forms == ["".join(words) for words in tokens]
    for token, (form, found) in enumerate(zip(forms, known, strict=True)):
        others = {word for other, words in enumerate(tokens) if other != token for word in words}
        parts = [form, form[1:], form[2:], form[3:], form[:-2], form[:-1]]
        assert found == "".join("y" if part in others else "n" for part in parts)


# Lexicons

# The model makes "movy" of "movies", "zebra" of "zebras"; it has no script for "mice", and training has "dogs".
LEXICON = "movies,noun,movie\nzebras,noun,zebra\nmice,noun,mouse\ndogs,noun,hound\nOxen,noun,ox\nties,noun,ty/tie\n"


@pytest.fixture
def lexicon(tmp_path):
    path = tmp_path / "words.csv"
    path.write_text(LEXICON)
    return path


def test_a_lexicon_gives_what_the_model_would_get_wrong(treebank, lemmatizer, lexicon, tmp_path):
    words = [[(form, "NOUN", "NNS", "_") for form in ("movies", "zebras", "dogs", "pixies", "ties")]]
    words += [[("movies", "VERB", "VBD", "_")]]
    without = lemmatizer.predict(words)
    assert without[0] == ["movy", "zebra", "dog", "pixy", "ty"]
    model = Lemmatizer(epochs=3, lexicon=lexicon).fit(treebank)
    assert model.predict(words) == [["movie", *without[0][1:]], without[1]]
    assert len(bytes(model.model_.extra["lexicon.keys"].data)) == 4  # one word alone
    model.save(tmp_path / "model.sap")
    again = sapwood.load(tmp_path / "model.sap")
    assert again.predict(words) == model.predict(words)
    assert "lexicon" in again.contents.arrays.values()


@pytest.mark.parametrize("tags", [("NN", "NNS"), ("NOUN-M", "VERB-1"), ("N", "V"), ("LOC",), ("NOUN", "NNS")])
def test_a_lexicon_whose_tags_no_treebank_has_is_said_to_be(treebank, tags):
    words = [LexiconEntry(f"word{k}", tag, ["word"]) for k, tag in enumerate(tags)]
    said = heard(lambda: Lemmatizer(epochs=1, lexicon=words).fit(treebank))[1]
    wanted = f"no tag of the lexicon ({', '.join(sorted(tags))}) is a UPOS of the training data"
    assert [each.startswith(wanted) for each in said] == ([] if "NOUN" in tags else [True])


@pytest.mark.parametrize("text", ["a,b\n", "a,noun,\n", "a,noun,b\nc,noun,d,e\n", "a\tnoun,b\n"])
def test_a_lexicon_with_other_lines_is_refused(treebank, tmp_path, text):
    path = tmp_path / "words.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=rf"words.csv:{text.count(chr(10))}: a line has a form, a tag and a lemma"):
        Lemmatizer(lexicon=path).fit(treebank)


# Scores


def test_lemma_scores_are_counted_by_hand():
    report = lemma_scores([["a", "_", "c"]], [["a", "b", "x"]], [["X", "X", "Y"]])
    assert (report.words, report.correct, report.by_tag) == (3, 2, (("X", 2, 2), ("Y", 1, 0)))


def test_split_scores_are_counted_by_hand():
    report = split_scores([[["De", "le"], ["a"]]], [[["de", "x", "le"], ["a"]]])
    assert (report.words.gold, report.words.guessed, report.words.correct) == (3, 4, 3)
    assert (report.multiword.gold, report.multiword.guessed, report.multiword.correct) == (2, 3, 2)
    assert (report.tokens, report.exact_tokens) == (2, 1)
    with pytest.raises(DataError, match="sentence 1: gold has 1 tokens, guess has 0"):
        split_scores([[["a"]]], [[]])


def test_tokens_of_a_treebank_have_their_words(treebank):
    data = _core.Conllu.read(treebank.read_bytes(), "train")
    assert _core.token_words(data) == [[[form for form, *_ in words] for _, words in s] for s in SENTENCES]
    assert _core.token_rows(data).column(0) == [[token for token, _ in s] for s in SENTENCES]
