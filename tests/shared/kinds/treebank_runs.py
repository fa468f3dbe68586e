"""What is done with treebanks: training on several files or on one sentence, cards, scores of other systems' output."""

from pathlib import Path

from commands import run_command

from kinds import kind
from kinds.treebank_data import POINTS, WORDS, row, sentence, without, write
from sapwood import DependencyParser, Pipeline, SapwoodError, SequenceTagger, load
from sapwood._core import Conllu
from sapwood.io.conllu import read_treebank


@kind("several training files are one, and each keeps its name in messages")
def several():
    def same(verb, first="", last=""):
        def check(folder):
            a, b = POINTS * 2, sentence(3, text="They sell red lamps .", no_space="_") + POINTS
            write("a.conllu", a.rstrip("\n") if first else a)
            write("b.conllu", last + b)
            write("whole.conllu", a + b)
            runs = [
                run_command(f"train {verb} a.conllu b.conllu -q -o two.sap"),
                run_command(f"train {verb} -q -o one.sap whole.conllu"),
            ]
            return [run.status for run in runs] == [0, 0] and Path("two.sap").read_bytes() == Path(
                "one.sap"
            ).read_bytes()

        return check

    for verb in ("pipeline", "parse", "segmenter", "lemmatizer"):
        yield f"train {verb} of two files is that of both in one", same(verb)
    yield "the first has no line end", same("parse", first="no")

    def tagged(stream):
        def check(folder):
            write("a.txt", "the D\ndog N\n\na D\ncat N")
            write("b.txt", "\ufeffdogs N\nbark V\n")
            write("whole.txt", "the D\ndog N\n\na D\ncat N\n\ndogs N\nbark V\n")
            options = "-q --template pos" + stream
            for files, model in (("a.txt b.txt", "two.sap"), ("whole.txt", "one.sap")):
                if run_command(f"train tag {files} {options} -o {model}").status != 0:
                    return False
            return Path("two.sap").read_bytes() == Path("one.sap").read_bytes()

        return check

    yield "train tag", tagged("")
    yield "train tag --stream", tagged(" --stream")

    def wrong(verb, bad, place, good=None):
        def check(folder):
            write("a.conllu", good or sentence() * 2)
            write("b.conllu", bad)
            run = run_command(f"train {verb} a.conllu b.conllu -q -o m.sap")
            return run.status != 0 and place in run.err and not Path("m.sap").exists()

        return check

    loop = sentence().replace("2\tsell\tsell\tVERB\tVBP\tMood=Ind\t0", "2\tsell\tsell\tVERB\tVBP\tMood=Ind\t4")
    yield "a broken row of the second", wrong("parse", sentence() + "1\tx\n", "b.conllu:9")
    yield "no tree in the second", wrong("parse", sentence() + loop, "b.conllu:11")
    yield "the second is empty", wrong("parse", "", "b.conllu: there is no sentence")
    yield "the second has other columns", wrong("tag", "a b c\n", "b.conllu:1", good="a b\n")
    yield "the same of a stream", wrong("tag --template pos --stream", "a b c\n", "b.conllu:1", good="a b\n")
    yield (
        "a file is not there",
        lambda folder: (
            write("a.conllu", sentence())
            and "none.conllu" in run_command("train parse a.conllu none.conllu -o m.sap").err
        ),
    )

    def in_python(make, suffix, text):
        def check(folder):
            files = [write(f"{name}{suffix}", text) for name in "ab"]
            one, other = make().fit(files), make().fit(tuple(files))
            return one.model_.dump() == other.model_.dump()

        return check

    yield "fit of a list of paths", in_python(lambda: DependencyParser(beam=1), ".conllu", sentence() * 2)
    yield "fit of a list of paths, tagger", in_python(lambda: SequenceTagger(template="pos"), ".txt", "a D\ndog N\n\n")

    def resumed(folder):
        write("a.conllu", sentence() * 2), write("b.conllu", sentence(2) * 2)
        begun = run_command("train parse a.conllu b.conllu --checkpoint c.ckpt --epochs 2 -q -o m.sap")
        other = run_command("train parse a.conllu --resume c.ckpt --epochs 3 -q -o n.sap")
        again = run_command("train parse a.conllu b.conllu --resume c.ckpt --epochs 3 -q -o n.sap")
        whole = run_command("train parse a.conllu b.conllu --epochs 3 -q -o w.sap")
        same = Path("n.sap").read_bytes() == Path("w.sap").read_bytes()
        return (begun.status, again.status, whole.status) == (0, 0, 0) and "another training" in other.err and same

    yield "a checkpoint knows all files", resumed

    def where(folder):
        files = [
            write("a.conllu", sentence() * 2),
            write("b.conllu", "\ufeff" + sentence() * 2),
            write("c.conllu", sentence()),
        ]
        data = read_treebank(files)
        again = Conllu.read(data.replace({}), "again")
        places = [data.where(word).split(":")[:2] for word in (0, 9, 10, 19, 20)]
        right = [["a.conllu", "3"], ["a.conllu", "15"], ["b.conllu", "3"], ["b.conllu", "15"], ["c.conllu", "3"]]
        return places == right and again.sentences == 5 and again.column("form") == data.column("form")

    yield "words know their file and line", where


