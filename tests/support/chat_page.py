"""The chat page in the words of a person who uses it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.support.page_watch import PageWatch

DEADLINE_MS = 30_000
SOCKET_OPEN = 'html[data-socket="open"]'
SOCKET_CLOSED = 'html[data-socket="closed"]'
MODEL_READY = '#status[data-ready="true"]'
IDLE = 'html[data-idle="true"]'
LIT = "() => [...(CSS.highlights.get('source') ?? [])].map(String).join('|')"


class ChatPage:
    """One tab; waits for the flags that the page sets, never for time."""

    def __init__(self, page: Page, watch: PageWatch) -> None:
        self.page = page
        self.watch = watch
        page.set_default_timeout(DEADLINE_MS)

    def open(self, path: str = "/") -> None:
        """Open an address and wait until its socket is open."""
        self.page.goto(path)
        self.wait_connected()

    def open_new(self) -> None:
        """Start a new conversation."""
        self.page.goto("/")
        before = self.page.url
        self.page.get_by_role("button", name="New conversation").first.click()
        self.page.wait_for_url(lambda url: url != before and "/c/" in url)
        self.wait_connected()

    def wait_connected(self) -> None:
        """Wait until the socket is open and has said hello."""
        self.page.wait_for_selector(SOCKET_OPEN, state="attached")

    def wait_idle(self, deadline_ms: float = DEADLINE_MS) -> None:
        """Wait until no answer is being written and no request is under way."""
        self.page.wait_for_selector(IDLE, state="attached", timeout=deadline_ms)

    def wait_model_ready(self, deadline_ms: float) -> None:
        """Wait until the page says that the model can be asked."""
        self.page.wait_for_selector(MODEL_READY, state="attached", timeout=deadline_ms)

    @property
    def conversation_id(self) -> str:
        """The id of the open conversation."""
        return urlsplit(self.page.url).path.strip("/").rsplit("/", 1)[-1]

    @property
    def branch_id(self) -> str:
        """The id of the branch that the page shows."""
        return self.page.locator("#chat").get_attribute("data-branch") or ""

    @property
    def line(self) -> Locator:
        """The name of the branch, in the header."""
        return self.page.locator("#line .line-name")

    def state(self) -> dict[str, Any]:
        """Return the open conversation as JSON, on the branch that the page shows."""
        return self.json("page.json", branch=self.branch_id)

    def tree(self) -> dict[str, Any]:
        """Return the branches of the open conversation as JSON."""
        return self.json("branches.json")

    def json(self, name: str, **query: str) -> dict[str, Any]:
        """Return what an address of the open conversation answers."""
        address = f"/c/{self.conversation_id}/{name}?{urlencode(query)}"
        found: dict[str, Any] = self.page.request.get(address).json()
        return found

    def send(self, text: str) -> None:
        """Type a message and send it by the keyboard."""
        self.composer.fill(text)
        self.composer.press("Enter")
        expect(self.turns.last).to_contain_text(text, timeout=DEADLINE_MS)

    def ask(self, text: str) -> str:
        """Send a message and return its whole answer."""
        self.send(text)
        self.wait_idle()
        return self.answer()

    def edit(self, turn: int, text: str) -> None:
        """Write the message of a turn anew, and wait until the page is on its branch."""
        article = self.turns.nth(turn)
        article.hover()
        article.get_by_role("button", name="Edit this message").click()
        field = article.get_by_label("Your message, to be sent again")
        field.fill(text)
        with self.going_elsewhere():
            article.get_by_role("button", name="Save & send").click()

    def regenerate(self, turn: int) -> None:
        """Ask for another answer of a turn, and wait until the page is on its branch."""
        with self.going_elsewhere():
            self.turns.nth(turn).get_by_role("button", name="Regenerate").click()

    def choose(self, turn: int, item: str, *, of: str = "answer") -> None:
        """Choose from the menu of a turn's answer or message."""
        article = self.turns.nth(turn)
        article.hover()
        article.get_by_role("button", name=f"More for this {of}").click()
        article.get_by_role("menuitem", name=item).click()

    def fork(
        self, turn: int, name: str, *, item: str = "Fork from here", of: str = "answer"
    ) -> None:
        """Make a named branch at a turn, and wait until the page is on it."""
        self.choose(turn, item, of=of)
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_label("Its name").fill(name)
        with self.going_elsewhere():
            dialog.get_by_role("button", name="Fork").click()

    def roll_back(self, turn: int) -> None:
        """Make a turn the newest of the branch."""
        with self.going_elsewhere():
            self.choose(turn, "Roll back to here")

    def step(self, turn: int, of: str, to: str) -> None:
        """Step to the previous or next version of a turn's message or answer."""
        stepper = self.stepper(turn, of)
        with self.going_elsewhere():
            stepper.get_by_role("button", name=f"{to} version").click()

    def stepper(self, turn: int, of: str) -> Locator:
        """The stepper of a turn's message or answer."""
        return self.turns.nth(turn).get_by_role("group", name=f"Versions of this {of}")

    @contextmanager
    def going_elsewhere(self) -> Iterator[None]:
        """Wait until what is done within has led to a fresh page that is connected."""
        self.page.evaluate("document.documentElement.dataset.left = 'yes'")
        yield
        self.page.wait_for_selector("html:not([data-left])", state="attached")
        self.wait_connected()

    def stop(self) -> None:
        """Stop the running answer."""
        self.page.locator("#composer").get_by_role("button", name="Stop").click()

    def retry(self) -> None:
        """Try the broken turn again."""
        self.turns.last.get_by_role("button", name="Retry").click()

    def reload(self) -> None:
        """Reload the page."""
        self.page.reload()
        self.wait_connected()

    def second_tab(self) -> "ChatPage":
        """Open the same conversation in another tab."""
        tab = ChatPage(self.page.context.new_page(), self.watch)
        tab.open(self.page.url)
        return tab

    def go_offline(self) -> None:
        """Lose the network, and wait until the page has noticed."""
        self.page.context.set_offline(True)
        self.page.wait_for_selector(SOCKET_CLOSED, state="attached")

    def go_online(self) -> None:
        """Have the network back, and wait until the page is connected again."""
        self.page.context.set_offline(False)
        self.wait_connected()

    def choose_model(self, name: str) -> None:
        """Choose who answers next."""
        with self.page.expect_response("**/model"):
            self.page.get_by_label("Model").select_option(name)

    def rename(self, title: str) -> None:
        """Give the open conversation another title."""
        item = self.page.locator(".item-current")
        item.hover()
        item.get_by_role("button", name="Rename").click()
        field = item.get_by_label("New title")
        field.fill(title)
        field.press("Enter")

    def delete(self) -> None:
        """Delete the open conversation, and say yes to the question."""
        item = self.page.locator(".item-current")
        item.hover()
        item.get_by_role("button", name="Delete").click()
        self.page.get_by_role("dialog").get_by_role("button", name="Delete").click()

    def open_exact_request(self) -> str:
        """Open the exact request of the newest attempt and return its text."""
        context = self.panel("context")
        context.locator("summary", has_text="Exact request").click()
        request = context.locator("[id^=context-request-]")
        expect(request).not_to_contain_text("Loading", timeout=DEADLINE_MS)
        return request.inner_text()

    def open_wire(self) -> Locator:
        """Open the wire view of the newest attempt and return it."""
        context = self.panel("context")
        context.locator("summary", has_text="Wire view").click()
        wire = context.locator("[data-wire]")
        expect(wire).to_be_visible(timeout=DEADLINE_MS)
        return wire

    def panel(self, name: str) -> Locator:
        """Open a panel of the inspector, wait until it has loaded, and return its body."""
        panel = self.page.locator(f"#panel-{name}")
        if panel.get_attribute("open") is None:
            panel.locator("> summary").click()
        body = panel.locator(f"#body-{name}")
        expect(body).not_to_have_text("Loading…", timeout=DEADLINE_MS)
        return body

    def figure(self, name: str) -> Locator:
        """The figure in the head of a panel."""
        return self.page.locator(f"#figure-{name}")

    def remember(self, text: str, kind: str = "rule") -> Locator:
        """Add an entry by hand and return it."""
        summary = self.panel("summary")
        if summary.locator("#add-fold").get_attribute("open") is None:
            summary.get_by_text("Add an entry").click()
        summary.get_by_label("Kind").select_option(kind)
        summary.get_by_label("What should be remembered").fill(text)
        summary.locator("#add-entry").get_by_role("button", name="Add").click()
        entry = self.entry(text)
        expect(entry).to_be_visible(timeout=DEADLINE_MS)
        return entry

    def entry(self, text: str) -> Locator:
        """The entry with these words, among those that count."""
        return self.page.locator("#body-summary .group .entry", has_text=text)

    def lit(self) -> str:
        """Return the text that is lit up as the source of something."""
        found: str = self.page.evaluate(LIT)
        return found

    def wait_text(self, text: str) -> None:
        """Wait until the newest turn shows a text."""
        expect(self.turns.last).to_contain_text(text, timeout=DEADLINE_MS)

    def answer(self) -> str:
        """Return the text of the newest answer."""
        return self.turns.last.locator(".answer").inner_text()

    @property
    def composer(self) -> Locator:
        """Where a message is typed."""
        return self.page.locator("textarea[name=text]")

    @property
    def turns(self) -> Locator:
        """All turns that the page shows, oldest first."""
        return self.page.locator("#thread > article")
