"""Short sentences for the English pipeline: written ones, and clauses cut out of trees."""

from recipes.en.short_sentences import short_clauses, without_subscripts, written_sentences
from sapwood._core import Conllu


def treebank(*sentences):
    blocks = []
    for sentence in sentences:
        rows = [[str(n), *row.split(" ")] for n, row in enumerate(sentence, 1)]
        blocks.append("\n".join(f"{n}\t{w}\t_\t{u}\t{x}\t_\t{h}\t{r}\t_\t_" for n, w, u, x, h, r in rows) + "\n\n")
    return Conllu.read("".join(blocks).encode(), "treebank")


FESTIVAL = (
    "The DET DT 2 det",
    "festival NOUN NN 7 nsubj",
    ", PUNCT , 5 punct",
    "which PRON WDT 5 nsubj",
    "ended VERB VBD 2 acl:relcl",
    ", PUNCT , 5 punct",
    "runs VERB VBZ 0 root",
    "through ADP IN 9 case",
    "June PROPN NNP 7 obl",
    ". PUNCT . 7 punct",
)
TWO_RUNS = ("Two NUM CD 2 nummod", "runs NOUN NNS 0 root", ". PUNCT . 2 punct")


def test_a_main_clause_is_cut_out_if_its_verb_is_elsewhere_a_noun():
    found = Conllu.read(short_clauses(treebank(FESTIVAL, TWO_RUNS)), "clauses")
    assert found.column("form") == [["The", "festival", "runs", "through", "June", "."]]
    assert found.column("upos") == [["DET", "NOUN", "VERB", "ADP", "PROPN", "PUNCT"]]
    assert short_clauses(treebank(FESTIVAL)) == b""


def test_written_sentences_are_text_with_tags():
    written = Conllu.read(written_sentences(), "written")
    text = written.text().text.decode()
    for line in ("I met Liz. She is nice.", "St. Mary's Church is old.", "Don't worry about us.", "It is 40% off."):
        assert f"{line}\n\n" in text
    forms = [word for sentence in written.column("form") for word in sentence]
    assert len(forms) == sum(len(tags) for tags in written.column("xpos")) > 600


def test_sentences_with_subscripts_are_left_out():
    lines = b"1\tQ\t_\tPROPN\tNNP\t_\t0\troot\t_\t_\n2\t1\t_\tNUM\tCD\t_\t1\tdep\t_\t%s\n\n"
    both = Conllu.read(lines % b'XML=<hi rend:::"subscript">' + lines % b"_", "GUM")
    assert without_subscripts(both).replace({}) == lines % b"_"
