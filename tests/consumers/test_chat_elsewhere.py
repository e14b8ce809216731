"""A page whose answer is written by another process: asked for, lost, found again."""

import asyncio

import pytest
import pytest_asyncio

from chatapp import broadcast
from chatapp.models import PartialText, Process, Turn
from chatapp.runtime import lease
from chatapp.runtime.pool import in_pool
from chatapp.runtime.runtime import Runtime
from chatapp.services.turns import turn_retry
from chatapp.store import partials
from chatapp.wiring import registry
from tests.support.gated import gated, written
from tests.support.people import accept, new_process, prepare
from tests.support.running import eventually
from tests.support.scripted_provider import replies


@pytest_asyncio.fixture
async def elsewhere(runtime):
    """Another process, as far as this one can tell: its own lease, mailbox and memory."""
    other = Runtime()
    await other.ensure_started()
    yield other
    await other.drain(limit_s=0.0)


@pytest.fixture
def hasty(monkeypatch):
    """Give owners little time to answer."""
    monkeypatch.setattr("chatapp.consumers.following.ANSWER_LIMIT_S", 0.05)


async def start(visitors, process, text="Name one river."):
    """Accept a turn for a process and let that process run it."""
    access = visitors.people.access
    turn_id = (await in_pool(accept, access, text, process.process_id)).turn_id
    await run(visitors, process, turn_id)
    return turn_id


async def run(visitors, process, turn_id):
    conversation_id = visitors.conversation_id
    keys = visitors.people.owner.keys
    process.start_turn(turn_id, conversation_id, keys, registry().default())
    await broadcast.turn_changed(conversation_id, turn_id, started=True)


async def kill(process):
    """End a process as a kill -9 does: nothing is written any more."""
    tasks = [*process._services, *(job.task for job in process.running())]
    process._services = []
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def fall_silent(process_id):
    """Let a process have been silent for a while."""
    assert Process.objects.filter(pk=process_id).update(heartbeat_ms=0) == 1


async def sweep(runtime):
    await lease.sweep(runtime.process_id, runtime.running(), set())


async def test_its_text_arrives_in_order_and_so_does_its_end(
    visitors, provider, elsewhere, open_page
):
    provider.enqueue(gated("The ", "Volga ", "is a river."))
    page = await open_page()

    turn_id = await start(visitors, elsewhere)
    await page.until_text("The ")
    await written(provider, page, "g1", "g2")
    assert page.view.answers[str(turn_id)].text == "The Volga is a river."
    provider.release("end")
    last = await page.until("turn", status="committed")

    assert "The Volga is a river." in last["html"]
    seqs = [frame["seq"] for frame in page.frames if frame["kind"] == "delta"]
    assert seqs == sorted(set(seqs))
    assert page.view.repeats == 0


async def test_a_page_that_opens_late_gets_everything(visitors, provider, elsewhere, open_page):
    provider.enqueue(gated("The ", "Volga ", "is a river."))
    first = await open_page()
    turn_id = await start(visitors, elsewhere)
    await first.until_text("The ")
    await written(provider, first, "g1")

    late = await open_page()
    await late.resume(turn_id)
    await late.until_text("The Volga ")
    await asyncio.to_thread(provider.wait_held, "g2")
    provider.release("g2")
    for page in (first, late):
        await page.until_text("is a river.")

    assert late.view.answers[str(turn_id)].text == "The Volga is a river."
    assert first.view.answers[str(turn_id)].text == "The Volga is a river."


async def test_stop_pressed_here_stops_it_there(visitors, provider, elsewhere, open_page):
    provider.enqueue(gated("The first step is ", "never"))
    page = await open_page()
    turn_id = await start(visitors, elsewhere)
    await page.until_text("The first step is ")

    await visitors.alice.post(visitors.url("turn_stop", turn_id=turn_id))

    last = await page.until("turn", status="committed")
    assert "Stopped by you." in last["html"]
    await asyncio.to_thread(provider.log.wait_disconnected, provider.chats[-1])


async def test_a_retry_there_starts_the_answer_over_here(visitors, provider, elsewhere, open_page):
    provider.enqueue(replies.error_in_stream("Half of "), gated("All of it."))
    page = await open_page()
    turn_id = await start(visitors, elsewhere)
    await page.until("turn", status="failed")

    owner = elsewhere.process_id
    await in_pool(turn_retry, visitors.people.access, turn_id, owner=owner, model_name="scripted")
    await run(visitors, elsewhere, turn_id)
    await page.until_text("All of it.")

    assert page.view.answers[str(turn_id)].text == "All of it."


async def test_an_owner_that_does_not_answer_is_bridged_by_the_database(visitors, hasty, open_page):
    owner = await in_pool(new_process)
    keys = visitors.people.owner.keys

    def begin():
        turn_id = accept(visitors.people.access, "Name one river.", owner).turn_id
        attempt_id = prepare(turn_id, owner).attempt_id
        partials.append(
            [
                partials.Partial(attempt_id, 1, 2, "The Volga ", keys),
                partials.Partial(attempt_id, 2, 3, "is a ", keys),
            ]
        )
        return turn_id, attempt_id

    turn_id, attempt_id = await in_pool(begin)
    page = await open_page()

    await page.resume(turn_id)
    start = await page.until("start")

    assert (start["attempt"], start["seq"]) == (str(attempt_id), 3)
    assert page.view.answers[str(turn_id)].text == "The Volga is a "


async def test_a_turn_whose_process_died_is_interrupted_and_keeps_its_text(
    visitors, provider, runtime, elsewhere, open_page
):
    provider.enqueue(gated("The first step is ", "never"))
    page = await open_page()
    turn_id = await start(visitors, elsewhere)
    await page.until_text("The first step is ")
    await eventually(PartialText.objects.exists, "partial text")

    await kill(elsewhere)
    await in_pool(fall_silent, elsewhere.process_id)
    await sweep(runtime)

    frame = await page.until("turn", status="interrupted")
    assert "The first step is" in frame["html"]
    assert visitors.url("turn_retry", turn_id=turn_id) in frame["html"]
    assert not await in_pool(PartialText.objects.exists)
    row = await visitors.row(turn_id)
    assert row.attempts[0].output_text == "The first step is "


async def test_two_janitors_at_once_end_a_turn_once(visitors, runtime, elsewhere, open_page):
    owner = await in_pool(new_process)
    turn_id = (await in_pool(accept, visitors.people.access, "Hi", owner)).turn_id
    await in_pool(fall_silent, owner)
    page = await open_page()

    await asyncio.gather(sweep(runtime), sweep(elsewhere))
    await page.until("turn", status="interrupted")

    assert (await in_pool(Turn.objects.get, pk=turn_id)).status == "interrupted"
    await page.until("refresh")
    assert await page.is_silent()
