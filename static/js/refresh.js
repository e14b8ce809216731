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
  document.body.dispatchEvent(new CustomEvent(`refresh-${name}`));
}
