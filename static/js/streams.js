// Answers while they are written: numbered frames, none applied twice, no gap passed over.
import { announceBlock } from "./announcer.js";
import { Tail } from "./tail.js";

const streams = new Map();

class Stream {
  constructor(host, attempt) {
    this.host = host;
    this.attempt = attempt;
    this.seq = 0;
    this.waiting = "";
    host.replaceChildren();
    this.tail = new Tail(host);
  }

  add(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    const blocks = [...template.content.children];
    this.tail.view.before(template.content);
    return blocks;
  }
}

let drawing = 0;

// Many frames may come between two pictures; the screen needs one of them.
function draw() {
  drawing = 0;
  for (const stream of streams.values()) {
    if (!stream.host.isConnected) continue;
    if (stream.waiting) stream.tail.append(stream.waiting);
    stream.waiting = "";
    showSeq(stream);
  }
}

function drawSoon() {
  if (document.hidden) draw(); // a hidden page gets no animation frames
  else drawing ||= requestAnimationFrame(draw);
}

function showSeq(stream) {
  document.documentElement.dataset.liveSeq = String(stream.seq);
  const thinking = stream.host.parentElement.querySelector("[data-thinking]");
  if (thinking) thinking.hidden = stream.seq > 0;
}

/**
 * Show the whole state of a running attempt; older than what is shown, it is passed over.
 * @returns whether the attempt is new to the page.
 */
export function start(frame) {
  const host = document.getElementById(`live-${frame.turn}`);
  if (!host) return false;
  const known = streams.get(frame.turn);
  const isKnown = known?.host === host && known.attempt === frame.attempt;
  if (isKnown && frame.seq <= known.seq) return false;
  const stream = new Stream(host, frame.attempt);
  streams.set(frame.turn, stream);
  stream.seq = frame.seq;
  for (const html of frame.blocks) stream.add(html);
  stream.tail.set(frame.tail);
  showSeq(stream);
  return !isKnown;
}

/**
 * Apply a `delta` or `blocks` frame.
 * @returns what to ask the server for when something is missing, else null.
 */
export function advance(frame) {
  const stream = streams.get(frame.turn);
  if (!stream || stream.attempt !== frame.attempt || !stream.host.isConnected) {
    return { turn: frame.turn, attempt: null, after: 0 };
  }
  if (frame.seq <= stream.seq) return null;
  if (frame.seq > stream.seq + 1) return position(frame.turn);
  stream.seq = frame.seq;
  if (frame.kind === "delta") {
    stream.waiting += frame.text;
  } else {
    stream.waiting = "";
    for (const html of frame.htmls) stream.add(html).forEach(announceBlock);
    stream.tail.set(frame.tail);
  }
  drawSoon();
  return null;
}

/** Return how far the page has followed a turn: what to ask the server to go on from. */
export function position(turn) {
  const stream = streams.get(turn);
  if (!stream?.host.isConnected) return { turn, attempt: null, after: 0 };
  return { turn, attempt: stream.attempt, after: stream.seq };
}

/** Forget the stream of a turn that has ended. */
export function end(turn) {
  streams.delete(turn);
}
