"""From a committed turn to its delta: one question, one delta, whatever goes wrong on the way."""

import asyncio
from dataclasses import replace

import pytest

from chatapp import broadcast
from chatapp.access import conversation_for
from chatapp.clock import now_ms
from chatapp.models import Checkpoint, MemoryDelta, Outbox, Transition, Turn, Usage
from chatapp.runtime import giving_way, learning
from chatapp.runtime.learning import learn, learn_waiting
from chatapp.runtime.pool import in_pool
from chatapp.runtime.runtime import Runtime
from chatapp.services import learning as service
from chatapp.services.conversations import conversation_create, conversation_delete
from chatapp.store.memory import read_memory
from chatapp.wiring import registry
from tests.support.labels import OPEN, SETTLED, label_all, labelled, questions
from tests.support.people import MODEL, accept, say
from tests.support.running import eventually
from tests.support.scripted_provider import replies

FAR = 1 << 40
"""A seq after all others."""


@pytest.fixture
def told(monkeypatch):
    """The conversations whose memory was said to have changed."""
    found = []

    async def memory_changed(conversation_id):
        found.append(conversation_id)

    monkeypatch.setattr(broadcast, "memory_changed", memory_changed)
    return found


async def said(runtime, people, *texts):
    """Take whole turns and return their ids."""
    return [await in_pool(say, people.access, text, "I see.", runtime.process_id) for text in texts]


async def work_of(turn_id):
    return await in_pool(lambda: Outbox.objects.get(turn_id=turn_id, kind="memory_delta"))


async def delta_rows():
    return await in_pool(lambda: list(MemoryDelta.objects.order_by("seq")))


async def transitions():
    found = Transition.objects.filter(kind="memory_learned").order_by("seq")
    return await in_pool(lambda: list(found.values_list("turn", flat=True)))


async def memory_of(people, turn_id):
    access = people.access
    return await in_pool(read_memory, access.conversation.id, turn_id, access.keys, as_of=FAR)


async def delta_of(people, turn_id):
    """Return what the turn taught."""
    memory = await memory_of(people, turn_id)
    return next(delta for delta in memory.path.deltas if delta.turn_id == str(turn_id))


async def make_due(turn_id):
    """Let the time pass for which a turn was put off or claimed."""
    rows = Outbox.objects.filter(turn_id=turn_id, kind="memory_delta")
    await in_pool(lambda: rows.update(not_before_ms=0))


# What is learned.


async def test_a_turn_is_learned_with_the_labels_of_the_model(
    runtime, people, provider, memory_models, told
):
    provider.when(label_all("decision"), streams=False)
    (turn_id,) = await said(runtime, people, OPEN)

    assert await learn(turn_id) == 1

    delta = await delta_of(people, turn_id)
    assert [(one.text, one.kind, one.author) for one in delta.learned] == [
        (OPEN, "decision", "model")
    ]
    assert (delta.model, delta.note) == ("scripted", "")
    (row,) = await delta_rows()
    assert len(row.prompt_hash) == 64
    assert await transitions() == [turn_id]
    assert (await work_of(turn_id)).done_ms is not None
    assert told == [people.access.conversation.id]


async def test_other_labels_give_another_delta(runtime, people, provider, memory_models):
    provider.when(labelled({"1": "skip"}), streams=False)
    (turn_id,) = await said(runtime, people, OPEN)

    await learn(turn_id)

    assert (await delta_of(people, turn_id)).learned == ()


async def test_the_call_is_booked_as_one_for_memory(runtime, people, provider, memory_models):
    provider.when(label_all(), streams=False)
    (turn_id,) = await said(runtime, people, OPEN)

    await learn(turn_id)

    usage = await in_pool(lambda: Usage.objects.get(purpose="memory"))
    assert usage.key_space_id == people.owner.keys.id
    assert (usage.model_name, usage.quality) == ("scripted", "reported")
    assert usage.prompt_tokens > 0
    assert usage.completion_tokens > 0


async def test_what_rules_settle_costs_no_call(runtime, people, provider, memory_models):
    (turn_id,) = await said(runtime, people, SETTLED)

    await learn(turn_id)

    delta = await delta_of(people, turn_id)
    assert [(one.kind, one.author) for one in delta.learned] == [("rule", "rules")]
    assert (delta.model, delta.note) == ("", "settled")
    assert provider.chats == []
    assert (await delta_rows())[0].prompt_hash == ""


async def test_without_a_model_for_memory_rules_decide_alone(runtime, people, provider):
    (turn_id,) = await said(runtime, people, f"{OPEN} {SETTLED}")

    await learn(turn_id)

    delta = await delta_of(people, turn_id)
    assert [one.text for one in delta.learned] == [SETTLED]
    assert (delta.model, delta.note) == ("", "no_model")
    assert provider.chats == []


