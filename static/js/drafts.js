// What is typed and not yet accepted. A key marks one text for good: sent twice by a bad
// network it is one message; changed after it was sent, it is another one.
import { newKey } from "./branch.js";
import { keep, recall } from "./memory.js";

/** Return the draft of a branch. */
export const draftOn = (branch) => new Draft(`on:${branch}`);

/** What is typed in one place. */
export class Draft {
  constructor(name) {
    this.name = `draft:${name}`;
    this.state = JSON.parse(recall("sessionStorage", this.name) ?? "{}");
  }

  /** The text as it was left. */
  get text() {
    return this.state.text ?? "";
  }

  /** Note what stands in the field now. */
  set text(text) {
    this.state.text = text;
    this.#keep();
  }

  /** Where on its branch it was begun; null where nobody has noted it. */
  get begun() {
    return this.state.begun ?? null;
  }

  /** Note where on its branch it was begun. */
  set begun(begun) {
    this.state.begun = begun;
    this.#keep();
  }

  /** Return the key under which `text` is sent. */
  keyFor(text) {
    if (this.state.sent !== text) {
      this.state.sent = text;
      this.state.key = newKey();
      this.#keep();
    }
    return this.state.key;
  }

  /** The sent text was accepted: return what was typed since, if anything. */
  accepted() {
    const { text = "", sent = "" } = this.state;
    const rest = text.startsWith(sent) ? text.slice(sent.length).trimStart() : text;
    this.state = { text: rest };
    this.#keep();
    return rest;
  }

  #keep() {
    const isEmpty = !this.state.text && !this.state.key;
    keep("sessionStorage", this.name, isEmpty ? null : JSON.stringify(this.state));
  }
}
