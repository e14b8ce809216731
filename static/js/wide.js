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
  const branch = new URLSearchParams(location.search).get("branch");
  const page = branch ? `?${new URLSearchParams({ branch })}` : "";
  const { chat } = wide.dataset;
  location.assign(`${chat}${page}${link.getAttribute("href")}?${new URLSearchParams(place)}`);
});
