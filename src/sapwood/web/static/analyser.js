import { load } from "./sapwood.js";
import { Corrections, flawOf, flawOfTree } from "./corrections.js";
import { element, headings, tree } from "./drawing.js";
import { showReasons } from "./reasons.js";

// The page of `sapwood page`: it has the core and the models in it, and shows what they find in a text.

// Columns of the table of words: title, member of a token, part that decides, and its confidence.
const COLUMNS = [
    ["Lemma", "lemma", "lemmatizer"],
    ["UPOS", "upos", "tagger", "tag"],
    ["XPOS", "xpos", "tagger", "tag"],
    ["Features", "feats", "morphology", "feats"],
    ["Head", "head", "parser", "arc"],
    ["Relation", "deprel", "parser", "arc"],
    ["Name", "entity", "entities", "name"],
];
const UNSURE = 0.9; // confidences below are shown
const OPEN = 5; // sentences of a short text, whose trees are shown at once
const AT_ONCE = 200; // sentences that are shown together
const COLOURS = 6;
const byId = (id) => document.getElementById(id);

function bytesOf(data) {
    const text = atob(data.textContent.trim());
    const bytes = new Uint8Array(text.length); // a function for each byte would take ten times as long
    for (let k = 0; k < bytes.length; ++k) bytes[k] = text.charCodeAt(k);
    return bytes;
}

