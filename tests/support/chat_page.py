"""The chat page in the words of a person who uses it."""

from playwright.sync_api import Locator, Page, expect

from tests.support.page_watch import PageWatch

DEADLINE_MS = 15_000
SOCKET_OPEN = 'html[data-socket="open"]'
IDLE = 'html[data-idle="true"]'


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
        self.page.get_by_role("button", name="New conversation").first.click()
        self.page.wait_for_url("**/c/**")
        self.wait_connected()

    def wait_connected(self) -> None:
        """Wait until the socket is open and has said hello."""
        self.page.wait_for_selector(SOCKET_OPEN, state="attached")

    def wait_idle(self) -> None:
        """Wait until no answer is being written and no request is under way."""
        self.page.wait_for_selector(IDLE, state="attached")

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

    def stop(self) -> None:
        """Stop the running answer."""
        self.page.get_by_role("button", name="Stop").click()

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
