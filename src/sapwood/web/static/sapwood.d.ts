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
    /** The same of names of which a pipeline that abstains is not sure enough; `entity` lacks them. */
    readonly abstained?: string;
    readonly start: number;
    readonly end: number;
    /** How sure the model is, from 0 to 1, of the tag, the features, the arc and the name; if it was asked for. */
    readonly confidence?: { tag?: number; feats?: number; arc?: number; name?: number };
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

/** Which decisions are explained, and what they are compared with. */
export interface Question {
    /** The number of a sentence and of a token, from 1; without, all. */
    sentence?: number;
    token?: number;
    /** The answer to compare with; without, the second best. */
    against?: string;
}

/** Why a decision was made: the features by which it and its alternative differ. Their contributions add up to the margin. */
export interface Explanation {
    /** The part of a pipeline. */
    part?: string;
    sentence: number;
    token: number;
    word: string;
    decision: string;
    chosen: string;
    /** null if there was no choice. */
    against: string | null;
    margin: number;
    scale: number;
    features: { text: string; label: string; value: number; weight: number; contribution: number }[];
}

export class Doc {
    readonly text: string;
    /** The place of the text in a stream. */
    readonly start: number;
    readonly sentences: Sentence[];
    /** Why the text is not one that the model was made for; null if it is. */
    readonly warning: string | null;
    get tokens(): Token[];
    get entities(): Entity[];
    /** The document in CoNLL-U. */
    toConllu(): string;
    /** Explains the decisions of all parts, or of one, whose own numbers the question is asked by then. */
    explain(question?: Question & { part?: string }): Explanation[];
}

export interface Model {
    /** Gives the model's memory back. It cannot be used any more. */
    release(): void;
    readonly name: string;
    readonly task: "pipeline" | "tag" | "classify";
    /** Data, licence and author of the model, in Markdown. */
    readonly card: string;
}

export interface AnalysisOptions {
    /** Whether tokens have confidences; an error if the model is not calibrated. */
    confidence?: boolean;
}

export interface Pipeline extends Model {
    readonly task: "pipeline";
    (text: string, options?: AnalysisOptions): Doc;
    /** Analyses a long text, and lets other work be done between its pieces. */
    analyse(text: string, progress?: (done: number) => void, options?: AnalysisOptions): Promise<Doc>;
    /** Analyses a text of any length that comes in chunks, and yields a document for each part of it. */
    stream(
        chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
        options?: AnalysisOptions,
    ): AsyncGenerator<Doc>;
    readonly parts: string[];
    /** Whether tokens can have confidences. */
    readonly calibrated: boolean;
    /** The part that gives XPOS: with UPOS or, where a treebank has many, with the features. */
    readonly xpos: "tagger" | "morphology";
}

/** A word, or the values of the columns that a tagger reads. */
export type TaggerToken = string | string[];

export interface Tagger extends Model {
    readonly task: "tag";
    /** The labels of a sentence. */
    (sentence: TaggerToken[]): string[];
    predict(sentences: TaggerToken[][]): string[][];
    /** How sure the model is of each label, from 0 to 1; an error if it is not calibrated. */
    confidences(sentences: TaggerToken[][]): number[][];
    explain(sentences: TaggerToken[][], question?: Question): Explanation[];
}

export interface Classified {
    /** The label, or the first of several; null if none is given: no feature is known, or the model is not sure enough. */
    label: string | null;
    labels: string[];
    /** How far the label is ahead, where the model is not calibrated; else how sure it is, from 0 to 1. */
    margin?: number;
    confidence?: number;
    /** All labels, the best one first, with scores or, calibrated, confidences. */
    scores: { label: string; score: number }[];
}

/** A classifier of texts. */
export interface Classifier extends Model {
    readonly task: "classify";
    (text: string): Classified;
    predict(texts: string[]): Classified[];
    /** The number of a text is that of a sentence. */
    explain(texts: string | string[], question?: Question): Explanation[];
    readonly labels: string[];
}

export function load<M extends Model = Pipeline>(model: Source, options?: LoadOptions): Promise<M>;
