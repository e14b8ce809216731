// Which branch this page shows: everything that it asks of its conversation says so, and by which
// page it was asked, so that the page knows its own acts when the server tells of them.

const chat = document.getElementById("chat");
const home = `/c/${chat?.dataset.conversation}/`;

// crypto.randomUUID exists on https and on this machine only; a house network has neither.
/** Return an id that nobody else makes. */
export function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What this page calls itself. */
export const pageId = newKey();

/** Return the branch that the page shows. */
export const shownBranch = () => chat?.dataset.branch ?? "";

/** Return the branch that an address names, or null. */
export const branchIn = (address) =>
  address && new URL(address, location.href).searchParams.get("branch");

// A reload stays on the branch, whatever is chosen elsewhere meanwhile.
if (shownBranch() && location.pathname === home && !branchIn(location.href)) {
  const address = new URL(location.href);
  address.searchParams.set("branch", shownBranch());
  history.replaceState(history.state, "", address);
}

const isInside = (address) => new URL(address, location.href).pathname.startsWith(home);

/** Return the headers of a request to `address`: none for another conversation. */
export function pageHeaders(address) {
  if (!shownBranch() || !isInside(address)) return {};
  return { "Glassbox-Branch": shownBranch(), "Glassbox-Page": pageId };
}

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  Object.assign(ctx.request.headers, pageHeaders(ctx.request.action));
  // What is asked for once has a key of its own each time that it is pressed.
  if ("keyed" in ctx.sourceElement.dataset) ctx.request.body.set("key", newKey());
});

/** Ask the server for something that may lead the page to another branch. */
export function ask(address) {
  htmx.ajax("POST", address, { source: "#tree-acts", target: "#composer-error", swap: "none" });
}

/** Offer to go to a branch that shows a turn, which this page does not. */
export function offerToGo(turn) {
  const offer = document.getElementById("other-branch").content.firstElementChild.cloneNode(true);
  offer.querySelector("[data-go]").dataset.go = `${home}turns/${turn}/select`;
  document.getElementById("elsewhere").replaceChildren(offer);
}

// A link leaves the page and its headers behind: it takes the branch along in its address.
function takeAlong({ target }) {
  const link = target.closest?.("#chat a[href], #inspector a[href]");
  if (!link || !shownBranch() || !isInside(link.href) || link.matches("[data-source]")) return;
  const address = new URL(link.href);
  if (address.pathname === home || address.searchParams.has("branch")) return;
  address.searchParams.set("branch", shownBranch());
  link.href = address;
}

for (const kind of ["pointerdown", "keydown", "click"]) {
  document.addEventListener(kind, takeAlong, { capture: true });
}