async def test_the_assistant_s_words_are_context_and_never_learned(
    runtime, people, provider, memory_models
):
    provider.when(label_all(), streams=False)
    (turn_id,) = await said(runtime, people, OPEN)

    await learn(turn_id)

    (question,) = questions(provider)
    assert OPEN in question.last_user_text
    assert [one.text for one in (await delta_of(people, turn_id)).learned] == [OPEN]


# In which order.


async def test_the_oldest_turn_of_a_path_is_learned_first(runtime, people, provider):
    first, second, third = await said(runtime, people, SETTLED, "我叫李雷。", "Меня зовут Анна.")

    assert await learn(second) == 3

    assert await transitions() == [first, second, third]
    assert await learn_waiting() == 0


async def test_what_was_committed_before_there_was_memory_is_learned_too(runtime, people):
    first, second = await said(runtime, people, SETTLED, SETTLED)
    await in_pool(lambda: Outbox.objects.filter(turn_id=first).delete())

    assert await learn(second) == 2

    assert await transitions() == [first, second]


async def test_a_later_turn_waits_for_one_that_was_put_off(
    runtime, people, provider, memory_models
):
    provider.when(replies.server_error(), streams=False)
    first, second = await said(runtime, people, OPEN, SETTLED)

    assert await learn(first) == 0
    assert await learn(second) == 0

    assert await transitions() == []
    provider.script.clear()
    provider.when(label_all(), streams=False)
    await make_due(first)
    assert await learn_waiting() == 2


async def test_a_turn_that_is_not_committed_teaches_nothing(runtime, people):
    turn_id = (await in_pool(accept, people.access, SETTLED, runtime.process_id)).turn_id

    assert await learn(turn_id) == 0

    await in_pool(lambda: Turn.objects.filter(pk=turn_id).update(status="failed"))
    assert await learn(turn_id) == 0
    assert await delta_rows() == []


async def test_a_late_turn_drops_what_was_kept_without_it(runtime, people):
    first, second = await said(runtime, people, SETTLED, OPEN)
    await in_pool(lambda: Checkpoint.objects.create(turn_id=second, as_of_seq=1, body=b"old"))
    await in_pool(lambda: Checkpoint.objects.all().update(as_of_seq=FAR * 2))

    await learn(first)

    assert not await in_pool(Checkpoint.objects.exists)


# Two workers.


async def test_of_two_workers_one_pays_and_writes(runtime, people, provider, memory_models):
    provider.when(label_all(), streams=False)
    (turn_id,) = await said(runtime, people, OPEN)

    learned = await asyncio.gather(learn(turn_id), learn(turn_id), learn_waiting())

    assert sum(learned) == 1
    assert len(questions(provider)) == 1
    assert len(await delta_rows()) == 1
    assert await transitions() == [turn_id]


async def test_a_worker_that_is_too_late_writes_nothing(runtime, people, told):
    (turn_id,) = await said(runtime, people, SETTLED)
    piece = await in_pool(service.learning_next, turn_id)
    await make_due(turn_id)
    assert await learn(turn_id) == 1

    assert not await in_pool(service.learning_write, piece, service.Verdict(None, note="settled"))

    assert len(await delta_rows()) == 1
    assert await transitions() == [turn_id]


async def test_the_work_of_a_killed_worker_is_done_again_after_its_claim(runtime, people):
    (turn_id,) = await said(runtime, people, SETTLED)
    assert await in_pool(service.learning_next, turn_id) is not None

    assert await learn(turn_id) == 0
    await make_due(turn_id)
    assert await learn_waiting() == 1


async def test_a_claim_is_held_while_the_model_works(
    runtime, people, provider, memory_models, monkeypatch
):
    monkeypatch.setattr(learning, "RENEW_S", 0.01)
    provider.when(replies.silence(), streams=False)
    (turn_id,) = await said(runtime, people, OPEN)
    task = asyncio.create_task(learn(turn_id))
    await asyncio.to_thread(provider.wait_for_chats, 1)
    before_ms = (await work_of(turn_id)).not_before_ms

    await eventually(
        lambda: Outbox.objects.get(turn_id=turn_id, kind="memory_delta").not_before_ms > before_ms,
        "the claim to be renewed",
    )

    assert await learn(turn_id) == 0
    assert len(provider.chats) == 1
    assert not task.done()
    task.cancel()
    await asyncio.wait({task})


# What goes wrong.