async function unpacked(data) {
    const stream = new Blob([bytesOf(data)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

// The document that is shown, its corrections, and the labels of its names, whose places are their colours.
let shown = { doc: null, corrections: new Corrections(), labels: [] };
let xposOf = "tagger"; // the part that gives XPOS

function colour(label) {
    if (!shown.labels.includes(label)) shown.labels.push(label);
    return `n${shown.labels.indexOf(label) % COLOURS}`;
}

function why(number, token, [title, key, part], button) {
    const { doc, corrections } = shown;
    const sentence = doc.sentences[number - 1];
    const explain = (against) => doc.explain({ sentence: number, token: token.id, part, ...(against && { against }) });
    // The answer of this part, as one that is compared with it is written. Lemmatizers choose ways to change a word: none.
    const answers = { tagger: [token.upos], morphology: [token.feats], lemmatizer: null };
    if (xposOf === "tagger") answers.tagger.push(token.xpos);
    else answers.morphology.unshift(token.xpos);
    const label = answers[part] && answers[part].filter(Boolean).join(" ");
    const correct = (value) => {
        const flaw = flawOf(sentence, token, key, value);
        if (flaw !== undefined) return flaw;
        corrections.add(number, token, key, value);
        byId("why").hidden = true;
        byId(`sentence-${number}`).replaceWith(article(sentence, number, true));
        byId(button.id).focus();
        showNames(doc);
        showCorrections();
        return undefined;
    };
    showReasons(byId("why"), `${title} of ${token.text}: why?`, explain, correct, label, button);
}

function cell(number, token, column) {
    const [title, key, , decision] = column;
    const value = String(token[key]);
    const sure = token.confidence?.[decision];
    const corrected = shown.corrections.has(number, token, key);
    const percent = sure === undefined || corrected ? "" : `${Math.floor(100 * sure)} %`;
    const said = corrected ? ", corrected" : percent && `, ${percent} sure`;
    const button = element(
        "button",
        { type: "button", id: `${key}-${number}-${token.id}`, "aria-label": `${value}, ${title} of ${token.text}${said}: why?` },
        value,
    );
    if (corrected) button.className = "corrected";
    else if (sure < UNSURE && !["xpos", "head"].includes(key)) button.append(" ", element("small", {}, percent));
    button.addEventListener("click", () => why(number, token, column, button));
    return element("td", {}, button);
}

function table(sentence, number) {
    const given = COLUMNS.filter(([, key]) => sentence.tokens.some((token) => token[key] !== undefined));
    const decision = { tagger: "tag", morphology: "feats" }[xposOf];
    const columns = given.map((column) => (column[1] === "xpos" ? ["XPOS", "xpos", xposOf, decision] : column));
    const titles = ["", "Word", ...columns.map(([title]) => title)];
    const rows = sentence.tokens.map((token) => {
        const word = element("th", { scope: "row" }, token.text);
        const cells = columns.map((column) => cell(number, token, column));
        return element("tr", {}, element("td", { class: "dim" }, String(token.id)), word, ...cells);
    });
    const whole = element("table", {}, headings(titles), element("tbody", {}, ...rows));
    return element("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Words" }, whole);
}

// The text of a sentence with its names marked.
function marked(sentence) {
    const line = element("p");
    let at = sentence.start;
    for (const name of sentence.entities) {
        line.append(sentence.text.slice(at - sentence.start, name.start - sentence.start));
        line.append(element("mark", { class: colour(name.label) }, name.text, " ", element("small", {}, name.label)));
        at = name.end;
    }
    line.append(sentence.text.slice(at - sentence.start));
    return line;
}

function article(sentence, number, open) {
    const whole = element("article", { id: `sentence-${number}`, tabindex: "-1" }, marked(sentence));
    const more = element("details", {}, element("summary", {}, "Tree and words"));
    // What nobody looks at is not made.
    const fill = () => {
        if (!more.open || more.children.length > 1) return;
        if (sentence.tokens[0]?.head !== undefined && sentence.tokens[0]?.upos !== undefined) more.append(tree(sentence));
        more.append(table(sentence, number));
    };
    more.addEventListener("toggle", fill);
    more.open = open;
    fill();
    whole.append(more);
    return whole;
}

// The names of a text, by label, each with its number and a link to the sentence that has it first.
function showNames(doc) {
    const names = new Map();
    doc.sentences.forEach((sentence, s) => {
        for (const { text, label } of sentence.entities) {
            const key = `${label}\n${text}`;
            const known = names.get(key) ?? { text, label, first: s + 1, times: 0 };
            names.set(key, { ...known, times: known.times + 1 });
        }
    });
    const items = [...names.values()].map(({ text, label, first, times }) => {
        const line = `${text} ${label}${times > 1 ? ` (${times})` : ""}`;
        return element("li", {}, element("a", { href: `#sentence-${first}`, class: colour(label) }, line));
    });
    byId("names").replaceChildren(element("h2", {}, "Names"), element("ul", {}, ...items));
    byId("names").hidden = items.length === 0;
}

function showCorrections() {
    const { doc, corrections } = shown;
    const conllu = byId("conllu");
    const write = () => (conllu.querySelector("pre").textContent = conllu.open ? corrections.applied(doc.toConllu()) : "");
    conllu.ontoggle = write;
    write();
    const count = corrections.sentences.size;
    byId("save").hidden = count === 0;
    byId("save").textContent = `Save ${count === 1 ? "the corrected sentence" : `${count} corrected sentences`}`;
}

// Gives the corrected sentences as a file, for `sapwood train pipeline train.conllu corrected.conllu`.
function save() {
    const { doc, corrections } = shown;
    for (const number of corrections.sentences.keys()) {
        const flaw = flawOfTree(doc.sentences[number - 1]);
        if (flaw !== undefined) return problem(`The tree of sentence ${number} cannot be learned from: ${flaw}.`);
    }
    problem(null);
    const address = URL.createObjectURL(new Blob([corrections.applied(doc.toConllu(), true)], { type: "text/plain" }));
    element("a", { href: address, download: "corrected.conllu" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    corrections.saved = true;
}

// Shows a document, the sentences of a long one some at a time, as long as `wanted` returns true.
async function show(doc, wanted) {
    shown = { doc, corrections: new Corrections(), labels: [...new Set(doc.entities.map(({ label }) => label))].sort() };
    showNames(doc);
    const open = doc.sentences.length <= OPEN;
    byId("found").replaceChildren();
    byId("why").hidden = true;
    byId("hint").hidden = byId("conllu").hidden = doc.sentences.length === 0;
    byId("conllu").open = false;
    showCorrections();
    for (let s = 0; s < doc.sentences.length && wanted(); s += AT_ONCE) {
        const some = doc.sentences.slice(s, s + AT_ONCE);
        byId("found").append(...some.map((sentence, i) => article(sentence, s + i + 1, open)));
        await new Promise((resolve) => setTimeout(resolve));
    }
}

function problem(message) {
    byId("problem").textContent = message ?? "";
    byId("problem").hidden = !message;
}

const loaded = new Map(); // name of a model -> the pipeline, once it was asked for
let core = null;

function model(name) {
    core ??= unpacked(byId("core"));
    if (!loaded.has(name)) {
        const data = document.querySelector(`script[data-model="${CSS.escape(name)}"]`);
        loaded.set(name, core.then((module) => load(bytesOf(data), { core: module, name })));
    }
    return loaded.get(name);
}

// Whether the corrections may go: they are saved, or the person says so.
function leave() {
    const { corrections } = shown;
    corrections.saved ||= confirm("The corrections of this text are not saved. Go on without them?");
    return corrections.saved;
}

let runs = 0;

async function analyse() {
    if (!leave()) return;
    const run = ++runs;
    const status = byId("status");
    problem(null);
    try {
        status.textContent = "Loading the model";
        await new Promise((resolve) => setTimeout(resolve));
        const nlp = await model(byId("model").value);
        const progress = (part) => {
            status.textContent = `Analysing: ${Math.round(100 * part)} %`;
            if (run !== runs) throw new Error("another text came");
        };
        const doc = await nlp.analyse(byId("text").value, progress, { confidence: nlp.calibrated && byId("sure").checked });
        if (run !== runs) return;
        if (!leave()) return (status.textContent = "");
        xposOf = nlp.xpos; // of the model whose document is shown from here on
        await show(doc, () => run === runs);
        if (run !== runs) return;
        byId("share").href = `#text=${encodeURIComponent(byId("text").value)}`;
        byId("share").hidden = false;
        status.textContent = `${doc.sentences.length} sentences, ${doc.tokens.length} words`;
        problem(doc.warning);
    } catch (error) {
        if (run !== runs) return;
        status.textContent = "";
        problem(error.message);
    }
}

// page.html#text=Ada%20wrote%20it. analyses that text.
function readAddress() {
    if (!location.hash.startsWith("#text=")) return;
    const before = byId("text").value;
    try {
        byId("text").value = decodeURIComponent(location.hash.slice(6));
    } catch {
        return problem("The text in the address is not one that encodeURIComponent has written.");
    }
    if (byId("text").value !== before) analyse();
}

for (const data of document.querySelectorAll("script[data-model]"))
    byId("model").append(element("option", {}, data.dataset.model));
byId("form").addEventListener("submit", (event) => {
    event.preventDefault();
    analyse();
});
byId("text").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("form").requestSubmit();
});
byId("examples").addEventListener("click", (event) => {
    if (event.target.type !== "button" || !leave()) return;
    byId("text").value = event.target.textContent;
    analyse();
});
byId("save").addEventListener("click", save);
byId("model").addEventListener("change", () => byId("text").value && analyse());
addEventListener("hashchange", readAddress);
addEventListener("beforeunload", (event) => {
    if (!shown.corrections.saved) event.preventDefault();
});
byId("status").textContent = "Ready";
readAddress();
