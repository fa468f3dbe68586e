"""Documents in use: files with odd names, folders, the least sure sentences, and documents in Python."""

import copy
import json
import os
import pickle
import warnings
from functools import cache
from itertools import groupby
from pathlib import Path

from commands import run_command

import sapwood
from kinds import kind

ODD_NAMES = {
    "Latin-1": b"caf\xe9.txt",
    "half of a character": b"\xf0\x9f.txt",
    "line end": b"two\nlines.txt",
    "escape": b"\x1b[31mred\x07.txt",
    "quotes": b"she said \"no\" 'so'.txt",
    "byte order mark": b"\xef\xbb\xbfmarked.txt",
    "very long": b"l" * 240 + b".txt",
    "blanks at the edges": b" two  blanks ",
    "CP-1251 without an ending": b"\xef\xf0\xe8",
    "markup": b"<b>&amp;|=\t.txt",
}
COLUMNS = "dog NN\nruns VB\n\ncat NN\nsings VB\n\n" * 8
EXAMPLES = "__label__a good film\n__label__b bad film\n" * 8
TREES = "1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_\n2\tdog\tdog\tNOUN\tNN\t_\t0\troot\t_\t_\n\n" * 8


@cache
def nlp():
    """Return the English pipeline."""
    return sapwood.load("en")


def _files(folder, odd, content="Ada runs.\n"):
    """Write two files, the first with an odd name, and return their names as a shell gives them."""
    names = [os.fsdecode(odd), "plain.txt"]
    for name in names:
        (folder / name).write_text(content, encoding="utf-8")
    return names


def _well(run, *wanted):
    """Whether a command ended well, without a traceback, and has written what is wanted."""
    assert run.status == 0, run.err
    assert "Traceback" not in run.err
    return all(each in run.out for each in wanted)


@kind("a file whose name is no UTF-8, or steers: annotated in every format, and the other files, too")
def odd_names_of_texts():
    for name, odd in ODD_NAMES.items():

        def conllu(folder, odd=odd):
            names = _files(folder, odd)
            run = run_command(["annotate", "en", *names, "--parts", "segment"])
            found = [line for line in run.out.splitlines() if line.startswith("# newdoc id = ")]
            return (
                _well(run) and len(found) == 2 and found[1].endswith("plain.txt") and all(map(str.isprintable, found))
            )

        def lines(folder, odd=odd):
            run = run_command(["annotate", "en", *_files(folder, odd), "--parts", "segment", "--format", "json"])
            found = [json.loads(line)["file"] for line in run.out.splitlines()]
            return _well(run) and found[1] == "plain.txt" and found[0].isprintable() and found[0].encode()

        yield f"{name}, conllu", conllu
        yield f"{name}, json", lines
    for form in ("table", "tree", "html", "text"):

        def other(folder, form=form):
            odd, plain = _files(folder, b"caf\xe9.txt")
            both, one = (run_command(["annotate", "en", *files, "--format", form]) for files in ([odd, plain], [plain]))
            return _well(both) and both.out.count("Ada") == 2 * one.out.count("Ada") > 0

        yield f"Latin-1, {form}", other


@kind("a file whose name is no UTF-8: trained on, evaluated, tagged, parsed, classified, saved")
def odd_names_of_data():
    verbs = {
        "tag": (COLUMNS, "train tag --template pos --quiet"),
        "classify": (EXAMPLES, "train classify --quiet --min-updates 1"),
        "parse": (TREES, "train parse --quiet"),
    }
    for verb, (content, train) in verbs.items():
        for odd in (b"caf\xe9.data", b"\xff\n.data", b"\x1b[2J.data"):

            def used(folder, verb=verb, content=content, train=train, odd=odd):
                data, plain = _files(folder, odd, content)
                model, figures = os.fsdecode(b"m\xe9.sap"), os.fsdecode(b"j\xe9.json")
                assert _well(run_command([*train.split(), data, "-o", model]))
                assert _well(run_command(["eval", model, data, "--json", figures]))
                assert json.loads((folder / figures).read_text(encoding="utf-8"))["rows"]
                both, one = run_command([verb, model, data, plain]), run_command([verb, model, plain])
                return _well(both) and _well(one) and both.out == 2 * one.out

            yield f"{verb}, {odd!r}", used


