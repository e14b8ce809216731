// Acts on the tree: fork, roll back, go to another line; and what another page of the same reader
// has done, of which this page only tells.
import { ask, branchIn, pageId, shownBranch } from "./branch.js";
import { draftOn } from "./drafts.js";
import { openPanel } from "./inspector.js";
import { refresh } from "./refresh.js";
import { sendAside } from "./composer.js";

const chat = document.getElementById("chat");
const dialog = document.getElementById("fork-dialog");
const form = document.getElementById("fork-form");
const elsewhere = document.getElementById("elsewhere");

const PROPOSED_CHARACTERS = 40;

const addressOf = (article, act) =>
  `/c/${chat.dataset.conversation}/turns/${article.dataset.turn}/${act}`;

const questionOf = (article) => article.querySelector(".question")?.textContent ?? "";

// Forking asks for a name and proposes one.

let forked = "";

function askName(article, { before }) {
  forked = before ? questionOf(article) : "";
  form.setAttribute("hx-post", addressOf(article, "fork"));
  form.elements.before.value = before ? "on" : "";
  form.elements.name.value = proposed(questionOf(article));
  document.getElementById("fork-error").replaceChildren();
  dialog.showModal();
  form.elements.name.select();
}

function proposed(text) {
  const line = text.trim().split(/\s+/).join(" ");
  const characters = [...line];
  if (characters.length <= PROPOSED_CHARACTERS) return line;
  return `${characters.slice(0, PROPOSED_CHARACTERS - 1).join("").trimEnd()}…`;
}

function act({ detail: { act, article } }) {
  if (act === "fork") askName(article, { before: false });
  else if (act === "fork-before") askName(article, { before: true });
  else if (act === "roll-back") ask(addressOf(article, "rollback"));
}

// The page is about to leave for the branch: what it goes to write there is kept for it.
document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement !== form || !ctx.response.raw.ok) return;
  const branch = branchIn(ctx.response.headers.get("HX-Redirect"));
  if (forked && branch) draftOn(branch).text = forked;
  dialog.close();
});

// The page shows what another page has selected only when it is told to.

/** Tell that the reader has gone to a branch on another page. */
export function wentElsewhere(frame) {
  if (frame.page === pageId) return;
  if (frame.branch === shownBranch()) elsewhere.replaceChildren();
  else elsewhere.innerHTML = frame.html;
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-go]")) ask(target.closest("[data-go]").dataset.go);
  else if (target.closest("[data-stay]")) elsewhere.replaceChildren();
  else if (target.closest("[data-fork-cancel]")) dialog.close();
  else if (target.closest("[data-show-panel]")) {
    openPanel(target.closest("[data-show-panel]").dataset.showPanel);
  } else if (target.closest("[data-aside]")) sendAside(target.closest("[data-aside]"));
});

if (chat?.dataset.branch) {
  document.addEventListener("glassbox:act", act);
  // A turn that begins on a rolled-back line keeps what it leaves behind as a branch.
  document.addEventListener("glassbox:turn", ({ detail }) => {
    if (detail.before !== "" || !document.getElementById("rolled-back")) return;
    document.getElementById("rolled-back").remove();
    refresh("branches");
  });
}
