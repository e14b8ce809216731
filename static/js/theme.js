// Runs before the first style: what was chosen earlier holds from the first pixel on.
(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    if (localStorage.getItem("inspector") === "closed") root.dataset.inspector = "closed";
  } catch {
    // Storage may be closed to pages: then the system's colours stand.
  }
})();
