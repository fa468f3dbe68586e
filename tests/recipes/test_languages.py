"""`python -m recipes.languages`: what it prints, writes and returns, on a few sentences of made corpora."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from commands import run_command

import sapwood
from recipes.languages import run
from recipes.languages.__main__ import run as command_line
from recipes.languages.conventions import corpora_of, with_one_convention, with_relations_of_others
from recipes.languages.corpora import LANGUAGES
from recipes.languages.recipe import neighbours, options_of, parted, texts, typed_names
from sapwood._core import Conllu

NAMES = "# sent_id = one\nAnna\tB-PER\nwohnt\tO\n\n# doc = two\nWien\tB-LOC\nOktoberfest\tB-MISC\n\n"


def treebank(*corpora, sentences=2):
    """A treebank with sentences of each corpus, whose XPOS begin with the corpus' name; its words tell little."""
    lines = []
    for corpus in corpora:
        for number in range(sentences):
            noun, verb, other = ["Anna", "Berta", "Carla"][number % 3], "wohnt", "liest"
            upos, feats = ("PROPN", "NOUN")[number % 2], ("Number=Sing", "Number=Plur")[number // 3 % 2]
            head, deprel = ((2, "nsubj"), (3, "obj"))[number // 2 % 2]
            lines += [f"# corpus = {corpus}/file", f"# sent_id = {corpus}-{number}", f"# text = {noun} {verb} {other}"]
            lines += [
                f"1\t{noun}\t{noun}\t{upos}\t{corpus}N\t{feats}\t{head}\t{deprel}\t_\t_",
                f"2\t{verb}\t{verb}\tVERB\t{corpus}V\tTense=Pres\t0\troot\t_\t_",
                f"3\t{other}\t{other}\tVERB\t{corpus}V\tTense=Pres\t2\tconj\t_\t_",
                "",
            ]
    return "\n".join(lines) + "\n"


def test_one_corpus_gives_the_others_its_conventions():
    data = Conllu.read(treebank("a", "b").encode(), "treebank")
    assert corpora_of(data) == ["a/file", "a/file", "b/file", "b/file"]
    assert with_one_convention(data, "xpos", None) is data
    assert with_one_convention(data, "xpos", ()).column("xpos") == [["_"] * 3] * 4
    assert with_one_convention(data, "xpos", ("b",)).column("xpos") == [["bN", "bV", "bV"]] * 4
    assert with_one_convention(data, "xpos", ("b",)).column("feats") == data.column("feats")


def words(corpus, *relations):
    """A sentence of a corpus: its first word is the root, the others are ADJ with these relations."""
    lines = [f"# corpus = {corpus}", "1\tbok\t_\tNOUN\t_\t_\t0\troot\t_\t_"]
    lines += [f"{n}\t{form}\t_\tADJ\t_\t_\t1\t{deprel}\t_\t_" for n, (form, deprel) in enumerate(relations, 2)]
    return "\n".join([*lines, "", ""])


def test_relations_that_other_corpora_never_have_on_such_words_become_their_usual_ones():
    many, rare, unknown = ("många", "det"), ("få", "det"), ("ny", "det")
    official = words("a/new", *[("många", "amod")] * 3, *[("få", "case")] * 2, *[("stor", "acl")] * 9)
    data = Conllu.read((official + words("a/old", many, rare, unknown, ("stor", "acl"))).encode(), "treebank")
    [before, old] = with_relations_of_others(data, "a/old").column("deprel")
    # Two of "få" are too few, and of all fourteen adjectives nine are acl.
    assert old == ["root", "amod", "acl", "acl", "acl"]
    assert before == data.column("deprel")[0]
    assert with_relations_of_others(data, "") is data


def test_a_relation_stays_where_the_other_corpora_have_it_or_have_no_usual_one():
    official = words("a/new", ("många", "det"), *[("många", "amod")] * 9, *[("få", "case"), ("få", "acl")] * 2)
    data = Conllu.read((official + words("a/old", ("många", "det"), ("få", "det"))).encode(), "treebank")
    assert with_relations_of_others(data, "a/old").column("deprel")[1] == ["root", "det", "det"]


def test_trees_of_a_neighbour_have_the_language_s_xpos_and_relations(tmp_path):
    (tmp_path / "languages" / "xx").mkdir(parents=True)
    for part in ("train", "dev"):
        text = treebank("xx_one", "xx_two").replace("\tobj\t", "\tobj:it\t").replace("\tnsubj\t", "\tnsubj:it\t")
        (tmp_path / "languages" / "xx" / f"xx-{part}.conllu").write_text(text)
    own = Conllu.read(treebank("own").replace("\tnsubj\t", "\tnsubj:it\t").encode(), "own")
    language = replace(LANGUAGES["ca"], neighbours=("xx_two",))
    [found] = neighbours(tmp_path, language, own)
    assert corpora_of(found) == ["xx_two/file"] * 4
    assert found.column("xpos") == [["ownN", "ownV", "ownV"]] * 4
    assert {relation for sentence in found.column("deprel") for relation in sentence} == {"nsubj:it", "root", "conj"}
    [found] = neighbours(tmp_path, replace(language, xpos=()), own)
    assert found.column("xpos") == [["_"] * 3] * 4
    taught = options_of(1, replace(language, gold_times=1), [], [found])["parser"]
    assert (taught["silver"], taught["gold_times"]) == ([found], 1)
    assert not {"silver", "gold_times"} & options_of(1, language, [])["parser"].keys()


def test_corpora_that_are_not_like_the_test_set_are_further_trees_with_tags_of_others():
    data = Conllu.read(treebank("xx_one", "xx_two").encode(), "treebank")
    language = replace(LANGUAGES["fr"], like_test=("xx_one",))
    own, [others] = parted(data, language)
    like_test = [name.startswith("xx_one") for name in corpora_of(data)]
    assert [set(heads) != {"_"} for heads in own.column("head")] == like_test
    assert own.column("upos") == data.column("upos")
    assert set(corpora_of(others)) == {"xx_two/file"}
    gold = [heads for heads, is_own in zip(data.column("head"), like_test, strict=True) if not is_own]
    assert others.column("head") == gold
    taught = options_of(1, language, [], [others])["parser"]
    assert (taught["silver"], taught["gold_times"]) == ([others], 2)
    assert parted(data, LANGUAGES["ca"]) == (data, [])


def test_names_of_the_treebank_s_sentences_and_of_others_are_told_apart(tmp_path):
    (tmp_path / "names_languages" / "de" / "x").mkdir(parents=True)
    (tmp_path / "names_languages" / "de" / "x" / "train.iob2").write_text(NAMES)
    known, others = (Path(path).read_text() for path in typed_names(tmp_path, "de", "x/train", {"one"}, tmp_path))
    assert known == "# sent_id = one\n1\tAnna\tB-PER\n2\twohnt\tO\n\n"
    assert others == "Wien\tB-LOC\nOktoberfest\tO\n\n"
    [path] = typed_names(tmp_path, "de", "x/train", set(), tmp_path)
    assert Path(path).read_text() == "Anna\tB-PER\nwohnt\tO\n\n" + others


def test_raw_text_is_the_words_of_a_file_of_names_and_gold_trees_count_twice_beside_its_trees(tmp_path, monkeypatch):
    (tmp_path / "names_languages" / "de" / "x").mkdir(parents=True)
    tested = "Anna\tB-PER\nwohnt\tO\nliest\tO\n\n"  # as a sentence of the test set
    (tmp_path / "names_languages" / "de" / "x" / "train.iob2").write_text(NAMES + tested)
    (tmp_path / "languages" / "de").mkdir(parents=True)
    (tmp_path / "languages" / "de" / "de-test.conllu").write_text(treebank("a"))
    language = replace(LANGUAGES["de"], texts=("x/train",))
    monkeypatch.setitem(LANGUAGES, "de", language)
    assert texts(tmp_path, "de") == ["Anna wohnt", "Wien Oktoberfest"]
    trees = [Conllu.read(treebank("a").encode(), "treebank")]
    assert options_of(1, language, [], trees)["parser"]["gold_times"] == 2


@pytest.fixture
def corpora(tmp_path, monkeypatch):
    """Corpora of one language, Italian, which has no names; one of them is unlike the test set."""
    monkeypatch.setitem(LANGUAGES, "it", replace(LANGUAGES["it"], like_test=("it_markit",), gold_times=2))
    folder = tmp_path / "languages" / "it"
    folder.mkdir(parents=True)
    for part in ("train", "dev", "test"):
        corpora = ["it_markit"] if part == "test" else ["it_markit", "it_pud"]
        (folder / f"it-{part}.conllu").write_text(treebank(*corpora, sentences=24))
    return tmp_path


def test_a_pipeline_is_trained_written_and_scored(corpora, tmp_path):
    json_file = tmp_path / "languages.json"
    run = run_command(
        ["--data", corpora, "--language", "it", "--models", tmp_path, "--json", json_file], run=command_line
    )
    assert run.status == 0, run.err
    assert run.out.splitlines()[0].split()[:3] == ["from", "raw", "text"]
    [row] = json.loads(json_file.read_text())["rows"]
    assert (row["name"], row["bundled"]) == ("it", False)
    assert row["bytes"] == (tmp_path / "it.sap").stat().st_size
    card = sapwood.load(tmp_path / "it.sap").card_
    assert card.startswith("# it: Italian\n") and LANGUAGES["it"].treebanks in card
    assert f"| {row['raw text, LAS']:.2f} |" in card


@pytest.mark.slow
def test_a_parser_of_a_language_without_xpos_fills_tags_and_drops_what_is_far_behind(corpora, tmp_path, monkeypatch):
    run.run(corpora, language=["it"], models=str(tmp_path))
    assert not {"fill_tags", "gap"} & sapwood.load(tmp_path / "it.sap").model_.parts["parser"].options.keys()
    monkeypatch.setitem(LANGUAGES, "it", replace(LANGUAGES["it"], xpos=(), fills_tags=True))
    run.run(corpora, language=["it"], models=str(tmp_path))
    options = sapwood.load(tmp_path / "it.sap").model_.parts["parser"].options
    assert options["fill_tags"] is True
    assert options["gap"] > 0


@pytest.mark.slow
def test_the_same_data_give_the_same_bytes(corpora, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        run.run(corpora, language=["it"], models=str(tmp_path / name))
    assert (tmp_path / "one/it.sap").read_bytes() == (tmp_path / "two/it.sap").read_bytes()
