"""One answer in two tabs: stopped from the other, the network lost, the server restarted."""

import socket
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import WINDOW
from tests.support.chat_page import ChatPage
from tests.support.installation import Installation
from tests.support.page_watch import PageWatch
from tests.support.scripted_provider import replies
from tests.support.scripted_provider.replies import Reply
from tests.support.scripted_provider.steps import Done, Finish, Hold, Text
from tests.support.scripted_provider.thread import ProviderThread
from tests.support.web_process import WebProcess

LOST = "ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|WebSocket|Failed to fetch|htmx:ws:error"


def test_stop_in_one_tab_ends_the_answer_in_both(chat: ChatPage, provider: ProviderThread):
    provider.enqueue(replies.held("Kept when stopped "))
    chat.open_new()
    chat.send("Hello")
    chat.wait_text("Kept when stopped")
    other = chat.second_tab()
    other.wait_text("Kept when stopped")

    other.stop()

    provider.log.wait_disconnected(provider.chats[0])
    for tab in (chat, other):
        tab.wait_idle()
        assert tab.answer().strip() == "Kept when stopped"
        expect(tab.turns.last).to_contain_text("Stopped by you.")
        assert tab.turns.count() == 1


def test_a_reload_and_a_lost_network_end_with_the_same_text_in_both_tabs(
    chat: ChatPage, provider: ProviderThread
):
    chat.watch.allow(LOST)
    steps = (Text("one "), Hold("reload"), Text("two "), Hold("lost"), Text("three "), Hold("back"))
    provider.enqueue(Reply((*steps, Text("four"), Finish(), Done())))
    chat.open_new()
    chat.send("Count")
    chat.wait_text("one")
    chat.reload()
    other = chat.second_tab()
    provider.release("reload")
    for tab in (chat, other):
        tab.wait_text("one two")

    chat.go_offline()  # both tabs are of one device
    provider.release("lost")
    provider.wait_held("back")
    chat.go_online()
    other.wait_connected()
    for tab in (chat, other):
        tab.wait_text("one two three")
    provider.release("back")

    for tab in (chat, other):
        tab.wait_idle()
        assert tab.answer() == "one two three four"
        assert tab.turns.count() == 1


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@pytest.fixture
def restartable(installed: Installation) -> Iterator[WebProcess]:
    """A web process that has the same address after a restart."""
    command = (sys.executable, "manage.py", "web", "--host", "127.0.0.1")
    process = WebProcess(
        installed.data_dir,
        installed._environment,
        name="restartable",
        command=(*command, "--port", str(free_port())),
    )
    with process:
        yield process


def test_a_server_that_is_killed_leaves_an_interrupted_answer_that_can_be_retried(
    chat: ChatPage, chromium: Browser, restartable: WebProcess, provider: ProviderThread
):
    context = chromium.new_context(viewport=WINDOW, base_url=restartable.url, locale="en-US")
    watch = PageWatch(context)
    watch.allow(LOST)
    page = ChatPage(context.new_page(), watch)
    provider.enqueue(replies.held("Written before ", "and never after."))
    page.open_new()
    page.send("Hello")
    page.wait_text("Written before")
    other = page.second_tab()
    # The other process knows of the answer what lies in the database.
    chat.open(f"/c/{page.conversation_id}/")
    chat.wait_text("Written before")

    restartable.kill()
    restartable.start()

    for tab in (page, other):
        tab.wait_connected()
        tab.wait_idle()
        expect(tab.turns.last).to_contain_text("Written before")
        expect(tab.turns.last.get_by_role("button", name="Retry")).to_be_visible()
        expect(tab.page.locator("[data-thinking]:visible, .caret")).to_have_count(0)
        assert tab.turns.count() == 1
    provider.enqueue(replies.answer("Written again."))
    other.retry()
    for tab in (page, other):
        tab.wait_text("Written again.")
        tab.wait_idle()
        assert tab.answer() == "Written again."
        assert tab.turns.count() == 1
    faults = watch.faults()
    context.close()
    assert not faults, "\n".join(faults)
