// Values that a person has put in the place of the model's, for CoNLL-U that a model can learn from.

const PLACES = { lemma: 2, upos: 3, xpos: 4, feats: 5, head: 6, deprel: 7 };

/** What is wrong with a value; undefined if nothing is. */
export function flawOf(sentence, token, key, value) {
    if (value === "" || /[\t\n]/.test(value) || (key !== "lemma" && /\s/.test(value))) return "A value is one word.";
    if (key === "head" && !(/^(0|[1-9]\d*)$/.test(value) && Number(value) <= sentence.tokens.length && Number(value) !== token.id))
        return `A head is the number of another word, up to ${sentence.tokens.length}, or 0 for the root.`;
    if (key === "entity" && !/^(O|[BI]-[^\s|]+)$/.test(value)) return "A name begins with a word that is B- and its type, as B-PER, and goes on with I-PER; other words are O.";
    return undefined;
}

/** What is wrong with the tree of a sentence; undefined if nothing is. */
export function flawOfTree(sentence) {
    const heads = sentence.tokens.map((token) => token.head);
    if (heads.includes(undefined)) return undefined;
    if (heads.filter((head) => head === 0).length !== 1) return "it has not one root, a word whose head is 0";
    const reaches = (word) => {
        let steps = 0;
        while (word !== 0 && steps++ < heads.length) word = heads[word - 1];
        return word === 0;
    };
    return heads.every(reaches) ? undefined : "there is a circle in it";
}

export class Corrections {
    constructor() {
        this.sentences = new Map(); // number of a sentence -> Map of "token key" -> value
        this.saved = true;
    }

    /** Keeps a value of a token, and gives it to the token. */
    add(number, token, key, value) {
        const known = this.sentences.get(number) ?? new Map();
        this.sentences.set(number, known.set(`${token.id} ${key}`, value));
        token[key] = key === "head" ? Number(value) : value;
        this.saved = false;
    }

    has(number, token, key) {
        return this.sentences.get(number)?.has(`${token.id} ${key}`) ?? false;
    }

    /** CoNLL-U with the values; only: without the sentences that have none. */
    applied(conllu, only = false) {
        const blocks = conllu.split("\n\n").slice(0, -1);
        return blocks
            .map((block, s) => [block, this.sentences.get(s + 1)])
            .filter(([, values]) => values !== undefined || !only)
            .map(([block, values]) => `${values === undefined ? block : rewritten(block, values)}\n\n`)
            .join("");
    }
}

function rewritten(block, values) {
    const lines = block.split("\n").map((line) => line.split("\t"));
    for (const [place, value] of values) {
        const [id, key] = place.split(" ");
        const cells = lines.find(([first]) => first === id);
        let misc = cells[9].split("|").filter((item) => !/^(_$|Abstained=|\w+Confidence=)/.test(item)); // the model's doubts go
        if (key !== "entity") cells[PLACES[key]] = value;
        else misc = [...(value === "O" ? [] : [`NER=${value}`]), ...misc.filter((item) => !item.startsWith("NER="))];
        cells[9] = misc.join("|") || "_";
    }
    return lines.map((cells) => cells.join("\t")).join("\n");
}
