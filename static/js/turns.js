// Articles of turns: put in, replaced, never doubled, never taken back to an older state.

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
  else if (isNews(old, fresh)) replace(old, fresh);
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
  htmx.process(fresh);
}

function replace(old, fresh) {
  if (old.dataset.status === "running" && fresh.dataset.status === "running") {
    // The live text stays; only who writes it may be new.
    old.querySelector(".answer-head")?.replaceWith(fresh.querySelector(".answer-head"));
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

/** Take the page once more over HTTP, and put in what is new. */
export async function sync() {
  const askedAt = performance.now();
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const article of page.querySelectorAll("#thread > article")) {
    upsertAsked(document.adoptNode(article), askedAt);
  }
  const branch = page.querySelector("#composer [name=branch]");
  if (branch) moveTo(branch.value, page.querySelector("#composer [name=version]").value);
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
