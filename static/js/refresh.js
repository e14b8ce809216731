// Panels fetch themselves again when `refresh-<name>` reaches the body.

const DELAY_MS = 120; // several changes in a row cost one request
const timers = new Map();

/** Ask the panels called `names` to fetch themselves. */
export function refresh(...names) {
  for (const name of names) {
    clearTimeout(timers.get(name));
    timers.set(name, setTimeout(() => send(name), DELAY_MS));
  }
}

function send(name) {
  // A list that is fetched again would take the title out of the hands that type it.
  if (name === "list" && document.querySelector(".item-rename:not([hidden])")) return;
  document.body.dispatchEvent(new CustomEvent(`refresh-${name}`));
}
