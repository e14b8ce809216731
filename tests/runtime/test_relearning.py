"""From the wish to read turns again to what they add: asked anew, one by one, after new turns."""

import asyncio

import pytest

from chatapp import broadcast
from chatapp.models import MemoryDelta, Outbox, Turn, Usage
from chatapp.runtime import giving_way, relearning
from chatapp.runtime.learning import learn
from chatapp.runtime.pool import in_pool
from chatapp.runtime.relearning import relearn, relearn_waiting
from chatapp.services import relabelling
from chatapp.services.memory import memory_delete
from chatapp.services.relabelling import memory_again
from chatapp.store.outbox import GIVEN_UP
from tests.support.labels import OPEN, SETTLED, label_all, labelled, questions
from tests.support.people import accept, say
from tests.support.remembering import remembered, texts
from tests.support.running import eventually
from tests.support.scripted_provider import replies

SECOND = "Рядом с ней растёт старый дуб."


@pytest.fixture
def told(monkeypatch):
    """The conversations whose memory was said to have changed."""
    found = []

    async def memory_changed(conversation_id):
        found.append(conversation_id)

    monkeypatch.setattr(broadcast, "memory_changed", memory_changed)
    return found


@pytest.fixture
async def turn_id(runtime, people, provider, memory_models):
    """A turn of two sentences, of which a model has labelled the first."""
    provider.when(labelled({"1": "fact", "2": "skip"}), times=1, streams=False)
    found = await in_pool(say, people.access, f"{OPEN} {SECOND}", "I see.", runtime.process_id)
    assert await learn(found) == 1
    return found


async def known(people):
    return texts(await in_pool(remembered, people.access))


async def work_of(turn_id):
    return await in_pool(lambda: Outbox.objects.get(turn_id=turn_id, kind="memory_again"))


async def make_due(turn_id):
    """Let the time pass for which a turn was put off or claimed."""
    rows = Outbox.objects.filter(turn_id=turn_id, kind="memory_again")
    await in_pool(lambda: rows.update(not_before_ms=0))


async def test_the_model_is_asked_anew_and_may_answer_otherwise(people, provider, turn_id, told):
    provider.when(label_all(), streams=False)
    await in_pool(memory_again, people.access)

    assert await relearn(turn_id)

    assert await known(people) == [OPEN, SECOND]
    assert len(questions(provider)) == 2
    assert await in_pool(Usage.objects.filter(purpose="memory").count) == 2
    assert await in_pool(MemoryDelta.objects.count) == 1
    assert (await work_of(turn_id)).done_ms is not None
    assert told == [people.access.conversation.id]


async def test_what_a_person_deleted_is_not_asked_about_and_stays_deleted(
    people, provider, turn_id
):
    (entry,) = (await in_pool(remembered, people.access)).entries
    await in_pool(memory_delete, people.access, entry.id)
    provider.when(labelled({"1": "fact", "2": "fact"}), streams=False)
    await in_pool(memory_again, people.access)

    assert await relearn(turn_id)

    assert OPEN not in questions(provider)[-1].last_user_text
    assert await known(people) == [SECOND]


async def test_nothing_is_read_that_nobody_wished(provider, turn_id):
    assert not await relearn(turn_id)
    assert await relearn_waiting() == 0
    assert len(questions(provider)) == 1


async def test_of_two_workers_one_pays_and_writes(people, provider, turn_id):
    provider.when(label_all(), streams=False)
    await in_pool(memory_again, people.access)

    done = await asyncio.gather(relearn(turn_id), relearn(turn_id), relearn_waiting())

    assert sum(done) == 1
    assert len(questions(provider)) == 2


async def test_one_turn_is_read_at_a_time_and_the_next_is_called(
    runtime, people, provider, turn_id, settings, monkeypatch
):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    woken = []
    monkeypatch.setattr(relabelling, "wake_worker", lambda *args: woken.append(args))
    later = await in_pool(say, people.access, SETTLED, "I see.", runtime.process_id)
    await learn(later)
    provider.when(label_all(), streams=False)
    await in_pool(memory_again, people.access)

    assert await relearn_waiting() == 1

    assert woken == [("memory_again", turn_id), ("memory_again", later)]
    assert await relearn_waiting() == 1
    assert await relearn_waiting() == 0
    assert len(woken) == 2


