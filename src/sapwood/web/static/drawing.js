// Elements of the page, and the drawing of a tree.

// An element with attributes and children, which are elements or text.
export function element(name, attributes = {}, ...children) {
    return filled(document.createElement(name), attributes, children);
}

export function shape(name, attributes, ...children) {
    return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
}

/** The line of titles above a table; a column without a title has an empty cell. */
export function headings(titles) {
    const cells = titles.map((title) => (title ? element("th", { scope: "col" }, title) : element("td")));
    return element("thead", {}, element("tr", {}, ...cells));
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
export function tree(sentence) {
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
