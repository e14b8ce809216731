// The list of conversations: rename in place, delete after a question.
import { refresh } from "./refresh.js";

const dialog = document.getElementById("delete-dialog");
let doomed = null;

function editTitle(item, isEdited) {
  for (const part of item.children) part.hidden = isEdited;
  const form = item.querySelector(".item-rename");
  form.hidden = !isEdited;
  if (isEdited) form.elements.title.select();
  else item.querySelector("a").focus();
}

function askToDelete(button) {
  doomed = { address: button.dataset.delete, item: button.closest(".item") };
  dialog.querySelector("[data-delete-name]").textContent = button.dataset.title;
  dialog.returnValue = "";
  dialog.showModal();
}

async function deleteDoomed() {
  const { address, item } = doomed;
  const headers = JSON.parse(document.body.getAttribute("hx-headers:inherited"));
  const answer = await fetch(address, { method: "POST", headers }).catch(() => null);
  if (!answer?.ok) return;
  if (item.classList.contains("item-current")) location.assign("/");
  else item.remove();
  refresh("list");
}

document.addEventListener("click", (event) => {
  const rename = event.target.closest("[data-rename]");
  const remove = event.target.closest("[data-delete]");
  if (rename) editTitle(rename.closest(".item"), true);
  else if (remove) askToDelete(remove);
});
document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.(".item-rename");
  if (!form || event.key !== "Escape") return;
  event.preventDefault();
  form.reset();
  editTitle(form.closest(".item"), false);
  refresh("list"); // what was held back while the title was typed
});
// A list that comes in now would take the title out of the hands that type it.
document.addEventListener("htmx:before:swap", (event) => {
  const isList = event.detail.ctx.sourceElement?.id === "list";
  if (isList && document.querySelector(".item-rename:not([hidden])")) event.preventDefault();
});
document.addEventListener("htmx:after:request", (event) => {
  const { sourceElement, response } = event.detail.ctx;
  if (!sourceElement.matches(".item-rename") || !response.raw.ok) return;
  const item = sourceElement.closest(".item");
  item.querySelector("a").textContent = sourceElement.elements.title.value;
  editTitle(item, false);
});
dialog?.addEventListener("close", () => {
  if (dialog.returnValue === "delete") deleteDoomed();
});