async def test_a_model_that_is_not_ready_puts_the_turn_off_each_time_for_longer(
    runtime, people, local_models, provider
):
    local_models.put("scripted", "starting", "It reads its weights.")
    (turn_id,) = await said(runtime, people, OPEN)

    pauses_ms = []
    for _ in range(8):
        await make_due(turn_id)
        assert await learn(turn_id) == 0
        pauses_ms.append((await work_of(turn_id)).not_before_ms - now_ms())

    assert [round(pause_ms / 5_000) for pause_ms in pauses_ms] == [1, 2, 4, 8, 16, 32, 60, 60]
    await make_due(turn_id)
    assert await learn(turn_id) == 1
    assert (await delta_of(people, turn_id)).note == "model_unavailable"
    assert provider.chats == []


async def test_a_failed_call_puts_the_turn_off(runtime, people, provider, memory_models):
    provider.when(replies.rate_limited(retry_after_s=90), times=1, streams=False)
    provider.when(label_all(), streams=False)
    (turn_id,) = await said(runtime, people, OPEN)

    assert await learn(turn_id) == 0

    work = await work_of(turn_id)
    assert work.tries == 1
    assert work.not_before_ms > now_ms() + 80_000
    await make_due(turn_id)
    assert await learn(turn_id) == 1


async def test_a_question_that_no_wait_can_help_is_not_asked_again(
    runtime, people, provider, memory_models
):
    provider.when(replies.overflow(), streams=False)
    (turn_id,) = await said(runtime, people, OPEN)

    assert await learn(turn_id) == 1

    assert (await delta_of(people, turn_id)).note == "model_unavailable"
    assert len(questions(provider)) == 1


async def test_an_answer_that_cannot_be_read_is_asked_for_once_more(
    runtime, people, provider, memory_models
):
    provider.when(replies.answer("Sure! Here you are."), times=1, streams=False)
    provider.when(label_all("goal"), streams=False)
    (turn_id,) = await said(runtime, people, OPEN)

    assert await learn(turn_id) == 1

    delta = await delta_of(people, turn_id)
    assert [one.kind for one in delta.learned] == ["goal"]
    assert await in_pool(Usage.objects.filter(purpose="memory").count) == 2


async def test_after_two_such_answers_rules_decide_alone(runtime, people, provider, memory_models):
    provider.when(replies.answer("Sure! Here you are."), streams=False)
    (turn_id,) = await said(runtime, people, f"{OPEN} {SETTLED}")

    assert await learn(turn_id) == 1

    delta = await delta_of(people, turn_id)
    assert [one.text for one in delta.learned] == [SETTLED]
    assert (delta.model, delta.note) == ("", "unreadable")
    assert len(questions(provider)) == 2


