"""A command of each verb, and a folder with data and models of every kind to run it in.

    PYTHONPATH=tests/shared python tests/shared/verbs.py

runs each of them once, to see where little is installed that each works or says in one line what it needs.
"""

import contextlib
import json
import os
import re
import sys
import tempfile
from pathlib import Path

from commands import run_command
from reviews import TEXTS, fasttext
from tiny import TINY_CORPUS

import sapwood.web
from sapwood.datasets import generate

BROWSER_CORE = Path(sapwood.web.__file__).with_name("static") / "sapwood.wasm"  # which `make js` builds

# A command of each verb, in a folder as `make_workshop` makes it, and whether it writes on standard output.
COMMANDS = {
    "train tag": ("tiny.txt -o out.sap --epochs 1 --checkpoint out.ckpt -q", False),
    "train pipeline": ("train.conllu -o out.sap --parts tag --checkpoint out.ckpt -q", False),
    "train entities": ("spans.jsonl -o out.sap --base none --checkpoint out.ckpt -q", False),
    "train segmenter": ("train.conllu -o out.sap --epochs 1 -q", False),
    "train parse": ("train.conllu -o out.sap --beam 1 --epochs 1 --checkpoint out.ckpt -q", False),
    "train lemmatizer": ("train.conllu -o out.sap --epochs 1 -q", False),
    "train splitter": ("train.conllu -o out.sap --epochs 1 -q", False),
    "train classify": ("reviews.txt -o out.sap --epochs 1 --checkpoint out.ckpt -q", False),
    "train grammar": ("train.mrg -o out.sap -q", False),
    "train rank": ("lists.jsonl -o out.sap --epochs 1 --checkpoint out.ckpt -q", False),
    "train clusters": ("text.txt -o out.clusters --classes 5 --min-count 1 -q", False),
    "annotate": ("en text.txt", True),
    "tag": ("tagger.sap tiny.txt", True),
    "parse": ("parser.sap train.conllu --svg out.svg", True),
    "classify": ("reviews.sap reviews.txt", True),
    "nbest": ("tagger.sap tiny.txt -n 2", True),
    "rank": ("ranker.sap lists.jsonl", True),
    "calibrate": ("reviews.sap reviews.txt -o out.sap -q", False),
    "suspects": ("tiny.txt --top 3 --folds 2", True),
    "package": ("reviews.sap -o out-wheels --license MIT", False),
    "eval": ("reviews.sap reviews.txt --json out.json --figure out.svg", True),
    "compare": ("tiny.txt tiny.txt tiny.txt --samples 100 --json out.json", True),
    "drift": ("reviews.sap reviews.txt reviews.txt --json out.json", True),
    "inspect": ("tagger.sap", True),
    "explain": ("tagger.sap tiny.txt --json out.json", False),
    "report": ("tagger.sap tiny.txt -o out.html", False),
    "serve": (None, False),  # it answers on a socket
    "page": ("en -o out-page.html" if BROWSER_CORE.exists() else None, False),
    "shrink": ("tagger.sap --data tiny.txt -o out.sap --bytes 100000 --figure out.svg -q", True),
    "generate treebank": ("-o out-treebank --sentences 30", True),
    "generate reviews": ("-o out-reviews --reviews 30", True),
    "generate topics": ("-o out-topics --texts 30", True),
    "help": ("train tag", True),
    "version": ("", True),
    "completion": ("bash", True),
}
# What is missing where only rich is installed, and said in one line.
NEEDED = {
    "eval": "figures",
    "compare": "sklearn",
    "serve": "web",
    "shrink": "figures",
    "completion": "completion",
}
SAYS = re.compile(r"sapwood: [^\n]+ needs [^\n]+: pip install 'sapwood\[(\w+)\]'\n")


def make_workshop(folder):
    """Fill a folder with what the commands read."""
    sentences = list(generate(60, 1))
    treebank = "".join(s.conllu(f"s{k}", "attached") for k, s in enumerate(sentences))
    (folder / "train.conllu").write_text(re.sub(r"(?m)^(\d+\t)(\S+)\t_", r"\1\2\t\2", treebank))  # with lemmas
    (folder / "train.mrg").write_text("".join(s.bracketed() + "\n" for s in sentences))
    (folder / "tiny.txt").write_text(TINY_CORPUS)
    (folder / "reviews.txt").write_text(fasttext(TEXTS[:60]))
    spans = [{"text": f"{name} wrote it. ", "spans": [[0, 3, "PER"]]} for name in ("Ada", "Bob", "Eve") * 4]
    (folder / "spans.jsonl").write_text("".join(json.dumps(record) + "\n" for record in spans))
    (folder / "text.txt").write_text("Ada wrote it. Bob read it.\n" * 20)
    with contextlib.chdir(folder):
        for command in (
            "train tag tiny.txt -o tagger.sap --epochs 2 -q",
            "train parse train.conllu -o parser.sap --beam 1 --epochs 2 -q",
            "train classify reviews.txt -o reviews.sap --epochs 2 -q",
        ):
            assert run_command(command).status == 0
        (folder / "lists.jsonl").write_text(run_command("nbest tagger.sap tiny.txt -n 3").out)
        assert run_command("train rank lists.jsonl -o ranker.sap --epochs 1 -q").status == 0


def without_extras(folder):
    """Run each verb in a workshop, and return what went wrong: neither done nor, where it may, one line on an extra."""
    wrong = []
    with contextlib.chdir(folder):
        for verb, (arguments, _) in COMMANDS.items():
            if verb == "page" and arguments is None:  # it says how its core is built
                continue
            found = run_command(f"{verb} {'tagger.sap' if arguments is None else arguments}".split())
            says = SAYS.fullmatch(found.err)
            needed = NEEDED.get(verb)
            if says[1] != needed if says else found.status != 0 or needed is not None:
                wrong.append(f"sapwood {verb} {arguments}: {found.status}\n{found.err}")
    return wrong


def main():
    """Say what went wrong, and end with its status."""
    with tempfile.TemporaryDirectory() as scratch:
        make_workshop(Path(scratch))
        os.environ["COLUMNS"] = "100"
        found = without_extras(Path(scratch))
    print(*found or [f"{len(COMMANDS)} verbs, each works or says what it needs"], sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
