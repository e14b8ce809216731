// What is typed and not yet accepted. A key marks one text for good: sent twice by a bad
// network it is one message; changed after it was sent, it is another one.
import { newKey } from "./branch.js";
import { keep, recall } from "./memory.js";

/** The draft of one conversation. */
export class Draft {
  constructor(conversation) {
    this.place = `draft:${conversation}`;
    this.state = JSON.parse(recall("sessionStorage", this.place) ?? "{}");
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
    keep("sessionStorage", this.place, isEmpty ? null : JSON.stringify(this.state));
  }
}
