// Which turn the inspector speaks of: the newest, or the one whose "What was sent" was pressed.
import { showInspector } from "./drawers.js";
import { load, look, panel } from "./panels.js";

const OF_A_TURN = ["context", "selected", "attempts"];

const lookAt = (turn) => {
  const view = turn ? String(new URLSearchParams({ turn })) : "";
  return Promise.all(OF_A_TURN.map((name) => look(name, view)));
};

async function show(turn) {
  const context = panel("context");
  await lookAt(turn);
  context.open = true;
  context.scrollIntoView({ block: "start" });
  context.querySelector("summary").focus({ preventScroll: true });
}

/** Open a panel and bring it into view. */
export async function openPanel(name) {
  showInspector();
  const wanted = panel(name);
  wanted.open = true;
  await load(name); // before it there may be no room to scroll to it
  wanted.scrollIntoView({ block: "start" });
  wanted.querySelector("summary").focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-show-sent]");
  if (link) {
    event.preventDefault();
    showInspector();
    show(link.dataset.showSent);
  } else if (event.target.closest("[data-newest-turn]")) lookAt("");
});

document.addEventListener("glassbox:turn", ({ detail }) => {
  // A turn that changed must not keep an older account of itself.
  document.getElementById(`tried-${detail.turn}`)?.removeAttribute("hx-morph-skip");
  // A new turn takes the stage.
  if (detail.before === "" && detail.now === "running") lookAt("");
});
