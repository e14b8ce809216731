// The open end of an answer. The server renders blocks when they are closed; until then the
// text is shown here, with the plainest of Markdown already in its clothes. Nodes are made by
// hand and filled with text only, so nothing that a model writes can become markup.
import { word } from "./words.js";

const FENCE = /^ {0,3}(?:`{3,}([^`\n]*)|~{3,}([^\n]*))\n/;
const INLINE = /\*\*([^*\n]+)(?:\*\*|$)|`([^`\n]+)(?:`|$)/g;
const DRESSED_CHARS = 4000; // a longer tail is shown as it is: dressing costs its whole length

function dressed(text) {
  const fragment = document.createDocumentFragment();
  const lines = text.split("\n");
  lines.forEach((line, place) => {
    fragment.append(...dressedLine(line, place === lines.length - 1));
    if (place < lines.length - 1) fragment.append("\n");
  });
  return fragment;
}

function dressedLine(line, isLast) {
  const heading = line.match(/^ {0,3}#{1,6} +(.*)/);
  if (heading) return [element("strong", heading[1])];
  const text = line.replace(/^(\s*)[-*+] /, "$1• ");
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const isOpen = !/(\*\*|`)$/.test(match[0]);
    if (isOpen && !isLast) continue;
    nodes.push(text.slice(end, match.index));
    nodes.push(match[1] ? element("strong", match[1]) : element("code", match[2]));
    end = match.index + match[0].length;
  }
  nodes.push(text.slice(end));
  return nodes;
}

function element(name, text, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** Shows one tail inside `host`. */
export class Tail {
  constructor(host) {
    this.text = "";
    this.view = element("div", "", "tail caret");
    this.view.dir = "auto";
    this.code = null;
    host.append(this.view);
  }

  /** Show another text. */
  set(text) {
    this.text = text;
    this.code = null;
    this.#draw("");
  }

  /** Show `more` behind what is shown. */
  append(more) {
    this.text += more;
    this.#draw(more);
  }

  #draw(more) {
    if (this.code) {
      // The text of long code is only ever added to, never laid out from its start.
      this.code.lastChild.appendData(more);
      return;
    }
    const fence = this.text.match(FENCE);
    if (fence) this.#drawCode(fence);
    else if (this.text.length > DRESSED_CHARS) this.view.textContent = this.text;
    else this.view.replaceChildren(dressed(this.text));
    this.view.classList.toggle("caret", !fence);
  }

  #drawCode(fence) {
    const language = (fence[1] ?? fence[2] ?? "").trim().split(/\s/)[0] || word("code");
    const box = element("div", "", "code");
    const head = element("div", "", "code-head");
    head.append(element("span", language, "code-language"));
    const pre = element("pre", "");
    this.code = element("code", "", "caret");
    this.code.append(document.createTextNode(this.text.slice(fence[0].length)));
    pre.append(this.code);
    box.append(head, pre);
    this.view.replaceChildren(box);
  }
}
