// Where the newest request begins to be word for word: a line in the gap above that turn. It
// takes no room, so nothing that is being read moves when a turn moves the line.

const line = document.getElementById("window-line");

function place() {
  // What broke off and was passed over is on no path.
  const articles = [...document.querySelectorAll("#thread > article:not(:has(> .unseen))")];
  const depth = articles.findLast((article) => article.dataset.verbatim)?.dataset.verbatim;
  // On an older page that is not loaded yet it has no place.
  const first = articles.find((article) => article.dataset.depth === depth);
  line.hidden = !first || Number(depth) < 2;
  if (!line.hidden && line.parentElement !== first) first.prepend(line);
}

if (line) {
  place();
  document.addEventListener("glassbox:turn", place);
  document.addEventListener("glassbox:drawn", place);
  document.addEventListener("htmx:after:swap", place);
}
