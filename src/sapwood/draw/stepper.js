
"use strict";
const sections = [...document.querySelectorAll("section")];
const buttons = [...document.querySelectorAll("button")];
const nav = document.querySelector("nav");
const last = sections.length - 1;
let at = 0;

const target = { first: () => 0, back: () => at - 1, forward: () => at + 1, last: () => last };
const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "forward", End: "last" };

function show(k) {
  at = Math.min(Math.max(k, 0), last);
  sections.forEach((section, number) => { section.hidden = number !== at; });
  buttons.forEach((button) => {
    const to = target[button.dataset.to]();
    button.setAttribute("aria-disabled", to === at || to < 0 || to > last);
  });
  const text = `${at + 1} of ${sections.length}: ${sections[at].getAttribute("aria-label")}`;
  nav.querySelector("output").textContent = text;
  if (location.protocol !== "about:") history.replaceState(null, "", `#${at + 1}`);
}

if (sections.length) {
  nav.dataset.ready = "";
  buttons.forEach((button) => button.addEventListener("click", () => show(target[button.dataset.to]())));
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !(event.key in keys)) return;
    event.preventDefault();
    show(target[keys[event.key]]());
  });
  addEventListener("hashchange", () => show(Number(location.hash.slice(1)) - 1 || 0));
  show(Number(location.hash.slice(1)) - 1 || 0);
}