@kind("the ending of a name that is no UTF-8 says what is in the file")
def odd_names_with_endings():
    rows = [("a", "good film"), ("b", "bad film")] * 8
    contents = {
        ".csv": "label,text\n" + "".join(f"{label},{text}\n" for label, text in rows),
        ".tsv": "label\ttext\n" + "".join(f"{label}\t{text}\n" for label, text in rows),
        ".jsonl": "".join(json.dumps({"label": label, "text": text}) + "\n" for label, text in rows),
        ".CSV": "label,text\n" + "".join(f"{label},{text}\n" for label, text in rows),
        ".txt": "".join(f"__label__{label} {text}\n" for label, text in rows),
    }
    for ending, content in contents.items():

        def same(folder, ending=ending, content=content):
            odd, plain = os.fsdecode(b"caf\xe9") + ending, "plain" + ending
            for name in (odd, plain):
                (folder / name).write_text(content, encoding="utf-8")
            assert _well(run_command(["train", "classify", odd, "-o", "m.sap", "--quiet", "--min-updates", "1"]))
            both, one = run_command(["classify", "m.sap", odd, plain]), run_command(["classify", "m.sap", plain])
            return _well(both) and both.out == 2 * one.out and one.out.count("\n") == 16

        yield ending, same


@kind("a list of the least sure sentences says of which file each is")
def least_sure_files():
    texts = (
        "Ada met Bob in Rome.\nShe laughed.\n\nIt rained a lot.",
        "Buffalo buffalo. The bill died.",
        "No, maybe so.",
    )
    for many in (1, 2, 3, 5, 50):
        for order in (texts, texts[::-1]):

            def named(folder, many=many, order=order):
                files = [f"{n}.txt" for n in range(len(order))]
                for file, text in zip(files, order, strict=True):
                    Path(file).write_text(text, encoding="utf-8")
                run = run_command(["annotate", "en", *files, "--least-sure", str(many)])
                file, found = "", []
                for line in run.out.splitlines():
                    if line.startswith("# newdoc id = "):
                        file = line.removeprefix("# newdoc id = ")
                    elif line.startswith("# text = "):
                        found.append((file, line.removeprefix("# text = ")))
                changes = len(list(groupby(found, key=lambda pair: pair[0])))
                right = all(text in " ".join(Path(file).read_text().split()) for file, text in found)
                return _well(run) and right and found and changes == run.out.count("# newdoc")

            yield f"{many} of three files, from {order[0][:3]}", named


@kind("short sentences do not fill the list of the least sure ones")
def least_sure_short():
    long = "When the bill that Ada had bought from him came, they ate it cold in the saw house by lamp light.\n\n" * 5
    for short in ("Yum!\n\n", "Wtf lol\n\n", "xq zzt.\n\n", "?!\n\n", "1b\n\n"):

        def listed(folder, short=short):
            Path("a.txt").write_text(short * 30 + long, encoding="utf-8")
            run = run_command("annotate en a.txt --least-sure 5")
            return _well(run) and run.out.count("# text = When") == 5

        yield repr(short), listed


@kind("documents, sentences, words and names are pickled and copied")
def pickled():
    texts = {
        "plain": "Ada met Bob in London.",
        "multiword": "She can't.\n\nWon't Ada's?",
        "without words": " \n",
        "characters": "\U0001f600 caf\u00e9\u00a0\u0301 \u202e.",
        "spaces": "  A   tab\there. \n\n\n B",
    }
    ways = {"pickle": lambda it: pickle.loads(pickle.dumps(it)), "copy": copy.copy, "deepcopy": copy.deepcopy}
    for name, text in texts.items():
        for way, again in ways.items():

            def same(_folder, text=text, again=again):
                doc = nlp()(text, confidence=True)
                views = [doc, *doc.sentences, *doc, *doc.entities]
                found = again(doc)
                return (
                    [again(view) for view in views] == views
                    and (found.to_conllu(), found.to_json()) == (doc.to_conllu(), doc.to_json())
                    and (found.familiarity, found.places) == (doc.familiarity, doc.places)
                )

            yield f"{name}, {way}", same


@kind("a list of words is a sentence of given words, or it is said why not")
def given_words():
    for given in (["John", "runs"], ["I", "can't"], [["A"], ["B", "c"]], ("a\u00a0b",), ["Ada", "met", "Bob"] * 50, []):
        flat = [word for item in given for word in (item if isinstance(item, list) else [item])]
        yield repr(given)[:30], lambda _folder, given=given, flat=flat: nlp()(given).forms == flat

    def refused(given, *words):
        try:
            nlp()(given)
        except sapwood.DataError as error:
            return all(word in str(error) for word in words)
        return False

    for given, *words in (
        (["a", ""], "word 2", "empty"),
        (["Hello there.", "Bye."], "word 1", "blank", "pipe"),
        (["a", None], "word 2", "NoneType"),
        ([["a"], "b"], "word 1", "list"),
        ([["a"], []], "sentence 2", "no words"),
        (["a\n"], "line end"),
    ):
        yield repr(given), lambda _folder, given=given, words=words: refused(given, *words)


