"""The socket of an open conversation: who is let in, live text, resume, other processes' turns."""

import asyncio
from uuid import uuid4

import pytest

from chatapp import broadcast
from chatapp.models import Process, Turn
from chatapp.presenters.panels import PANELS
from chatapp.runtime.pool import in_pool
from chatapp.services.conversations import conversation_create
from tests.support.gated import gated, written
from tests.support.people import branch_of, say
from tests.support.scripted_provider import replies
from tests.support.visitors import ended

# Who is let in.


async def test_who_is_not_signed_in_is_told_so_by_the_code(visitors, address, tab):
    page = tab(visitors.anonymous, address)

    assert await page.connect()
    assert await page.close_code() == 4401


async def test_a_stranger_cannot_tell_a_hidden_conversation_from_none(visitors, address, tab):
    codes = []
    for path in (address, f"/ws/c/{uuid4()}/"):
        page = tab(visitors.mallory, path)
        assert await page.connect()
        codes.append(await page.close_code())

    assert codes == [4404, 4404]


async def test_a_deleted_conversation_has_no_socket(visitors, address, tab):
    await visitors.alice.post(visitors.url("conversation_delete"))
    page = tab(visitors.alice, address)

    assert await page.connect()
    assert await page.close_code() == 4404


@pytest.mark.parametrize(
    "origin", ["http://collector.invalid", "http://localhost.collector.invalid", "null", None]
)
async def test_a_page_of_another_site_is_refused(visitors, address, tab, origin):
    assert not await tab(visitors.alice, address, origin=origin).connect()


async def test_a_refused_socket_may_talk_and_be_left(visitors, address, tab):
    page = tab(visitors.mallory, address)
    await page.connect()
    await page.close_code()

    await page.send({"kind": "ping"})
    assert await page.is_silent()
    await page.close()


# What an open page is told.


async def test_hello_says_where_the_conversation_stands(visitors, runtime, address, tab):
    await in_pool(say, visitors.people.access, "Hi", "Hello.", runtime.process_id)
    page = tab(visitors.alice, address)
    await page.connect()

    branch = await in_pool(branch_of, visitors.people.access)
    assert await page.frame() == {
        "kind": "hello",
        "process": str(runtime.process_id),
        "running": [],
        "branch": str(branch.id),
        "version": branch.version,
    }


async def test_hello_names_the_running_turn(visitors, provider, address, tab):
    provider.enqueue(gated("a"))
    turn_id = await visitors.ask("Hi")
    page = tab(visitors.alice, address)
    await page.connect()

    assert (await page.frame())["running"] == [str(turn_id)]


async def test_a_turn_is_on_the_page_before_its_text_and_its_text_comes_in_order(
    visitors, provider, open_page
):
    provider.enqueue(gated("The ", "Volga ", "is a river."))
    page = await open_page()

    turn_id = await visitors.ask("Name one river.")
    await page.until_text("The ")
    await written(provider, page, "g1", "g2")
    provider.release("end")
    await page.until("turn", status="committed")

    live = [frame for frame in page.frames if frame["kind"] in {"turn", "start", "delta"}]
    assert [(frame["kind"], frame.get("seq")) for frame in live] == [
        ("turn", None),
        ("start", 0),
        ("delta", 1),
        ("delta", 2),
        ("delta", 3),
        ("turn", None),
    ]
    assert "".join(frame.get("text", "") for frame in live) == "The Volga is a river."
    assert {frame["turn"] for frame in live} == {str(turn_id)}
    assert "Name one river." in live[0]["html"]
    assert "The Volga is a river." in live[-1]["html"]
    assert page.view.repeats == 0


async def test_the_end_of_a_turn_tells_the_panel_and_the_next_version(
    visitors, provider, open_page
):
    page = await open_page()

    turn_id = await visitors.ask("Hi")
    last = await page.until("turn", status="committed")
    refresh = await page.until("refresh")

    branch = await in_pool(branch_of, visitors.people.access)
    assert (last["turn"], last["after"], last["version"]) == (str(turn_id), None, branch.version)
    assert refresh["targets"] == [panel.name for panel in PANELS]


async def test_a_closed_block_comes_as_html_once(visitors, provider, open_page):
    provider.enqueue(gated("One.\n\n", "```python\nx = 1\n", "```\n\nTwo"))
    page = await open_page()

    await visitors.ask("Show me code.")
    await page.until_text("One.")
    await written(provider, page, "g1", "g2")
    await page.until_text("Two")

    answer = next(iter(page.view.answers.values()))
    blocks = "".join(answer.blocks)
    assert blocks.count("One.") == 1
    assert blocks.count("<pre") == 1
    assert answer.tail == "Two"


