// An instance of the core, which is compiled for WebAssembly, with a model in it.

const encoder = new TextEncoder();
export const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** An error of sapwood; its name is that of the class in Python: ModelError, DataError, TemplateError, OptionError. */
export class SapwoodError extends Error {
    constructor(message, name = "SapwoodError", options = undefined) {
        super(message, options);
        this.name = name;
    }
}

// An instance of the core. It is discarded when it has thrown, as nothing can be caught and cleaned up in it.
class Core {
    constructor(module) {
        this.failure = null;
        const fail = (kind, kindSize, message, size) => {
            this.failure = new SapwoodError(printable(this.text(message, size)), this.text(kind, kindSize));
            throw this.failure;
        };
        // What the core asks of the system: random numbers, by which no text can make its hash tables slow. Nothing else.
        const wasi = {
            random_get: (place, size) => {
                for (let at = 0; at < size; at += 65536)
                    crypto.getRandomValues(this.bytes(place + at, Math.min(65536, size - at)));
                return 0;
            },
        };
        const imports = { sapwood: { fail }, wasi_snapshot_preview1: wasi };
        for (const { name } of WebAssembly.Module.imports(module)) if (name !== "fail") wasi[name] ??= refuse;
        this.exports = new WebAssembly.Instance(module, imports).exports;
        this.exports._initialize?.();
    }

    // Calls a function of the core. Every error is a SapwoodError; after one the instance is of no use.
    call(name, ...values) {
        try {
            return this.exports[name](...values);
        } catch (error) {
            this.dead = true;
            if (error === this.failure) throw error;
            throw new SapwoodError(`the core cannot go on: ${error.message}; is the model damaged, or memory short?`, "SapwoodError", { cause: error });
        }
    }

    bytes(place, size) {
        return new Uint8Array(this.exports.memory.buffer, place, size);
    }
    text(place, size) {
        return decoder.decode(this.bytes(place, size));
    }
    numbers(place, count) {
        return new Uint32Array(this.exports.memory.buffer, place, count);
    }

    // Copies bytes into the core's memory. Returns their place.
    put(bytes) {
        const place = this.call("allocate", bytes.length);
        this.bytes(place, bytes.length).set(bytes);
        return place;
    }
}

function refuse() {
    return 52; // "not supported"
}

function printable(message) {
    // eslint-disable-next-line no-control-regex
    return message.replace(/[\u0000-\u001f\u007f]/g, (c) => "\\x" + c.charCodeAt(0).toString(16).padStart(2, "0"));
}

const isNode = typeof process === "object" && Boolean(process.versions?.node);

// The bytes of a model or of the core: bytes, a URL, a Response or, in Node, a path.
export async function bytesOf(source, what) {
    if (source instanceof ArrayBuffer) return new Uint8Array(source);
    if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    if (source instanceof Blob) return new Uint8Array(await source.arrayBuffer());
    let response = source;
    if (!(typeof Response === "function" && source instanceof Response)) {
        if (!(typeof source === "string" || source instanceof URL))
            throw new SapwoodError(`${what} is bytes, a Blob, a URL, a Response or, in Node, a path`, "OptionError");
        const isUrl = source instanceof URL || /^[a-z][a-z0-9+.-]+:/i.test(source);
        if (isNode && (!isUrl || String(source).startsWith("file:"))) {
            const { readFile } = await import("node:fs/promises");
            return readFile(source instanceof URL || !isUrl ? source : new URL(source)).catch((error) => {
                throw new SapwoodError(`${source}: cannot be read: ${error.message}`, "ModelError");
            });
        }
        response = await fetch(source);
    }
    if (!response.ok) throw new SapwoodError(`${response.url}: cannot be read: status ${response.status}`, "ModelError");
    return new Uint8Array(await response.arrayBuffer());
}

let compiled = null; // the core, once for all models

export async function coreOf(given) {
    if (given instanceof WebAssembly.Module) return given;
    if (given !== undefined) return WebAssembly.compile(await bytesOf(given, "the core"));
    compiled ??= bytesOf(new URL("sapwood.wasm", import.meta.url), "the core").then((bytes) => WebAssembly.compile(bytes));
    return compiled;
}

// A model in an instance of the core, which is made anew after an error.
export class Runner {
    constructor(module, bytes, name) {
        Object.assign(this, { module, bytes, name });
        this.ready();
        const [place, size] = this.core.numbers(this.core.call("describe", this.model), 2);
        this.about = JSON.parse(this.core.text(place, size));
    }

    ready() {
        if (this.bytes === null) throw new SapwoodError("the model was released", "ModelError");
        if (this.core !== undefined && !this.core.dead) return;
        const core = new Core(this.module);
        const name = encoder.encode(this.name);
        const [file, called] = [core.put(this.bytes), core.put(name)];
        this.model = core.call("load", file, this.bytes.length, called, name.length);
        core.call("release", file);
        core.call("release", called);
        this.core = core;
    }

    // Asks a question, an object. Returns the answer, a text.
    ask(question) {
        this.ready();
        const core = this.core;
        const bytes = encoder.encode(JSON.stringify(question));
        const asked = core.put(bytes);
        const [place, size] = core.numbers(core.call("ask", this.model, asked, bytes.length), 2);
        const answer = core.text(place, size);
        core.call("release", asked);
        return answer;
    }

    // Analyses the beginning of the bytes of a text. `place` is that of the text in a longer one, see Reading.
    read(bytes, goesOn, place, confidence) {
        this.ready();
        const core = this.core;
        const text = core.put(bytes);
        const { continues, sentence, character } = place;
        const found = core.call("read", this.model, text, bytes.length, goesOn, continues, sentence, character, confidence);
        const [read, within, json, jsonSize, conllu, conlluSize, sentences, characters, words, familiar] = core.numbers(found, 10);
        const result = {
            read,
            continues: within !== 0,
            json: core.text(json, jsonSize),
            conllu: core.text(conllu, conlluSize),
            sentences,
            characters,
            words,
            familiar,
        };
        core.call("release", text);
        return result;
    }
}

export function checkedText(text) {
    if (typeof text !== "string") throw new SapwoodError(`a text is a string, not ${typeof text}`, "DataError");
    const at = text.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
    if (at >= 0) throw new SapwoodError(`text: character ${at}: half of a Unicode character`, "DataError");
    return text;
}

export function checked(text) {
    return encoder.encode(checkedText(text));
}