@kind("eval scores any system's output from raw text")
def outputs():
    gold = sentence() + sentence(2)

    def scored(system, expected, command="eval s.conllu g.conllu --json r.json"):
        def check(folder):
            write("g.conllu", gold)
            write("s.conllu", system)
            run = run_command(command, system)
            return run.status == 0 and all(line in " ".join(run.out.split()) for line in expected)

        return check

    yield "all right", scored(gold, ["Tokens 10 10 10 100.00", "LAS 10 10 10 100.00"])
    joined = gold.replace("\n\n# sent_id = s2\n# text = They sell red lamps.\n", "\n")
    wrong_tags = gold.replace("ADJ", "NOUN")
    yield "wrong tags", scored(wrong_tags, ["UPOS 10 10 8", "LAS 10 10 10"])
    yield "from standard input", scored(gold, ["LAS 10 10 10"], "eval - g.conllu")
    uncut = gold.replace(row(4, WORDS[3], "SpaceAfter=No") + row(5, WORDS[4]), row(4, ("lamps.", *WORDS[3][1:])))
    yield "other tokens", scored(uncut, ["Tokens 10 8 6", "Words 10 8 6"])
    yield (
        "without comments",
        scored("".join(line for line in gold.splitlines(True) if line[0] != "#"), ["LAS 10 10 10"]),
    )
    assert joined != gold

    def refused(system, *told, gold=gold, command="eval s.conllu g.conllu"):
        def check(folder):
            write("g.conllu", gold)
            write("s.conllu", system)
            run = run_command(command)
            return run.status != 0 and run.err.count("\n") == 1 and all(each in run.err for each in told)

        return check

    yield "another text", refused(gold.replace("red", "blue"), "the texts differ", "s.conllu:5", "g.conllu:5")
    yield "a sentence is missing", refused(sentence(), "the texts differ", "the end of s.conllu")
    yield "plain text", refused("They sell red lamps.\n", "s.conllu:1")
    yield "empty", refused("", "s.conllu: there is no sentence")
    yield "a broken row", refused(gold + "1\tx\n", "s.conllu:17")
    yield "no tree", refused(gold.replace("\t0\troot", "\t4\troot"), "s.conllu:")
    yield "gold is no CoNLL-U", refused(gold, "g.conllu:1", gold="a b c\n")
    yield "--from tokens", refused(gold, "--from", command="eval s.conllu g.conllu --from tokens")

    def model_stays(folder):
        write("t.conllu", POINTS * 3)
        done = run_command("train pipeline t.conllu -q -o m.sap")
        run = run_command("eval m.sap t.conllu")
        wrong = run_command("eval t.txt t.conllu")
        return (done.status, run.status) == (0, 0) and "UPOS" in run.out and wrong.status != 0

    yield "a model is a model", model_stays

    def wrong_order(folder):
        write("t.conllu", POINTS * 3)
        run_command("train pipeline t.conllu -q -o m.sap")
        run = run_command("eval t.conllu m.sap")
        return run.status != 0 and run.err.count("\n") == 1 and "t.conllu" in run.err and "model" in run.err

    yield "a model in the place of gold", wrong_order

    def damaged(folder):
        write("g.conllu", gold)
        Path("m.sap").write_bytes(b"\x40\0\0\0\0\0\0\0nothing")
        run = run_command("eval m.sap g.conllu")
        return run.status != 0 and run.err.count("\n") == 1 and "model" in run.err

    yield "a damaged model", damaged


