"""The tree in the page: edit, regenerate, step, fork, roll back, redo, name, archive, switch."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.chat_page import ChatPage
from tests.support.installation import Installation
from tests.support.scripted_provider import replies
from tests.support.scripted_provider.thread import ProviderThread


def questions(chat: ChatPage) -> list[str]:
    return chat.turns.locator(".question").all_inner_texts()


def talk(chat: ChatPage, *texts: str) -> None:
    chat.open_new()
    for text in texts:
        chat.ask(text)


def test_an_edited_message_is_answered_on_a_branch_of_its_own(chat: ChatPage):
    talk(chat, "First", "Second", "Third")
    expect(chat.line).to_have_text("Main line")

    chat.edit(1, "Second, otherwise")
    chat.wait_idle()

    assert questions(chat) == ["First", "Second, otherwise"]
    assert chat.answer() == "You said: Second, otherwise"
    expect(chat.line).to_have_text("Alternative 1")
    expect(chat.turns.nth(1).locator(".line-mark")).to_have_text("Branch: Alternative 1")
    expect(chat.turns.nth(0).locator(".line-mark")).to_have_count(0)
    expect(chat.stepper(1, "message")).to_contain_text("2/2")


def test_stepping_back_shows_what_was_there_with_all_that_followed(chat: ChatPage):
    talk(chat, "First", "Second", "Third")
    chat.edit(1, "Second, otherwise")
    chat.wait_idle()

    chat.step(1, "message", "Previous")

    assert questions(chat) == ["First", "Second", "Third"]
    expect(chat.line).to_have_text("Main line")
    expect(chat.stepper(1, "message")).to_contain_text("1/2")
    expect(
        chat.stepper(1, "message").get_by_role("button", name="Previous version")
    ).to_be_disabled()
    assert "#turn-" in chat.page.url
    expect(chat.turns.nth(1).locator(".question")).to_be_in_viewport()


def test_stepping_far_from_the_end_shows_the_turn_and_the_way_to_the_newest(
    chat: ChatPage, installed: Installation
):
    talk(chat, "First", "Second")
    installed.lengthen(chat.conversation_id, 70)
    chat.reload()
    chat.page.get_by_role("button", name="Earlier messages").click()
    expect(chat.turns).to_have_count(60)
    chat.page.get_by_role("button", name="Earlier messages").click()
    expect(chat.turns).to_have_count(70)
    chat.regenerate(0)
    chat.wait_idle()

    chat.step(0, "answer", "Previous")

    expect(chat.turns.first.locator(".question")).to_be_in_viewport()
    assert [turn.get_attribute("data-depth") for turn in chat.turns.all()] == [
        str(depth) for depth in [*range(1, 31), *range(41, 71)]
    ]
    chat.page.get_by_role("button", name="Newer messages").click()
    expect(chat.turns).to_have_count(70)
    expect(chat.page.locator("#gap")).to_have_count(0)
    assert [turn.get_attribute("data-depth") for turn in chat.turns.all()] == [
        str(depth) for depth in range(1, 71)
    ]


def test_an_edit_can_be_given_up_and_survives_a_reload(chat: ChatPage):
    talk(chat, "First")
    article = chat.turns.first
    article.hover()
    article.get_by_role("button", name="Edit this message").click()
    field = article.get_by_label("Your message, to be sent again")
    expect(field).to_be_focused()
    field.fill("Half an ed")

    chat.reload()
    article.hover()
    article.get_by_role("button", name="Edit this message").click()
    expect(field).to_have_value("Half an ed")
    field.press("Escape")

    expect(article.locator(".question")).to_have_text("First")
    expect(article.get_by_role("button", name="Edit this message")).to_be_focused()
    article.get_by_role("button", name="Edit this message").click()
    expect(field).to_have_value("First")
    assert len(chat.tree()["branches"]) == 1


def test_answers_are_generated_again_as_often_as_one_likes(
    chat: ChatPage, provider: ProviderThread
):
    talk(chat, "Name a river")
    for text in ("The Volga.", "The Don."):
        provider.enqueue(replies.answer(text))
        chat.regenerate(0)
        chat.wait_idle()

    assert chat.answer() == "The Don."
    expect(chat.stepper(0, "answer")).to_contain_text("3/3")
    chat.step(0, "answer", "Previous")
    assert chat.answer() == "The Volga."
    chat.step(0, "answer", "Previous")
    assert chat.answer() == "You said: Name a river"
    assert questions(chat) == ["Name a river"]
    expect(chat.stepper(0, "message")).to_have_count(0)


def test_a_regenerated_answer_streams_on_its_own_branch_and_not_on_the_other(
    chat: ChatPage, provider: ProviderThread
):
    talk(chat, "Name a river")
    other = chat.second_tab()
    provider.enqueue(replies.held("The Vol", "ga."))

    chat.regenerate(0)
    chat.wait_text("The Vol")

    expect(other.stepper(0, "answer")).to_contain_text("1/2")
    assert other.turns.count() == 1
    assert other.answer() == "You said: Name a river"
    provider.release()
    chat.wait_idle()
    assert chat.answer() == "The Volga."
    assert other.answer() == "You said: Name a river"


@pytest.mark.parametrize("name", ["Поездка без машины", "更短的回答", "<b>bold</b>"])
def test_a_fork_has_the_name_that_a_person_gives_it(chat: ChatPage, name: str):
    talk(chat, "First", "Second")

    chat.fork(0, name)

    assert questions(chat) == ["First"]
    expect(chat.line).to_have_text(name)
    chat.ask("Another second")
    expect(chat.turns.last.locator(".line-mark")).to_contain_text(name)
    assert chat.tree()["branches"][-1]["name"] == name


def test_a_fork_proposes_a_name_and_can_be_given_up(chat: ChatPage):
    talk(chat, "How do I travel to Kazan without a car this weekend?")

    chat.choose(0, "Fork from here")

    dialog = chat.page.get_by_role("dialog")
    expect(dialog.get_by_label("Its name")).to_have_value("How do I travel to Kazan without a car…")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    assert len(chat.tree()["branches"]) == 1


def test_a_fork_before_a_message_puts_its_text_into_the_input_box_of_the_new_branch_only(
    chat: ChatPage,
):
    talk(chat, "First", "Second")
    chat.composer.fill("Not sent yet")

    chat.fork(1, "Anew", item="Fork before this message", of="message")

    assert questions(chat) == ["First"]
    expect(chat.composer).to_have_value("Second")
    main = chat.tree()["branches"][0]["id"]
    chat.open(f"/c/{chat.conversation_id}/?branch={main}")
    expect(chat.composer).to_have_value("Not sent yet")


def test_named_branches_may_be_nested_three_deep_and_the_page_says_so_before(chat: ChatPage):
    talk(chat, "First")
    for name in ("One", "Two", "Three"):
        chat.fork(0, name)

    chat.turns.first.get_by_role("button", name="More for this answer").click()

    item = chat.turns.first.get_by_role("menuitem", name="Fork from here")
    expect(item).to_contain_text("Named branches may be nested 3 deep here.")
    expect(item).to_have_attribute("aria-disabled", "true")
    item.press("Enter")
    expect(chat.page.get_by_role("dialog")).to_have_count(0)


def test_a_rollback_keeps_what_came_after_and_redo_brings_it_back(chat: ChatPage):
    talk(chat, "First", "Second", "Third")

    chat.roll_back(0)

    assert questions(chat) == ["First"]
    bar = chat.page.locator("#branch-bar")
    expect(bar).to_contain_text("Rolled back to turn 1. 2 turns are kept.")
    with chat.going_elsewhere():
        bar.get_by_role("button", name="Redo").click()
    assert questions(chat) == ["First", "Second", "Third"]
    expect(bar).to_have_text("")


def test_what_is_said_after_a_rollback_leaves_the_rest_as_an_alternative(chat: ChatPage):
    talk(chat, "First", "Second")
    chat.roll_back(0)

    chat.ask("Another second")

    expect(chat.page.locator("#rolled-back")).to_have_count(0)
    assert questions(chat) == ["First", "Another second"]
    expect(chat.stepper(1, "message")).to_contain_text("2/2")
    chat.step(1, "message", "Previous")
    assert questions(chat) == ["First", "Second"]


def test_the_newest_answer_cannot_be_rolled_back_to(chat: ChatPage):
    talk(chat, "First", "Second")

    chat.turns.last.get_by_role("button", name="More for this answer").click()

    expect(chat.page.get_by_role("menuitem", name="Fork from here")).to_be_visible()
    expect(chat.page.get_by_role("menuitem", name="Roll back to here")).to_have_count(0)


def test_nothing_is_rolled_back_while_an_answer_is_written_and_the_menu_says_why(
    chat: ChatPage, provider: ProviderThread
):
    talk(chat, "First", "Second")
    provider.enqueue(replies.held("Wait ", "for it."))
    chat.send("Third")
    chat.wait_text("Wait")

    chat.turns.first.get_by_role("button", name="More for this answer").click()

    item = chat.page.get_by_role("menuitem", name="Roll back to here")
    expect(item).to_contain_text("An answer is being written")
    expect(item).to_have_attribute("aria-disabled", "true")
    provider.release()
    chat.wait_idle()


def test_the_name_in_the_header_opens_the_panel_where_branches_are_switched(chat: ChatPage):
    talk(chat, "First", "Second")
    chat.fork(0, "Side way")

    chat.page.locator("#line").click()
    panel = chat.page.locator("#body-branches")
    expect(panel.get_by_role("heading")).to_have_text(["Main line", "Side way"])
    expect(panel.locator("[aria-current=true]")).to_contain_text("after turn 1: First")
    with chat.going_elsewhere():
        panel.get_by_role("button", name="Switch to Main line").click()

    assert questions(chat) == ["First", "Second"]
    expect(chat.line).to_have_text("Main line")
    chat.open(f"/c/{chat.conversation_id}/")
    assert questions(chat) == ["First", "Second"]


def test_a_branch_is_named_in_place_and_put_away(chat: ChatPage):
    talk(chat, "First", "Second")
    chat.edit(1, "Other")
    chat.wait_idle()
    panel = chat.panel("branches")

    panel.get_by_role("button", name="Rename Alternative 1").click()
    field = panel.get_by_label("Name of the branch")
    expect(field).to_be_focused()
    field.fill("换一种说法")
    field.press("Enter")

    expect(panel.get_by_role("heading")).to_have_text(["Main line", "换一种说法"])
    expect(chat.line).to_have_text("换一种说法")
    with chat.going_elsewhere():
        panel.get_by_role("button", name="Archive 换一种说法").click()
    expect(chat.line).to_have_text("Main line")
    panel = chat.panel("branches")
    expect(panel.get_by_role("heading")).to_have_text(["Main line"])
    panel.get_by_role("button", name="Show archived branches (1)").click()
    panel.get_by_role("button", name="Restore 换一种说法").click()
    expect(panel.get_by_text("archived", exact=True)).to_have_count(0)


def test_a_menu_is_used_by_keyboard_alone(chat: ChatPage):
    talk(chat, "First", "Second")
    opener = chat.turns.first.get_by_role("button", name="More for this answer")
    opener.focus()

    opener.press("Enter")
    items = chat.page.get_by_role("menuitem")
    expect(items.first).to_be_focused()
    chat.page.keyboard.press("ArrowDown")
    expect(items.last).to_be_focused()
    chat.page.keyboard.press("ArrowDown")
    expect(items.first).to_be_focused()
    chat.page.keyboard.press("Escape")

    expect(chat.page.get_by_role("menu")).to_have_count(0)
    expect(opener).to_be_focused()
    expect(opener).to_have_attribute("aria-expanded", "false")


def test_panels_and_older_messages_are_those_of_the_branch(
    chat: ChatPage, installed: Installation, provider: ProviderThread
):
    talk(chat, "First", "Second")
    chat.edit(1, "Other")
    chat.wait_idle()

    context = chat.panel("context")
    expect(context).to_contain_text("Other")
    chat.composer.fill("Next")
    expect(chat.page.locator("#preview-line")).to_be_visible()
    with chat.page.expect_request(re.compile("/preview")) as asked:
        chat.composer.fill("Next one")
    assert asked.value.headers["glassbox-branch"] == chat.branch_id
    state = chat.json("state.json", branch=chat.branch_id)
    assert "Second" not in str(state)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_tree_is_not_wider_than_the_screen_and_can_be_touched(chat: ChatPage, width: int):
    talk(chat, "First " * 40)
    chat.edit(0, "Other")
    chat.wait_idle()
    chat.page.set_viewport_size({"width": width, "height": 800})

    chat.turns.first.get_by_role("button", name="More for this answer").click()

    overflow = chat.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert overflow == 0
    if width < 800:
        for button in chat.turns.first.locator(".question-tools button, .menu button").all():
            box = button.bounding_box()
            assert min(box["height"], box["width"]) >= 44
    box = chat.page.get_by_role("menu").bounding_box()
    assert 0 <= box["x"] <= width - box["width"]


def test_what_was_said_on_another_branch_is_gone_to_only_when_one_says_so(chat: ChatPage):
    talk(chat, "First", "Second")
    chat.edit(1, "Other")
    chat.wait_idle()
    log = chat.panel("log")

    log.locator(".raw", has_text="Second").get_by_role("link").first.click()

    note = chat.page.locator("#elsewhere")
    expect(note).to_contain_text("That was said on another branch.")
    assert questions(chat) == ["First", "Other"]
    with chat.going_elsewhere():
        note.get_by_role("button", name="Go there").click()
    assert questions(chat) == ["First", "Second"]
