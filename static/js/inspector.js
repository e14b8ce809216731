// "What was sent": follows the newest turn, and keeps open what a person has opened.
import { showInspector } from "./drawers.js";

const panel = () => document.getElementById("sent");
const newestTurn = () => panel()?.querySelector(".sent-turn")?.id;

let openedBefore = null;

function show(id) {
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
  show(link.getAttribute("href").slice(1));
});

// Morphing closes what the server does not know to be open.
document.addEventListener("htmx:before:swap", (event) => {
  if (event.detail.ctx.target?.id !== "sent") return;
  openedBefore = {
    newest: newestTurn(),
    ids: [...panel().querySelectorAll("details[open]")].map((details) => details.id),
  };
});
document.addEventListener("htmx:after:swap", () => {
  if (!openedBefore || !panel()) return;
  const { newest, ids } = openedBefore;
  openedBefore = null;
  for (const details of panel().querySelectorAll("details")) {
    // A new turn takes the stage: turns opened before it close.
    const isTurn = details.matches(".sent-turn");
    if (!isTurn || newest === newestTurn()) details.open = ids.includes(details.id);
  }
});
