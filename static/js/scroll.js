// The reader's place: at the bottom new text pulls along, anywhere else nothing moves.

const AT_BOTTOM_PX = 48;
const scroller = document.getElementById("scroll");
const thread = document.getElementById("thread");
const newest = document.getElementById("newest");

let sticks = true;
let lastTop = 0;

const isAtBottom = () =>
  scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= AT_BOTTOM_PX;

/** Go to the newest text and stay with it. */
export function stick() {
  sticks = true;
  if (scroller) scroller.scrollTop = scroller.scrollHeight;
  if (newest) newest.hidden = true;
}

/** Stay with what is read from now on, whatever comes at the end. */
export function unstick() {
  sticks = false;
}

/** Draw the thread anew and stay at the turn that is read, if it is still there. */
export function keepReading(draw) {
  const edge = scroller.getBoundingClientRect().top;
  const topOf = (article) => article.getBoundingClientRect().top;
  const read = [...thread.querySelectorAll(":scope > article")].find(
    (article) => article.getBoundingClientRect().bottom > edge,
  );
  const top = read && topOf(read);
  draw();
  const still = !sticks && read && document.getElementById(read.id);
  if (still) scroller.scrollTop += topOf(still) - top;
  else stick();
}

function scrolled() {
  const goesUp = scroller.scrollTop < lastTop;
  lastTop = scroller.scrollTop;
  if (isAtBottom()) sticks = true;
  else if (goesUp) sticks = false;
  if (newest) newest.hidden = isAtBottom();
}

function grown() {
  if (sticks) stick();
  else if (newest) newest.hidden = isAtBottom();
}

// Older turns come in above: the distance to the bottom is what must not change.
function keepPlace(event) {
  if (event.detail.ctx.target?.id !== "older") return;
  const { ctx } = event.detail;
  const distance = scroller.scrollHeight - scroller.scrollTop;
  sticks = false;
  const restore = (after) => {
    if (after.detail.ctx !== ctx) return; // another panel was swapped meanwhile
    document.removeEventListener("htmx:after:swap", restore);
    scroller.scrollTop = scroller.scrollHeight - distance;
  };
  document.addEventListener("htmx:after:swap", restore);
}

if (scroller) {
  stick();
  scroller.addEventListener("scroll", scrolled, { passive: true });
  const observer = new ResizeObserver(grown);
  observer.observe(thread);
  observer.observe(scroller);
  newest?.addEventListener("click", () => {
    stick();
    document.getElementById("text")?.focus({ preventScroll: true });
  });
  document.addEventListener("htmx:before:swap", keepPlace);
}
