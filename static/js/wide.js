// A request on a page of its own: its sources stand on the page of the conversation.
import "./copy.js";
import "./themes.js";
import "./wire.js";

const wide = document.getElementById("wide");

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-source]");
  if (!link) return;
  event.preventDefault();
  const { source: _, ...place } = link.dataset;
  location.assign(`${wide.dataset.chat}${link.getAttribute("href")}?${new URLSearchParams(place)}`);
});
