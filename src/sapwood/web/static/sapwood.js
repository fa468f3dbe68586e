// Pipelines of sapwood in JavaScript: the core, compiled for WebAssembly, and the documents that it makes of texts.
//
//     const nlp = await load("en.sap");          // bytes, a URL or, in Node and Deno, a path
//     const doc = nlp("Ada wrote it.");
//     doc.sentences[0].tokens[1].lemma;          // "write"
//
// Offsets are UTF-16 code units, as JavaScript counts them; load(model, { offsets: "code points" }) counts code points.
// A document is made of copies, so that nothing has to be released; nlp.release() gives a model's memory back.

const PIECE = 1 << 16; // bytes of a text that are analysed at a time
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** An error of sapwood; its name is that of the class in Python: ModelError, DataError, TemplateError, OptionError. */
export class SapwoodError extends Error {
    constructor(message, name = "SapwoodError", options = undefined) {
        super(message, options);
        this.name = name;
    }
}

/** A word of a sentence. Values that no part of the pipeline gives are undefined. */
export class Token {
    constructor(values) {
        Object.assign(this, values);
    }
    /** The features by name, { Number: "Sing" }; undefined without a part for them. */
    get features() {
        if (this.feats === undefined) return undefined;
        return Object.fromEntries(this.feats.split("|").filter((item) => item !== "_").map((item) => item.split("=")));
    }
}

/** A sentence: its text, its place in the document, its tokens and names. */
export class Sentence {
    constructor(values) {
        Object.assign(this, values);
    }
    /** The names in it: text, label, start, end, and the first token and the one after the last. */
    get entities() {
        const found = [];
        let open = null;
        this.tokens.forEach((token, i) => {
            const label = token.entity ?? "O";
            const begins = label.startsWith("B-") || (label.startsWith("I-") && open?.label !== label.slice(2));
            if (label === "O" || begins) open = null;
            if (begins) found.push((open = { label: label.slice(2), start: token.start, tokens: [i, i] }));
            if (open !== null) {
                open.end = token.end;
                open.tokens[1] = i + 1;
            }
        });
        for (const name of found) name.text = this.slice(name.start, name.end);
        return found;
    }
}

