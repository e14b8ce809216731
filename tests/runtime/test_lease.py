"""The lease of a process, and the janitor that ends turns that nobody runs."""

import pytest

from chatapp.clock import now_ms
from chatapp.models import Conversation, PartialText, Process, Turn
from chatapp.runtime import lease
from chatapp.runtime.pool import in_pool
from chatapp.selectors.turns import turn_row
from chatapp.store import processes
from chatapp.store.unfinished import LOST_AFTER_MS
from chatapp.wiring import registry
from tests.support.people import accept, new_process
from tests.support.running import eventually
from tests.support.scripted_provider import replies
from tests.support.visitors import ended

SILENT_MS = 10_000


@pytest.fixture
def told(monkeypatch):
    """Which turns were told to have changed."""
    found = []

    async def turn_changed(conversation_id, turn_id, *, started=False):
        found.append(turn_id)

    monkeypatch.setattr("chatapp.broadcast.turn_changed", turn_changed)
    return found


async def accepted(people, process_id):
    return (await in_pool(accept, people.access, "Hi", process_id)).turn_id


async def status(turn_id):
    return (await in_pool(Turn.objects.get, pk=turn_id)).status


async def last_heard(process_id, silence_ms):
    """Let a process have written its heartbeat so long ago."""

    def write():
        heartbeat_ms = processes.lease_now_ms() - silence_ms
        Process.objects.filter(pk=process_id).update(heartbeat_ms=heartbeat_ms)

    await in_pool(write)


async def sweep(runtime, missing=frozenset()):
    return await lease.sweep(runtime.process_id, runtime.running(), set(missing))


async def test_a_turn_of_a_silent_process_is_interrupted_and_told(people, runtime, told):
    dead = await in_pool(new_process)
    turn_id = await accepted(people, dead)
    await last_heard(dead, SILENT_MS + 500)

    await sweep(runtime)

    assert await status(turn_id) == "interrupted"
    assert told == [turn_id]


async def test_a_process_that_was_heard_in_time_keeps_its_turns(people, runtime, told):
    slow = await in_pool(new_process)
    turn_id = await accepted(people, slow)
    await last_heard(slow, SILENT_MS - 2_000)

    await sweep(runtime)

    assert await status(turn_id) == "running"
    assert told == []


async def test_a_turn_whose_process_left_no_trace_is_interrupted(people, runtime, told):
    gone = await in_pool(new_process)
    turn_id = await accepted(people, gone)
    await in_pool(processes.unregister, gone)

    await sweep(runtime)

    assert await status(turn_id) == "interrupted"


async def test_an_own_turn_that_runs_nowhere_is_interrupted_at_the_second_sweep(
    people, runtime, told
):
    turn_id = await accepted(people, runtime.process_id)

    missing = await sweep(runtime)
    first = await status(turn_id)
    rest = await sweep(runtime, missing)

    assert (missing, first) == ({turn_id}, "running")
    assert (rest, await status(turn_id)) == (set(), "interrupted")


async def test_an_own_turn_that_started_in_between_goes_on(people, runtime, provider):
    provider.enqueue(replies.held("The Vol", "ga."))
    turn_id = await accepted(people, runtime.process_id)
    missing = await sweep(runtime)
    conversation_id = people.access.conversation.id
    runtime.start_turn(turn_id, conversation_id, people.owner.keys, registry().default())

    await sweep(runtime, missing)
    provider.release()
    await ended(turn_id)

    assert await status(turn_id) == "committed"


async def test_a_heartbeat_renews_the_lease(runtime):
    await last_heard(runtime.process_id, SILENT_MS)

    await lease.beat(runtime.process_id, "web", [])

    row = await in_pool(Process.objects.get, pk=runtime.process_id)
    assert await in_pool(processes.lease_now_ms) - row.heartbeat_ms < SILENT_MS


async def test_a_process_that_lost_its_lease_gives_up_its_turns_and_takes_a_new_one(
    people, runtime, provider
):
    provider.enqueue(replies.held("Half", " never"))
    turn_id = await accepted(people, runtime.process_id)
    conversation_id = people.access.conversation.id
    runtime.start_turn(turn_id, conversation_id, people.owner.keys, registry().default())
    await eventually(PartialText.objects.exists, "partial text")
    await in_pool(processes.unregister, runtime.process_id)

    await lease.beat(runtime.process_id, "web", runtime.running())
    await ended(turn_id)
    await sweep(runtime)

    assert await in_pool(Process.objects.filter(pk=runtime.process_id).exists)
    row = await in_pool(turn_row, people.access, turn_id)
    assert (row.status, row.attempts[0].output_text) == ("interrupted", "Half")
    assert not await in_pool(PartialText.objects.exists)


async def test_old_leases_are_forgotten_unless_they_still_own_a_turn(people, runtime):
    empty, owning = await in_pool(new_process), await in_pool(new_process)
    await accepted(people, owning)
    for process_id in (empty, owning):
        await last_heard(process_id, lease.FORGET_MS + 1_000)

    await in_pool(processes.delete_silent, after_ms=lease.FORGET_MS)

    left = await in_pool(lambda: set(Process.objects.values_list("id", flat=True)))
    assert left == {owning, runtime.process_id}


async def test_a_sweep_empties_what_an_import_left_that_was_killed(runtime, people):
    conversation_id = people.access.conversation.id
    rows = Conversation.objects.filter(pk=conversation_id)
    for age_ms, hidden in ((0, True), (LOST_AFTER_MS + 1_000, False)):
        await in_pool(lambda age_ms=age_ms: rows.update(deleted_ms=age_ms - now_ms()))
        await lease.sweep(runtime.process_id, (), set())
        assert await in_pool(rows.filter(deleted_ms__lt=0).exists) is hidden
