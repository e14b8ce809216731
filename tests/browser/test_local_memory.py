"""Memory with the real local model in a real browser: learned, given back, deleted.

Nothing is asserted about the model's words. Where this file stands before `test_local_model.py`
it uses the same run, which that one ends.
"""

import html
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.chat_page import LIT, ChatPage
from tests.support.local_run import DEFAULT_MODEL, SMALL_MODEL, TURN_DEADLINE_MS, wait_ready
from tests.support.page_watch import PageWatch
from tests.support.panel_pictures import take_page_pictures, take_pictures
from tests.support.web_process import ROOT, WebProcess

pytestmark = pytest.mark.local_model

LEARNED_DEADLINE_MS = 10_000
NAME = "My name is Zinaida Kowalczyk."
ORDER = "My order number is QX-48371."
PROHIBITION = "Never mention my employer."
SAID = (NAME, ORDER, PROHIBITION)
WISH = "For now, keep your answers short."
# Four of them fill a window of 4,096 tokens; what stands between fences is no sentence to learn.
LOG = "\n".join(f"river {number} flows past lake and hill, slowly" for number in range(80))
FILLER = f"What is in this log?\n```\n{LOG}\n```"
PICTURES = Path(os.environ.get("GLASSBOX_PICTURES") or ROOT / ".cache" / "pictures")


@pytest.fixture(scope="module")
def chat(chromium: Browser, local_run: WebProcess) -> Iterator[ChatPage]:
    """Open a conversation and wait for the model."""
    context = chromium.new_context(
        base_url=local_run.url, locale="en-US", viewport={"width": 1440, "height": 1000}
    )
    watch = PageWatch(context)
    page = ChatPage(context.new_page(), watch)
    page.open_new()
    wait_ready(page, local_run)
    yield page
    context.close()
    assert watch.faults() == []


def test_what_was_said_in_turn_one_is_remembered_given_back_and_deleted(chat: ChatPage):
    chat.send(" ".join((*SAID, WISH, "We meet at the old harbour office.")))
    chat.wait_idle(TURN_DEADLINE_MS)
    for sentence in SAID:
        entry = chat.entry(sentence)
        expect(entry).to_be_visible(timeout=LEARNED_DEADLINE_MS)
        entry.locator("a.source").click()
        chat.page.wait_for_function(f"(wanted) => ({LIT})() === wanted", arg=sentence)

    # The small model reads long messages quickly; the 1.5B model then has no room for turn one.
    chat.choose_model(SMALL_MODEL)
    for _ in range(4):
        chat.send(FILLER)
        chat.wait_idle(TURN_DEADLINE_MS)
    chat.choose_model(DEFAULT_MODEL)
    body, attempt = ask(chat, "Say one word.")
    assert attempt["model_name"] == DEFAULT_MODEL
    assert SAID[0] not in said_by_user(body), "the window has moved past turn one"
    for sentence in SAID:
        assert sentence in text_of(body)

    chat.entry(ORDER).get_by_role("button", name="Delete").click()
    expect(chat.entry(ORDER)).to_have_count(0)
    for question in ("Say another word.", "And one more."):
        body, attempt = ask(chat, question)
        assert "48371" not in text_of(body)
        assert NAME in text_of(body)
        assert PROHIBITION in text_of(body)
    memory = chat.state()["memory"]
    # Whether the model had read the turn before the deletion or after it hangs on its speed.
    assert {found["status"] for found in memory["entries"] if found["text"] == ORDER} <= {"deleted"}
    assert ORDER in {found["text"] for found in memory["removed"]}


def test_pictures_of_every_panel(chat: ChatPage):
    assert chat.state()["turns"], "the conversation above comes first"

    pictures = [*take_pictures(chat.page, PICTURES), *take_page_pictures(chat.page, PICTURES)]

    assert len(pictures) == 28 + 8
    assert all(picture.stat().st_size > 0 for picture in pictures)


def ask(chat: ChatPage, question: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Take one turn, and return its request as it was sent and its attempt."""
    chat.send(question)
    chat.wait_idle(TURN_DEADLINE_MS)
    attempt = chat.state()["turns"][-1]["attempts"][-1]
    return request_of(chat.page, attempt["id"]), attempt


def request_of(page: Page, attempt_id: str) -> dict[str, Any]:
    """Return what the panel shows as the exact request of an attempt."""
    fragment = page.request.get(f"{page.url.split('?')[0]}attempts/{attempt_id}").text()
    shown = re.search(r"<pre[^>]*><code>(.*?)</code></pre>", fragment, re.DOTALL)
    assert shown is not None
    assert "proof-good" in fragment
    body: dict[str, Any] = json.loads(html.unescape(shown.group(1)))
    return body


def text_of(body: dict[str, Any]) -> str:
    """Return everything that a request says."""
    return "\n".join(message["content"] for message in body["messages"])


def said_by_user(body: dict[str, Any]) -> str:
    """Return what of a request are messages of the user."""
    return "\n".join(m["content"] for m in body["messages"] if m["role"] == "user")
