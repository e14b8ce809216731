// Articles of turns: put in, replaced, never doubled, never taken back to an older state.
import { pageHeaders } from "./branch.js";
import { keepReading } from "./scroll.js";

const thread = () => document.getElementById("thread");

/** Return the article that is being written, or null. */
export function runningTurn() {
  return thread()?.querySelector(':scope > article[data-status="running"]') ?? null;
}

const toldAt = new Map(); // when the socket last told of a turn

/** Put the article of a frame into the thread. */
export function upsertTold(html) {
  for (const article of articlesIn(html)) {
    toldAt.set(article.dataset.turn, performance.now());
    upsert(article);
  }
}

/** Put the article of an answer into the thread: what was asked for at `askedAt`. */
export function upsertAnswer(html, askedAt) {
  for (const article of articlesIn(html)) upsertAsked(article, askedAt);
}

// An answer may be from before what the socket has told since: a turn may fail at once.
function upsertAsked(article, askedAt) {
  if (!(toldAt.get(article.dataset.turn) > askedAt)) upsert(article);
}

function articlesIn(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.querySelectorAll("article.turn");
}

function upsert(fresh) {
  const old = document.getElementById(fresh.id);
  const before = old?.dataset.status ?? "";
  if (!old) insert(fresh);
  else if (isNews(waiting.get(old) ?? old, fresh)) replace(old, fresh);
  else return;
  const detail = { turn: fresh.dataset.turn, before, now: fresh.dataset.status };
  document.dispatchEvent(new CustomEvent("glassbox:turn", { detail }));
}

// Answers to a POST and frames of the socket cross each other: what knows of fewer attempts, or
// of a turn that has been committed since, is old news.
function isNews(old, fresh) {
  if (old.dataset.mark === fresh.dataset.mark) return false;
  if (old.dataset.status === "committed" && fresh.dataset.status !== "committed") return false;
  return Number(fresh.dataset.attempts) >= Number(old.dataset.attempts);
}

function insert(fresh) {
  document.getElementById("welcome")?.remove();
  // Ids are UUIDv7: they sort by the time at which a turn was accepted.
  const before = [...thread().querySelectorAll(":scope > article")].findLast(
    (article) => article.dataset.turn < fresh.dataset.turn,
  );
  if (before) before.after(fresh);
  else thread().append(fresh);
  nameLine(before, fresh);
  htmx.process(fresh);
}

// The first turn of a branch says whose it is; a turn that begins is told without being read.
function nameLine(before, fresh) {
  const name = document.querySelector("#line .line-name")?.textContent;
  const isNamed = fresh.querySelector(".line-mark");
  if (!before || !name || isNamed || before.dataset.branch === fresh.dataset.branch) return;
  const mark = document.getElementById("line-mark").content.firstElementChild.cloneNode(true);
  mark.querySelector("bdi").textContent = name;
  fresh.querySelector(".question")?.before(mark);
}

const waiting = new WeakMap(); // article with an open editor -> what it is by now

/** Show what has become of an article while its message was written anew. */
export function showWaiting(article) {
  const fresh = waiting.get(article);
  if (fresh) replace(article, fresh);
}

function replace(old, fresh) {
  if (old.querySelector(".edit-form")) {
    waiting.set(old, fresh); // who writes there is not disturbed
    return;
  }
  if (old.dataset.status === "running" && fresh.dataset.status === "running") {
    // The live text stays; only who writes it may be new.
    for (const part of [".answer-head", ".question-tools"]) {
      old.querySelector(part)?.replaceWith(fresh.querySelector(part));
    }
    htmx.process(old.querySelector(".question-tools"));
    old.dataset.mark = fresh.dataset.mark;
    old.dataset.attempts = fresh.dataset.attempts;
    if (fresh.dataset.verbatim) old.dataset.verbatim = fresh.dataset.verbatim;
    return;
  }
  const hadFocus = old.contains(document.activeElement);
  old.replaceWith(fresh);
  htmx.process(fresh);
  if (hadFocus) fresh.focus({ preventScroll: true });
}

