// After an act on memory: forms are emptied, the panel shows what is, the focus stays near.
import { giveBack, load, panel, viewOf } from "./panels.js";
import { refresh } from "./refresh.js";
import { word } from "./words.js";

const formOf = (event) => {
  const sourceElement = event.detail.ctx?.sourceElement;
  return sourceElement?.dataset && "changes" in sourceElement.dataset ? sourceElement : null;
};

async function done(event) {
  const form = formOf(event);
  if (!form || !event.detail.ctx.response.raw.ok) return;
  const name = form.dataset.changes;
  const view = viewOf(name);
  const isEdit = "editing" in form.dataset;
  for (const error of panel(name).querySelectorAll("[role=alert]")) error.replaceChildren();
  if (form.matches(".memory-form") && !isEdit) form.reset();
  await load(name, isEdit ? "" : undefined);
  if (isEdit) giveBack(name, view);
  else if (!hasFocus()) focusAfter(name, form);
  refresh("heads", "log"); // also where no socket says so
}

const hasFocus = () => document.activeElement && document.activeElement !== document.body;

// What was pressed may be gone: then the undo is what a person looks for next.
function focusAfter(name, form) {
  const wanted =
    (form.isConnected && form.querySelector("button")) ||
    document.getElementById(`undo-${name}`) ||
    panel(name).querySelector("summary");
  wanted.focus({ preventScroll: true });
}

function refused(event) {
  const form = formOf(event);
  if (!form) return;
  const name = form.dataset.changes;
  const { status } = event.detail.ctx.response;
  if ([409, 422].includes(status)) load(name); // shows what is there now, beside what was typed
  else say(form, word(status === 401 || status === 403 ? "denied" : "failed"));
  if (!form.matches(".memory-form")) errorOf(form).scrollIntoView({ block: "nearest" });
}

const unreachable = (event) => formOf(event) && say(formOf(event), word("unreachable"));

const errorOf = (form) =>
  form.querySelector("[role=alert]") ?? document.getElementById(`error-${form.dataset.changes}`);

function say(form, sentence) {
  const line = document.createElement("p");
  line.className = "error";
  line.textContent = sentence;
  errorOf(form).replaceChildren(line);
}

document.addEventListener("htmx:after:request", done);
document.addEventListener("htmx:response:error", refused);
document.addEventListener("htmx:error", unreachable);
document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.(".memory-form");
  if (!form || event.key !== "Enter" || event.isComposing) return;
  if (event.ctrlKey || event.metaKey) form.requestSubmit();
});
