"""The places where the package for npm works: a worker, a runtime that compiles nothing itself, Deno."""

import hashlib
import json
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest
from javascript import CORE, EN, MISSING, NODE, SCALE, STATIC, raw_texts

import sapwood

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)
ROOT = Path(__file__).resolve().parents[3]
DENO = shutil.which("deno")
TEXT = "Ada Lovelace wrote the first program.\r\nIt’s 😀 in London.\n\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder in which the package is installed."""
    place = tmp_path_factory.mktemp("npm")
    runpy.run_path(str(ROOT / "core" / "wasm" / "build.py"))["pack"](place / "node_modules" / "sapwood")
    (place / "package.json").write_text('{"type": "module"}')
    return place


def run(command, folder, script):
    (folder / "script.js").write_text(script)
    found = subprocess.run([*command, "script.js"], cwd=folder, stdout=subprocess.PIPE, check=True, timeout=600 * SCALE)
    return json.loads(found.stdout)


_ASK_WORKER = """
import { Worker } from "node:worker_threads";
const worker = new Worker("./worker.js");
const messages = [];
let turns = 0;  // of this thread, which goes on meanwhile
const next = () => { ++turns; turning = setImmediate(next); };
let turning = setImmediate(next);
worker.on("message", (message) => {
    messages.push({ ...message, turns });
    if (message.conllu === undefined) {
        if (messages.at(-1).error === undefined) worker.postMessage({ model: MODEL, text: "a\\u0000b" });
        else { clearImmediate(turning); worker.terminate(); process.stdout.write(JSON.stringify(messages)); }
    }
});
worker.postMessage({ model: MODEL, text: TEXT.repeat(3000) });
"""


def test_a_worker_analyses_a_long_text_while_others_go_on(folder):
    shutil.copy(ROOT / "examples" / "javascript" / "worker.js", folder)
    given = f"const MODEL = {json.dumps(EN)}, TEXT = {json.dumps(TEXT)};"
    *parts, done, error = run(NODE, folder, given + _ASK_WORKER)
    assert len(parts) > 1
    assert "".join(part["conllu"] for part in parts) == sapwood.load("en")(TEXT * 3000).to_conllu()
    assert parts[-1]["read"] == 3000 * len(TEXT.encode("utf-16-le")) // 2
    assert parts[0]["turns"] < parts[-1]["turns"]
    assert done["done"]
    assert "NUL" in error["error"]


_MEASURE = """
import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";
const worker = new Worker("./measured.js");
const hash = createHash("sha256");
let turns = 0, parts = 0, still = 0;  // turns of this thread; parts during which it had none
const next = () => { ++turns; turning = setImmediate(next); };
let turning = setImmediate(next);
worker.on("message", ({ conllu, memory, done }) => {
    if (conllu !== undefined) { hash.update(conllu); ++parts; still += turns === 0; turns = 0; }
    if (done) worker.postMessage({ measure: true });
    if (memory === undefined) return;
    clearImmediate(turning);
    worker.terminate();
    process.stdout.write(JSON.stringify({ parts, still, memory, hash: hash.digest("hex") }));
});
worker.postMessage({ model: MODEL, text: TEXT });
"""

# The worker, which also tells how many bytes the memory of the core has.
_MEASURED = """
import { parentPort } from "node:worker_threads";
const Instance = WebAssembly.Instance;
let memory;
WebAssembly.Instance = function (...given) {
    const made = new Instance(...given);
    memory = made.exports.memory;
    return made;
};
await import("./worker.js");
parentPort.on("message", ({ measure }) => {
    if (measure) parentPort.postMessage({ memory: memory.buffer.byteLength });
});
"""


@pytest.mark.parametrize("size", [50_000, pytest.param(2_000_000 * SCALE, marks=pytest.mark.slow)])
def test_a_text_takes_little_memory_whatever_its_size(folder, size):
    text = "\n\n".join(raw_texts())
    text = (text * (size // len(text) + 1))[:size]
    shutil.copy(ROOT / "examples" / "javascript" / "worker.js", folder)
    (folder / "measured.js").write_text(_MEASURED)
    answer = run(NODE, folder, f"const MODEL = {json.dumps(EN)}, TEXT = {json.dumps(text)};" + _MEASURE)
    assert answer["memory"] <= 60_000_000
    assert answer["parts"] > 1
    assert answer["still"] < answer["parts"] / 2
    assert answer["hash"] == hashlib.sha256(sapwood.load("en")(text).to_conllu().encode()).hexdigest()


_COMPILED = """
const core = await WebAssembly.compile(await readFile(CORE));
WebAssembly.compile = WebAssembly.instantiate = globalThis.fetch = () => { throw new Error("refused"); };
const nlp = await load(new Uint8Array(await readFile(MODEL)), { core });
console.log(JSON.stringify({ conllu: nlp(TEXT).toConllu() }));
"""


def test_a_runtime_that_compiles_nothing_is_given_the_core(folder):
    given = f"const MODEL = {json.dumps(EN)}, CORE = {json.dumps(str(CORE))}, TEXT = {json.dumps(TEXT)};"
    imports = 'import { readFile } from "node:fs/promises"; import { load } from "sapwood";'
    answer = run(NODE, folder, imports + given + _COMPILED)
    assert answer["conllu"] == sapwood.load("en")(TEXT).to_conllu()


_EXHAUSTED = """
const runner = new Runner(await coreOf(), await bytesOf(MODEL, "a model"), "en");
const refused = [];
for (const size of SIZES) {
    runner.ready();
    try { for (let k = 0; k < 5; ++k) runner.core.call("allocate", size); }
    catch (error) { refused.push(error.message); }
}
const { conllu } = runner.read(checked(TEXT), false, { continues: false, sentence: 1, character: 0 }, false);
console.log(JSON.stringify({ refused, conllu }));
"""


def test_memory_that_is_not_there_is_an_error_after_which_the_model_works_on(folder):
    imports = f"import {{ Runner, bytesOf, checked, coreOf }} from {json.dumps((STATIC / 'core.js').as_uri())};"
    sizes = [2**30, 2**31 - 2**16, 2**31, 2**32 - 2**16]
    given = f"const MODEL = {json.dumps(EN)}, TEXT = {json.dumps(TEXT)}, SIZES = {sizes};"
    answer = run(NODE, folder, imports + given + _EXHAUSTED)
    assert answer["refused"] == ["there is not enough memory"] * 4
    assert answer["conllu"] == sapwood.load("en")(TEXT).to_conllu()


@pytest.mark.skipif(DENO is None, reason="there is no deno")
def test_deno_loads_a_model_from_a_path(folder):
    script = f"""
    import {{ load }} from {json.dumps((STATIC / "sapwood.js").as_uri())};
    const nlp = await load({json.dumps(EN)});
    console.log(JSON.stringify({{ conllu: nlp({json.dumps(TEXT)}).toConllu() }}));
    """
    answer = run([DENO, "run", "--allow-read", "--no-prompt"], folder, script)
    assert answer["conllu"] == sapwood.load("en")(TEXT).to_conllu()
