"""Two tabs or devices at one tree: who wins, who is told, and that nothing is lost."""

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.conftest import WINDOW
from tests.support.chat_page import ChatPage
from tests.support.installation import Installation
from tests.support.page_watch import PageWatch
from tests.support.scripted_provider import replies
from tests.support.scripted_provider.thread import ProviderThread
from tests.support.web_process import WebProcess


@pytest.fixture
def device(chat: ChatPage, chromium: Browser, web: WebProcess):
    """Another device of the same person, at the conversation that is open."""
    context = chromium.new_context(viewport=WINDOW, base_url=web.url, locale="en-US")
    watch = PageWatch(context)
    yield ChatPage(context.new_page(), watch)
    faults = watch.faults()
    context.close()
    assert not faults, "\n".join(faults)


def questions(chat: ChatPage) -> list[str]:
    return chat.turns.locator(".question").all_inner_texts()


def send_late(late: ChatPage, text: str, first: ChatPage, said: str) -> None:
    """Send a text that reaches the server after what another tab has said on the same head."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    late.page.route("**/turns", hold)
    late.composer.fill(text)
    with late.page.expect_request("**/turns"):
        late.composer.press("Enter")
    first.send(said)
    held[0].continue_()
    late.page.unroute("**/turns")


def test_of_two_tabs_on_one_head_one_wins_and_the_other_is_offered_a_branch(chat: ChatPage):
    chat.watch.allow("409")
    chat.open_new()
    chat.ask("Name a colour")
    other = chat.second_tab()

    send_late(other, "blue", chat, "red")

    refusal = other.page.locator("[data-refusal=moved_on]")
    expect(refusal).to_contain_text("moved on")
    expect(other.composer).to_have_value("blue")
    chat.wait_idle()
    with other.going_elsewhere():
        refusal.get_by_role("button", name="Send it as an alternative").dblclick()
    other.wait_idle()

    assert questions(chat) == ["Name a colour", "red"]
    assert questions(other) == ["Name a colour", "blue"]
    assert other.answer() == "You said: blue"
    expect(other.composer).to_have_value("")
    expect(other.line).to_have_text("Alternative 1")
    expect(chat.stepper(1, "message")).to_contain_text("1/2")
    assert [branch["turns"] for branch in chat.tree()["branches"]] == [2, 1]


def test_what_was_refused_can_be_changed_before_it_is_sent_as_an_alternative(
    chat: ChatPage, provider: ProviderThread
):
    chat.watch.allow("409")
    chat.open_new()
    chat.ask("Name a colour")
    other = chat.second_tab()
    provider.enqueue(replies.held("Red ", "it is."))
    send_late(other, "blue", chat, "red")
    button = other.page.get_by_role("button", name="Send it as an alternative")

    expect(button).to_be_visible()
    other.composer.fill("dark blue")
    with other.going_elsewhere():
        button.click()  # while the answer to the first is still being written
    other.wait_idle()

    assert questions(other) == ["Name a colour", "dark blue"]
    assert other.answer() == "You said: dark blue"
    provider.release()
    chat.wait_idle()
    assert chat.answer() == "Red it is."


def test_a_tab_shows_what_was_rolled_back_in_another_and_keeps_its_draft(chat: ChatPage):
    chat.open_new()
    for text in ("First", "Second", "Third"):
        chat.ask(text)
    other = chat.second_tab()
    other.composer.fill("Not sent yet")

    chat.roll_back(0)

    expect(other.turns).to_have_count(1)
    expect(other.page.locator("#branch-bar")).to_contain_text("Rolled back to turn 1.")
    expect(other.composer).to_have_value("Not sent yet")
    other.composer.fill("")  # what is begun now is begun after the first turn
    assert other.ask("Other second") == "You said: Other second"
    expect(chat.turns).to_have_count(2)
    expect(chat.page.locator("#rolled-back")).to_have_count(0)


def test_a_draft_goes_where_it_was_begun_or_is_offered_as_an_alternative_there(chat: ChatPage):
    chat.watch.allow("409")
    chat.open_new()
    for text in ("First", "Second", "Third"):
        chat.ask(text)
    other = chat.second_tab()
    other.composer.fill("Follows the third")
    chat.roll_back(0)
    expect(other.turns).to_have_count(1)

    other.composer.press("Enter")

    refusal = other.page.locator("[data-refusal=moved_on]")
    expect(refusal).to_contain_text("moved on")
    expect(other.composer).to_have_value("Follows the third")
    assert questions(other) == ["First"]
    with other.going_elsewhere():
        refusal.get_by_role("button", name="Send it as an alternative").click()
    other.wait_idle()
    assert questions(other) == ["First", "Second", "Third", "Follows the third"]


def test_who_was_told_that_the_branch_moved_sends_the_draft_after_what_is_new(chat: ChatPage):
    chat.watch.allow("409")
    chat.open_new()
    for text in ("First", "Second"):
        chat.ask(text)
    other = chat.second_tab()
    other.composer.fill("Draft")
    chat.roll_back(0)
    expect(other.turns).to_have_count(1)

    other.composer.press("Enter")
    expect(other.page.locator("[data-refusal=moved_on]")).to_be_visible()
    other.wait_idle()
    other.composer.press("Enter")

    expect(other.turns).to_have_count(2)
    assert questions(other) == ["First", "Draft"]


def test_what_is_typed_under_an_answer_follows_it_and_an_own_rollback_takes_it_along(
    chat: ChatPage, provider: ProviderThread
):
    chat.open_new()
    chat.ask("First")
    provider.enqueue(replies.held("Wait ", "for it."))
    chat.send("Second")
    chat.wait_text("Wait")
    chat.composer.fill("Third")
    provider.release()
    chat.wait_idle()
    chat.composer.press("Enter")
    expect(chat.turns).to_have_count(3)
    chat.wait_idle()

    chat.composer.fill("Other second")
    chat.roll_back(0)
    chat.composer.press("Enter")

    expect(chat.turns).to_have_count(2)
    assert questions(chat) == ["First", "Other second"]


def test_a_page_stays_under_a_draft_and_says_where_its_reader_went_elsewhere(
    chat: ChatPage, device: ChatPage
):
    chat.open_new()
    chat.ask("First")
    device.open(chat.page.url)
    chat.composer.fill("Half a thou")
    address = chat.page.url

    device.fork(0, "Поездка")

    notice = chat.page.locator(".elsewhere")
    expect(notice).to_contain_text("On another device you went to “Поездка”.")
    expect(device.page.locator(".elsewhere")).to_have_count(0)
    assert chat.page.url == address
    expect(chat.composer).to_have_value("Half a thou")
    assert chat.ask("Said on the main line") == "You said: Said on the main line"
    expect(device.turns).to_have_count(1)
    notice.get_by_role("button", name="Stay here").click()
    expect(notice).to_have_count(0)


def test_a_reload_stays_on_the_branch_and_a_new_visit_shows_the_chosen_one(
    chat: ChatPage, device: ChatPage
):
    chat.open_new()
    chat.ask("First")
    visit = f"/c/{chat.conversation_id}/"
    device.open(visit)
    chat.composer.fill("Half a thou")
    device.fork(0, "Side way")

    chat.reload()

    expect(chat.line).to_have_text("Main line")
    expect(chat.composer).to_have_value("Half a thou")
    chat.open(visit)
    expect(chat.line).to_have_text("Side way")


def depths(chat: ChatPage) -> list[int]:
    found: list[int] = chat.turns.evaluate_all("all => all.map((one) => Number(one.dataset.depth))")
    return found


def test_turns_that_do_not_follow_each_other_are_never_shown_as_neighbours(
    chat: ChatPage, installed: Installation
):
    chat.open_new()
    chat.ask("First")
    chat.ask("Second")
    installed.lengthen(chat.conversation_id, 90)
    chat.reload()
    other = chat.second_tab()
    other.composer.fill("A draft")
    for shown in (60, 90):
        chat.page.get_by_role("button", name="Earlier messages").click()
        expect(chat.turns).to_have_count(shown)

    chat.roll_back(9)

    expect(other.turns).to_have_count(10)
    assert depths(other) == list(range(1, 11))
    with chat.going_elsewhere():
        chat.page.locator("#branch-bar").get_by_role("button", name="Redo").click()
    expect(other.turns).to_have_count(30)
    assert depths(other) == list(range(61, 91))
    expect(other.composer).to_have_value("A draft")
    other.page.get_by_role("button", name="Earlier messages").click()
    expect(other.turns).to_have_count(60)
    assert depths(other) == list(range(31, 91))


def test_who_comes_back_after_a_long_time_sees_no_turn_of_a_line_that_was_left(
    chat: ChatPage, device: ChatPage, installed: Installation
):
    chat.open_new()
    chat.ask("First")
    chat.ask("Second")
    installed.lengthen(chat.conversation_id, 40)
    chat.reload()
    device.open(chat.page.url)
    for page in (chat, device):
        page.page.get_by_role("button", name="Earlier messages").click()
        expect(page.turns).to_have_count(40)
    device.watch.allow("ERR_INTERNET_DISCONNECTED|WebSocket|Failed to fetch|htmx:ws:error")
    device.go_offline()
    chat.roll_back(1)
    chat.ask("Another third")
    installed.lengthen(chat.conversation_id, 60)
    chat.reload()
    chat.ask("Newest")

    device.go_online()

    expect(device.turns).to_have_count(30)
    assert depths(device) == list(range(32, 62))
    expect(device.turns.last).to_contain_text("Newest")


def test_a_short_rollback_of_a_long_page_leaves_its_turns_in_their_order(
    chat: ChatPage, installed: Installation
):
    chat.open_new()
    chat.ask("First")
    chat.ask("Second")
    installed.lengthen(chat.conversation_id, 50)
    chat.reload()
    other = chat.second_tab()

    chat.roll_back(25)

    expect(other.turns.last).to_have_attribute("data-depth", "46")
    assert depths(other) == list(range(17, 47))


def test_an_edit_whose_message_is_rolled_back_elsewhere_is_told_and_kept(chat: ChatPage):
    chat.open_new()
    for text in ("First", "Second"):
        chat.ask(text)
    other = chat.second_tab()
    other.turns.last.hover()
    other.turns.last.get_by_role("button", name="Edit this message").click()
    field = other.page.get_by_label("Your message, to be sent again")
    field.fill("Long careful rewrite")

    chat.roll_back(0)

    expect(other.turns).to_have_count(1)
    expect(other.page.locator("#elsewhere")).to_contain_text("was rolled back elsewhere")
    with chat.going_elsewhere():
        chat.page.locator("#branch-bar").get_by_role("button", name="Redo").click()
    expect(other.turns).to_have_count(2)
    other.turns.last.hover()
    other.turns.last.get_by_role("button", name="Edit this message").click()
    expect(field).to_have_value("Long careful rewrite")


def test_going_there_leaves_the_draft_on_the_branch_where_it_was_begun(
    chat: ChatPage, device: ChatPage
):
    chat.open_new()
    chat.ask("First")
    device.open(chat.page.url)
    chat.composer.fill("Half a thou")
    device.fork(0, "Side way")

    with chat.going_elsewhere():
        chat.page.locator(".elsewhere").get_by_role("link", name="Go there").click()

    expect(chat.line).to_have_text("Side way")
    expect(chat.composer).to_have_value("")
    chat.page.go_back()
    chat.wait_connected()
    expect(chat.composer).to_have_value("Half a thou")


def test_a_new_name_is_on_every_page_of_the_branch(chat: ChatPage, device: ChatPage):
    chat.open_new()
    chat.ask("First")
    chat.fork(0, "Old name")
    device.open(chat.page.url)
    panel = device.panel("branches")

    panel.get_by_role("button", name="Rename Old name").click()
    panel.get_by_label("Name of the branch").fill("New name")
    panel.get_by_role("button", name="Save").click()

    expect(chat.line).to_have_text("New name")
    expect(chat.page.locator("#figure-branches")).to_have_text("2")


def test_who_edits_in_one_tab_is_not_disturbed_by_another(chat: ChatPage):
    chat.open_new()
    chat.ask("First")
    other = chat.second_tab()
    other.turns.first.hover()
    other.turns.first.get_by_role("button", name="Edit this message").click()
    field = other.turns.first.get_by_label("Your message, to be sent again")
    field.fill("Half an edit")

    chat.regenerate(0)
    chat.wait_idle()

    expect(other.page.locator("#figure-branches")).to_have_text("2")
    expect(field).to_have_value("Half an edit")
    field.press("Escape")
    expect(other.stepper(0, "answer")).to_contain_text("1/2")
    expect(other.turns.first.locator(".question")).to_have_text("First")
    other.turns.first.get_by_role("button", name="Edit this message").click()
    field.fill("Half an edit")
    field.press("Control+Enter")
    expect(other.line).to_have_text("Alternative 2")
    other.wait_idle()
    assert questions(other) == ["Half an edit"]
