import { load } from "./sapwood.js";

// The page of `sapwood page`: it has the core and the models in it, and shows what they find in a text.

const LINES = [
    ["Word", "text"],
    ["Lemma", "lemma"],
    ["UPOS", "upos"],
    ["XPOS", "xpos"],
    ["Features", "feats"],
    ["Head", "head"],
    ["Relation", "deprel"],
];
const OPEN = 5; // sentences of a short text, whose trees are shown at once
const AT_ONCE = 200; // sentences that are shown together
const COLOURS = 6;
const byId = (id) => document.getElementById(id);

// An element with attributes and children, which are elements or text.
function element(name, attributes = {}, ...children) {
    return filled(document.createElement(name), attributes, children);
}

function shape(name, attributes, ...children) {
    return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
}

function bytesOf(data) {
    return Uint8Array.from(atob(data.textContent.trim()), (c) => c.charCodeAt(0));
}

async function unpacked(data) {
    const stream = new Blob([bytesOf(data)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

const pen = document.createElement("canvas").getContext("2d");

// The levels of arcs: each lies above all shorter ones that its span overlaps.
function levels(arcs) {
    const done = [];
    for (const arc of [...arcs].sort((a, b) => a.right - a.left - (b.right - b.left))) {
        const below = done.filter((other) => other.left < arc.right && arc.left < other.right);
        arc.level = 1 + Math.max(0, ...below.map((other) => other.level));
        done.push(arc);
    }
    return Math.max(1, ...arcs.map((arc) => arc.level));
}

/** The tree of a sentence as SVG: words side by side, arcs above them, tags beneath. */
function tree(sentence) {
    const tokens = sentence.tokens;
    pen.font = "16px system-ui, sans-serif";
    const widths = tokens.map((token) => Math.max(30, pen.measureText(token.text).width, 7 * token.upos.length) + 18);
    const centres = [];
    widths.reduce((x, width) => (centres.push(x + width / 2), x + width), 10);
    const arcs = tokens
        .filter((token) => token.head > 0)
        .map((token) => {
            const [head, modifier] = [token.head - 1, token.id - 1];
            return { left: Math.min(head, modifier), right: Math.max(head, modifier), head, modifier, token };
        });
    const height = 24 * (levels(arcs) + 1);
    const width = widths.reduce((a, b) => a + b, 20);
    const name = `Tree: ${tokens.map((token) => token.text).join(" ")}`;
    const picture = shape("svg", { width, height: height + 44, role: "img", "aria-label": name });
    const arrow = (x, y) => shape("path", { class: "arrow", d: `M${x - 3.5} ${y - 7}h7l-3.5 7z` });
    for (const { head, modifier, level, token } of arcs) {
        const step = Math.sign(modifier - head) * 6;
        const [from, to, top] = [centres[head] + step, centres[modifier] - step / 3, height - 24 * level];
        picture.append(
            shape("path", { d: `M${from} ${height}V${top + 6}Q${from} ${top} ${from + step} ${top}H${to - step}Q${to} ${top} ${to} ${top + 6}V${height - 6}` }),
            arrow(to, height),
            shape("text", { class: "label", x: (from + to) / 2, y: top - 4 }, token.deprel),
        );
    }
    tokens.forEach((token, i) => {
        if (token.head === 0)
            picture.append(shape("path", { d: `M${centres[i]} 12V${height - 6}` }), arrow(centres[i], height));
        picture.append(
            shape("text", { x: centres[i], y: height + 18 }, token.text),
            shape("text", { class: "small", x: centres[i], y: height + 36 }, token.upos),
        );
    });
    return element("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Tree" }, picture);
}

function table(sentence) {
    const lines = LINES.filter(([, key]) => sentence.tokens.some((token) => token[key] !== undefined));
    const head = element("tr", {}, ...lines.map(([title]) => element("th", { scope: "col" }, title)));
    const rows = sentence.tokens.map((token) =>
        element("tr", {}, ...lines.map(([, key]) => element("td", {}, String(token[key])))),
    );
    const whole = element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
    return element("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Words" }, whole);
}

// The text of a sentence with its names marked.
function marked(sentence, colour) {
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

function article(sentence, number, colour, open) {
    const whole = element("article", { id: `sentence-${number}`, tabindex: "-1" }, marked(sentence, colour));
    const more = element("details", {}, element("summary", {}, "Tree and words"));
    // What nobody looks at is not made.
    more.addEventListener("toggle", () => {
        if (more.children.length > 1) return;
        if (sentence.tokens[0]?.head !== undefined && sentence.tokens[0]?.upos !== undefined) more.append(tree(sentence));
        more.append(table(sentence));
    });
    more.open = open;
    whole.append(more);
    return whole;
}

// The names of a text, by label, each with its number and a link to the sentence that has it first.
function showNames(doc, colour) {
    const names = new Map();
    doc.sentences.forEach((sentence, s) => {
        for (const { text, label } of sentence.entities) {
            const key = `${label}\n${text}`;
            const known = names.get(key) ?? { text, label, first: s + 1, times: 0 };
            names.set(key, { ...known, times: known.times + 1 });
        }
    });
    const items = [...names.values()].map(({ text, label, first, times }) => {
        const shown = `${text} ${label}${times > 1 ? ` (${times})` : ""}`;
        return element("li", {}, element("a", { href: `#sentence-${first}`, class: colour(label) }, shown));
    });
    byId("names").replaceChildren(element("h2", {}, "Names"), element("ul", {}, ...items));
    byId("names").hidden = items.length === 0;
}

// Shows a document, the sentences of a long one some at a time, as long as `wanted` returns true.
async function show(doc, wanted) {
    const labels = [...new Set(doc.entities.map(({ label }) => label))].sort();
    const colour = (label) => `n${labels.indexOf(label) % COLOURS}`;
    showNames(doc, colour);
    const open = doc.sentences.length <= OPEN;
    byId("found").replaceChildren();
    const conllu = byId("conllu");
    conllu.hidden = doc.sentences.length === 0;
    conllu.open = false;
    conllu.ontoggle = () => (conllu.querySelector("pre").textContent = conllu.open ? doc.toConllu() : "");
    for (let s = 0; s < doc.sentences.length && wanted(); s += AT_ONCE) {
        const some = doc.sentences.slice(s, s + AT_ONCE);
        byId("found").append(...some.map((sentence, i) => article(sentence, s + i + 1, colour, open)));
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

let runs = 0;

async function analyse() {
    const run = ++runs;
    const status = byId("status");
    problem(null);
    try {
        status.textContent = "Loading the model";
        await new Promise((resolve) => setTimeout(resolve));
        const nlp = await model(byId("model").value);
        const doc = await nlp.analyse(byId("text").value, (part) => {
            status.textContent = `Analysing: ${Math.round(100 * part)} %`;
            if (run !== runs) throw new Error("another text came");
        });
        if (run !== runs) return;
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
    if (event.target.type !== "button") return;
    byId("text").value = event.target.textContent;
    analyse();
});
byId("model").addEventListener("change", () => byId("text").value && analyse());
addEventListener("hashchange", readAddress);
byId("status").textContent = "Ready";
readAddress();
