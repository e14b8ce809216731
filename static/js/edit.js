// A message is written anew in its own place; what is typed there survives a reload.
import { Draft } from "./drafts.js";
import { showWaiting } from "./turns.js";

const template = document.getElementById("edit-template");
const drafts = new WeakMap(); // form -> what is typed in it

const formOf = (element) => element?.closest?.(".edit-form");

/** Open the editor of a turn's message, with what was typed in it before. */
function open(button) {
  const article = button.closest("article.turn");
  const question = article.querySelector(".question");
  const form = template.content.firstElementChild.cloneNode(true);
  const draft = new Draft(`edit:${article.dataset.turn}`);
  form.setAttribute("hx-post", button.dataset.edit);
  for (const code of [409, 422, 503]) {
    form.setAttribute(`hx-status:${code}`, `swap:innerHTML target:#edit-error-${article.dataset.turn}`);
  }
  form.querySelector(".edit-error").id = `edit-error-${article.dataset.turn}`;
  const field = form.elements.text;
  field.value = draft.text || question.textContent;
  drafts.set(form, draft);
  question.hidden = true;
  article.querySelector(".question-tools").hidden = true;
  question.after(form);
  htmx.process(form);
  fit(field);
  field.focus({ preventScroll: true });
  field.setSelectionRange(field.value.length, field.value.length);
}

function close(form) {
  const article = form.closest("article.turn");
  drafts.get(form).text = "";
  form.remove();
  article.querySelector(".question").hidden = false;
  article.querySelector(".question-tools").hidden = false;
  const { id } = article;
  showWaiting(article);
  document.getElementById(id)?.querySelector("[data-edit]")?.focus({ preventScroll: true });
}

function fit(field) {
  if (CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

function keyDown(event) {
  const form = formOf(event.target);
  if (!form || event.isComposing || event.keyCode === 229) return;
  if (event.key === "Escape") {
    event.preventDefault(); // the same key would stop a running answer
    event.stopPropagation();
    close(form);
  } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit();
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-edit]");
  if (button) open(button);
  else if (target.closest("[data-edit-cancel]")) close(formOf(target));
});
document.addEventListener("input", ({ target }) => {
  const form = formOf(target);
  if (!form) return;
  drafts.get(form).text = target.value;
  fit(target);
});
// Rolled back on another page while it was written anew: the draft waits until it comes back.
document.addEventListener("glassbox:gone", ({ detail: { article } }) => {
  const form = article.querySelector(".edit-form");
  if (!form || !drafts.get(form).text) return;
  const note = document.getElementById("edit-gone").content.firstElementChild.cloneNode(true);
  document.getElementById("elsewhere").replaceChildren(note);
});
document.addEventListener("keydown", keyDown, { capture: true });
document.addEventListener(
  "submit",
  (event) => {
    const form = formOf(event.target);
    if (!form) return;
    const { text, key } = form.elements;
    if (!text.value.trim()) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    key.value = drafts.get(form).keyFor(text.value);
  },
  { capture: true },
);
document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  const form = formOf(ctx.sourceElement);
  if (form && ctx.response.raw.ok) drafts.get(form).accepted();
});
