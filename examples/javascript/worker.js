// Analyses texts in a worker, part by part, so that the page or the server that asks goes on meanwhile.
//
//     const worker = new Worker("worker.js", { type: "module" });  // in Node that of node:worker_threads, without the options
//     worker.onmessage = ({ data }) => show(data);                 // in Node: worker.on("message", show)
//     worker.postMessage({ model: "en.sap", text });
//
// Messages are { conllu, read } for each part of the text, with the number of characters that were read so far, and at the end
// { done: true } or { error }.
import { load } from "sapwood";

const inNode = typeof process === "object" && Boolean(process.versions?.node);
const port = inNode ? (await import("node:worker_threads")).parentPort : globalThis;
const models = new Map(); // by where they come from

async function analyse({ model, text }) {
    if (!models.has(model)) models.set(model, load(model));
    const nlp = await models.get(model);
    for await (const doc of nlp.stream([text]))
        port.postMessage({ conllu: doc.toConllu(), read: doc.start + doc.text.length });
    return { done: true };
}

const answer = async (asked) => port.postMessage(await analyse(asked).catch((error) => ({ error: error.message })));
if (inNode) port.on("message", answer);
else port.onmessage = ({ data }) => answer(data);
