// The switch of light and dark; theme.js puts the choice on the next page.
import { keep } from "./memory.js";

const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-theme-toggle]")) return;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
  const wanted = isDark ? "light" : "dark";
  // Choosing what the system has anyway means following it again.
  const followsSystem = (wanted === "dark") === system.matches;
  if (followsSystem) delete root.dataset.theme;
  else root.dataset.theme = wanted;
  keep("localStorage", "theme", followsSystem ? null : wanted);
});
