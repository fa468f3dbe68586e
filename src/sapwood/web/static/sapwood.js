// Models of sapwood in JavaScript: the core, compiled for WebAssembly, and what it makes of texts.
//
//     const nlp = await load("en.sap");          // bytes, a URL or, in Node and Deno, a path
//     const doc = nlp("Ada wrote it.");
//     doc.sentences[0].tokens[1].lemma;          // "write"
//     doc.explain({ sentence: 1, token: 2 });    // why
//
// Of a classifier of texts `load` makes a function from a text to its label, of a tagger one from a sentence to its labels.
// Offsets are UTF-16 code units, as JavaScript counts them; load(model, { offsets: "code points" }) counts code points.
// A document is made of copies, so that nothing has to be released; nlp.release() gives a model's memory back.

import { Runner, SapwoodError, bytesOf, checked, checkedText, coreOf, decoder } from "./core.js";

export { SapwoodError };

const PIECE = 1 << 13; // bytes of a text that are analysed at a time

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
    constructor(text, sentences, conllu, warning, ask, start = 0) {
        this.text = text;
        this.start = start; // the place of the text in a stream
        this.sentences = sentences;
        this.warning = warning; // why the text is not one that the model was made for; null if it is
        this.conllu = conllu;
        Object.defineProperty(this, "ask", { value: ask, enumerable: false });
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
    /**
     * Why the parts decided as they did: the features by which each decision and its alternative differ, as `sapwood explain`
     * writes them.
     *
     * question.sentence, question.token: numbers from 1; without, all
     * question.against: the answer to compare with; without, the second best
     * question.part: the name of a part, whose own numbers these are then; without, all parts
     */
    explain(question = {}) {
        return explanations(this.ask({ ...question, ask: "explain", text: this.text, conllu: this.conllu }));
    }
}

/**
 * Load a model: a pipeline, a tagger or a classifier of texts. Returns a function that analyses a text, or a sentence.
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
    const runner = new Runner(module, bytes, name);
    const loaded = KINDS[runner.about.task](runner, offsets);
    /** Gives the memory of the model back; it cannot be used any more. */
    loaded.release = () => Object.assign(runner, { bytes: null, core: undefined, module: null });
    Object.defineProperty(loaded, "name", { value: name });
    return Object.assign(loaded, { task: runner.about.task, card: runner.about.card });
}

// The reading of a text that comes in chunks, piece by piece: a piece ends where more text could not change what was found.
class Reading {
    constructor(runner, confidence = false) {
        Object.assign(this, { runner, confidence, rest: new Uint8Array(0), tried: 0 });
        this.place = { continues: false, sentence: 1, character: 0 }; // within a paragraph; number of sentence and character
    }

    // Yields what is found with these bytes more; `last`: no others follow. Each chunk ends with a character.
    *add(bytes, last) {
        const all = joined(this.rest, bytes);
        let [begin, end] = [0, this.tried];
        while (last || all.length - Math.max(begin, end) >= PIECE) {
            end = Math.min(Math.max(end, begin) + PIECE, all.length);
            while (end < all.length && (all[end] & 0xc0) === 0x80) ++end; // not within a character
            const done = last && end === all.length;
            if (!done && all[end - 1] === 13) --end; // nor between CR and LF
            const found = this.runner.read(all.subarray(begin, end), !done, this.place, this.confidence);
            found.bytes = all.subarray(begin, begin + found.read);
            begin += found.read;
            this.place.continues = found.continues;
            this.place.sentence += found.sentences;
            this.place.character += found.characters;
            if (found.read > 0 || done) yield found;
            if (done) return;
        }
        this.rest = all.slice(begin);
        this.tried = Math.max(0, end - begin);
    }
}

function joined(first, second) {
    if (first.length === 0) return second;
    const both = new Uint8Array(first.length + second.length);
    both.set(first);
    both.set(second, first.length);
    return both;
}

// Yields the bytes of a text that comes in chunks, strings or bytes of UTF-8, each of which ends with a character.
async function* wholeCharacters(chunks) {
    const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    let half = ""; // of a character of two code units
    const decoded = (bytes, stream) => {
        try {
            return utf8.decode(bytes, { stream });
        } catch {
            throw new SapwoodError("text: a byte that is not UTF-8", "DataError");
        }
    };
    for await (const chunk of chunks) {
        const text = half + (typeof chunk === "string" ? chunk : decoded(chunk, true));
        half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
        yield checked(half === "" ? text : text.slice(0, -1));
    }
    yield checked(half + decoded(undefined, false));
}

