// Menus of messages and answers: one open at a time, used by keyboard, touch and mouse alike.
import { word } from "./words.js";
import { runningTurn } from "./turns.js";

const chat = document.getElementById("chat");

let opener = null;
let menu = null;

const turnOf = (element) => element.closest("article.turn");
const items = () => [...menu.querySelectorAll("[role=menuitem]")];
const isNewest = (article) =>
  ![...document.querySelectorAll("#thread > article.turn")].some(
    (other) => Number(other.dataset.depth) > Number(article.dataset.depth) && other.dataset.status === "committed",
  );

/** Close the open menu, and give the focus back to what opened it. */
export function closeMenu({ giveBack = true } = {}) {
  if (!menu) return;
  menu.remove();
  opener.setAttribute("aria-expanded", "false");
  if (giveBack) opener.focus({ preventScroll: true });
  menu = opener = null;
}

function open(button) {
  closeMenu({ giveBack: false });
  opener = button;
  menu = document.getElementById(`menu-${button.dataset.menu}`).content.firstElementChild.cloneNode(true);
  const article = turnOf(button);
  for (const item of items()) restrict(item, article);
  button.after(menu);
  button.setAttribute("aria-expanded", "true");
  place();
  items()[0]?.focus({ preventScroll: true });
}

// What cannot be done is not shown, or says why.
function restrict(item, article) {
  const { act } = item.dataset;
  if (act === "roll-back" && isNewest(article)) item.remove();
  else if (act === "roll-back" && runningTurn()) refuse(item, word("running"));
  else if (act.startsWith("fork") && chat.dataset.forkLimit) refuse(item, chat.dataset.forkLimit);
}

function refuse(item, sentence) {
  item.setAttribute("aria-disabled", "true");
  item.querySelector("small").textContent = sentence;
}

// Within the scrolled thread: upwards where there is no room below.
function place() {
  const frame = document.getElementById("scroll").getBoundingClientRect();
  const { top, bottom, left, right } = menu.getBoundingClientRect();
  menu.classList.toggle("menu-up", bottom > frame.bottom && top - (bottom - top) > frame.top);
  if (right > frame.right) menu.classList.add("menu-end");
  else if (left < frame.left) menu.classList.add("menu-start");
}

function move(event) {
  const all = items();
  const at = all.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  all[to % all.length].focus();
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-menu]");
  if (button) {
    if (button === opener) closeMenu();
    else open(button);
    return;
  }
  const item = target.closest(".menu [role=menuitem]");
  if (item?.getAttribute("aria-disabled") === "true") return;
  if (item) {
    const detail = { act: item.dataset.act, article: turnOf(item) };
    closeMenu();
    document.dispatchEvent(new CustomEvent("glassbox:act", { detail }));
  } else if (!target.closest(".menu")) closeMenu({ giveBack: false });
});
document.addEventListener("focusin", ({ target }) => {
  if (menu && !menu.contains(target) && target !== opener) closeMenu({ giveBack: false });
});
// Before others hear of the key: it would stop a running answer.
document.addEventListener(
  "keydown",
  (event) => {
    if (!menu) return;
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      closeMenu();
    } else move(event);
  },
  { capture: true },
);