/** What was found in a text. */
export class Doc {
    constructor(text, sentences, conllu, warning) {
        this.text = text;
        this.sentences = sentences;
        this.warning = warning; // why the text is not one that the model was made for; null if it is
        this.conllu = conllu;
    }
    get tokens() {
        return this.sentences.flatMap((sentence) => sentence.tokens);
    }
    get entities() {
        return this.sentences.flatMap((sentence) => sentence.entities);
    }
    /** The document in CoNLL-U, the same bytes as `sapwood annotate` writes. */
    toConllu() {
        return this.conllu;
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
async function bytesOf(source, what) {
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

async function coreOf(given) {
    if (given instanceof WebAssembly.Module) return given;
    if (given !== undefined) return WebAssembly.compile(await bytesOf(given, "the core"));
    compiled ??= bytesOf(new URL("sapwood.wasm", import.meta.url), "the core").then((bytes) => WebAssembly.compile(bytes));
    return compiled;
}

/**
 * Load a pipeline. Returns a function that analyses a text.
 *
 * options.core: the core, sapwood.wasm, compiled or as `model` is given; without it, the file beside this module
 * options.offsets: "utf-16" or "code points"
 * options.name: the model's name in messages
 */
export async function load(model, options = {}) {
    const offsets = options.offsets ?? "utf-16";
    if (!["utf-16", "code points"].includes(offsets))
        throw new SapwoodError(`offsets are one of utf-16, code points, not ${offsets}`, "OptionError");
    const name = options.name ?? (typeof model === "string" || model instanceof URL ? String(model) : "model");
    const [module, bytes] = await Promise.all([coreOf(options.core), bytesOf(model, "a model")]);
    return pipelineOf(new Runner(module, bytes, name), offsets);
}

// A model in an instance of the core, which is made anew after an error.
class Runner {
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

    // Analyses the beginning of the bytes of a text.
    read(bytes, goesOn, continues, firstSentence, firstCharacter) {
        this.ready();
        const core = this.core;
        const text = core.put(bytes);
        const found = core.call("read", this.model, text, bytes.length, goesOn, continues, firstSentence, firstCharacter);
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

function checked(text) {
    if (typeof text !== "string") throw new SapwoodError(`a text is a string, not ${typeof text}`, "DataError");
    const at = text.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
    if (at >= 0) throw new SapwoodError(`text: character ${at}: half of a Unicode character`, "DataError");
    return encoder.encode(text);
}

// Yields what is found in a text, piece by piece: a piece ends where more text could not change what was found.
function* pieces(runner, text) {
    const bytes = checked(text);
    let [begin, end, continues, sentence, character] = [0, 0, false, 1, 0];
    while (begin < bytes.length || end === 0) {
        end = Math.min(Math.max(end, begin) + PIECE, bytes.length);
        while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) ++end; // not within a character
        if (end < bytes.length && bytes[end - 1] === 13) --end; // nor between CR and LF
        const last = end === bytes.length;
        const found = runner.read(bytes.subarray(begin, end), !last, continues, sentence, character);
        if (found.read > 0 || last) yield found;
        begin += found.read;
        continues = found.continues;
        sentence += found.sentences;
        character += found.characters;
        if (last) return;
    }
}

// The place of each code point beyond U+FFFF, by which offsets in code points become offsets in code units.
function wide(text) {
    const places = [];
    let point = 0;
    for (const character of text) {
        if (character.length > 1) places.push(point);
        ++point;
    }
    return places;
}

function sentencesOf(text, found, offsets) {
    const places = offsets === "utf-16" ? wide(text) : [];
    let passed = 0;
    const unit = (point) => {
        while (passed > 0 && places[passed - 1] >= point) --passed;
        while (passed < places.length && places[passed] < point) ++passed;
        return point + passed;
    };
    const points = offsets === "utf-16" || wide(text).length === 0 ? null : Array.from(text);
    const slice = (start, end) => (points === null ? text.slice(start, end) : points.slice(start, end).join(""));
    return found.flatMap(({ json }) =>
        json.split("\n").slice(0, -1).map((line) => {
            const values = JSON.parse(line);
            const sentence = new Sentence({ ...values, start: unit(values.start) });
            sentence.tokens = values.tokens.map((t) => new Token({ ...t, start: unit(t.start), end: unit(t.end) }));
            sentence.end = unit(values.end);
            Object.defineProperty(sentence, "slice", { value: slice, enumerable: false });
            return sentence;
        }),
    );
}

// Why a text is not one that the model was made for, by the share of frequent words; null if it is. The rule is that of
// sapwood/model/familiarity.py, for the text as a whole.
function warningOf(shares, found) {
    const [words, known, characters] = ["words", "familiar", "characters"].map((of) =>
        found.reduce((sum, piece) => sum + piece[of], 0),
    );
    if (shares === null || shares[0] < 0.3) return null;
    const [share, window] = shares;
    const long = characters >= 200;
    const strange =
        words >= 12
            ? known < words * (long ? Math.min(share / 2.5, window) : share / 5)
            : known === 0 && (words >= 5 || long);
    if (!strange) return null;
    const percent = (part) => `${Math.round(100 * part)}%`;
    return (
        `text: ${percent(known / Math.max(words, 1))} of the words of this text are frequent in the model's training ` +
        `data, in texts of its kind ${percent(share)} are: another language, or not plain text?`
    );
}

function pipelineOf(runner, offsets) {
    const docOf = (text, found) => {
        const conllu = found.map((piece) => piece.conllu).join("");
        return new Doc(text, sentencesOf(text, found, offsets), conllu, warningOf(runner.about.share, found));
    };
    const nlp = (text) => docOf(text, [...pieces(runner, text)]);
    /** Analyses a long text without stopping the page: between pieces other work is done; `progress` gets 0 to 1. */
    nlp.analyse = async (text, progress = () => {}) => {
        const found = [];
        let read = 0;
        for (const piece of pieces(runner, text)) {
            found.push(piece);
            read += piece.characters;
            progress(Math.min(1, read / Math.max(1, text.length)));
            await new Promise((resolve) => setTimeout(resolve));
        }
        return docOf(text, found);
    };
    /** Gives the memory of the model back; it cannot be used any more. */
    nlp.release = () => Object.assign(runner, { bytes: null, core: undefined, module: null });
    Object.defineProperty(nlp, "name", { value: runner.name });
    return Object.assign(nlp, { parts: runner.about.parts, card: runner.about.card });
}
