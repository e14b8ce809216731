// What the server says over the socket, and what the page does about it.
import { announce } from "./announcer.js";
import { refresh } from "./refresh.js";
import { greeted, heard, send } from "./socket.js";
import { advance, end, position, start } from "./streams.js";
import { wentElsewhere } from "./tree.js";
import { isBehind, moveTo, sync, upsertTold, versionShown } from "./turns.js";
import { word } from "./words.js";

const asked = new Set(); // turns whose whole state is on its way

const HANDLERS = {
  async hello(frame) {
    asked.clear();
    if (isBehind(frame)) await sync(); // turns began or ended while nobody listened
    moveTo(frame.branch, frame.version);
    for (const turn of frame.running) ask(position(turn));
    greeted();
  },
  turn(frame) {
    const isKnown = (turn) => document.getElementById(`turn-${turn}`);
    // Turns between the newest on the page and this one were missed.
    if (frame.after && !isKnown(frame.turn) && !isKnown(frame.after)) sync();
    upsertTold(frame.html);
    moveTo(frame.branch, frame.version);
  },
  start(frame) {
    asked.delete(frame.turn);
    // An attempt that begins has its request already.
    if (start(frame)) refresh("context", "selected", "attempts");
  },
  delta: advanceOrAsk,
  blocks: advanceOrAsk,
  refresh(frame) {
    refresh(...frame.targets);
    if (frame.targets.includes("header")) refresh("list");
  },
  async tree() {
    const before = versionShown();
    await sync(); // rolled back, stepped beside, named: the page is asked for what it is now
    if (versionShown() !== before) refresh("context", "summary", "session", "selected", "attempts");
  },
  selected: wentElsewhere,
  gone() {
    location.assign("/");
  },
};

// A turn may come by the socket or as the answer to a POST: what follows is the same.
function turnChanged({ turn, before, now }) {
  if (before === now) return;
  if (now === "running") {
    announce(word("writing"));
    refresh("list", "header"); // the first message gives a conversation its title
  } else if (before === "running") {
    end(turn);
    announce(word(now === "committed" ? "done" : "stopped"));
    refresh("list");
    if (now === "committed") askAboutBroken(turn);
  }
}

// What broke off earlier is passed over by a committed turn: the server says how that looks.
function askAboutBroken(turn) {
  const broken = 'article:is([data-status="failed"], [data-status="interrupted"])';
  for (const article of document.querySelectorAll(broken)) {
    if (article.dataset.turn < turn && !article.querySelector(":scope > .unseen")) {
      send({ kind: "resume", turn: article.dataset.turn, attempt: null, after: 0 });
    }
  }
}

function advanceOrAsk(frame) {
  const missing = advance(frame);
  if (missing) ask(missing);
  else asked.delete(frame.turn);
}

function ask(missing) {
  if (asked.has(missing.turn)) return;
  asked.add(missing.turn);
  send({ kind: "resume", ...missing });
}

document.addEventListener("htmx:ws:before:message:incoming", (event) => {
  event.preventDefault(); // frames are data for this file, not HTML for htmx
  heard();
  const frame = JSON.parse(event.detail.message.data);
  HANDLERS[frame.kind]?.(frame);
});
document.addEventListener("glassbox:turn", (event) => turnChanged(event.detail));
