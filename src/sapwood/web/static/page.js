// What JavaScript adds to the page: reasons appear beside the sentences without loading the page again, arrow keys walk
// through a table, Escape closes the reasons, Ctrl-Enter analyses, a shared address is read. Without it all but the last
// is done by plain forms.
"use strict";

document.documentElement.classList.add("js");

const asked = document.getElementById("asked");
const panel = document.getElementById("why");
let opener = null; // the button whose reasons are shown

async function explain(button) {
  const fields = new URLSearchParams(new FormData(asked, button));
  if (!panel.contains(button)) {
    fields.delete("against");
    choose(button);
  }
  let answer;
  try {
    const response = await fetch("why", { method: "POST", body: fields });
    answer = await response.text();
  } catch {
    answer = '<h2>Why?</h2><p class="error" role="alert">The server does not answer.</p>';
  }
  panel.innerHTML = answer; // the server's own page, in which all text is escaped
  panel.hidden = false;
  const close = panel.querySelector(".close");
  if (close) {
    close.hidden = false;
    close.addEventListener("click", hide);
  }
  panel.querySelector("input")?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    panel.querySelector("button[name=why]").click();
  });
  panel.focus({ preventScroll: true });
  opener.scrollIntoView({ block: "nearest" }); // above the panel, where that lies over the sentences
}

function choose(button) {
  if (opener) opener.removeAttribute("aria-pressed");
  opener = button;
  button.setAttribute("aria-pressed", "true");
}

function hide() {
  panel.hidden = true;
  if (opener) {
    opener.removeAttribute("aria-pressed");
    opener.focus();
  }
}

if (asked) {
  asked.addEventListener("submit", (event) => {
    if (event.submitter && event.submitter.name === "why") {
      event.preventDefault();
      explain(event.submitter);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) hide();
  });
  for (const link of document.querySelectorAll("a.why-link")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      document.getElementById(link.getAttribute("href").slice(1)).click();
    });
  }
  document.querySelectorAll("table.words").forEach(walkable);
}

// One stop of the Tab key for a table; the arrow keys, Home and End go on from there.
function walkable(table) {
  const rows = [...table.tBodies[0].rows].map((row) => [...row.querySelectorAll("button")]);
  const all = rows.flat();
  const stop = (button) => {
    for (const each of all) each.tabIndex = -1;
    button.tabIndex = 0;
  };
  if (all.length) stop(all[0]);
  table.addEventListener("focusin", (event) => all.includes(event.target) && stop(event.target));
  table.addEventListener("keydown", (event) => {
    const row = rows.findIndex((each) => each.includes(event.target));
    if (row < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const column = rows[row].indexOf(event.target);
    const cell = (button) => button.closest("td,th").cellIndex;
    const below = (each) => each?.find((button) => cell(button) === cell(event.target));
    const to = {
      ArrowUp: below(rows[row - 1]),
      ArrowDown: below(rows[row + 1]),
      ArrowLeft: rows[row][column - 1],
      ArrowRight: rows[row][column + 1],
      Home: rows[row][0],
      End: rows[row].at(-1),
    }[event.key];
    if (to) {
      event.preventDefault();
      to.focus();
    }
  });
}

// #text=... in the address is analysed, as a link on the page of a result has it.
function readAddress() {
  const text = document.getElementById("text");
  if (!location.hash.startsWith("#text=")) return;
  const shared = decodeURIComponent(location.hash.slice(6));
  if (shared === text.value) return;
  text.value = shared;
  text.form.requestSubmit();
}

addEventListener("hashchange", readAddress);
readAddress();

document.getElementById("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.target.form.requestSubmit();
});
