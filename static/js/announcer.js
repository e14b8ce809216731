// Speaks to screen readers: whole blocks as they close, never single tokens.

const KEPT = 6;

/** Read `text` aloud when the reader has time. */
export function announce(text) {
  const announcer = document.getElementById("announcer");
  if (!announcer || !text.trim()) return;
  const line = document.createElement("p");
  line.textContent = text;
  announcer.append(line);
  while (announcer.children.length > KEPT) announcer.firstElementChild.remove();
}

/** Read the words of a closed block aloud; code is only named. */
export function announceBlock(element) {
  const copy = element.cloneNode(true);
  for (const code of copy.querySelectorAll("pre, button")) code.remove();
  announce(copy.textContent);
}
