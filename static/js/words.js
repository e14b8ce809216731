// Sentences come translated with the page.

/** Return the sentence called `name`. */
export function word(name) {
  return document.getElementById("words")?.dataset[name] ?? "";
}
