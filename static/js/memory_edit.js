// After an act on memory: forms are emptied, the panel shows what is, the focus stays near.
import { giveBack, load, panel, viewOf } from "./panels.js";
import { refresh } from "./refresh.js";

const formOf = (event) => {
  const { sourceElement } = event.detail.ctx;
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
  load(name); // shows what is there now, beside what was typed
  const place = document.getElementById(`error-${name}`);
  if (!form.matches(".memory-form")) place?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("htmx:after:request", done);
document.addEventListener("htmx:response:error", refused);
document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.(".memory-form");
  if (!form || event.key !== "Enter" || event.isComposing) return;
  if (event.ctrlKey || event.metaKey) form.requestSubmit();
});
