// The inspector's panels: they fetch themselves when they are seen, keep what a person has open
// or is typing, and stay on the turn that was chosen.
import { keep, recall } from "./memory.js";
import { refresh } from "./refresh.js";

const views = new Map(); // what of a panel is looked at, as a query; panels not in here show all
const late = new Set(); // panels that wait until an input method has finished a word

const loads = new Map(); // the newest request of each panel

let composing = null;

const panels = () => [...document.querySelectorAll("details.panel")];
const panelOf = (element) => element?.closest?.("details.panel");

/** Return the panel called `name`. */
export const panel = (name) => document.getElementById(`panel-${name}`);

/** Fetch the body of a panel, and show another part of it if a `view` is given. */
export async function load(name, view) {
  if (view !== undefined) views.set(name, view);
  const body = document.getElementById(`body-${name}`);
  if (!body) return;
  if (composing && body.contains(composing)) {
    late.add(name);
    return;
  }
  const query = views.get(name);
  const address = panel(name).dataset.address + (query ? `?${query}` : "");
  const mine = htmx.ajax("GET", address, { source: body, target: body, swap: "outerMorph" });
  loads.set(name, mine);
  await mine;
  if (loads.get(name) !== mine) await loads.get(name); // a newer one has taken its place
}

/** Show another part of a panel; a folded one loads when it is opened. */
export async function look(name, view) {
  if ((views.get(name) ?? "") === view) return;
  if (panel(name)?.open) await load(name, view);
  else views.set(name, view);
}

function loadIfOpen(name) {
  if (panel(name).open) load(name);
  refresh("heads");
}

// Folding and opening.

function toggled(event) {
  const details = event.target;
  if (!details.matches?.("details.panel")) return;
  const { panel: name } = details.dataset;
  keep("localStorage", `panel:${name}`, String(details.open));
  if (details.open) load(name);
}

for (const details of panels()) {
  const kept = recall("localStorage", `panel:${details.dataset.panel}`);
  if (kept !== null) details.open = kept === "true";
  document.body.addEventListener(`refresh-${details.dataset.panel}`, () =>
    loadIfOpen(details.dataset.panel),
  );
}
document.addEventListener("toggle", toggled, { capture: true }); // it does not bubble

// Another part of a panel.

async function choose(button) {
  const name = panelOf(button).dataset.panel;
  const from = viewOf(name);
  await load(name, button.dataset.view);
  const wanted = document.querySelector(`#body-${name} [data-autofocus]`);
  if (wanted) {
    wanted.focus();
    wanted.setSelectionRange(wanted.value.length, wanted.value.length);
  } else giveBack(name, from);
}

/** Give the focus back to the button that opened the form of a `view`. */
export function giveBack(name, view) {
  const id = new URLSearchParams(view).get("edit");
  document.getElementById(`edit-${name}-${id}`)?.focus({ preventScroll: true });
}

/** Return what of a panel is looked at. */
export const viewOf = (name) => views.get(name) ?? "";

document.addEventListener("click", (event) => {
  const button = event.target.closest("details.panel [data-view]");
  if (button) choose(button);
});
// Before others hear of the key: it would stop a running answer or close the drawer.
document.addEventListener("keydown", giveUp, { capture: true });

function giveUp(event) {
  const form = event.target.closest?.("[data-editing]");
  if (!form || event.key !== "Escape" || event.isComposing) return;
  event.preventDefault();
  choose(form.querySelector("[data-view]"));
}

// Searching.

const PAUSE_MS = 250; // between the last key and the search
let timer;

function searchSoon({ target }) {
  if (!target.matches?.("[data-search]") || composing) return;
  clearTimeout(timer);
  const name = panelOf(target).dataset.panel;
  const view = target.value ? String(new URLSearchParams({ q: target.value })) : "";
  timer = setTimeout(() => load(name, view), PAUSE_MS);
}

document.addEventListener("input", searchSoon);

// What a person types: a morph in the middle of a composed word would break the word.

document.addEventListener("compositionstart", (event) => {
  composing = event.target;
});
document.addEventListener("compositionend", (event) => {
  composing = null;
  searchSoon(event);
  for (const name of late) load(name);
  late.clear();
});

let held = null; // what had the focus before a swap, and where its caret was

document.addEventListener("htmx:before:swap", (event) => {
  if (!event.detail.ctx.target?.matches?.(".panel-body")) return;
  const { activeElement: element } = document;
  const caret = [element?.selectionStart ?? null, element?.selectionEnd ?? null];
  held = panelOf(element) && element.id ? { element, caret } : null;
});
document.addEventListener("htmx:after:swap", () => {
  localise();
  if (held && document.activeElement !== held.element) {
    const again = document.getElementById(held.element.id);
    again?.focus({ preventScroll: true });
    if (held.caret[0] !== null) again?.setSelectionRange?.(...held.caret);
  }
  held = null;
});

// Times come in UTC and are shown as the reader's clock has them.
function localise() {
  const today = new Date().toDateString();
  for (const time of document.querySelectorAll("#inspector time:not([title])")) {
    const at = new Date(time.dateTime);
    time.title = at.toLocaleString();
    const isToday = at.toDateString() === today;
    time.textContent = isToday ? at.toLocaleTimeString() : at.toLocaleDateString();
  }
}

// Some things change with nobody doing anything: a turn waits longer, a field expires.
const PULSE_MS = 30_000;
const AGING = { summary: ".waiting", session: ".entry" };

setInterval(() => {
  if (document.hidden) return;
  for (const [name, sign] of Object.entries(AGING)) {
    if (panel(name)?.open && document.querySelector(`#body-${name} ${sign}`)) load(name);
  }
}, PULSE_MS);

for (const details of panels()) if (details.open) load(details.dataset.panel);
