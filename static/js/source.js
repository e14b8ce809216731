// From an entry to the sentence that it comes from: found, scrolled to, lit up.
import { offerToGo } from "./branch.js";
import { closeDrawer } from "./drawers.js";
import { unstick } from "./scroll.js";

const NAME = "source";
const MARKS = /[\s*_`#>~|[\]()\\-]/u; // what Markdown writes and its reader does not see

const article = (id) => document.getElementById(id);

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-source]");
  if (link) {
    event.preventDefault();
    show(link.getAttribute("href").slice(1), { ...link.dataset });
  } else if (event.target.closest("#scroll")) clear();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") clear();
});

async function show(id, source) {
  clear();
  if (!(await reach(id))) {
    if (source.source !== undefined) offerToGo(id.replace("turn-", ""));
    return;
  }
  closeDrawer();
  const turn = article(id);
  for (const details of turn.querySelectorAll("details.unseen")) details.open = true;
  const range = "answer" in source ? inAnswer(turn, source.text) : inQuestion(turn, source);
  light(turn, range);
  scrollTo(range ?? turn);
  turn.focus({ preventScroll: true });
}

// Turns come page by page, as they do for somebody who scrolls; ids sort by the time of accept.
async function reach(id) {
  while (!article(id)) {
    const gap = document.getElementById("gap");
    const isInGap = gap && `turn-${gap.previousElementSibling.dataset.turn}` < id;
    const place = isInGap ? gap : document.getElementById("older");
    const button = place?.querySelector("button");
    if (!button) return false;
    await htmx.ajax("GET", button.getAttribute("hx-get"), {
      source: button,
      target: `#${place.id}`,
      swap: "outerHTML",
    });
    if (button.isConnected) return false; // it did not come
  }
  return true;
}

// The question is raw text in one node. Places count characters, the browser counts halves of them.
function inQuestion(turn, { start, end, text }) {
  const node = turn.querySelector(".question")?.firstChild;
  if (node && text && start === undefined) return found(node, text);
  if (!node || start === undefined) return null;
  const range = new Range();
  range.setStart(node, unitsOf(node.data, Number(start)));
  range.setEnd(node, unitsOf(node.data, Number(end)));
  return range;
}

function found(node, text) {
  const at = node.data.indexOf(text);
  if (at < 0) return null;
  const range = new Range();
  range.setStart(node, at);
  range.setEnd(node, at + text.length);
  return range;
}

function unitsOf(text, characters) {
  let units = 0;
  for (const character of text) {
    if (characters-- <= 0) break;
    units += character.length;
  }
  return units;
}

// An answer is drawn from Markdown: the sentence is looked for without marks and spaces.
function inAnswer(turn, sentence = "") {
  const wanted = [...sentence].filter((character) => !MARKS.test(character)).join("");
  const answer = turn.querySelector(".answer");
  if (!wanted || !answer) return null;
  const places = [];
  let shown = "";
  const walker = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    for (let index = 0; index < node.data.length; index += 1) {
      if (MARKS.test(node.data[index])) continue;
      shown += node.data[index];
      places.push([node, index]);
    }
  }
  const at = shown.indexOf(wanted);
  if (at < 0) return null;
  const range = new Range();
  range.setStart(...places[at]);
  const [node, index] = places[at + wanted.length - 1];
  range.setEnd(node, index + 1);
  return range;
}

function light(turn, range) {
  if (range && CSS.highlights) CSS.highlights.set(NAME, new Highlight(range));
  else turn.classList.add("lit");
}

function clear() {
  CSS.highlights?.delete(NAME);
  for (const turn of document.querySelectorAll(".turn.lit")) turn.classList.remove("lit");
}

function scrollTo(place) {
  const scroller = document.getElementById("scroll");
  const { top, height } = place.getBoundingClientRect();
  const frame = scroller.getBoundingClientRect();
  unstick();
  scroller.scrollTop += top - frame.top - Math.max(0, (frame.height - height) / 3);
}

// Another page may name a turn and the place in it behind its address.
const [named, place] = location.hash.slice(1).split("?");
if (named.startsWith("turn-")) show(named, Object.fromEntries(new URLSearchParams(place)));