@kind("a pipeline learns from one sentence what one sentence teaches")
def one_sentence():
    def trains(text, parts, missing=(), more="", said=()):
        def check(folder):
            write("a.conllu", text)
            run = run_command(f"train pipeline a.conllu -q -o m.sap {more}")
            if run.status != 0:
                return False
            nlp = load("m.sap")
            return (
                set(parts) <= set(nlp.models_)
                and not set(missing) & set(nlp.models_)
                and all(f"without {each}" in run.err for each in said)
            )

        return check

    all_parts = ("tagger", "morphology", "lemmatizer", "parser")
    yield "one", trains(sentence(), all_parts)
    yield "one, all it needs", trains(sentence(), all_parts, said=["entities"])
    yield "two", trains(sentence() + sentence(2), all_parts)
    yield "no lemmas", trains(sentence(words=without(1)), ("tagger", "parser"), ("lemmatizer",), said=["lemmatize"])
    yield "no features", trains(sentence(words=without(4)), ("tagger", "parser"), ("morphology",))
    yield "no SpaceAfter", trains(sentence(no_space="_"), ("segmenter", "tagger", "parser"))
    yield "a single word", trains(row(1, WORDS[1]), ("tagger", "parser"), ("segmenter",), said=["segment"])
    yield (
        "a single word with SpaceAfter",
        trains(
            row(1, ("sell", "sell", "VERB", "VBP", "_", 0, "root"), "SpaceAfter=No"),
            ("segmenter", "tagger"),
        ),
    )
    yield (
        "no trees",
        trains(sentence().replace("\t0\troot", "\t_\t_"), ("tagger", "lemmatizer"), ("parser",), said=["parse"]),
    )
    several = sentence(text="").replace("3\tred", "3-4\tredlamps\t_\t_\t_\t_\t_\t_\t_\t_\n3\tred")
    yield "a multiword token", trains(several, ("tagger", "parser"))
    names = sentence().replace("obj\t_\tSpaceAfter=No", "obj\t_\tSpaceAfter=No|NER=B-LOC")
    yield "a name", trains(names, ("tagger", "entities"))

    def held_out(folder):
        write("a.conllu", sentence())
        run = run_command("train pipeline a.conllu -q -o m.sap --dev 10%")
        return run.status != 0 and run.err.count("\n") == 1 and "too few sentences" in run.err

    yield "one, a part held out", held_out
    yield (
        "one, and another held out",
        lambda folder: write("d.conllu", sentence()) and trains(sentence(), all_parts, more="--dev d.conllu")(folder),
    )

    def asked(folder):
        write("a.conllu", row(1, WORDS[1]))
        run = run_command("train pipeline a.conllu -q -o m.sap --parts segment,tag")
        return run.status != 0 and "a.conllu" in run.err and "Traceback" not in run.err

    yield "a part that it cannot teach is asked for", asked


@kind("a model has the card that it was given, and nothing steers the terminal by it")
def cards():
    card = "# A model\n\nData: my own. Licence: CC BY 4.0. Author: Ana Šimić.\n"

    def kept(text):
        def check(folder):
            write("a.conllu", sentence() * 3)
            Path("card.md").write_bytes(text.encode())
            run = run_command("train pipeline a.conllu -q -o m.sap --card card.md")
            out = run_command("inspect m.sap --top 0").out
            return run.status == 0 and out.startswith(card) and load("m.sap").card_ == card

        return check

    yield "a card", kept(card)
    yield "with a byte order mark", kept("\ufeff" + card)
    yield "with CRLF", kept(card.replace("\n", "\r\n"))
    yield "without a line end", kept(card.rstrip())

    def escaped(folder):
        write("a.conllu", sentence() * 3)
        write("card.md", "# A \x1b]52;c;eA==\x07 model\n")
        run = run_command("train pipeline a.conllu -q -o m.sap --card card.md")
        out = run_command("inspect m.sap --top 0").out
        return run.status == 0 and "\x1b" not in out and "\x07" not in out and "# A " in out

    yield "with control characters", escaped

    def refused(data):
        def check(folder):
            write("a.conllu", sentence() * 3)
            Path("card.md").write_bytes(data)
            run = run_command("train pipeline a.conllu -q -o m.sap --card card.md")
            return run.status != 0 and run.err.count("\n") == 1 and "card.md" in run.err and not Path("m.sap").exists()

        return check

    yield "too large", refused(b"a" * 70_000)
    yield "not UTF-8", refused("Šimić".encode("iso8859-2"))
    yield "empty", refused(b" \n")
    yield "with NUL", refused(b"a\0b")

    def not_there(folder):
        write("a.conllu", sentence() * 3)
        return "none.md" in run_command("train pipeline a.conllu -q -o m.sap --card none.md").err

    yield "not there", not_there

    def in_python(folder):
        write("a.conllu", sentence() * 3)
        write("card.md", card)
        nlp = Pipeline(card=Path("card.md")).fit(Path("a.conllu"))
        nlp.save("m.sap")
        bare = Pipeline().fit(Path("a.conllu"))
        return nlp.card_ == load("m.sap").card_ == card and bare.card_ == "" and load("en").card_.startswith("# en")

    yield "from Python", in_python

    def smaller(folder):
        write("a.conllu", sentence() * 3)
        write("card.md", card)
        nlp = Pipeline(card="card.md", parts=["tag"]).fit(Path("a.conllu"))
        return nlp.shrink(Path("a.conllu"), below=0.1).card_ == nlp.only("tag").card_ == card

    yield "of a smaller model", smaller

    def forged(text):
        def check(folder):
            nlp = Pipeline(parts=["tag"]).fit(write("a.conllu", sentence() * 3))
            nlp.model_.card = text
            nlp.save("m.sap")
            try:
                load("m.sap")
            except SapwoodError as error:
                return "card" in str(error)
            return False

        return check

    yield "a file with too large a card", forged("a" * 70_000)
    yield "a file whose card has NUL", forged("a\0b")
