"use strict";
const sections = [...document.querySelectorAll("section")];
const buttons = [...document.querySelectorAll("button")];
const keys = ["Home", "ArrowLeft", "ArrowRight", "End"]; // what the buttons do, in their order
let at = 0;
const targets = () => [0, at - 1, at + 1, sections.length - 1];

function show(k) {
  at = Math.min(Math.max(k, 0), sections.length - 1);
  sections.forEach((section, number) => { section.hidden = number !== at; });
  targets().forEach((to, k) => buttons[k].setAttribute("aria-disabled", to === at || !(to in sections)));
  const text = `${at + 1} of ${sections.length}: ${sections[at].getAttribute("aria-label")}`;
  document.querySelector("output").textContent = text;
  if (location.protocol !== "about:") history.replaceState(null, "", `#${at + 1}`);
}

const showAddress = () => show(Number(location.hash.slice(1)) - 1 || 0);
if (sections.length) {
  document.querySelector("nav").dataset.ready = "";
  buttons.forEach((button, k) => button.addEventListener("click", () => show(targets()[k])));
  addEventListener("keydown", (event) => {
    const k = keys.indexOf(event.key);
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || k < 0) return;
    event.preventDefault();
    show(targets()[k]);
  });
  addEventListener("hashchange", showAddress);
  showAddress();
}
