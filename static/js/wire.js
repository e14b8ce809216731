// The wire view: a coloured part says where it comes from and why it is there; one at a time.

const wireOf = (element) => element.closest("[data-wire]");

function close(wire) {
  for (const opener of wire.querySelectorAll('[data-account][aria-expanded="true"]')) {
    opener.setAttribute("aria-expanded", "false");
    document.getElementById(opener.dataset.account).hidden = true;
  }
}

function toggle(opener) {
  const isOpen = opener.getAttribute("aria-expanded") === "true";
  close(wireOf(opener));
  if (isOpen) return;
  opener.setAttribute("aria-expanded", "true");
  const account = document.getElementById(opener.dataset.account);
  account.hidden = false;
  account.scrollIntoView({ block: "nearest" });
}

document.addEventListener("click", ({ target }) => {
  const opener = target.closest("[data-account]");
  // Who selects text wants the text.
  if (opener && getSelection().isCollapsed) toggle(opener);
});
// Before others hear of the key: it would stop a running answer or close the drawer.
document.addEventListener("keydown", keyDown, { capture: true });

function keyDown(event) {
  if (event.key === "Escape") closeFrom(event);
  const opener = event.target.closest?.("span[data-account]");
  if (!opener || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  toggle(opener);
}

function closeFrom(event) {
  const wire = event.target.closest?.("[data-wire]");
  if (!wire?.querySelector('[aria-expanded="true"]')) return;
  event.preventDefault();
  close(wire);
}
