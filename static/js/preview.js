// The size of the next request for the text that is being typed: asked for when the typing rests,
// never in its way, and given up as soon as something newer is typed.
import { keep, recall } from "./memory.js";
import { isOpen } from "./socket.js";

const PAUSE_MS = 600; // between the last key and the question
const KEY = "preview";

const root = document.documentElement;
const field = document.getElementById("text");
const form = document.getElementById("composer");
const show = document.getElementById("preview-show");
const box = () => document.getElementById("preview");

let timer;
let isShown = recall("localStorage", KEY) !== "off";

const isReady = () => document.getElementById("status")?.dataset.ready !== "false";
// What a running answer says is a part of the next request.
const canAsk = () => isShown && isReady() && isOpen() && root.dataset.idle !== "false";

function soon() {
  clearTimeout(timer);
  if (!field.value.trim() || !canAsk()) clear();
  else timer = setTimeout(ask, PAUSE_MS);
}

function clear() {
  clearTimeout(timer);
  box().hidden = true;
}

async function ask() {
  const text = field.value;
  if (!text.trim() || !canAsk()) {
    clear();
    return;
  }
  const place = box();
  const values = { text, branch: form.elements.branch.value };
  if (place.open && !place.hidden) values.whole = "on";
  const { address } = place.dataset;
  await htmx.ajax("POST", address, { source: place, target: place, swap: "outerMorph", values });
  if (!field.value.trim() || !isShown) clear();
}

function choose({ target }) {
  const button = target.closest("[data-preview]");
  if (!button) return;
  isShown = button.dataset.preview === "on";
  keep("localStorage", KEY, isShown ? null : "off");
  show.hidden = isShown;
  clear();
  if (isShown) ask();
  field.focus({ preventScroll: true }); // the button is gone
}

if (show) {
  show.hidden = isShown;
  field.addEventListener("input", soon);
  document.addEventListener("click", choose);
  document.addEventListener("glassbox:turn", soon);
  document.addEventListener("htmx:finally:request", ({ detail }) => {
    // What was sent is taken out of the field once it is accepted, which nobody types.
    if (!field.value.trim()) clear();
    else if (detail.ctx.sourceElement.matches(".picker")) soon(); // another model counts otherwise
  });
  // A toggle does not bubble.
  document.addEventListener("toggle", ({ target }) => target.id === "preview" && target.open && ask(), {
    capture: true,
  });
  if (field.value.trim()) soon();
}
