/** Bytes, or where they come from; a path only in Node and Deno. */
export type Source = ArrayBuffer | ArrayBufferView | Blob | Response | URL | string;

export interface LoadOptions {
    /** The core, sapwood.wasm, compiled or where it is. Without it: the file beside this module. */
    core?: WebAssembly.Module | Source;
    /** The unit of offsets; UTF-16 code units if it is not given. */
    offsets?: "utf-16" | "code points";
    /** The model's name in messages. */
    name?: string;
}

/** An error of sapwood. Its `name` is that of the class in Python. */
export class SapwoodError extends Error {
    name: "SapwoodError" | "ModelError" | "DataError" | "TemplateError" | "OptionError" | "Error";
}

/** A name in a sentence. */
export interface Entity {
    text: string;
    label: string;
    start: number;
    end: number;
    /** The first token of the sentence that it has, and the one after the last. */
    tokens: [number, number];
}

/** A word of a sentence. A value that no part of the pipeline gives is undefined. */
export class Token {
    /** The number of the word in its sentence, from 1. */
    readonly id: number;
    readonly text: string;
    readonly lemma?: string;
    readonly upos?: string;
    readonly xpos?: string;
    readonly feats?: string;
    /** The number of the head in the sentence, from 1; 0 is the root. */
    readonly head?: number;
    readonly deprel?: string;
    /** The name that the word is part of, in BIO. */
    readonly entity?: string;
    readonly start: number;
    readonly end: number;
    get features(): Record<string, string> | undefined;
}

export class Sentence {
    readonly text: string;
    readonly start: number;
    readonly end: number;
    readonly tokens: Token[];
    /** The share of its words that are frequent ones of the training data. */
    readonly familiarity?: number;
    get entities(): Entity[];
}

export class Doc {
    readonly text: string;
    readonly sentences: Sentence[];
    /** Why the text is not one that the model was made for; null if it is. */
    readonly warning: string | null;
    get tokens(): Token[];
    get entities(): Entity[];
    /** The document in CoNLL-U. */
    toConllu(): string;
}

export interface Pipeline {
    (text: string): Doc;
    /** Analyses a long text, and lets other work be done between its pieces. */
    analyse(text: string, progress?: (done: number) => void): Promise<Doc>;
    /** Gives the model's memory back. It cannot be used any more. */
    release(): void;
    readonly name: string;
    readonly parts: string[];
    /** Data, licence and author of the model, in Markdown. */
    readonly card: string;
}

export function load(model: Source, options?: LoadOptions): Promise<Pipeline>;
