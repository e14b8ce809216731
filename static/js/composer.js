// Where people write: what may be sent, when, and that nothing typed is lost.
import { branchIn, shownBranch } from "./branch.js";
import { draftOn } from "./drafts.js";
import { refresh } from "./refresh.js";
import { stick } from "./scroll.js";
import { isOpen } from "./socket.js";
import { headOf, moveTo, placeShown, runningTurn, sync, upsertAnswer } from "./turns.js";
import { word } from "./words.js";

const root = document.documentElement;
const form = document.getElementById("composer");
const field = document.getElementById("text");
const error = document.getElementById("composer-error");
const hint = document.getElementById("composer-hint");
const writesOnGlass = matchMedia("(hover: none) and (pointer: coarse)");

let draft = null;
let isSending = false;
let stopsAtStart = false;
let wantsToSend = false;
let wasReady = true;

// State.

const status = () => document.getElementById("status");

function reason() {
  if (runningTurn() || isSending) return word("running");
  if (status()?.dataset.ready === "false") return status().dataset.reason;
  return "";
}

function update() {
  const isIdle = !runningTurn() && !isSending;
  root.dataset.idle = String(isIdle);
  if (!form) return;
  form.querySelector(".send").disabled = Boolean(reason()) || !field.value.trim();
  wantsToSend &&= Boolean(reason());
  // Why an empty field cannot be sent needs no words, nor does a text that is still typed.
  hint.textContent = field.value.trim() && (isIdle || wantsToSend) ? reason() : "";
  const isReady = status()?.dataset.ready !== "false";
  if (isReady && !wasReady) refresh("header");
  wasReady = isReady;
}

// Writing.

function fit() {
  if (CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

function write(text) {
  field.value = text;
  draft.text = text;
  begin();
  fit();
  update();
}

// A text goes where it was begun, whatever another page does to the branch while it is typed.
function begin() {
  if (!field.value.trim()) draft.begun = null;
  else draft.begun ??= placeShown();
}

/** Let the text go on where the page is now. */
function beginAnew() {
  draft.begun = null;
  begin();
}

function keyDown(event) {
  if (event.key !== "Enter" || event.shiftKey || event.altKey) return;
  // While an input method composes (Chinese, Japanese), Enter chooses a word; Safari reports
  // the key after the composition has ended, then with this code.
  if (event.isComposing || event.keyCode === 229) return;
  if (writesOnGlass.matches && !event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  form.requestSubmit();
}

function submit(event) {
  if (event.target !== form) return;
  if (reason() || !field.value.trim()) {
    event.preventDefault();
    event.stopImmediatePropagation();
    wantsToSend = true;
    update();
    return;
  }
  form.elements.key.value = draft.keyFor(field.value);
  error.replaceChildren();
  isSending = true;
  stick();
  update();
}

/** Send the text as an alternative to what was said meanwhile, where it was typed. */
export async function sendAside(button) {
  const text = field.value;
  if (!text.trim() || button.disabled) return;
  const { branch, version, head } = button.dataset;
  const values = { text, key: draft.keyFor(text), branch, version, head, aside: "on" };
  button.disabled = true; // pressed twice it would be one message all the same
  await htmx.ajax("POST", form.getAttribute("hx-post"), { source: button, swap: "none", values });
  button.disabled = false;
}

// Answers.

function asked(event) {
  event.detail.ctx.askedAt = performance.now();
  if (!form) return;
  const begun = event.detail.ctx.sourceElement === form ? draft.begun : placeShown();
  event.detail.ctx.version = Number(begun.version);
}

function place({ detail: { ctx } }) {
  if (ctx.sourceElement !== form) return;
  begin();
  ctx.request.body.set("version", draft.begun.version);
  ctx.request.body.set("head", headOf(draft.begun));
}

function answered(event) {
  const { sourceElement, response, text, askedAt, version } = event.detail.ctx;
  if (!response.raw.ok) return;
  // Who moves their own branch takes along what they are typing.
  if (draft && branchIn(response.headers.get("HX-Redirect")) === shownBranch()) draft.begun = null;
  for (const name of (sourceElement.dataset.refreshes ?? "").split(" ").filter(Boolean)) {
    refresh(name);
  }
  if ("aside" in sourceElement.dataset) write(draft.accepted());
  if (!("answersTurn" in sourceElement.dataset)) return;
  upsertAnswer(text, askedAt);
  moveTo(shownBranch(), String(version + 1));
  if (sourceElement === form) write(draft.accepted());
  else beginAnew();
  stick();
  if (!isOpen()) sync();
}

const REFUSALS = { 401: "denied", 403: "denied", 404: "missing" };

const isWaitedFor = ({ dataset }) => "answersTurn" in dataset || "aside" in dataset || "leadsAway" in dataset;

async function refused(event) {
  const { sourceElement, response, text } = event.detail.ctx;
  if (!isWaitedFor(sourceElement)) return;
  const code = response.status;
  if (code === 409) {
    const seen = sync();
    // Its writer is told now: sent once more, it follows what is new.
    if (sourceElement === form && text.includes('data-refusal="moved_on"')) {
      if (placeShown().version === draft.begun?.version) await seen;
      beginAnew();
    }
  }
  if ([409, 422, 503].includes(code)) return; // hx-status puts the server's own sentence in place
  say(word(REFUSALS[code] ?? "failed"));
}

function unreachable(event) {
  const source = event.detail.ctx?.sourceElement;
  if (source && isWaitedFor(source)) say(word("unreachable"));
}

function say(sentence) {
  const line = document.createElement("p");
  line.className = "error";
  line.textContent = sentence;
  error.replaceChildren(line);
}

function finished(event) {
  if (event.detail.ctx.sourceElement !== form) return;
  isSending = false;
  update();
}

// Stopping.

function stop() {
  const stopForm = runningTurn()?.querySelector("[data-stop]");
  if (stopForm) stopForm.requestSubmit();
  else stopsAtStart = isSending; // the turn has no name yet: stop it when it has
}

function turnChanged() {
  if (stopsAtStart && runningTurn()) {
    stopsAtStart = false;
    stop();
  }
  update();
}

function escape(event) {
  if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
  if (root.dataset.drawer || document.querySelector("dialog[open]")) return;
  if (root.dataset.idle === "false") stop();
}

document.addEventListener("glassbox:turn", turnChanged);
document.addEventListener("glassbox:drawn", update);
document.addEventListener("htmx:after:swap", update);
document.addEventListener("htmx:config:request", place);
document.addEventListener("htmx:before:request", asked);
document.addEventListener("htmx:after:request", answered);
document.addEventListener("htmx:response:error", refused);
document.addEventListener("htmx:error", unreachable);
document.addEventListener("htmx:finally:request", finished);
document.addEventListener("keydown", escape);

if (form) {
  draft = draftOn(shownBranch());
  write(draft.text);
  field.addEventListener("input", () => write(field.value));
  field.addEventListener("keydown", keyDown);
  document.addEventListener("submit", submit, { capture: true });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-stop-running]")) stop();
    const suggestion = event.target.closest("[data-suggest]");
    if (!suggestion) return;
    write(suggestion.textContent);
    field.focus();
  });
  if (!writesOnGlass.matches) field.focus({ preventScroll: true });
}
update();
