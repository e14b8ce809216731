// "What was sent": follows the newest turn, and keeps open what a person has opened.
import { showInspector } from "./drawers.js";

const panel = () => document.getElementById("sent");
const isOfPanel = (event) => event.detail.ctx.sourceElement?.id === "sent";
const newestTurn = () => panel()?.querySelector(".sent-turn")?.id;

let openedBefore = null;

async function show(id, address) {
  if (!document.getElementById(id)) {
    // Turns of older pages are not in the panel yet.
    await htmx.ajax("GET", address, { source: panel(), target: "#sent", swap: "beforeend" });
  }
  const wanted = document.getElementById(id);
  for (const turn of panel().querySelectorAll(".sent-turn")) turn.open = turn === wanted;
  wanted?.scrollIntoView({ block: "nearest" });
  wanted?.querySelector("summary").focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-show-sent]");
  if (!link) return;
  event.preventDefault();
  showInspector();
  show(link.getAttribute("href").slice(1), link.dataset.showSent);
});

// A turn that changed must not keep an older account of itself.
document.addEventListener("glassbox:turn", (event) => {
  document.getElementById(`sent-${event.detail.turn}`)?.removeAttribute("hx-morph-skip");
});

// Morphing closes what the server does not know to be open.
document.addEventListener("htmx:before:swap", (event) => {
  if (!isOfPanel(event)) return;
  openedBefore = {
    newest: newestTurn(),
    ids: [...panel().querySelectorAll("details[open]")].map((details) => details.id),
  };
});
document.addEventListener("htmx:after:swap", (event) => {
  if (!openedBefore || !isOfPanel(event)) return;
  const { newest, ids } = openedBefore;
  openedBefore = null;
  for (const details of panel().querySelectorAll("details")) {
    // A new turn takes the stage: turns opened before it close.
    const isStage = details.matches(".sent-turn") && newest !== newestTurn();
    details.open = isStage ? details.id === newestTurn() : ids.includes(details.id);
  }
});