@kind("words with tags, as taggers of others give them, are named, and sentences are not")
def tagged_words():
    def said(given):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            nlp()(given)
        return any("words with tags" in str(each.message) for each in caught)

    for name, given in {
        "Penn": [("Ada", "NNP"), ("left", "VBD"), (".", ".")],
        "universal": [("It", "PRON"), ("rains", "VERB")],
        "with a dollar": [("her", "PRP$"), ("dog", "NN")],
        "Brown": [("the", "AT"), ("Fulton", "NP-TL"), ("jury", "NN")],
        "names": [("Ada", "NNP", "B-PER"), ("left", "VBD", "O")],
        "brackets, and no choice": [
            ("(", "-LRB-"),
            ("he", "PRP"),
            ("left", "VBD|VBN"),
            (")", "-RRB-"),
            ("*", "-NONE-"),
        ],
        "a tuple of pairs": (("Ada", "NNP"), ("left", "VBD")),
    }.items():
        yield name, lambda _folder, given=given: said(given)

    def once(_folder):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            list(nlp().pipe([[(f"Ada{k}", "NNP"), ("left", "VBD")] for k in range(9)]))
        return len(caught) == 1

    yield "many texts: once", once
    for name, given in {
        "words": ["Ada", "left"],
        "sentences": [("Ada", "left"), ("Bob", "stayed")],
        "sentences of one word": [("Ada",), ("Go",)],
        "sentences with stops": [("Go", "."), ("Stop", "!")],
        "capitals": [("GO", "HOME"), ("STOP", "NOW")],
        "lists": [["Call", "NASA"], ["Ask", "IBM"]],
        "one pair": [("Call", "NASA")],
    }.items():
        yield f"quiet: {name}", lambda _folder, given=given: not said(given)


def _folder(folder):
    """Make a folder of three texts, with a hidden file, a folder and a broken link in it."""
    texts = folder / "texts"
    (texts / "deeper").mkdir(parents=True)
    for name in ("10.txt", "2.txt", "b", ".hidden", "deeper/c.txt"):
        (texts / name).write_text(f"Ada runs in {name[0]}.\n", encoding="utf-8")
    (texts / "gone").symlink_to("nowhere")
    return texts


@kind("a folder stands for its files, and each becomes a file without Dask")
def folders():
    forms = {"conllu": ".conllu", "json": ".jsonl", "text": ".txt", "html": ".html"}
    for form, ending in forms.items():
        for threads in ("1", "2", "7"):

            def written(folder, form=form, ending=ending, threads=threads):
                _folder(folder)
                command = ["annotate", "en", "texts", "-o", "out", "--threads", threads, "--format", form]
                run = run_command([*command, "--parts", "segment"])
                again = run_command([*command, "--parts", "segment"])
                found = sorted(path.name for path in Path("out").iterdir())
                assert found == [f"10{ending}", f"2{ending}", f"b{ending}"]
                one = run_command(["annotate", "en", "texts/2.txt", "--format", form, "--parts", "segment"])
                same = Path(f"out/2{ending}").read_bytes() == one.out.encode()
                return _well(run) and _well(again) and "kept: 3, newer" in again.err and same

            yield f"{form}, {threads} threads", written

    def on_standard_output(folder):
        _folder(folder)
        run = run_command("annotate en texts --parts segment")
        names = [line.split("/")[1] for line in run.out.splitlines() if "newdoc" in line]
        return _well(run) and names == ["10.txt", "2.txt", "b"] and "1 folder and 2 other files" in run.err

    yield "standard output", on_standard_output


@kind("output into a folder loses nothing that is read")
def nothing_is_overwritten():
    cases = {
        "the folder itself": ["texts", "-o", "texts"],
        "by another path": ["texts", "-o", "texts/deeper/.."],
        "a file of its name": ["texts/2.txt", "-o", "texts", "--format", "text"],
        "two of a name": ["texts/2.txt", "texts", "-o", "out"],
        "over a file": ["texts/2.txt", "-o", "texts/b"],
        "an empty folder": ["empty", "-o", "out"],
        "standard input": ["-", "-o", "out"],
    }
    for name, arguments in cases.items():

        def refused(folder, arguments=arguments):
            texts = _folder(folder)
            Path("empty").mkdir()
            before = {path.name: path.read_bytes() for path in texts.iterdir() if path.is_file()}
            run = run_command(["annotate", "en", *arguments, "--parts", "segment"])
            after = {path.name: path.read_bytes() for path in texts.iterdir() if path.is_file()}
            return run.status and after == before and "Traceback" not in run.err and run.err.startswith("sapwood: ")

        yield name, refused
