"""Everything around an answer: failures, models, titles, older messages, what was sent."""

import json

import pytest
from playwright.sync_api import Route, expect

from tests.support.chat_page import ChatPage
from tests.support.installation import WINDOW_TOKENS, Installation
from tests.support.scripted_provider import replies
from tests.support.scripted_provider.thread import ProviderThread

PAGE_OF_TURNS = 30
HOSTILE = """<script>document.title = "owned"</script>
<img src=x onerror="document.title = 'owned'">
[link](javascript:document.title='owned')
"""


def test_ten_turns_are_one_conversation(chat: ChatPage, provider: ProviderThread):
    chat.open_new()

    for number in range(10):
        assert chat.ask(f"Message {number}") == f"You said: Message {number}"

    assert chat.turns.count() == 10
    asked = [m for m in provider.chats[-1].body["messages"] if m["role"] == "user"]
    assert [m["content"] for m in asked] == [f"Message {number}" for number in range(10)]


def test_markdown_cannot_act(chat: ChatPage, provider: ProviderThread):
    provider.enqueue(replies.answer_chunks([HOSTILE]))
    chat.open_new()

    chat.ask("Attack")

    assert "owned" not in chat.page.title()
    assert (
        chat.turns.last.locator(".answer script, .answer img, .answer a[href^=java]").count() == 0
    )


def test_a_failed_turn_can_be_tried_again(chat: ChatPage, provider: ProviderThread):
    provider.when(replies.unauthorized(), times=2)
    chat.open_new()
    chat.send("Hello")
    chat.wait_idle()

    provider.clear()
    chat.retry()

    chat.wait_text("You said: Hello")
    assert chat.turns.count() == 1


def test_another_model_answers_when_it_is_chosen(chat: ChatPage, provider: ProviderThread):
    chat.open_new()
    chat.ask("To the first")

    chat.choose_model("second")
    chat.ask("To the second")

    assert [request.model for request in provider.chats] == ["scripted", "second"]
    assert len(provider.chats[1].body["messages"]) > len(provider.chats[0].body["messages"])


def test_a_message_for_a_model_that_is_gone_stays_where_it_was_typed(
    chat: ChatPage, provider: ProviderThread
):
    chat.watch.allow("status of 422")
    chat.open_new()
    named = chat.page.locator("#composer").evaluate_handle(
        """form => {
          const named = Object.assign(document.createElement("input"), {type: "hidden"});
          form.append(Object.assign(named, {name: "model", value: "nobody"}));
          return named;
        }"""
    )
    chat.composer.fill("Hello")
    chat.composer.press("Enter")

    expect(chat.page.locator("#composer-error")).to_have_text("There is no model “nobody”.")
    assert chat.composer.input_value() == "Hello"
    assert not provider.chats

    named.evaluate("named => named.remove()")
    chat.composer.press("Enter")
    chat.wait_text("You said: Hello")
    assert chat.turns.count() == 1
    expect(chat.page.locator("#composer-error")).to_be_empty()


def test_a_conversation_gets_another_title(chat: ChatPage):
    chat.open_new()
    chat.ask("Hello")

    chat.rename("About greetings")

    expect(chat.page.locator("#title")).to_have_text("About greetings")
    expect(chat.page.locator(".item-current a")).to_have_text("About greetings")


def test_a_deleted_conversation_is_gone(chat: ChatPage):
    chat.watch.allow("404")
    chat.open_new()
    chat.ask("Hello")
    address = chat.page.url

    chat.delete()
    chat.page.wait_for_url(lambda url: url != address)

    assert chat.page.goto(address).status == 404


def test_the_panel_shows_the_exact_request(chat: ChatPage, provider: ProviderThread):
    chat.open_new()
    chat.ask("What exactly was sent?")

    text = chat.open_exact_request()

    for message in provider.chats[0].body["messages"]:
        assert json.dumps(message["content"], ensure_ascii=False) in text


def test_a_message_survives_a_reload_before_it_is_sent(chat: ChatPage):
    chat.open_new()
    chat.composer.fill("Not sent yet")

    chat.reload()

    assert chat.composer.input_value() == "Not sent yet"


def test_older_messages_come_when_scrolled_to(chat: ChatPage, installed: Installation):
    chat.open_new()
    for number in range(2):
        chat.ask(f"Message {number}")
    installed.lengthen(chat.conversation_id, PAGE_OF_TURNS + 3)
    chat.reload()
    assert chat.turns.count() == PAGE_OF_TURNS

    chat.page.get_by_role("button", name="Earlier messages").scroll_into_view_if_needed()

    expect(chat.turns).to_have_count(PAGE_OF_TURNS + 3)
    expect(chat.turns.first).to_contain_text("Message 0")


def test_an_answer_that_comes_after_the_end_of_its_turn_takes_nothing_back(chat: ChatPage):
    chat.open_new()

    def overtaken(route: Route) -> None:
        answer = route.fetch()
        expect(chat.turns.last).to_contain_text("does not fit")
        route.fulfill(response=answer)

    chat.page.route("**/turns", overtaken)
    too_long = "lake " * (WINDOW_TOKENS + 1)
    chat.composer.fill(too_long)
    with chat.page.expect_response("**/turns"):
        chat.composer.press("Enter")

    chat.wait_idle()
    expect(chat.turns).to_have_count(1)
    expect(chat.turns.last.get_by_role("button", name="Retry")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_screen(chat: ChatPage, provider: ProviderThread, width: int):
    provider.enqueue(replies.answer_chunks(["```\n" + "wide " * 200 + "\n```\n"]))
    chat.page.set_viewport_size({"width": width, "height": 800})
    chat.page.goto("/")
    if width < 800:
        chat.page.get_by_role("button", name="Conversations").click()
    before = chat.page.url
    chat.page.get_by_role("button", name="New conversation", exact=True).click()
    chat.page.wait_for_url(lambda url: url != before)
    chat.wait_connected()
    chat.ask("Be wide")

    overflow = chat.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )

    assert overflow == 0
