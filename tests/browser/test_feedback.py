"""Below an answer in a real browser: thumbs stay, and what it was made from leads to its source."""

from playwright.sync_api import Locator, expect

from tests.support.chat_page import ChatPage

RULE = "Никогда не называй цены в долларах."


def thumb(chat: ChatPage, name: str, turn: int = -1) -> Locator:
    return chat.turns.nth(turn).get_by_role("button", name=f"{name} answer")


def pressed(chat: ChatPage) -> tuple[str | None, str | None]:
    """Return whether the thumbs of the newest answer are pressed, up and down."""
    return (
        thumb(chat, "Good").get_attribute("aria-pressed"),
        thumb(chat, "Bad").get_attribute("aria-pressed"),
    )


def press(chat: ChatPage, name: str) -> None:
    with chat.page.expect_response("**/feedback"):
        thumb(chat, name).press("Enter")


def made_from(chat: ChatPage, turn: int = -1) -> Locator:
    """Open what an answer was made from and return it."""
    fold = chat.turns.nth(turn).locator("details.made-from")
    with chat.page.expect_response("**/provenance"):
        fold.locator("summary").click()
    return fold


def test_a_thumb_is_given_changed_taken_back_and_kept(chat: ChatPage):
    chat.open_new()
    chat.ask("Name one river.")

    press(chat, "Good")
    expect(thumb(chat, "Good")).to_have_attribute("aria-pressed", "true")
    expect(thumb(chat, "Good")).to_be_focused()
    press(chat, "Bad")
    expect(thumb(chat, "Bad")).to_have_attribute("aria-pressed", "true")
    assert pressed(chat) == ("false", "true")

    chat.reload()
    assert pressed(chat) == ("false", "true")

    press(chat, "Bad")
    expect(thumb(chat, "Bad")).to_have_attribute("aria-pressed", "false")
    chat.reload()
    assert pressed(chat) == ("false", "false")


def test_another_turn_leaves_the_thumb_alone(chat: ChatPage):
    chat.open_new()
    chat.ask("Name one river.")
    press(chat, "Good")
    expect(thumb(chat, "Good")).to_have_attribute("aria-pressed", "true")

    chat.ask("And one lake.")

    expect(thumb(chat, "Good", 0)).to_have_attribute("aria-pressed", "true")
    assert pressed(chat) == ("false", "false")


def test_what_an_answer_was_made_from_leads_to_where_it_was_said(chat: ChatPage):
    chat.open_new()
    chat.ask("Name one river.")
    chat.remember(RULE)
    chat.ask("And one lake.")

    fold = made_from(chat)

    expect(fold).to_contain_text(RULE)
    expect(fold).to_contain_text("You added it.")
    expect(fold).to_contain_text("3 messages")
    fold.get_by_role("link", name="turn 1").first.click()
    expect(chat.turns.first).to_be_focused()
    summary = chat.page.locator("#panel-summary")
    summary.locator("> summary").click()
    expect(summary).not_to_have_attribute("open", "")
    fold.get_by_role("link", name="in the panel").click()
    expect(summary).to_have_attribute("open", "")


def test_the_page_of_everything_that_was_said_is_reached_from_the_log(chat: ChatPage):
    chat.open_new()
    chat.ask("Name one river.")
    chat.ask("And one lake.")

    chat.panel("log").get_by_role("link", name="Everything that was said").click()

    page = chat.page
    expect(page.get_by_role("heading", level=1)).to_contain_text("Everything that was said")
    texts = page.locator(".raw-item .verbatim")
    expect(texts).to_have_count(5)
    expect(texts.nth(1)).to_have_text("Name one river.")
    page.get_by_role("link", name="Back to the conversation").click()
    chat.wait_connected()
