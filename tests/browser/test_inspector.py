"""The inspector in a real browser: it follows by itself, and nothing that is typed gets lost."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.chat_page import ChatPage
from tests.support.installation import Installation
from tests.support.scripted_provider import replies
from tests.support.scripted_provider.thread import ProviderThread

HOSTILE = """<img src=x onerror="document.title = 'owned'">"""


def test_the_panels_follow_a_turn_by_themselves(chat: ChatPage):
    chat.open_new()
    log = chat.panel("log")

    chat.ask("Name one river.")

    expect(chat.figure("context")).to_have_text("3 %")
    expect(chat.panel("context")).to_contain_text("turn 1")
    expect(log.locator(".transitions")).to_contain_text("Answer stored")
    expect(log.locator(".raw").first).to_contain_text("You said: Name one river.")

    chat.ask("And one lake.")

    expect(chat.panel("context")).to_contain_text("turn 2")
    expect(chat.panel("context").locator("#difference")).to_contain_text("2 messages came in")


def test_what_was_sent_for_an_older_turn_stays_until_a_new_turn_comes(chat: ChatPage):
    chat.open_new()
    for text in ("First", "Second"):
        chat.ask(text)

    chat.turns.first.get_by_role("link", name="What was sent").click()
    context = chat.panel("context")

    expect(context.locator(".turn-line")).to_contain_text("First")
    chat.remember("Keep this in mind.")
    expect(context.locator(".turn-line")).to_contain_text("First")
    context.get_by_role("button", name="Newest turn").click()
    expect(context.locator(".turn-line")).to_contain_text("Second")


def test_folded_and_open_panels_are_kept(chat: ChatPage):
    chat.open_new()
    chat.panel("session")
    chat.page.locator("#panel-context > summary").click()

    chat.reload()

    expect(chat.page.locator("#panel-session")).to_have_attribute("open", "")
    assert chat.page.locator("#panel-context").get_attribute("open") is None
    expect(chat.page.locator("#body-session")).to_contain_text("No field is set")


def test_an_entry_is_deleted_and_comes_back(chat: ChatPage):
    chat.open_new()
    entry = chat.remember("Prices in euros.")
    expect(chat.figure("summary")).to_have_text("1 entry")

    entry.get_by_role("button", name="Delete").click()
    undo = chat.page.locator("#act-summary")

    expect(undo).to_contain_text("Deleted: “Prices in euros.”")
    expect(entry).to_have_count(0)
    undo.get_by_role("button", name="Undo").click()
    expect(entry).to_have_count(1)
    expect(chat.page.locator("#act-summary")).to_contain_text("Taken back")


def test_the_focus_stays_near_after_each_act(chat: ChatPage):
    chat.open_new()
    entry = chat.remember("Prices in euros.")

    pin = entry.get_by_role("button", name="Pinned")
    pin.press("Enter")
    expect(pin).to_have_attribute("aria-pressed", "true")
    expect(pin).to_be_focused()
    edit = entry.get_by_role("button", name="Edit")
    edit.press("Enter")
    expect(chat.page.locator("#edit-text")).to_be_focused()
    chat.page.keyboard.press("Escape")
    expect(edit).to_be_focused()
    entry.get_by_role("button", name="Delete").press("Enter")
    expect(chat.page.locator("#undo-summary")).to_be_focused()


@pytest.mark.parametrize("text", ["Prices in euros.", "Цены в евро 👋", "价格用欧元 👋"])
def test_what_is_typed_into_a_form_survives_a_turn(chat: ChatPage, text: str):
    chat.open_new()
    entry = chat.remember(text)
    entry.get_by_role("button", name="Edit").click()
    field = chat.page.locator("#edit-text")
    field.fill(f"{text}, never in dollars")
    field.evaluate("(field) => field.setSelectionRange(3, 3)")
    other = chat.second_tab()

    other.ask("What does it cost?")

    expect(chat.turns).to_have_count(1)
    expect(chat.figure("context")).not_to_have_text("")
    expect(field).to_have_value(f"{text}, never in dollars")
    expect(field).to_be_focused()
    assert field.evaluate("(field) => field.selectionStart") == 3
    chat.page.get_by_role("button", name="Save").click()
    expect(chat.entry(f"{text}, never in dollars")).to_be_visible()


def test_a_change_by_somebody_else_is_said_beside_the_form(chat: ChatPage):
    chat.watch.allow("409")
    chat.open_new()
    entry = chat.remember("Prices in euros.")
    entry.get_by_role("button", name="Edit").click()
    chat.page.locator("#edit-text").fill("Prices in crowns.")
    other = chat.second_tab()
    other.entry("euros").get_by_role("button", name="Edit").click()
    other.page.locator("#edit-text").fill("Prices in pounds.")
    other.page.get_by_role("button", name="Save").click()

    conflict = chat.page.locator("#edit-conflict")
    expect(conflict).to_contain_text("changed meanwhile")
    expect(conflict).to_contain_text("Prices in pounds.")
    expect(chat.page.locator("#edit-text")).to_have_value("Prices in crowns.")
    chat.page.get_by_role("button", name="Save", exact=True).click()
    expect(chat.page.locator("#edit-error")).to_contain_text("changed meanwhile")
    conflict.get_by_role("button", name="Save mine in its place").click()
    expect(chat.entry("Prices in crowns.")).to_be_visible()


def test_what_was_typed_for_a_deleted_entry_becomes_a_new_one(chat: ChatPage):
    chat.open_new()
    entry = chat.remember("Prices in euros.")
    entry.get_by_role("button", name="Edit").click()
    chat.page.locator("#edit-text").fill("Prices in crowns.")
    other = chat.second_tab()
    other.entry("euros").get_by_role("button", name="Delete").click()

    conflict = chat.page.locator("#edit-conflict")
    expect(conflict).to_contain_text("deleted meanwhile")
    conflict.get_by_role("button", name="Add mine as a new entry").click()

    expect(chat.entry("Prices in crowns.")).to_be_visible()
    expect(chat.entry("Prices in euros.")).to_have_count(0)


def test_escape_in_a_form_leaves_a_running_answer_alone(chat: ChatPage, provider: ProviderThread):
    provider.enqueue(replies.held("It begins ", "and ends."))
    chat.open_new()
    entry = chat.remember("Prices in euros.")
    chat.send("Tell me.")
    chat.wait_text("It begins")
    entry.get_by_role("button", name="Edit").click()

    chat.page.locator("#edit-text").press("Escape")

    expect(entry.get_by_role("button", name="Edit")).to_be_focused()
    provider.release("gate")
    chat.wait_idle()
    assert chat.answer() == "It begins and ends."


def test_a_field_is_added_changed_and_removed(chat: ChatPage):
    chat.open_new()
    session = chat.panel("session")
    session.get_by_text("Add a field").click()
    form = session.locator("#add-field")
    form.get_by_label("Name").fill("место")
    form.get_by_label("Value").fill("у окна 👋")
    form.get_by_label("Stays").select_option("hour")
    form.get_by_label("The model may see it").uncheck()
    form.get_by_role("button", name="Add").click()

    field = session.locator("> .entries .entry")
    expect(field).to_contain_text("у окна 👋")
    expect(field).to_contain_text("expires in 1 h")
    expect(field).to_contain_text("the model does not see it")
    expect(form.get_by_label("Name")).to_have_value("")
    field.get_by_role("button", name="Edit").click()
    chat.page.locator("#edit-field-value").fill("у прохода")
    session.get_by_role("button", name="Save").click()
    expect(field).to_contain_text("у прохода")
    field.get_by_role("button", name="Remove").click()
    expect(session).to_contain_text("No field is set")
    expect(session.locator("#past-fields")).to_contain_text("1")


def test_a_name_that_cannot_be_is_refused_in_one_sentence(chat: ChatPage):
    chat.watch.allow("422")
    chat.open_new()
    session = chat.panel("session")
    session.get_by_text("Add a field").click()
    session.locator("#add-field-key").fill("!")
    session.locator("#add-field-value").fill("x")
    session.locator("#add-field").get_by_role("button", name="Add").click()

    expect(session.locator("#add-field-error")).to_contain_text("A name has letters")
    expect(session.locator("#add-field-value")).to_have_value("x")


def test_the_log_is_searched_while_it_is_typed(chat: ChatPage):
    chat.open_new()
    for text in ("One river?", "Одно озеро?", "一座山 👋"):
        chat.ask(text)
    log = chat.panel("log")

    log.locator("#log-search").press_sequentially("ОЗЕРО")

    expect(log.get_by_role("status")).to_have_text("2 messages found.")
    expect(log.locator(".raw").last).to_contain_text("Одно озеро?")
    expect(log.locator("#log-search")).to_have_value("ОЗЕРО")
    expect(log.locator("#log-search")).to_be_focused()


def test_hostile_words_are_only_words(chat: ChatPage, provider: ProviderThread):
    provider.enqueue(replies.answer_chunks([HOSTILE]))
    chat.open_new()
    chat.ask(HOSTILE)

    chat.remember(HOSTILE)
    session = chat.panel("session")
    session.get_by_text("Add a field").click()
    session.locator("#add-field-key").fill("x")
    session.locator("#add-field-value").fill(HOSTILE)
    session.locator("#add-field").get_by_role("button", name="Add").click()
    expect(session.locator("> .entries")).to_contain_text("<img")
    for name in ("context", "selected", "attempts", "log"):
        chat.panel(name)

    expect(chat.panel("log").locator(".raw").first).to_contain_text("<img")
    assert chat.page.locator("#inspector img").count() == 0
    assert chat.page.title() != "owned"


def test_piled_up_accents_stay_inside_their_entry(chat: ChatPage):
    chat.open_new()

    entry = chat.remember("a" + "\u0301" * 300)

    assert entry.evaluate("(box) => getComputedStyle(box).overflowY") == "clip"


def test_the_inspector_is_a_drawer_on_a_phone(chat: ChatPage):
    chat.page.set_viewport_size({"width": 360, "height": 740})
    chat.page.goto("/")
    chat.page.get_by_role("button", name="Conversations").click()
    address = chat.page.url
    chat.page.get_by_role("button", name="New conversation", exact=True).click()
    chat.page.wait_for_url(lambda url: url != address)
    chat.wait_connected()
    chat.ask("Name one river.")
    chat.page.get_by_role("button", name="Inspector").click()
    chat.remember("Prices in euros, and a very long word: " + "x" * 90)
    for name in ("context", "session", "selected", "attempts", "log"):
        chat.panel(name)

    overflow = "(box) => box.scrollWidth - box.clientWidth"
    assert chat.page.locator("#inspector .pane-body").evaluate(overflow) == 0
    chat.panel("context").locator("#context-parts a.source").first.click()

    expect(chat.page.locator("html")).not_to_have_attribute("data-drawer", re.compile(".*"))
    expect(chat.turns.first).to_be_focused()


@pytest.mark.parametrize(
    ("before", "sentence", "after"),
    [
        ("Hello there 👋🏽 again. ", "Never use dollars in prices.", " And which train is it?"),
        ("Привет 👋 ещё раз! ", "Никогда не указывай цены в долларах.", " А какой это поезд?"),
        ("你好 👩‍👩‍👧 又见面了。", "价格绝对不要用美元。", "是哪一趟火车？"),
    ],
)
def test_a_source_lights_exactly_its_sentence(
    chat: ChatPage, before: str, sentence: str, after: str
):
    chat.open_new()
    chat.ask(before + sentence + after)
    entry = chat.entry(sentence)
    expect(entry).to_be_visible()

    entry.locator("a.source").click()

    expect(chat.turns.first).to_be_focused()
    assert chat.lit() == sentence
    chat.page.keyboard.press("Escape")
    assert chat.lit() == ""


def test_a_source_on_an_older_page_is_fetched_and_lit(chat: ChatPage, installed: Installation):
    chat.open_new()
    chat.ask("👋 Привет. Никогда не указывай цены в долларах.")
    chat.ask("And now?")
    installed.lengthen(chat.conversation_id, 32)
    chat.reload()
    expect(chat.turns).to_have_count(30)

    chat.panel("summary")
    chat.entry("Никогда не").locator("a.source").click()

    expect(chat.turns).to_have_count(32)
    expect(chat.turns.first).to_be_focused()
    assert chat.lit() == "Никогда не указывай цены в долларах."
    expect(chat.turns.first.locator(".question")).to_be_in_viewport()


def test_what_a_turn_taught_appears_by_itself_and_its_deletion_is_told_to_the_model(
    chat: ChatPage, provider: ProviderThread
):
    chat.open_new()
    chat.ask("Never use dollars in prices. My code is KZN-48371.")
    expect(chat.entry("KZN-48371")).to_be_visible()
    expect(chat.figure("summary")).to_have_text("2 entries")

    chat.entry("KZN-48371").get_by_role("button", name="Delete").click()
    expect(chat.entry("KZN-48371")).to_have_count(0)
    chat.ask("Which train is it?")

    assert "KZN-48371" not in str(provider.chats[-1].body)
    assert "Never use dollars" in str(provider.chats[-1].body)
    expect(chat.panel("context").locator("#context-parts")).to_contain_text(
        "Sent without what you have deleted."
    )


def test_what_the_server_could_not_do_is_said_and_nothing_typed_is_lost(chat: ChatPage):
    chat.watch.allow("500")
    chat.open_new()
    summary = chat.panel("summary")
    summary.get_by_text("Add an entry").click()
    chat.page.route("**/memory/entries", lambda route: route.fulfill(status=500))

    chat.page.locator("#add-text").fill("Prices in euros.")
    summary.get_by_role("button", name="Add", exact=True).click()

    expect(chat.page.locator("#add-error")).to_contain_text("did not work on the server")
    expect(chat.page.locator("#add-text")).to_have_value("Prices in euros.")


def test_the_exact_request_stays_open_and_follows_to_the_next_turn(chat: ChatPage):
    chat.open_new()
    chat.ask("First question")
    assert "First question" in chat.open_exact_request()

    chat.ask("Second question")

    request = chat.panel("context").locator("[id^=context-request-]")
    expect(request).to_contain_text("Second question")
