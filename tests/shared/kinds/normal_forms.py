"""Normal forms of Unicode, and apostrophes: the same words, however a keyboard or a PDF writes them."""

import random
import unicodedata
from pathlib import Path

from commands import run_command

from kinds import kind
from kinds.examples import said
from kinds.treebank_data import heard
from sapwood import Classifier, DependencyParser, Lemmatizer, SequenceTagger
from sapwood._core import Conllu

NFC, NFD = (lambda text, form=form: unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
# Words of two kinds, in writings whose composed and decomposed forms differ.
WRITINGS = {
    "French": ("été élève forêt âgé écolière", "garçon leçon maïs hôpital où"),
    "German": ("für über schön Bäume Grüße", "Äpfel Öfen häufig müde Böden"),
    "Vietnamese": ("người tiếng Việt được những", "không phải đường trường thầy"),
    "Korean": ("한국어 사람 나라 학교 친구", "먹는다 간다 온다 읽었다 했다"),
    "Hebrew with points": ("שָׁלוֹם בַּיִת יֶלֶד סֵפֶר דָּבָר", "כָּתַב הָלַךְ אָמַר רָאָה שָׁמַע"),
    "Hindi with nukta": ("लड़का पढ़ना ज़मीन फ़िल्म बड़ा", "क़लम ख़बर ग़लत सड़क घोड़ा"),
    "Greek": ("ἄνθρωπος λόγος ὁδός ἀρχή τέλος", "λέγω γράφω ἔχω εἰμί ᾄδω"),
    "Arabic": ("أحمد إلى آخر مؤمن قائل", "رَأْس سُؤَال بِئْر آيَة أُمّ"),
    "singletons": ("\u212bngström 5\u2126 \u212a300 \uf900 \u2126mega", "\u1f71λφα \u0340a x\u0344 \ufa0e \u212bsa"),
}


def texts(writing, number=40, seed=1):
    """Sentences of both kinds of words, with the number of the kind that has the majority."""
    choose = random.Random(seed)
    kinds = [words.split() for words in WRITINGS[writing]]
    made = []
    for k in range(number):
        most = k % 2
        words = [*choose.choices(kinds[most], k=4), choose.choice(kinds[1 - most]), "."]
        made.append((words, "ab"[most]))
    return made


def both_ways(check):
    """Whether a check is right for models of one form and texts of the other."""
    return check(NFC, NFD) and check(NFD, NFC)


@kind("a classifier reads the other normal form")
def classifiers():
    def same(writing, **options):
        def check(train, test):
            lines = texts(writing)
            model = Classifier(min_updates=1, epochs=5, seed=1, **options).fit(
                [train(" ".join(words)) for words, _ in lines], [label for _, label in lines]
            )
            held_out = [" ".join(words) for words, _ in texts(writing, seed=2)]
            here, there = (model.decision_function([form(text) for text in held_out]) for form in (train, test))
            return (here == there).all()

        return lambda folder: both_ways(check)

    for writing in WRITINGS:
        yield writing, same(writing)
        yield f"{writing}, n-grams of characters", same(writing, ngrams=2, characters=3)

    def same_model(folder):
        lines = texts("French")
        for form in (NFC, NFD):
            text = "".join(f"__label__{label} {form(' '.join(words))}\n" for words, label in lines)
            Path(form("x") + "t.txt").write_text(text)
            model = "nfc.sap" if form is NFC else "nfd.sap"
            if run_command(f"train classify {form('x')}t.txt -o {model} --min-updates 1 -q").status:
                return False
        return Path("nfc.sap").read_bytes() == Path("nfd.sap").read_bytes()

    def stops(list_form, text_form):
        def check(folder):
            Path("stop.txt").write_text(list_form("été\ngarçon\n"))
            model = Classifier(min_updates=1, names=True, stop_words="stop.txt")
            model.fit([text_form("été chaud"), text_form("garçon froid")], ["a", "b"])
            return not any("t" in name and "é" in NFC(name) for name in model.model_.tables[0].names)

        return check

    yield "the stop words", lambda folder: all(stops(a, b)(folder) for a in (NFC, NFD) for b in (NFC, NFD))
    yield (
        "dicts of features",
        lambda folder: (
            Classifier(min_updates=1)
            .fit([{NFC("é"): 1, "x": NFC("ü")}, {"b": 1}] * 3, ["a", "b"] * 3)
            .decision_function([{NFD("é"): 1, "x": NFD("ü")}])
            .tolist()
            == Classifier(min_updates=1)
            .fit([{NFC("é"): 1, "x": NFC("ü")}, {"b": 1}] * 3, ["a", "b"] * 3)
            .decision_function([{NFC("é"): 1, "x": NFC("ü")}])
            .tolist()
        ),
    )


def rows_of(writing, form, seed=1):
    kinds = {word: tag for tag, words in zip("AB", WRITINGS[writing], strict=True) for word in words.split()}
    sentences = [[form(word) for word in words] for words, _ in texts(writing, seed=seed)]
    return sentences, [[kinds.get(word, "C") for word in words] for words, _ in texts(writing, seed=seed)]


@kind("a tagger reads the other normal form")
def taggers():
    def same(writing, **options):
        def check(train, test):
            model = SequenceTagger(template="pos", columns=("word", "label"), min_updates=1, epochs=3, **options)
            model.fit(*rows_of(writing, train))
            here, there = (model.predict(rows_of(writing, form, 2)[0]) for form in (train, test))
            return here == there == rows_of(writing, test, 2)[1]

        return lambda folder: both_ways(check)

    for writing in WRITINGS:
        yield writing, same(writing)
    yield "with a dictionary of tags", same("French", dictionary="word", search="greedy")

    def listed(folder):
        Path("names.txt").write_text(NFD("été\ngarçon leçon\n"))
        Path("t.tpl").write_text('U1:%IN[0,0,"names.txt"]\n')
        model = SequenceTagger(template="t.tpl", columns=("word", "label"), min_updates=1, epochs=3)
        model.fit([[NFC("été"), "x"], [NFC("garçon"), NFC("leçon"), "y"]], [["B", "O"], ["B", "I", "O"]])
        return model.predict([[NFD("garçon"), NFC("leçon"), "z", NFD("été")]]) == [["B", "I", "O", "B"]]

    yield "a word list", listed


def sentences(writing, number, seed):
    """Sentences in which a full stop is a token, or the end of one, so that a segmenter has something to learn."""
    return [
        words if k % 3 else [words[0], "x.", *words[1:]] for k, (words, _) in enumerate(texts(writing, number, seed))
    ]


def text_of(words):
    return " ".join(words[:-1]) + "."


def treebank(writing, form, seed=1, lemma=str):
    """Sentences whose words hang on the first one; the text has spaces and a full stop without one."""
    lines = []
    for k, words in enumerate(sentences(writing, 60, seed)):
        lines += [f"# sent_id = {k}", f"# text = {form(text_of(words))}"]
        for n, word in enumerate(words, 1):
            tag = "PUNCT" if word == "." else "NOUN" if word in WRITINGS[writing][0].split() else "VERB"
            misc = "SpaceAfter=No" if n == len(words) - 1 else "_"
            head, relation = (0, "root") if n == 1 else (1, "dep" if tag == "NOUN" else "obj")
            lines.append(f"{n}\t{form(word)}\t{form(lemma(word))}\t{tag}\t{tag}\t_\t{head}\t{relation}\t_\t{misc}")
        lines.append("")
    return ("\n".join(lines) + "\n").encode()


@kind("a pipeline or parser reads the other normal form")
def pipelines():
    def parsed(writing):
        def check(train, test):
            model = DependencyParser(epochs=3, beam=1).fit(Conllu.read(treebank(writing, train), "a"))
            here, there = (model.predict(Conllu.read(treebank(writing, form, 2), "b")) for form in (train, test))
            return [tree.heads for tree in here] == [tree.heads for tree in there]

        return lambda folder: both_ways(check)

    def annotated(writing):
        def check(train, test):
            Path("t.conllu").write_bytes(treebank(writing, train))
            done = run_command(["train", "pipeline", "t.conllu", "-o", "p.sap", "-q"])
            if done.status:
                return False
            text = " ".join(map(text_of, sentences(writing, 20, 2)))
            docs = []
            for form in (train, test):
                Path("x.txt").write_text(form(text))
                docs.append(run_command("annotate p.sap x.txt").out)
            rows = [
                [NFC(line).split("\t") for line in doc.splitlines() if line and not line.startswith("#")]
                for doc in docs
            ]
            forms = [line.split("\t")[1] for line in docs[1].splitlines() if line and line[0].isdigit()]
            return rows[0] == rows[1] and "".join(forms) == test(text).replace(" ", "")

        return lambda folder: both_ways(check)

    for writing in WRITINGS:
        yield f"parser, {writing}", parsed(writing)
    for writing in ("French", "Vietnamese", "Korean", "Hebrew with points", "Hindi with nukta"):
        yield f"pipeline, {writing}", annotated(writing)


@kind("labels and words differ in normal form only")
def alike():
    def labels(a, b):
        def check(folder):
            _, warned = heard(lambda: Classifier(min_updates=1).fit(["x y", "z u"] * 3, [a, b] * 3))
            return any("normal form" in each and ascii(a) in each and ascii(b) in each for each in warned)

        return check

    for word in ("café", "Straße über", "한국", "Đỗ", "Ångström"):
        yield f"labels {word}", labels(NFC(word), NFD(word))
    yield (
        "labels that differ in case, too",
        lambda folder: (
            "case" in (heard(lambda: Classifier(min_updates=1).fit(["x y", "z u"] * 3, [NFC("É"), NFD("é")] * 3))[1][0])
        ),
    )

    def compared(verb, first, second, status=0):
        def check(folder):
            Path("a.conllu").write_bytes(treebank("French", first))
            Path("b.conllu").write_bytes(treebank("French", second))
            run = run_command(f"{verb} a.conllu b.conllu" + (" a.conllu" if verb == "compare" else ""))
            return said(run, "normal form", status=status) == (first is not second)

        return check

    for verb in ("eval", "compare"):
        yield f"{verb}: NFC, NFD", compared(verb, NFC, NFD)
        yield f"{verb}: NFD, NFC", compared(verb, NFD, NFC)
        yield f"{verb}: NFD, NFD", compared(verb, NFD, NFD)

    def all_right(folder):
        Path("a.conllu").write_bytes(treebank("Vietnamese", NFC))
        Path("b.conllu").write_bytes(treebank("Vietnamese", NFD))
        rows = [line.split() for line in run_command("eval a.conllu b.conllu").out.splitlines()]
        return all(row[6] == "100.00" for row in rows if row and row[0] in ("Tokens", "Words", "Lemmas", "LAS"))

    yield "words and lemmas count as equal", all_right

    def scored(task, file, content, *options):
        def check(folder):
            for name, form in (("a", NFC), ("b", NFD)):
                Path(name + file).write_text(form(content), encoding="utf-8")
            assert not run_command(
                ["train", task, "a" + file, "-o", "m.sap", "-q", "--min-updates", "1", *options]
            ).status
            here, there = (run_command(["eval", "m.sap", name + file]) for name in "ab")
            return said(there, "labels of b", "differ in normal form only") and here.err == "" and here.out == there.out

        return check

    cells = [("été chaud", "été"), ("neige", "hïver"), ("pluie froide", "hïver"), ("soleil", "été")] * 3
    rows = "".join("".join(f"{word}\tB-{label}\n" for word in text.split()) + "\n" for text, label in cells)
    yield (
        "labels of a classifier",
        scored("classify", ".csv", "text,label\n" + "".join(map("{0[0]},{0[1]}\n".format, cells))),
    )
    yield (
        "sets of labels",
        scored("classify", ".csv", "text,label\n" + "".join(map("{0[0]},{0[1]}|là\n".format, cells)), "--multi-label"),
    )
    yield "labels of fastText", scored("classify", ".txt", "".join(map("__label__{0[1]} {0[0]}\n".format, cells)))
    yield "labels of a tagger", scored("tag", ".txt", rows, "--template", "pos")
    yield "labels of a tagger, between blanks", scored("tag", ".txt", rows.replace("\t", " "), "--template", "ner")

    def label_files(folder):
        Path("a.txt").write_text("".join(f"{NFC(label)}\n" for label in ("été", "hiver", "été")))
        Path("b.txt").write_text("".join(f"{NFD(label)}\n" for label in ("été", "hiver", "été")))
        run = run_command("compare a.txt b.txt a.txt")
        return said(run, "normal form")

    yield "label files", label_files


APOSTROPHES = {"U+2019": "’", "U+02BC": "ʼ", "U+2018": "‘", "U+FF07": "\uff07", "U+00B4": "´"}


@kind("an apostrophe within a word is one, whichever is typed")
def apostrophes():
    words = {
        "English": "don't can't isn't won't I'm they're she'd",
        "French": "l'homme d'eau qu'il aujourd'hui",
        "Ukrainian": "м'ята об'єкт п'ять",
        "numbers": "90's 1960's",
    }

    def same(text, mark, **options):
        def check(folder):
            straight = text.split()
            labels = ["ab"[k % 2] for k in range(len(straight))]
            for here, there in (("'", mark), (mark, "'")):
                model = Classifier(min_updates=1, epochs=3, **options)
                model.fit([f"x {word.replace(chr(39), here)} y" for word in straight] * 2, labels * 2)
                given = [[f"x {word.replace(chr(39), as_)} y" for word in straight] for as_ in (here, there)]
                if (model.decision_function(given[0]) != model.decision_function(given[1])).any():
                    return False
            return True

        return check

    for name, text in words.items():
        for code, mark in APOSTROPHES.items():
            yield f"{name}, {code}", same(text, mark)
    yield "n-grams", same(words["English"], "’", ngrams=3, characters=3)

    def stopped(in_list, in_text):
        def check(folder):
            Path("stop.txt").write_text(f"don{in_list}t\n")
            model = Classifier(min_updates=1, names=True, stop_words="stop.txt")
            model.fit([f"I don{in_text}t like", f"they don{in_text}t see"] * 3, ["a", "b"] * 3)
            return not any("don" in name for name in model.model_.tables[0].names)

        return check

    for in_list in ("'", "’"):
        for in_text in ("'", "’", "ʼ"):
            yield f"stop words: {in_list} in the list, {in_text} in the text", stopped(in_list, in_text)

    def quotes(folder):
        model = Classifier(min_updates=1, names=True).fit(["‘well’ he", "dogs’ tail"] * 3, ["a", "b"] * 3)
        return any("‘well’" in name for name in model.model_.tables[0].names)

    yield "quotation marks stay", quotes


MACRON, ACUTE, GRAVE = "\u0304", "\u0301", "\u0300"


def marked(choose, consonants, vowels, marks, stays=""):
    """A word in which vowels have marks by chance, and the word without them."""
    plain = "".join(choose.choice(consonants) + choose.choice(vowels) for _ in range(3))
    word = "".join(c + (choose.choice(marks) if c in vowels and choose.random() < 0.6 else "") for c in plain)
    return NFC(word), NFC(plain)


LEMMAS = {  # consonants, vowels, marks, ending of form and lemma
    "macrons": ("bcdlmnrst", "aeiou", [MACRON], ("s", "r")),
    "Hebrew points": ("אבגדהוזלמנרשת", "אבגדהוזלמנרשת", list("\u05b0\u05b4\u05b5\u05b6\u05b7\u05b8\u05bc"), ("ים", "")),
    "Arabic vowels": ("بتجدرسعفلمن", "بتجدرسعفلمن", list("\u064e\u064f\u0650\u0652"), ("ون", "")),
    "Vedic accents": ("कगतदनपमर", "ािी", ["\u0951", "\u0952"], ("स्य", "")),
    "stress": ("бвгдзклмн", "аеиоу", [ACUTE], ("ы", "")),
    "accents of one kind, where others stay": ("bdgčšž", "aeiou", [ACUTE, GRAVE], ("am", "")),
}


@kind("lemmas without the marks of their forms, wherever these stand")
def lemmas_without_marks():
    def taught(name, form=NFC):
        def check(folder):
            consonants, vowels, marks, (ending, lemma_ending) = LEMMAS[name]
            choose = random.Random(7)
            rows = []
            for _ in range(500):
                word, plain = marked(choose, consonants, vowels, marks)
                plural = choose.random() < 0.5
                rows.append((word + ending if plural else word, plain + lemma_ending if plural else plain))
            text = "".join(f"1\t{form(a)}\t{form(b)}\tNOUN\t_\t_\t_\t_\t_\t_\n\n" for a, b in rows)
            model = Lemmatizer(epochs=5).fit(Conllu.read(text.encode(), "t"))
            known = {a for a, _ in rows[:400]}
            model = Lemmatizer(epochs=5).fit(Conllu.read("".join(text.splitlines(keepends=True)[:800]).encode(), "t"))
            unseen = [(a, b) for a, b in rows[400:] if a not in known]
            given = "".join(f"1\t{form(a)}\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n" for a, _ in unseen)
            found = [sentence[0] for sentence in model.predict(Conllu.read(given.encode(), "u"))]
            right = sum(NFC(lemma) == b for lemma, (_, b) in zip(found, unseen, strict=True))
            return right >= 0.95 * len(unseen) > 0

        return check

    for name in LEMMAS:
        yield name, taught(name)
    yield "macrons in NFD", taught("macrons", NFD)


@kind("lemmas that punctuation alone has teach no lemmatizer")
def lemmas_of_punctuation():
    def blank(keep, verb, wanted):
        def check(folder):
            rows = []
            for line in treebank("German", NFC).decode().splitlines():
                cells = line.split("\t")
                if len(cells) == 10 and not keep(cells):
                    cells[2] = "_"
                rows.append("\t".join(cells))
            Path("t.conllu").write_text("\n".join(rows) + "\n\n")
            run = run_command(f"train {verb} t.conllu -o m.sap -q")
            return said(run, "lemma", "punctuation", status=0 if verb == "pipeline" else 1) == wanted

        return check

    def is_mark(cells):
        return cells[3] == "PUNCT"

    for verb in ("pipeline", "lemmatizer"):
        yield f"{verb}, punctuation alone", blank(is_mark, verb, True)
    yield "some words, too", blank(lambda cells: is_mark(cells) or cells[3] == "NOUN", "pipeline", False)
    yield "one punctuation mark", blank(lambda cells: is_mark(cells) and cells[0] == "6", "pipeline", True)
