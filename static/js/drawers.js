// The outer panes on a narrow screen, and the inspector on a wide one.
import { keep } from "./memory.js";

const root = document.documentElement;
const inspectorIsDrawer = matchMedia("(max-width: 74rem)");
const sidebarIsDrawer = matchMedia("(max-width: 52rem)");

let opener = null;

/** Open a pane that slides over the page. */
export function openDrawer(name) {
  opener = document.activeElement;
  root.dataset.drawer = name;
  document.getElementById("chat").inert = true;
  document.getElementById(name).querySelector("button, a")?.focus({ preventScroll: true });
}

/** Close the open pane and give the focus back. */
export function closeDrawer() {
  if (!root.dataset.drawer) return;
  delete root.dataset.drawer;
  document.getElementById("chat").inert = false;
  opener?.focus({ preventScroll: true });
}

/** Make the inspector visible. */
export function showInspector() {
  if (inspectorIsDrawer.matches) openDrawer("inspector");
  else setInspector(true);
}

function setInspector(isOpen) {
  if (isOpen) delete root.dataset.inspector;
  else root.dataset.inspector = "closed";
  keep("localStorage", "inspector", isOpen ? null : "closed");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.openDrawer) openDrawer(button.dataset.openDrawer);
  else if ("closeDrawer" in button.dataset) closeDrawer();
  else if ("toggleInspector" in button.dataset) {
    if (inspectorIsDrawer.matches) openDrawer("inspector");
    else setInspector(root.dataset.inspector === "closed");
  } else if ("closeInspector" in button.dataset) {
    if (inspectorIsDrawer.matches) closeDrawer();
    else setInspector(false);
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !root.dataset.drawer || event.defaultPrevented) return;
  event.preventDefault(); // the same key would stop a running answer
  closeDrawer();
});
for (const query of [inspectorIsDrawer, sidebarIsDrawer]) {
  query.addEventListener("change", closeDrawer); // a wider page has no drawer to be stuck in
}
