// Folds whose content is fetched when a person opens them, and again when they come to show
// something else while they are open.

const TRIES = 2; // a refresh of the panel around it may cut a request off, once
const asked = new WeakMap(); // how often, by place

async function fetchInto(fold) {
  const place = fold.querySelector(":scope > [data-fetch]");
  const tries = asked.get(place) ?? 0;
  if (!fold.open || !place || tries >= TRIES) return;
  asked.set(place, TRIES);
  const waiting = place.firstElementChild;
  await Promise.resolve(htmx.ajax("GET", place.dataset.fetch, { source: place, target: place })).catch(() => {});
  if (place.firstElementChild !== waiting || !place.isConnected) return;
  asked.set(place, tries + 1);
  fetchInto(fold);
}

// A toggle does not bubble.
document.addEventListener("toggle", ({ target }) => target.matches?.(".fold") && fetchInto(target), {
  capture: true,
});
document.addEventListener("htmx:after:swap", () => {
  for (const fold of document.querySelectorAll("#inspector .fold[open]")) fetchInto(fold);
});
