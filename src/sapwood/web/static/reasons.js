import { element, headings, shape } from "./drawing.js";

// The panel that says why a value was chosen, and takes another one in its place.

const SHOWN = 12; // features that are listed
const BAR = 60; // pixels of the longest bar

const signed = (number, digits) => (number < 0 ? "" : "+") + number.toFixed(digits);

// Each feature once, with all labels that it has weights for; those that count most come first.
function summed(features) {
    const found = new Map();
    for (const { text, label, value, weight, contribution } of features) {
        const known = found.get(text) ?? { text, sum: 0, weights: [] };
        const times = Math.abs(value) === 1 ? "" : `${Math.abs(value)} x `;
        known.sum += contribution;
        known.weights.push(`${times}${label} ${signed(weight, 1)}`.trim());
        found.set(text, known);
    }
    return [...found.values()].sort((a, b) => Math.abs(b.sum) - Math.abs(a.sum));
}

function section({ word, decision, chosen, against, outvoted, margin, features }) {
    const kind = decision === "label" || chosen.startsWith(decision) ? "" : `${decision} `;
    const choice = against === null ? `${chosen}: there was no choice` : `${chosen}, not ${against}, by ${margin.toFixed(3)}`;
    const whole = element("section", {}, element("h3", {}, `${word}: ${kind}${choice}${outvoted ? `; outvoted by ${outvoted}` : ""}`));
    const all = summed(features);
    if (all.length === 0) return whole;
    const longest = Math.max(...all.map(({ sum }) => Math.abs(sum)));
    const rows = all.slice(0, SHOWN).map(({ text, sum, weights }) => {
        const width = Math.max(1, Math.round((BAR * Math.abs(sum)) / (longest || 1)));
        const bar = shape("svg", { width: BAR, height: 10, "aria-hidden": "true" }, shape("rect", { width, height: 10 }));
        const feature = element("td", {}, text, element("br"), element("small", {}, weights.join(", ")));
        return element("tr", { class: sum > 0 ? "for" : "against" }, element("td", {}, signed(sum, 3)), element("td", {}, bar), feature);
    });
    const titles = ["contribution", "", "feature and its weights"];
    whole.append(element("table", {}, headings(titles), element("tbody", {}, ...rows)));
    const rest = all.slice(SHOWN);
    const sum = rest.reduce((before, { sum }) => before + sum, 0);
    if (rest.length > 0)
        whole.append(element("p", { class: "dim" }, `and ${rest.length} more features, together ${signed(sum, 3)}`));
    return whole;
}

/**
 * Shows in a panel why a value was chosen. explain(against): the explanations, compared with the second best or a named answer;
 * correct(value): takes another value, and returns what is wrong with it, or nothing; label: how the answers that can be
 * named look, such as the one that was given, null if none can; opener: the button that asked
 */
export function showReasons(panel, title, explain, correct, label, opener) {
    const reasons = element("div");
    const problem = element("p", { class: "error", role: "alert", hidden: "" });
    const other = element("input", { size: "14", autocomplete: "off" });
    const close = element("button", { type: "button" }, "Close");
    const replace = element("button", { type: "button" }, "Correct it to this");
    const compare = label === null ? [] : [element("button", {}, "Why not?")];
    const form = element("form", { class: "row" }, element("label", {}, "Another value ", other), ...compare, replace);
    const complain = (message) => {
        problem.textContent = message ?? "";
        problem.hidden = !message;
    };
    const ask = (against) => {
        complain();
        try {
            const found = explain(against);
            reasons.replaceChildren(...found.map(section));
            const without = against && `: no decision has another answer than ${against}`;
            if (found.length === 0) reasons.append(element("p", {}, `There is nothing to explain there${without}.`));
        } catch (error) {
            complain(label ? `${error.message}. An answer is written as ${label}.` : error.message);
        }
    };
    const hide = () => {
        panel.hidden = true;
        opener.focus();
    };
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        if (label !== null) ask(other.value.trim());
    });
    replace.addEventListener("click", () => complain(correct(other.value.trim())));
    close.addEventListener("click", hide);
    panel.onkeydown = (event) => {
        if (event.key === "Escape") hide();
    };
    panel.replaceChildren(element("div", { class: "row" }, element("h2", {}, title), close), form, problem, reasons);
    panel.hidden = false;
    ask("");
    panel.focus({ preventScroll: true });
    opener.scrollIntoView({ block: "nearest" }); // above the panel, where that lies over the sentences
}
