// Copy buttons of code blocks and answers.
import { word } from "./words.js";

const SHOWN_MS = 1600;

async function copy(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // Without https the clipboard is closed to scripts, but not to a selection.
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

function confirm(label) {
  label.textContent = word("copied");
  setTimeout(() => {
    label.textContent = word("copy");
  }, SHOWN_MS);
}

document.addEventListener("click", async (event) => {
  const code = event.target.closest("[data-copy]");
  const answer = event.target.closest("[data-copy-answer]");
  const json = event.target.closest("[data-copy-json]");
  if (code) {
    await copy(code.closest(".code").querySelector("code").textContent);
    confirm(code);
  } else if (answer) {
    await copy(answer.parentElement.querySelector("[data-source]").textContent);
    confirm(answer.querySelector("span"));
  } else if (json) {
    await copy(json.parentElement.querySelector("code").textContent);
    confirm(json);
  }
});