async def test_a_failed_call_puts_the_turn_off(people, provider, turn_id):
    provider.when(replies.server_error(), times=1, streams=False)
    provider.when(label_all(), streams=False)
    await in_pool(memory_again, people.access)

    assert not await relearn(turn_id)

    work = await work_of(turn_id)
    assert (work.tries, work.done_ms) == (1, None)
    await make_due(turn_id)
    assert await relearn(turn_id)
    assert await known(people) == [OPEN, SECOND]


async def test_an_answer_that_cannot_be_read_adds_nothing_and_is_said(people, provider, turn_id):
    provider.when(replies.answer("Sure! Here you are."), streams=False)
    await in_pool(memory_again, people.access)

    assert await relearn(turn_id)

    assert await known(people) == [OPEN]
    assert (await work_of(turn_id)).tries == GIVEN_UP


async def test_one_fault_stops_no_other_turn_and_tells_no_text(
    runtime, people, provider, turn_id, monkeypatch, caplog
):
    later = await in_pool(say, people.access, SETTLED, "I see.", runtime.process_id)
    await learn(later)
    provider.when(label_all(), streams=False)
    await in_pool(memory_again, people.access)
    write = relearning.relabelling_write

    def fail_once(piece, verdict):
        return 1 / 0 if piece.turn_id == turn_id else write(piece, verdict)

    monkeypatch.setattr(relearning, "relabelling_write", fail_once)

    assert await relearn_waiting() == 1

    assert (await work_of(turn_id)).tries == 1
    assert (await work_of(later)).done_ms is not None
    assert str(turn_id) in caplog.text
    assert "garden" not in caplog.text


async def test_a_worker_that_dies_loses_nothing(people, provider, turn_id):
    provider.when(label_all(), streams=False)
    await in_pool(memory_again, people.access)
    await in_pool(relabelling.relabelling_next, turn_id)

    assert not await relearn(turn_id)
    await make_due(turn_id)

    assert await relearn_waiting() == 1
    assert await known(people) == [OPEN, SECOND]


async def test_a_local_model_is_left_to_an_answer(
    runtime, people, provider, local_models, monkeypatch
):
    monkeypatch.setattr(giving_way, "POLL_S", 0.01)
    provider.when(label_all("skip"), times=1, streams=False)
    provider.when(replies.silence(), times=1, streams=False)
    provider.when(label_all(), streams=False)
    turn_id = await in_pool(say, people.access, OPEN, "I see.", runtime.process_id)
    await learn(turn_id)
    await in_pool(memory_again, people.access)
    task = asyncio.create_task(relearn(turn_id))
    cut = (await asyncio.to_thread(provider.wait_for_chats, 2))[-1]

    running = (await in_pool(accept, people.access, "Hi", runtime.process_id)).turn_id
    await asyncio.to_thread(provider.log.wait_disconnected, cut)
    assert not task.done()

    await in_pool(lambda: Turn.objects.filter(pk=running).update(status="failed"))
    assert await asyncio.wait_for(task, 20)
    assert await known(people) == [OPEN]


class TestAlone:
    """The runtime reads again by itself."""

    @pytest.fixture
    def learns(self):
        return True

    async def test_it_reads_again_when_it_is_told(self, runtime, people, provider, turn_id):
        provider.when(label_all(), streams=False)
        await in_pool(memory_again, people.access)

        await runtime.learn_soon()

        rows = Outbox.objects.filter(kind="memory_again", done_ms=None)
        await eventually(lambda: not rows.exists(), "the turn to be read again")
        assert await known(people) == [OPEN, SECOND]

    async def test_a_process_that_ends_begins_nothing(self, runtime):
        await runtime.drain(limit_s=0.0)

        await runtime.learn_soon()

        assert runtime._services == []
