// Folds whose content is fetched when a person opens them, and again when they come to show
// something else while they are open.

const asked = new WeakSet();

function fetchInto(fold) {
  const place = fold.querySelector(":scope > [data-fetch]");
  if (!fold.open || !place || asked.has(place)) return;
  asked.add(place);
  htmx.ajax("GET", place.dataset.fetch, { source: place, target: place });
}

// A toggle does not bubble.
document.addEventListener("toggle", ({ target }) => target.matches?.(".fold") && fetchInto(target), {
  capture: true,
});
document.addEventListener("htmx:after:swap", () => {
  for (const fold of document.querySelectorAll("#inspector .fold[open]")) fetchInto(fold);
});
