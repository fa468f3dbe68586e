"""Data of treebanks: spaces in MISC, `# text`, columns that a part of the words has."""

from pathlib import Path

from commands import run_command
from heard import heard

from kinds import kind
from sapwood import Pipeline
from sapwood._core import Conllu
from sapwood.io.conllu import checked_text

WORDS = [
    ("They", "they", "PRON", "PRP", "Case=Nom", 2, "nsubj"),
    ("sell", "sell", "VERB", "VBP", "Mood=Ind", 0, "root"),
    ("red", "red", "ADJ", "JJ", "Degree=Pos", 4, "amod"),
    ("lamps", "lamp", "NOUN", "NNS", "Number=Plur", 2, "obj"),
    (".", ".", "PUNCT", ".", "_", 2, "punct"),
]


def row(number, word, misc="_"):
    form, lemma, upos, xpos, feats, head, deprel = word
    return "\t".join([str(number), form, lemma, upos, xpos, feats, str(head), deprel, "_", misc]) + "\n"


def sentence(number=1, *, no_space="SpaceAfter=No", text="They sell red lamps.", words=WORDS):
    """A sentence in which no space stands before the full stop."""
    comments = f"# sent_id = s{number}\n" + (f"# text = {text}\n" if text else "")
    rows = [row(k, word, no_space if k == len(words) - 1 else "_") for k, word in enumerate(words, 1)]
    return comments + "".join(rows) + "\n"


NUMBER = [
    ("It", "it", "PRON", "PRP", "Case=Nom", 2, "nsubj"),
    ("costs", "cost", "VERB", "VBZ", "Mood=Ind", 0, "root"),
    ("3.5", "3.5", "NUM", "CD", "_", 2, "obj"),
    (".", ".", "PUNCT", ".", "_", 2, "punct"),
]
# A point is a token or within one, so that there is something to learn about tokens.
POINTS = sentence(8) + sentence(9, text="It costs 3.5.", words=NUMBER)


def without(column, words=WORDS):
    return [tuple("_" if k == column else value for k, value in enumerate(word)) for word in words]


def write(name, text):
    path = Path(name)
    path.write_text(text, encoding="utf-8")
    return path


def spelled(misc):
    """The text of two sentences whose last but one word has this MISC, the field that was not understood, warnings."""
    data = Conllu.read((sentence(1, no_space=misc) + sentence(2, no_space=misc)).encode(), "a.conllu")
    text, said = heard(lambda: checked_text(data))
    return text.text.decode().split("\n")[0], text, said


@kind("the spaces that MISC speaks of are read as they are meant")
def spaces():
    meant = {
        "SpaceAfter=No name=O": "",
        "name=B-PER SpaceAfter=No": "",
        "SpaceAfter=no": "",
        "SPACEAFTER=NO": "",
        "spaceafter=No": "",
        "SpaceAfter=No ": "",
        " SpaceAfter=No": "",
        "SpaceAfter = No": "",
        "SpaceAfter=No\u00a0": "",
        "SpaceAfter=No | Gloss=x": "",
        "Gloss=x |SpaceAfter=No|name=O": "",
        "Gloss=to be SpaceAfter=No": "",
        "SpaceAfter=No Gloss=a=b": "",
        "SpacesAfter=No": "",
        "SpaceAfter=Yes": " ",
        "SpaceAfter=yes name=O": " ",
        r"SpacesAfter=\s\s": "  ",
        r"SpacesAfter=\s\s ": "  ",
        r"spacesafter=\t": "\t",
        r"SpaceAfter=\s\s": "  ",
        r"SpacesAfter=\u00A0 name=O": "\u00a0",
        r"SpaceAfter=No|SpacesAfter=\t": "\t",
        "NoSpaceAfter=No": " ",
        "Gloss=SpaceAfter": " ",
    }
    for misc, gap in meant.items():

        def check(folder, misc=misc, gap=gap):
            line, text, _ = spelled(misc)
            return (
                line.startswith(f"They sell red lamps{gap}.") and not text.unknown and (text.marked > 0) == (gap != " ")
            )

        yield misc, check

    def line_end(folder):
        _, text, said = spelled(r"SpaceAfter=\n")
        return text.text.decode().startswith("They sell red lamps\n. They") and not text.unknown and len(said) == 1

    yield r"SpaceAfter=\n", line_end


@kind("what MISC says of spaces that is not understood is named with its count and line")
def spaces_not_understood():
    for misc in (
        "SpaceAfter=maybe",
        "SpaceAfter",
        "SpaceAfter:No",
        r"SpacesAfter=\x",
        "SpaceAfter=No;name=O",
        "Space_After=No",
    ):

        def check(folder, misc=misc):
            line, text, said = spelled(misc)
            return (
                line.startswith("They sell red lamps .")
                and text.marked == 0
                and [(field, count) for field, count, _ in text.unknown] == [(misc, 2)]
                and any("a.conllu:6" in one and f"{misc!a} (2)" in one for one in said)
            )

        yield misc, check

    def evaluated(folder):
        write("t.conllu", POINTS * 2)
        gold = write("g.conllu", sentence(1, no_space="SpaceAfter=perhaps"))
        model = Pipeline(parts=["segment", "tag"]).fit(Path("t.conllu"))
        _, said = heard(lambda: model.evaluate(gold))
        return sum("SpaceAfter=perhaps" in one for one in said) == 1

    yield "in evaluation", evaluated


