// The life of the socket: htmx opens and reopens it, this file says how it stands.

const root = document.documentElement;
const PATIENCE_MS = 1200; // a reconnect that is faster than this is nobody's business
const PING_MS = 15_000;
const PONG_MS = 8_000;
const DENIED = 4401;
const HIDDEN = 4404;

let socket = null;
let bannerTimer = 0;
let pongTimer = 0;

root.dataset.socket = "closed";

/** Send a frame; without a connection it is dropped, because the next one begins afresh. */
export function send(frame) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
}

/** Return whether frames come in. */
export function isOpen() {
  return root.dataset.socket === "open";
}

function opened(event) {
  socket = event.detail.connection.socket;
  clearTimeout(bannerTimer);
  bannerTimer = 0;
  delete root.dataset.connection;
}

/** Note that the server has said hello: from now on nothing is missed. */
export function greeted() {
  root.dataset.socket = "open";
}

function closed(event) {
  root.dataset.socket = "closed";
  clearTimeout(pongTimer);
  if (event.detail.code === DENIED) location.reload(); // leads to the sign-in page and back
  if (event.detail.code === HIDDEN) location.assign("/");
  bannerTimer ||= setTimeout(() => {
    root.dataset.connection = "lost";
  }, PATIENCE_MS);
}

/** Note that something came: the connection lives. */
export function heard() {
  clearTimeout(pongTimer);
  pongTimer = 0;
}

// A cable that was pulled closes nothing: only a question without an answer shows it.
function ping() {
  if (!isOpen()) return;
  send({ kind: "ping" });
  pongTimer ||= setTimeout(() => socket?.close(), PONG_MS);
}

document.addEventListener("htmx:ws:after:connection", opened);
document.addEventListener("htmx:ws:close", closed);
document.addEventListener("visibilitychange", () => document.hidden || ping());
addEventListener("offline", () => socket?.close());
setInterval(ping, PING_MS);
