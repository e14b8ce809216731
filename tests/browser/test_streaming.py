"""An answer on its way to the page: pieces, reload, a second tab, a lost connection, Stop."""

from playwright.sync_api import expect

from tests.support.chat_page import ChatPage
from tests.support.scripted_provider import replies
from tests.support.scripted_provider.replies import Reply
from tests.support.scripted_provider.steps import Done, Finish, Hold, Text
from tests.support.scripted_provider.thread import ProviderThread

FENCED = Text("First paragraph.\n\n```python\nprint('one')\n```\n\nSecond ")
BLOCKS_THEN_MORE = Reply((FENCED, Hold("gate"), Text("paragraph."), Hold("end"), Finish(), Done()))


def test_text_is_on_the_page_before_the_answer_is_complete(
    chat: ChatPage, provider: ProviderThread
):
    provider.enqueue(replies.held("The beginning ", "and the end."))
    chat.open_new()
    chat.send("Hello")
    chat.wait_text("The beginning")

    provider.release()

    chat.wait_idle()
    assert chat.answer() == "The beginning and the end."


def test_finished_blocks_stay_as_they_are_while_more_comes(
    chat: ChatPage, provider: ProviderThread
):
    provider.enqueue(BLOCKS_THEN_MORE)
    chat.open_new()
    chat.send("Write code")
    code = chat.turns.last.locator(".answer pre")
    expect(code).to_contain_text("print('one')")
    code.evaluate("element => { element.wasHereBefore = true }")

    provider.release()
    chat.wait_text("Second paragraph.")

    # Rendering the whole text again would have made another element.
    assert code.evaluate("element => element.wasHereBefore") is True
    provider.release("end")
    chat.wait_idle()


def test_a_reload_in_the_middle_shows_everything_and_goes_on(
    chat: ChatPage, provider: ProviderThread
):
    provider.enqueue(replies.held("Said before ", "and after the reload."))
    chat.open_new()
    chat.send("Hello")
    chat.wait_text("Said before")

    chat.reload()
    chat.wait_text("Said before")
    provider.release()

    chat.wait_idle()
    assert chat.answer() == "Said before and after the reload."


def test_a_second_tab_shows_the_same_stream(chat: ChatPage, provider: ProviderThread):
    provider.enqueue(replies.held("For both ", "tabs."))
    chat.open_new()
    chat.send("Hello")
    chat.wait_text("For both")
    other = chat.second_tab()
    other.wait_text("For both")

    provider.release()

    for tab in (chat, other):
        tab.wait_idle()
        assert tab.answer() == "For both tabs."
        assert tab.turns.count() == 1


def test_a_message_of_one_tab_appears_in_the_other(chat: ChatPage):
    chat.open_new()
    other = chat.second_tab()

    chat.ask("From the first tab")
    other.wait_text("You said: From the first tab")
    assert other.ask("From the second tab") == "You said: From the second tab"

    expect(chat.turns).to_have_count(2)
    expect(chat.turns.last).to_contain_text("You said: From the second tab")


def test_a_lost_connection_loses_and_doubles_nothing(chat: ChatPage, provider: ProviderThread):
    chat.watch.allow("ERR_INTERNET_DISCONNECTED|WebSocket|Failed to fetch")
    steps = (Text("one "), Hold("offline"), Text("two "), Hold("online"), Text("three"))
    provider.enqueue(Reply((*steps, Finish(), Done())))
    chat.open_new()
    chat.send("Count")
    chat.wait_text("one")

    chat.go_offline()
    provider.release("offline")
    provider.wait_held("online")
    chat.go_online()
    chat.wait_text("one two")
    provider.release("online")

    chat.wait_idle()
    assert chat.answer() == "one two three"


def test_an_answer_that_ended_while_offline_is_there_afterwards(
    chat: ChatPage, provider: ProviderThread
):
    chat.watch.allow("ERR_INTERNET_DISCONNECTED|WebSocket|Failed to fetch")
    provider.enqueue(replies.held("Begun online, ", "ended offline."))
    chat.open_new()
    chat.send("Hello")
    chat.wait_text("Begun online")

    chat.go_offline()
    provider.release()
    provider.log.wait_finished(provider.chats[0])
    chat.go_online()

    chat.wait_idle()
    assert chat.answer() == "Begun online, ended offline."


def test_stop_keeps_the_text_and_ends_the_call(chat: ChatPage, provider: ProviderThread):
    provider.enqueue(replies.held("Kept when stopped "))
    chat.open_new()
    chat.send("Hello")
    chat.wait_text("Kept when stopped")

    chat.stop()

    chat.wait_idle()
    provider.log.wait_disconnected(provider.chats[0])
    assert chat.answer().strip() == "Kept when stopped"
    chat.reload()
    assert chat.answer().strip() == "Kept when stopped"


def test_what_was_stopped_stays_in_the_next_request(chat: ChatPage, provider: ProviderThread):
    provider.enqueue(replies.held("Half a thought "))
    chat.open_new()
    chat.send("Think")
    chat.wait_text("Half a thought")
    chat.stop()
    chat.wait_idle()

    chat.ask("Go on")

    texts = [message["content"] for message in provider.chats[-1].body["messages"]]
    assert any("Half a thought" in text for text in texts)