// Explanations, of lines of JSON.
function explanations(lines) {
    return lines.split("\n").slice(0, -1).map((line) => JSON.parse(line));
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
    const docOf = (text, found, start = 0) => {
        const conllu = found.map((piece) => piece.conllu).join("");
        const sentences = sentencesOf(text, found, offsets);
        return new Doc(text, sentences, conllu, warningOf(runner.about.share, found), (asked) => runner.ask(asked), start);
    };
    const read = (text, { confidence = false } = {}) => new Reading(runner, confidence).add(checked(text), true);
    const nlp = (text, options) => docOf(text, [...read(text, options)]);
    /** Analyses a long text without stopping the page: between pieces other work is done; `progress` gets 0 to 1. */
    nlp.analyse = async (text, progress = () => {}, options = {}) => {
        const found = [];
        let characters = 0;
        for (const piece of read(text, options)) {
            found.push(piece);
            characters += piece.characters;
            progress(Math.min(1, characters / Math.max(1, text.length)));
            await new Promise((resolve) => setTimeout(resolve));
        }
        return docOf(text, found);
    };
    /**
     * Analyses a text of any length that comes in chunks, strings or bytes, from whatever can be iterated. Yields a document for
     * each part of it; sentences are numbered through all of them in CoNLL-U, and offsets are those in the document's text.
     */
    nlp.stream = async function* (chunks, { confidence = false } = {}) {
        const reading = new Reading(runner, confidence);
        let start = 0;
        const docs = function* (bytes, last) {
            reading.place.character = 0;
            for (const found of reading.add(bytes, last)) {
                const text = decoder.decode(found.bytes);
                yield docOf(text, [found], start);
                start += offsets === "utf-16" ? text.length : found.characters;
                reading.place.character = 0;
            }
        };
        for await (const bytes of wholeCharacters(chunks)) yield* docs(bytes, false);
        yield* docs(new Uint8Array(0), true);
    };
    const { parts, calibrated, xpos } = runner.about;
    return Object.assign(nlp, { parts, calibrated, xpos });
}

function taggerOf(runner) {
    const asked = (sentences, more) => {
        const lists = sentences.map((sentence) => {
            if (typeof sentence === "string") throw new SapwoodError("a sentence is a list of tokens, not a string", "DataError");
            return [...sentence].map((token) => [token].flat().map(checkedText));
        });
        return runner.ask({ sentences: lists, ...more });
    };
    const tagger = (sentence) => tagger.predict([sentence])[0];
    /** The labels of each sentence, a list of tokens; a token is a word, or a list of the columns that the model reads. */
    tagger.predict = (sentences) => JSON.parse(asked(sentences, { ask: "labels" }));
    /** The confidence in each of these labels, from 0 to 1. */
    tagger.confidences = (sentences) => JSON.parse(asked(sentences, { ask: "confidence" }));
    /** Why each token has its label; the question is that of Doc.explain, without parts. */
    tagger.explain = (sentences, question = {}) => explanations(asked(sentences, { ...question, ask: "explain" }));
    return tagger;
}

function classifierOf(runner) {
    const asked = (texts, more) => runner.ask({ texts: texts.map(checkedText), ...more });
    // A line has the labels and their margin, the next one all labels with their scores.
    const answerOf = (line, all) => {
        const [given, number] = line.split("\t");
        const labels = given === "_" || given === "" ? [] : runner.about.several ? given.split("|") : [given];
        const cells = all.split("\t");
        const scores = [];
        for (let k = 0; k < cells.length; k += 2) scores.push({ label: cells[k], score: Number(cells[k + 1]) });
        return { label: labels[0] ?? null, labels, [runner.about.calibrated ? "confidence" : "margin"]: Number(number), scores };
    };
    const answers = (texts) => {
        const lines = asked(texts, { ask: "labels" }).split("\n");
        return [...texts].map((_, k) => answerOf(lines[2 * k], lines[2 * k + 1]));
    };
    const classifier = (text) => answers([text])[0];
    /** What is found about each text: see the types. */
    classifier.predict = answers;
    /** Why texts have their labels; the number of a text is that of a sentence. */
    classifier.explain = (texts, question = {}) => explanations(asked([texts].flat(), { ...question, ask: "explain" }));
    return Object.assign(classifier, { labels: runner.about.labels });
}

const KINDS = { pipeline: pipelineOf, tag: taggerOf, classify: classifierOf };
