"""Turns are read again in a real browser: what was missing comes, what was deleted stays away."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.chat_page import ChatPage
from tests.support.installation import Installation
from tests.support.labels import labelled
from tests.support.scripted_provider.thread import ProviderThread
from tests.support.web_process import WebProcess

GARDEN = "The garden faces the old mill."
OAK = "Рядом растёт старый дуб 👋."
POND = "后面有一个池塘。"
LABELS = {"contains": "старый дуб", "streams": False}
"""Which requests ask about these sentences: another turn may be read meanwhile."""


@pytest.fixture
def web(tmp_path: Path, running_provider: ProviderThread) -> Iterator[WebProcess]:
    """Run a web process whose models label sentences, and that was never asked about these."""
    installation = Installation(tmp_path, running_provider.base_url, for_memory=True)
    installation.prepare()
    with installation.web() as process:
        yield process


@pytest.fixture
def taught(chat: ChatPage, provider: ProviderThread) -> ChatPage:
    """A turn of three sentences, of which the model kept the first; then it may say otherwise."""
    provider.when(labelled({"1": "fact", "2": "skip", "3": "skip"}), times=1, **LABELS)
    chat.open_new()
    chat.ask(f"{GARDEN} {OAK} {POND}")
    expect(chat.entry(GARDEN)).to_be_visible()
    expect(chat.page.locator("#body-summary .waiting")).to_have_count(0)
    provider.when(labelled({"1": "fact", "2": "fact", "3": "skip"}), times=1, **LABELS)
    return chat


def read_again(chat: ChatPage, what: str = "All turns") -> None:
    """Open the form and send it."""
    fold = chat.page.locator("#again-fold")
    if fold.get_attribute("open") is None:
        fold.locator("summary").click()
    fold.get_by_label("What is read again").select_option(what)
    fold.get_by_role("button", name="Read again").click()


def test_what_was_deleted_stays_away_and_what_was_missing_comes(
    taught: ChatPage, provider: ProviderThread
):
    """The model names what was deleted once more, and a sentence that it did not name before."""
    taught.entry(GARDEN).get_by_role("button", name="Delete").click()
    expect(taught.entry(GARDEN)).to_have_count(0)
    other = taught.second_tab()

    read_again(taught)

    for page in (taught, other):
        expect(page.page.locator("#reread")).to_contain_text("Read again: 1 sentence was added.")
        expect(page.entry(OAK)).to_be_visible()
        expect(page.entry(GARDEN)).to_have_count(0)
    taught.entry(OAK).locator("a.source").click()
    assert taught.lit() == OAK

    taught.ask("What do you know?")
    assert GARDEN not in str(provider.chats[-1].body)


def test_what_was_added_is_taken_back_and_not_added_again(
    taught: ChatPage, provider: ProviderThread
):
    read_again(taught, "Only turn 1")
    reread = taught.page.locator("#reread")
    expect(reread).to_contain_text("1 sentence was added.")

    reread.get_by_role("button", name="Undo").click()
    expect(taught.entry(OAK)).to_have_count(0)
    expect(reread.locator("del")).to_have_text(OAK)
    provider.when(labelled({"1": "fact", "2": "fact", "3": "fact"}), **LABELS)
    read_again(taught)

    expect(taught.entry(POND)).to_be_visible()
    expect(taught.entry(OAK)).to_have_count(0)


def test_it_is_said_when_nothing_new_was_found_and_the_choice_is_kept(
    taught: ChatPage, provider: ProviderThread
):
    provider.script.clear()
    provider.when(labelled({"1": "fact", "2": "skip", "3": "skip"}), **LABELS)
    read_again(taught)
    expect(taught.page.locator("#reread")).to_have_text("Read again: nothing new.")
    choice = taught.page.locator("#again-turn")
    choice.select_option("Only turn 1")

    taught.second_tab().remember("Prices in euros.")

    expect(taught.entry("Prices in euros.")).to_be_visible()
    assert choice.evaluate("(field) => field.selectedOptions[0].text") == "Only turn 1"
    expect(taught.page.locator("#again-fold")).to_have_attribute("open", "")