/** Take the page once more over HTTP, put in what is new and take out what is no longer on it. */
export async function sync() {
  const askedAt = performance.now();
  const address = new URL(location.href);
  address.searchParams.delete("turn"); // the newest turns are what is news
  const answer = await fetch(address, { headers: pageHeaders(address) }).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!page.getElementById("thread")) return; // the sign-in page knows nothing of turns
  const fresh = [...page.querySelectorAll("#thread > article")];
  if (isContinued(fresh)) {
    takeOut(fresh, askedAt);
    for (const article of fresh) upsertAsked(document.adoptNode(article), askedAt);
  } else drawAnew(page.getElementById("thread"), askedAt);
  for (const id of ["header", "branch-bar"]) exchange(id, page);
  document.getElementById("chat").dataset.forkLimit = page.getElementById("chat")?.dataset.forkLimit ?? "";
  const branch = page.querySelector("#composer [name=branch]");
  if (branch) moveTo(branch.value, page.querySelector("#composer [name=version]").value);
}

const depthOf = (article) => Number(article.dataset.depth);

// What has come begins with a turn that is shown, after which nothing is left out: so what is shown
// before it is on its path. Depths alone would not tell that.
function isContinued(fresh) {
  const shown = [...thread().querySelectorAll(":scope > article")];
  const gap = document.getElementById("gap");
  const newest = shown.filter((article) => !gap || isAfter(article, gap));
  if (!fresh.length || depthOf(fresh[0]) === 1) return true;
  return newest.some((article) => article.id === fresh[0].id);
}

const isAfter = (one, other) =>
  Boolean(other.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);

// What is being written in a message, and what the socket has told since, is kept.
function drawAnew(fresh, askedAt) {
  const old = [...thread().querySelectorAll(":scope > article")];
  const line = document.getElementById("window-line");
  keepReading(() => {
    fresh.querySelector("#window-line")?.remove();
    thread().replaceChildren(line, ...[...document.adoptNode(fresh).childNodes]);
    for (const article of old.filter((one) => one.querySelector(".edit-form"))) {
      const now = document.getElementById(article.id);
      now?.replaceWith(article);
      if (now) waiting.set(article, now);
    }
    htmx.process(thread());
  });
  for (const article of old) {
    if (toldAt.get(article.dataset.turn) > askedAt) upsert(article);
    else if (!article.isConnected && !document.getElementById(article.id)) tellGone(article);
  }
  document.dispatchEvent(new CustomEvent("glassbox:drawn"));
}

function tellGone(article) {
  document.dispatchEvent(new CustomEvent("glassbox:gone", { detail: { article } }));
}

// The page begins with its oldest turn; what is deeper and not on it was rolled back elsewhere.
function takeOut(fresh, askedAt) {
  const ids = new Set(fresh.map((article) => article.id));
  const first = Math.min(...fresh.map(depthOf));
  for (const old of thread().querySelectorAll(":scope > article")) {
    const isOlder = depthOf(old) < first;
    if (isOlder || ids.has(old.id) || toldAt.get(old.dataset.turn) > askedAt) continue;
    old.remove();
    tellGone(old);
  }
}

function exchange(id, page) {
  const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
  if (!old || !fresh || old.innerHTML === fresh.innerHTML) return;
  const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
  old.replaceWith(document.adoptNode(fresh));
  htmx.process(fresh);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** Return the version of the branch that the page knows of. */
export function versionShown() {
  return document.getElementById("composer")?.elements.version.value ?? "";
}

/** Return where the next message goes: the version of the branch, and the turns that it follows. */
export function placeShown() {
  const answered = thread().querySelectorAll(':scope > article[data-status="committed"]');
  const head = [...answered].at(-1)?.dataset.turn ?? "";
  return { version: versionShown(), head, running: runningTurn()?.dataset.turn ?? "" };
}

/** Return the turn that a message follows which was begun there: the running one if it was answered. */
export function headOf({ head, running }) {
  const article = document.getElementById(`turn-${running}`);
  const isAnswered = running && (!article || article.dataset.status === "committed");
  return isAnswered ? running : head;
}

/** Return whether turns have begun or ended that the page does not show so. */
export function isBehind({ branch, version, running }) {
  const shown = thread().querySelectorAll(':scope > article[data-status="running"]');
  const ids = [...shown].map((article) => article.dataset.turn);
  const fields = document.getElementById("composer")?.elements;
  const isOlder = fields?.branch.value === branch && Number(fields.version.value) < Number(version);
  return isOlder || String(ids.sort()) !== String([...running].sort());
}

/** Note that a branch is at `version` now: the next message is typed on it. */
export function moveTo(branch, version) {
  const composer = document.getElementById("composer");
  if (!composer || composer.elements.branch.value !== branch) return;
  const field = composer.elements.version;
  if (Number(version) > Number(field.value)) field.value = version;
}
