"""What is sent, in a real browser: coloured, previewed while it is typed, compared, marked."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.chat_page import DEADLINE_MS, ChatPage
from tests.support.installation import WINDOW_TOKENS, Installation
from tests.support.scripted_provider import replies
from tests.support.scripted_provider.thread import ProviderThread
from tests.support.web_process import WebProcess

SMALL_TOKENS = 6_000
RULE = "Never use dollars in prices."
HOSTILE = """<img src=x onerror="document.title = 'owned'">"""


# A window that a few messages fill.
@pytest.fixture(scope="module")
def web(
    tmp_path_factory: pytest.TempPathFactory, running_provider: ProviderThread
) -> Iterator[WebProcess]:
    """Run a web process whose models have a small window."""
    data_dir = tmp_path_factory.mktemp("small")
    installation = Installation(data_dir, running_provider.base_url)
    models = data_dir / "models.toml"
    small = models.read_text().replace(str(WINDOW_TOKENS), str(SMALL_TOKENS))
    models.write_text(small)
    installation.prepare()
    with installation.web() as process:
        yield process


def ask_with_pinned_rule(chat: ChatPage) -> None:
    """Have a rule of the first turn in the notes of the second."""
    chat.open_new()
    chat.ask(RULE)
    chat.entry(RULE).get_by_role("button", name="Pinned").click()
    expect(chat.entry(RULE).get_by_role("button", name="Pinned")).to_have_attribute(
        "aria-pressed", "true"
    )
    # Until the turn is learned the window shows its rule, and the notes need not.
    expect(chat.page.locator("#body-summary .waiting")).to_have_count(0)
    chat.ask("What does it cost?")
    expect(chat.panel("context")).to_contain_text("turn 2")


def test_a_coloured_part_says_where_it_comes_from_and_lights_its_sentence(chat: ChatPage):
    ask_with_pinned_rule(chat)
    wire = chat.open_wire()

    part = wire.locator(".said.origin-rule")
    part.click()

    account = wire.locator(".why:visible")
    expect(account).to_contain_text("You pinned it.")
    account.locator("a.source").click()
    expect(chat.turns.first).to_be_focused()
    assert chat.lit() == RULE


def test_the_wire_view_works_by_keyboard(chat: ChatPage):
    ask_with_pinned_rule(chat)
    wire = chat.open_wire()
    part = wire.locator(".said.origin-rule")

    part.press("Enter")
    expect(part).to_have_attribute("aria-expanded", "true")
    expect(wire.locator(".why:visible")).to_have_count(1)
    head = wire.locator(".wire-head").last
    head.press("Enter")
    expect(part).to_have_attribute("aria-expanded", "false")
    expect(wire.locator(".why:visible")).to_contain_text("it is never cut")
    head.press("Escape")

    expect(wire.locator(".why:visible")).to_have_count(0)


def test_escape_in_the_wire_view_leaves_a_running_answer_alone(
    chat: ChatPage, provider: ProviderThread
):
    ask_with_pinned_rule(chat)
    wire = chat.open_wire()
    provider.enqueue(replies.held("It begins ", "and ends."))
    chat.send("Tell me.")
    chat.wait_text("It begins")
    expect(wire.locator(".wire-head").last).to_be_visible()
    head = wire.locator(".wire-head").last
    head.press("Enter")

    head.press("Escape")

    expect(wire.locator(".why:visible")).to_have_count(0)
    provider.release("gate")
    chat.wait_idle()
    assert chat.answer() == "It begins and ends."


def test_the_wire_view_shows_the_words_that_were_sent(chat: ChatPage, provider: ProviderThread):
    ask_with_pinned_rule(chat)

    wire = chat.open_wire()

    sent = [message["content"] for message in provider.chats[-1].body["messages"]]
    assert wire.locator(".wire-text").all_text_contents() == sent


def test_a_source_on_the_wide_page_leads_back_into_the_chat(chat: ChatPage):
    ask_with_pinned_rule(chat)
    chat.open_wire()
    there = f"{chat.page.url.split('?')[0]}?branch={chat.branch_id}"
    chat.panel("context").get_by_role("link", name="On a page of its own").click()
    wide = chat.page.locator("#wide")
    expect(wide.locator("h1")).to_have_text("What was sent in turn 2")

    wide.locator(".said.origin-rule").click()
    wide.locator(".why:visible a.source").click()

    chat.page.wait_for_url(lambda url: url.startswith(f"{there}#turn-"))
    expect(chat.turns.first).to_be_focused()
    assert chat.lit() == RULE


def test_the_size_of_the_next_request_appears_while_it_is_typed(
    chat: ChatPage, provider: ProviderThread
):
    chat.open_new()
    chat.ask("Name one river.")
    calls = len(provider.chats)
    line = chat.page.locator("#preview-line")

    chat.composer.press_sequentially("And one lake?")

    expect(line).to_have_text(
        re.compile(r"Next request: (≈ )?\d+ tokens \(\w+\), tier 0, \d+ %"), timeout=DEADLINE_MS
    )
    expect(chat.composer).to_be_focused()
    chat.page.locator("#preview > summary").click()
    body = chat.page.locator("#preview .wire-text")
    expect(body.last).to_have_text("And one lake?")
    chat.composer.press_sequentially(" 再来 👋")
    expect(body.last).to_have_text("And one lake? 再来 👋")
    assert len(provider.chats) == calls
    assert len(chat.state()["turns"]) == 1


def test_the_preview_goes_when_the_message_is_sent_or_deleted(chat: ChatPage):
    chat.open_new()
    chat.composer.press_sequentially("Name one river.")
    preview = chat.page.locator("#preview")
    expect(preview).to_be_visible()

    chat.composer.press("Enter")
    expect(preview).to_be_hidden()
    chat.wait_idle()
    chat.composer.press_sequentially("And")
    expect(preview).to_be_visible()
    chat.composer.fill("")

    expect(preview).to_be_hidden()


def test_a_running_answer_hides_the_preview_and_its_end_brings_it_back(
    chat: ChatPage, provider: ProviderThread
):
    provider.enqueue(replies.held("It begins ", "and ends."))
    chat.open_new()
    chat.send("Tell me.")
    chat.wait_text("It begins")
    preview = chat.page.locator("#preview")

    chat.composer.press_sequentially("And one lake?")
    chat.composer.press("Enter")

    expect(chat.page.locator("#composer-hint")).to_contain_text("stop it or wait")
    expect(preview).to_be_hidden()
    provider.release("gate")
    expect(preview).to_be_visible()
    expect(chat.composer).to_have_value("And one lake?")


def test_another_model_is_asked_anew(chat: ChatPage):
    chat.open_new()
    chat.composer.press_sequentially("Name one river.")
    expect(chat.page.locator("#preview")).to_be_visible()

    with chat.page.expect_response("**/preview") as found:
        chat.choose_model("second")

    assert found.value.status == 200


def test_the_preview_can_be_hidden_for_good(chat: ChatPage):
    chat.open_new()
    chat.composer.press_sequentially("Name one river.")
    expect(chat.page.locator("#preview")).to_be_visible()

    chat.page.get_by_role("button", name="Hide").click()
    expect(chat.page.locator("#preview")).to_be_hidden()
    chat.reload()

    show = chat.page.get_by_role("button", name="Show the size of the next request")
    expect(show).to_be_visible()
    show.click()
    expect(chat.page.locator("#preview")).to_be_visible()


def test_hostile_words_are_only_words_in_all_that_shows_a_request(
    chat: ChatPage, provider: ProviderThread
):
    provider.enqueue(replies.answer_chunks([HOSTILE]))
    chat.open_new()
    chat.ask(HOSTILE)
    chat.remember(HOSTILE)
    chat.ask("And now?")
    wire = chat.open_wire()
    expect(wire.locator(".said").first).to_contain_text("<img")
    chat.composer.press_sequentially(HOSTILE)
    chat.page.locator("#preview > summary").click()
    expect(chat.page.locator("#preview .wire-text").last).to_have_text(HOSTILE)

    assert chat.page.locator("#inspector img, #preview img").count() == 0
    assert chat.page.title() != "owned"


def test_the_line_of_the_window_moves_with_the_turns_and_nothing_else_does(chat: ChatPage):
    chat.open_new()
    for number in range(10):
        chat.ask(f"Message {number}: " + "word " * 400)
    line = chat.page.locator("#window-line")
    expect(line).to_be_visible()
    first = line_depth(chat)
    change = chat.page.locator(".tier-change").first
    expect(change).to_have_text(re.compile(r"tier 0 → [23]: [\d,]+ → [\d,]+ tokens"))
    assert line.evaluate("(line) => getComputedStyle(line).position") == "absolute"

    for number in range(10, 16):
        chat.ask(f"Message {number}: " + "word " * 400)

    assert line_depth(chat) > first
    assert line_depth(chat) == chat.state()["turns"][-1]["attempts"][-1]["verbatim_depth"]
    chat.reload()
    expect(line).to_be_visible()


def test_the_line_has_its_place_when_its_page_of_older_turns_comes(chat: ChatPage):
    chat.open_new()
    for number in range(32):
        chat.ask(f"Message {number}")
    chat.reload()
    expect(chat.turns).to_have_count(30)
    line = chat.page.locator("#window-line")
    expect(line).to_be_hidden()
    # A window of so many turns takes longer to fill than a test may last.
    chat.turns.last.evaluate("(turn) => { turn.dataset.verbatim = '2'; }")

    chat.page.locator("#scroll").evaluate("(box) => box.scrollTo(0, 0)")

    expect(chat.turns).to_have_count(32)
    expect(line).to_be_visible()
    assert line_depth(chat) == 2


def test_the_strategies_are_compared_on_a_page_of_their_own(chat: ChatPage):
    chat.open_new()
    chat.ask("Name one river.")
    chat.panel("context").get_by_role("link", name="Compare strategies").click()
    columns = chat.page.locator(".column h2")
    expect(columns).to_have_text(["Full history", "Sliding window", "Summary only", "Elastic"])

    chat.page.get_by_label("A text to ask now").fill("And one lake? 再来 👋")
    chat.page.get_by_label("Sliding: last messages").fill("1")
    chat.page.get_by_role("button", name="Compare").click()

    expect(chat.page.locator("#wide")).to_contain_text("“And one lake? 再来 👋”")
    expect(chat.page.locator(".column-sliding")).to_contain_text("the last 1 messages")


@pytest.mark.parametrize("width", [360, 768])
def test_nothing_sticks_out_on_a_narrow_screen(chat: ChatPage, width: int):
    chat.open_new()
    chat.page.set_viewport_size({"width": width, "height": 740})
    chat.ask("One very long word: " + "x" * 120)
    address = chat.page.url.split("?")[0].rstrip("/")
    attempt = chat.state()["turns"][-1]["attempts"][-1]["id"]
    overflow = "() => document.documentElement.scrollWidth - innerWidth"

    for path in ("/compare", f"/attempts/{attempt}/wire"):
        chat.page.goto(address + path)
        assert chat.page.evaluate(overflow) <= 0


def line_depth(chat: ChatPage) -> int:
    """Return the depth of the turn above which the line stands."""
    article = chat.page.locator("#thread > article:has(#window-line)")
    return int(article.get_attribute("data-depth") or 0)
