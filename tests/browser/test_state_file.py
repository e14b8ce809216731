"""A conversation leaves as a file and comes into an empty one, in a real browser."""

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.statecore.export_builders import chat as talk
from tests.support.chat_page import ChatPage


def taken_along(chat: ChatPage, folder: Path) -> Path:
    """Download the state of the open conversation."""
    with chat.page.expect_download() as download:
        chat.panel("log").get_by_role("link", name="Download state.json").click()
    path = folder / "state.json"
    download.value.save_as(path)
    return path


def choose(chat: ChatPage, path: Path) -> None:
    """Choose a file in the welcome of an empty conversation, and import it."""
    place = chat.page.locator("#import")
    if place.get_attribute("open") is None:
        place.locator("summary").click()
    place.get_by_label("State file").set_input_files(path)
    place.get_by_role("button", name="Import").click()


def test_a_conversation_moves_with_what_it_remembers(chat: ChatPage, tmp_path: Path):
    chat.open_new()
    chat.ask("Name one river.")
    chat.remember("Metric units only.")
    path = taken_along(chat, tmp_path)

    chat.open_new()
    choose(chat, path)

    expect(chat.turns).to_have_count(1)
    expect(chat.turns.first).to_contain_text("You said: Name one river.")
    chat.wait_connected()
    expect(chat.panel("summary")).to_contain_text("Metric units only.")
    expect(chat.panel("log").locator(".transitions")).to_contain_text("State imported")
    assert "You said: And one lake." in chat.ask("And one lake.")


def test_a_wrong_file_is_refused_with_a_sentence_and_another_may_follow(
    chat: ChatPage, tmp_path: Path
):
    chat.watch.allow("status of 422")
    chat.open_new()
    chat.ask("Name one river.")
    path = taken_along(chat, tmp_path)
    document = json.loads(path.read_text(encoding="utf-8"))
    document["turns"][0]["depth"] = 7
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(document), encoding="utf-8")

    chat.open_new()
    chat.composer.fill("Typed before")
    choose(chat, wrong)

    refusal = chat.page.locator("#import-error")
    expect(refusal).to_contain_text("turns 1 → depth: is 7 where 1 comes next")
    expect(chat.composer).to_have_value("Typed before")
    choose(chat, path)
    expect(chat.turns).to_have_count(1)


def test_an_export_of_several_conversations_says_what_did_not_come_in(
    chat: ChatPage, tmp_path: Path
):
    file = tmp_path / "conversations.json"
    talks = [talk("One river?", "The Don."), talk(), talk("Одна река?", "Рейн.", title="Река")]
    file.write_text(json.dumps(talks), encoding="utf-8")
    chat.open_new()
    choose(chat, file)
    report = chat.page.locator("#import-error")
    expect(report).to_contain_text("2 conversations imported.")
    expect(report).to_contain_text("Not imported: conversation 2: holds no message of a user.")
    report.get_by_role("link", name="Open").click()
    expect(chat.turns).to_have_count(1)
    expect(chat.turns.first).to_contain_text("The Don.")
    # It is as old as it says, and many newer ones may stand before it. The list reads on by
    # itself when its end is in view, so that a button may be gone before it is clicked.
    chat.page.wait_for_function(
        """name => {
            const list = document.querySelector("#list");
            list.scrollTo(0, list.scrollHeight);
            return [...list.querySelectorAll("a")].some(link => link.textContent.trim() === name);
        }""",
        arg="Река",
    )
    chat.page.get_by_role("link", name="Река", exact=True).click()
    expect(chat.turns.first).to_contain_text("Рейн.")