async def test_a_worker_that_ends_between_answer_and_delta_pays_no_second_time(
    runtime, people, provider, memory_models, monkeypatch
):
    provider.when(label_all("goal"), streams=False)
    (turn_id,) = await said(runtime, people, OPEN)
    with monkeypatch.context() as broken:
        broken.setattr(learning, "learning_write", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            await learn(turn_id)
    assert await delta_rows() == []
    await make_due(turn_id)

    assert await learn(turn_id) == 1

    assert len(questions(provider)) == 1
    assert await in_pool(Usage.objects.filter(purpose="memory").count) == 1
    assert [one.kind for one in (await delta_of(people, turn_id)).learned] == ["goal"]


async def test_one_fault_stops_no_other_conversation_and_tells_no_text(
    runtime, people, monkeypatch, caplog
):
    (broken,) = await said(runtime, people, "Mention the quokka to nobody.")
    (whole,) = await said(runtime, await in_pool(elsewhere, people), SETTLED)
    write = learning.learning_write

    def fail_once(piece, verdict):
        return 1 / 0 if piece.turn_id == broken else write(piece, verdict)

    monkeypatch.setattr(learning, "learning_write", fail_once)

    assert await learn_waiting() == 1

    assert await transitions() == [whole]
    work = await work_of(broken)
    assert work.tries == 1
    assert work.not_before_ms > now_ms()
    assert str(broken) in caplog.text
    assert "quokka" not in caplog.text


async def test_labels_that_can_never_be_written_stop_no_later_turn(
    runtime, people, provider, memory_models, monkeypatch
):
    provider.when(label_all(), streams=False)
    (turn_id,) = await said(runtime, people, f"{OPEN} {SETTLED}")
    write = learning.learning_write

    def fail_with_labels(piece, verdict):
        return 1 / 0 if verdict.labels else write(piece, verdict)

    monkeypatch.setattr(learning, "learning_write", fail_with_labels)
    for _ in range(learning.TRIES):
        with pytest.raises(ZeroDivisionError):
            await learn(turn_id)
        await make_due(turn_id)

    assert await learn(turn_id) == 1

    delta = await delta_of(people, turn_id)
    assert [one.text for one in delta.learned] == [SETTLED]
    assert delta.note == "unreadable"


def elsewhere(people):
    """Return the cast with another conversation."""
    made = conversation_create(people.owner, model_name=MODEL.name)
    return replace(people, access=conversation_for(people.alice, made.id))


async def test_a_turn_that_cannot_be_loaded_is_put_off(runtime, people, monkeypatch):
    (turn_id,) = await said(runtime, people, SETTLED)
    monkeypatch.setattr(service, "question_for", lambda *_: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        await learn(turn_id)

    assert (await work_of(turn_id)).tries == 1


async def test_a_deleted_conversation_teaches_nothing(runtime, people, provider):
    (turn_id,) = await said(runtime, people, SETTLED)
    await in_pool(conversation_delete, people.access)

    assert await learn_waiting() == 0

    assert await delta_rows() == []
    assert (await work_of(turn_id)).done_ms is not None


async def test_a_conversation_deleted_while_the_model_works_keeps_nothing(
    runtime, people, provider, memory_models, told
):
    provider.when(held(label_all()), streams=False)
    (turn_id,) = await said(runtime, people, OPEN)
    task = asyncio.create_task(learn(turn_id))
    await asyncio.to_thread(provider.wait_held)

    await in_pool(conversation_delete, people.access)
    provider.release()

    assert await task == 0
    assert await delta_rows() == []
    assert await transitions() == []
    assert told == []
    assert (await work_of(turn_id)).done_ms is not None


def held(answerer):
    """Let an answer wait at the gate."""

    def hold(request):
        reply = answerer(request)
        return replies.Reply(reply.steps, head_gate="gate")

    return hold


# Answers first.


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(giving_way, "POLL_S", 0.01)


async def test_a_local_model_is_left_to_an_answer_that_begins_and_asked_again_after(
    runtime, people, provider, local_models, quick
):
    provider.when(replies.silence(), times=1, streams=False)
    provider.when(label_all(), streams=False)
    (turn_id,) = await said(runtime, people, OPEN)
    task = asyncio.create_task(learn(turn_id))
    (cut,) = await asyncio.to_thread(provider.wait_for_chats, 1)

    running = (await in_pool(accept, people.access, "Hi", runtime.process_id)).turn_id
    await asyncio.to_thread(provider.log.wait_disconnected, cut)
    assert not task.done()
    assert len(questions(provider)) == 1

    await in_pool(lambda: Turn.objects.filter(pk=running).update(status="failed"))
    assert await asyncio.wait_for(task, 20) == 1
    assert len(questions(provider)) == 2


async def test_a_model_elsewhere_is_not_cut_off(runtime, people, provider, memory_models, quick):
    provider.when(held(label_all()), streams=False)
    (turn_id,) = await said(runtime, people, OPEN)
    await in_pool(accept, people.access, "Hi", runtime.process_id)
    task = asyncio.create_task(learn(turn_id))

    await asyncio.to_thread(provider.wait_held)
    provider.release()

    assert await task == 1
    assert len(questions(provider)) == 1


# Without a worker.


class TestAlone:
    """The runtime learns by itself."""

    @pytest.fixture
    def learns(self):
        return True

    async def test_it_learns_what_a_turn_taught(
        self, runtime, people, provider, memory_models, told
    ):
        provider.when(label_all(), streams=False)
        accepted = await in_pool(accept, people.access, OPEN, runtime.process_id)
        conversation_id = people.access.conversation.id
        model = registry().default()

        runtime.start_turn(accepted.turn_id, conversation_id, people.owner.keys, model)

        await eventually(MemoryDelta.objects.exists, "the turn to be learned")
        assert [one.text for one in (await delta_of(people, accepted.turn_id)).learned] == [OPEN]

    async def test_a_failed_look_is_not_the_last(self, runtime, people, monkeypatch):
        (turn_id,) = await said(runtime, people, SETTLED)
        real, calls = learning.learning_due, []

        def learning_due():
            calls.append(None)
            return 1 / 0 if len(calls) == 1 else real()

        monkeypatch.setattr(learning, "learning_due", learning_due)
        runtime.learner.wake()
        await eventually(lambda: calls, "the look that fails")
        assert await delta_rows() == []

        runtime.learner.wake()

        await eventually(MemoryDelta.objects.exists, "the turn to be learned")
        assert [one.text for one in (await delta_of(people, turn_id)).learned] == [SETTLED]


async def test_where_there_is_a_worker_the_page_s_process_learns_nothing(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    assert Runtime().learner is None