@kind("sentences whose words do not spell # text are counted in one warning")
def texts():
    def warned(data, line, count, of):
        _, said = heard(lambda: checked_text(Conllu.read(data.encode(), "a.conllu")))
        return len(said) == 1 and f"a.conllu:{line}:" in said[0] and f"in {count} of {of} sentences" in said[0]

    def quiet(data):
        return not heard(lambda: checked_text(Conllu.read(data.encode(), "a.conllu")))[1]

    other = sentence(2, text="They buy flowers.")
    yield "other words", lambda folder: warned(sentence() + other, 11, 1, 2)
    yield "two of three", lambda folder: warned(other + sentence() + other, 3, 2, 3)
    yield "a space too many", lambda folder: warned(sentence() + sentence(2, text="They sell red lamps ."), 11, 1, 2)
    yield "a word is missing", lambda folder: warned(sentence(1, text="They sell lamps."), 3, 1, 1)
    yield "the same", lambda folder: quiet(sentence() * 3)
    yield "two spaces in the comment", lambda folder: quiet(sentence(text="They  sell red lamps. "))
    yield "no comment", lambda folder: quiet(sentence(text=""))
    yield "spaces are told nowhere", lambda folder: quiet(sentence(no_space="_") * 2)
    yield (
        "words differ where spaces are told nowhere",
        lambda folder: warned(sentence(no_space="_") + sentence(2, no_space="_", text="They buy flowers."), 11, 1, 2),
    )

    def command(verb):
        def check(folder):
            write("a.conllu", POINTS * 2 + other)
            run = run_command(f"train {verb} a.conllu -q -o m.sap")
            return run.status == 0 and run.err.count("do not spell") == 1

        return check

    for verb in ("pipeline", "segmenter", "parse", "lemmatizer"):
        yield f"train {verb}", command(verb)


@kind("a column that few words have is left out with a line, and training works")
def columns():
    def treebank(column, name, with_it=1, of=40):
        return write(
            name, "".join(sentence(k, words=WORDS if k <= with_it else without(column)) for k in range(1, of + 1))
        )

    def trained(column, part, share, with_it=1, **options):
        def check(folder):
            path = treebank(column, "a.conllu", with_it)
            nlp, said = heard(
                lambda: Pipeline(parts=["tag", "lemmatize", "parse"][: 3 if column != 1 else 1]).fit(path, **options)
            )
            return any(f"without {part}" in one and share in one for one in said) and "tagger" in nlp.models_

        return check

    yield "XPOS of one sentence", trained(3, "XPOS", "5 of 200 words")
    yield "XPOS of half the sentences", trained(3, "XPOS", "100 of 200 words", 20)
    yield "XPOS of one sentence, a part held out", trained(3, "XPOS", "5 of 160 words", dev_fraction=0.2)

    def one_word(folder):
        text = "".join(sentence(k, words=without(3)) for k in range(1, 21))
        write("a.conllu", text.replace("PRON\t_", "PRON\tPRP", 1))
        write("d.conllu", text)
        run = run_command("train pipeline a.conllu --dev d.conllu -q -o m.sap")
        return run.status == 0 and "without XPOS: 1 of 100 words have XPOS" in run.err

    yield "XPOS of one word, and held-out data without", one_word

    def kept(folder):
        path = treebank(3, "a.conllu", 38)
        nlp, said = heard(lambda: Pipeline(parts=["tag"]).fit(path))
        return not any("XPOS" in one for one in said) and "VERB VBP" in nlp.models_["tagger"].labels_

    yield "XPOS of nearly all", kept

    def feats(folder):
        path = treebank(4, "a.conllu", 10)
        nlp, _ = heard(lambda: Pipeline(parts=["tag"]).fit(path))
        filled = Conllu.read(nlp.fill(sentence(words=without(4)).encode()), "filled")
        return filled.column("feats") == [[word[4] for word in WORDS]]

    yield "FEATS of a quarter of the sentences are given to all", feats

    def lemmas(folder):
        path = treebank(1, "a.conllu", 10)
        nlp, _ = heard(lambda: Pipeline(parts=["tag", "lemmatize"]).fit(path))
        filled = Conllu.read(nlp.fill(sentence(words=without(1)).encode()), "filled")
        return filled.column("lemma") == [[word[1] for word in WORDS]]

    yield "lemmas of a quarter of the sentences are given to all", lemmas

    def one_lemma(folder):
        text = "".join(sentence(k, words=without(1)) for k in range(1, 31))
        path = write("a.conllu", text.replace("sell\t_", "sell\tsell", 1))
        nlp, said = heard(lambda: Pipeline().fit(path))
        return "lemmatizer" not in nlp.models_ and any(
            "without lemmatize: 1 of 120 words have a lemma, punctuation apart" in one for one in said
        )

    yield "one lemma", one_lemma

    def one_feats(folder):
        text = "".join(sentence(k, words=without(4)) for k in range(1, 31))
        path = write("a.conllu", text.replace("VBP\t_", "VBP\tMood=Ind", 1))
        nlp, said = heard(lambda: Pipeline().fit(path))
        return "morphology" not in nlp.models_ and any(
            "without FEATS: 1 of 150 words have FEATS" in one for one in said
        )

    yield "one word with FEATS", one_feats

    def held_out_without(column, part):
        def check(folder):
            path, dev = write("a.conllu", sentence() * 20), write("d.conllu", sentence(words=without(column)) * 3)
            nlp, said = heard(lambda: Pipeline(parts=["tag", "lemmatize"]).fit(path, dev=dev))
            return part in nlp.models_ and any("d.conllu: no word has" in one and part in one for one in said)

        return check

    yield "held-out data have no XPOS", held_out_without(3, "tagger")
    yield "held-out data have no FEATS", held_out_without(4, "morphology")
    yield "held-out data have no lemmas", held_out_without(1, "lemmatizer")