async def test_a_second_tab_that_opens_late_shows_the_same(visitors, provider, open_page):
    provider.enqueue(gated("The ", "Volga ", "is a river."))
    first = await open_page()
    turn_id = await visitors.ask("Name one river.")
    await first.until_text("The ")
    await written(provider, first, "g1")

    second = await open_page()
    await second.resume(turn_id)
    await second.until_text("Volga ")
    await asyncio.to_thread(provider.wait_held, "g2")
    provider.release("g2")
    for page in (first, second):
        await page.until_text("is a river.")

    texts = [page.view.answers[str(turn_id)].text for page in (first, second)]
    assert texts == ["The Volga is a river."] * 2


async def test_a_page_of_another_conversation_hears_nothing(visitors, provider, open_page, tab):
    other = await in_pool(conversation_create, visitors.people.owner, model_name="")
    theirs = await visitors.mallory.post("/c/")
    own, foreign = (
        tab(visitors.alice, f"/ws/c/{other.id}/"),
        tab(visitors.mallory, f"/ws{theirs.url}"),
    )
    for page in (own, foreign):
        await page.connect()
        await page.frame()
    here = await open_page()

    await visitors.ask("A secret?")
    await here.until("turn", status="committed")

    assert await own.is_silent()
    assert await foreign.is_silent()


async def test_nobody_is_told_of_a_turn_of_another_conversation(visitors, runtime, open_page, tab):
    turn_id = await in_pool(say, visitors.people.access, "A secret?", "Yes.", runtime.process_id)
    theirs = await visitors.mallory.post("/c/")
    page = tab(visitors.mallory, f"/ws{theirs.url}")
    await page.connect()
    await page.frame()

    await page.resume(turn_id)

    assert await page.is_silent()


async def test_changed_memory_refreshes_the_panels_that_show_it(visitors, open_page):
    page = await open_page()

    await broadcast.memory_changed(visitors.conversation_id)

    refresh = await page.until("refresh")
    assert refresh["targets"] == ["context", "summary", "session", "selected", "log"]


async def test_a_rename_and_another_model_refresh_the_header(visitors, open_page):
    page = await open_page()

    await visitors.alice.post(visitors.url("conversation_rename"), {"title": "Rivers"})
    renamed = await page.until("refresh")
    await visitors.alice.post(visitors.url("conversation_model"), {"model": "second"})
    chosen = await page.until("refresh")

    assert renamed["targets"] == chosen["targets"] == ["header"]


async def test_a_deleted_conversation_sends_its_pages_away_and_says_no_more(
    visitors, provider, open_page, caplog
):
    provider.enqueue(gated("half of ", "a secret"))
    page = await open_page()
    turn_id = await visitors.ask("Hi")
    await page.until_text("half of ")

    await visitors.alice.post(visitors.url("conversation_delete"))
    await page.until("gone")
    provider.release("g1")
    provider.release("end")
    await ended(turn_id)

    assert await page.close_code() == 4404
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


# Resume.


async def test_a_resumed_page_gets_exactly_what_it_lacks(visitors, provider, open_page):
    provider.enqueue(gated("one ", "two ", "three ", "four"))
    first = await open_page()
    turn_id = await visitors.ask("Count.")
    await first.until_text("one ")
    await written(provider, first, "g1", "g2")
    attempt = first.frames[-1]["attempt"]

    late = await open_page()
    late.view.answers = dict(first.view.answers)
    await late.resume(turn_id, attempt, after=3)
    assert await late.is_silent()
    provider.release("g3")
    follows = await late.until("delta")

    assert (follows["seq"], follows["text"]) == (4, "four")


async def test_what_came_while_a_page_was_away_comes_as_it_would_have(
    visitors, provider, open_page
):
    provider.enqueue(gated("one ", "two ", "three "))
    first = await open_page()
    turn_id = await visitors.ask("Count.")
    await first.until_text("one ")
    await written(provider, first, "g1", "g2")
    sent = [frame for frame in first.frames if frame["kind"] == "delta"]

    late = await open_page()
    await late.resume(turn_id)
    start = await late.until("start")
    await late.resume(turn_id, start["attempt"], after=1)
    again = [await late.frame(), await late.frame()]

    assert start["tail"] == "one two three "
    assert again == sent[1:]
    assert late.view.repeats == 2


@pytest.mark.parametrize(
    ("attempt", "after"), [(None, 0), (None, 2), ("another", 2), ("right", 99), ("right", -1)]
)
async def test_who_does_not_know_the_attempt_gets_its_whole_state(
    visitors, provider, open_page, attempt, after
):
    provider.enqueue(gated("one ", "two "))
    first = await open_page()
    turn_id = await visitors.ask("Count.")
    await first.until_text("one ")
    await written(provider, first, "g1")
    names = {"another": str(uuid4()), "right": first.frames[-1]["attempt"], None: None}

    late = await open_page()
    await late.resume(turn_id, names[attempt], after)
    start = await late.frame()

    assert (start["kind"], start["seq"], start["tail"]) == ("start", 2, "one two ")
    assert start["attempt"] == names["right"]


