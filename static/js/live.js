// What the server says over the socket, and what the page does about it.
import { announce } from "./announcer.js";
import { refresh } from "./refresh.js";
import { greeted, heard, send } from "./socket.js";
import { advance, end, start } from "./streams.js";
import { moveTo, sync, upsertHtml } from "./turns.js";
import { word } from "./words.js";

const asked = new Set(); // turns whose whole state is on its way

const HANDLERS = {
  hello(frame) {
    asked.clear();
    moveTo(frame.branch, frame.version);
    greeted();
  },
  turn(frame) {
    const article = document.getElementById(`turn-${frame.turn}`);
    const ended = article?.dataset.status === "running" && frame.status !== "running";
    // Turns between the newest on the page and this one were missed.
    if (!article && frame.after && !document.getElementById(`turn-${frame.after}`)) sync();
    upsertHtml(frame.html);
    moveTo(frame.branch, frame.version);
    if (frame.status === "running") {
      if (!article) startedTurn(frame.turn);
      return;
    }
    end(frame.turn);
    if (ended) announce(word(frame.status === "committed" ? "done" : "stopped"));
    if (ended) refresh("list");
  },
  start(frame) {
    asked.delete(frame.turn);
    if (start(frame)) refresh("sent"); // an attempt that begins has its request already
  },
  delta: advanceOrAsk,
  blocks: advanceOrAsk,
  refresh(frame) {
    refresh(...frame.targets);
    if (frame.targets.includes("header")) refresh("list");
  },
  gone() {
    location.assign("/");
  },
};

function startedTurn(turn) {
  announce(word("writing"));
  refresh("list", "header"); // the first message gives a conversation its title
  // What broke off before is passed over now: let the server say how that looks.
  const broken = 'article:is([data-status="failed"], [data-status="interrupted"])';
  for (const article of document.querySelectorAll(broken)) {
    if (article.dataset.turn < turn && !article.querySelector(":scope > .unseen")) {
      send({ kind: "resume", turn: article.dataset.turn, attempt: null, after: 0 });
    }
  }
}

function advanceOrAsk(frame) {
  const missing = advance(frame);
  if (!missing || asked.has(frame.turn)) return;
  asked.add(frame.turn);
  send({ kind: "resume", ...missing });
}

document.addEventListener("htmx:ws:before:message:incoming", (event) => {
  event.preventDefault(); // frames are data for this file, not HTML for htmx
  heard();
  const frame = JSON.parse(event.detail.message.data);
  HANDLERS[frame.kind]?.(frame);
});