async def test_a_turn_that_ended_in_the_meantime_comes_as_it_is_now(
    visitors, provider, runtime, open_page
):
    turn_id = await in_pool(say, visitors.people.access, "Hi", "Hello.", runtime.process_id)
    page = await open_page()

    await page.resume(turn_id, str(uuid4()), after=3)
    frame = await page.frame()

    assert (frame["kind"], frame["status"]) == ("turn", "committed")
    assert "Hello." in frame["html"]


async def test_a_turn_that_nobody_knows_is_passed_over(visitors, open_page):
    page = await open_page()

    await page.resume(uuid4())

    assert await page.is_silent()


BAD_FRAMES = [
    "",
    "not json",
    "[]",
    "null",
    "7",
    "{}",
    '{"kind": "resume"}',
    '{"kind": "resume", "turn": null}',
    '{"kind": "resume", "turn": 5}',
    '{"kind": "resume", "turn": ["a"]}',
    '{"kind": "resume", "turn": "a"}',
    '{"kind": "resume", "turn": "' + str(uuid4()) + '", "after": "many"}',
    '{"kind": "resume", "turn": "' + str(uuid4()) + '", "after": 1e999}',
    '{"kind": "resume", "turn": "' + str(uuid4()) + '", "after": null}',
    "[" * 100_000,
    '{"kind": ' + "9" * 5_000 + "}",
]


async def test_a_frame_that_makes_no_sense_is_answered_and_the_socket_goes_on(visitors, open_page):
    page = await open_page()

    for text in BAD_FRAMES:
        if text:
            await page.send(text)
        else:
            await page.send_bytes(b"\xff\xfe")
        assert await page.frame() == {"kind": "error", "code": "bad_frame"}, text[:80]
        await page.send({"kind": "ping"})
        assert await page.frame() == {"kind": "pong"}


async def test_a_frame_of_a_later_version_is_passed_over(visitors, open_page):
    page = await open_page()

    await page.send({"kind": "wave", "turn": None})
    await page.send({"kind": "ping"})

    assert await page.frame() == {"kind": "pong"}


# A turn goes its own way.


async def test_closing_the_page_does_not_stop_the_answer(visitors, provider, open_page):
    provider.enqueue(gated("The ", "Volga."))
    page = await open_page()
    turn_id = await visitors.ask("Name one river.")
    await page.until_text("The ")

    await page.close()
    for gate in ("g1", "end"):
        provider.release(gate)
    await ended(turn_id)

    row = await visitors.row(turn_id)
    assert (row.finish, row.answer_text) == ("complete", "The Volga.")


async def test_stop_in_one_tab_ends_the_answer_in_both(visitors, provider, open_page):
    provider.enqueue(gated("The first step is ", "never"))
    pages = [await open_page(), await open_page()]
    turn_id = await visitors.ask("Help me.")
    for page in pages:
        await page.until_text("The first step is ")

    await visitors.alice.post(visitors.url("turn_stop", turn_id=turn_id))

    for page in pages:
        frame = await page.until("turn", status="committed")
        assert "Stopped by you." in frame["html"]
        assert "The first step is" in frame["html"]


async def test_a_retry_starts_the_answer_over_on_an_open_page(visitors, provider, open_page):
    provider.enqueue(replies.error_in_stream("Half of "), gated("All of it."))
    page = await open_page()
    turn_id = await visitors.ask("Hi")
    failed = await page.until("turn", status="failed")

    await visitors.alice.post(visitors.url("turn_retry", turn_id=turn_id))
    again = await page.until("turn", status="running")
    await page.until_text("All of it.")

    assert "Half of" in failed["html"]
    assert "Half of" not in again["html"]
    assert page.view.answers[str(turn_id)].text == "All of it."


async def test_a_lost_message_about_the_end_is_made_good(
    visitors, provider, open_page, monkeypatch
):
    monkeypatch.setattr("chatapp.consumers.following.RENEW_S", 0.05)
    monkeypatch.setattr("chatapp.consumers.following.ANSWER_LIMIT_S", 0.05)
    provider.enqueue(gated("The Volga."))
    page = await open_page()
    turn_id = await visitors.ask("Name one river.")
    await page.until_text("The Volga.")

    async def lost(*_, **__):
        return None

    monkeypatch.setattr("chatapp.broadcast.turn_changed", lost)
    provider.release("end")
    await ended(turn_id)

    frame = await page.until("turn", status="committed")
    assert frame["turn"] == str(turn_id)


async def test_no_process_is_left_behind_by_sockets(visitors, open_page):
    await open_page()
    await open_page()

    assert await in_pool(Process.objects.count) == 1
    assert not await in_pool(Turn.objects.exists)
