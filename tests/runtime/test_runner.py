"""One turn from accept to its end, against a provider over real HTTP."""

import asyncio

import pytest

from chatapp.models import Attempt, Message, PartialText, Turn, Usage
from chatapp.runtime.pool import in_pool
from chatapp.selectors.turns import turn_row
from chatapp.services.commits import turn_interrupt
from chatapp.services.conversations import conversation_delete
from chatapp.services.turns import turn_retry, turn_stop
from chatapp.wiring import registry
from tests.support.people import accept, branch_of
from tests.support.running import eventually
from tests.support.scripted_provider import replies


async def start(runtime, people, text="Name one river."):
    accepted = await in_pool(accept, people.access, text, runtime.process_id)
    run(runtime, people, accepted.turn_id)
    return accepted.turn_id


def run(runtime, people, turn_id):
    model = registry().default()
    conversation = people.access.conversation
    runtime.start_turn(turn_id, conversation.id, people.owner.keys, model)


async def end(runtime, turn_id):
    job = runtime.jobs.get(turn_id)
    if job is not None:
        await asyncio.wait_for(job.ended.wait(), 20)
    return await in_pool(lambda: Turn.objects.get(pk=turn_id))


async def row_of(people, turn_id):
    return await in_pool(turn_row, people.access, turn_id)


async def attempts_of(turn_id):
    return await in_pool(lambda: list(Attempt.objects.filter(turn_id=turn_id).order_by("ordinal")))


async def test_an_answer_is_committed_with_reported_tokens(runtime, people, provider):
    provider.enqueue(replies.answer("The Volga is a river."))

    turn = await end(runtime, await start(runtime, people))

    row = await row_of(people, turn.id)
    assert (turn.status, turn.finish) == ("committed", "complete")
    assert row.answer_text == "The Volga is a river."
    assert row.attempts[0].completion_quality == "reported"
    assert row.attempts[0].first_token_ms is not None
    usage = await in_pool(Usage.objects.get)
    assert (usage.quality, usage.cost_usd) == ("reported", None)


async def test_the_provider_gets_system_history_and_input(runtime, people, provider):
    provider.enqueue(replies.answer("The Volga."), replies.answer("The Ob."))
    await end(runtime, await start(runtime, people, "One river?"))

    await end(runtime, await start(runtime, people, "Another?"))

    sent = provider.chats[-1].body["messages"]
    assert [m["role"] for m in sent] == ["system", "user", "assistant", "user"]
    assert [m["content"] for m in sent[1:]] == ["One river?", "The Volga.", "Another?"]


async def test_stop_keeps_the_text_and_closes_the_call(runtime, people, provider):
    provider.enqueue(replies.held("The first step is ", "never"))
    turn_id = await start(runtime, people)
    await asyncio.to_thread(provider.wait_held)
    await eventually_text(runtime, turn_id, "The first step is ")

    assert runtime.stop_turn(turn_id)
    turn = await end(runtime, turn_id)

    row = await row_of(people, turn_id)
    assert (turn.status, turn.finish) == ("committed", "stopped")
    assert row.answer_text == "The first step is "
    await asyncio.to_thread(provider.log.wait_disconnected, provider.chats[-1])


async def test_a_stopped_answer_without_text_leaves_the_next_request_whole(
    runtime, people, provider
):
    provider.enqueue(replies.silence(), replies.answer("The Ob."))
    turn_id = await start(runtime, people)
    await asyncio.to_thread(provider.wait_for_chats, 1)
    runtime.stop_turn(turn_id)
    await end(runtime, turn_id)

    await end(runtime, await start(runtime, people, "Another one, please."))

    sent = provider.chats[-1].body["messages"]
    assert [m["role"] for m in sent] == ["system", "user", "assistant", "user"]
    assert all(m["content"] for m in sent)


async def test_a_stop_flag_in_the_row_stops_without_any_message(runtime, people, provider):
    provider.enqueue(replies.held("Half", "never"))
    turn_id = await start(runtime, people)
    await asyncio.to_thread(provider.wait_held)

    await in_pool(turn_stop, people.access, turn_id)
    turn = await end(runtime, turn_id)

    assert turn.finish == "stopped"


FAILURES = [
    (replies.rate_limited(), "rate_limit"),
    (replies.server_error(), "server_error"),
    (replies.unauthorized(), "auth"),
    (replies.unknown_model(), "unknown_model"),
    (replies.overflow("openai"), "context_overflow"),
    (replies.overflow("llama.cpp"), "context_overflow"),
    (replies.overflow("vllm"), "context_overflow"),
    (replies.empty(), "empty_answer"),
    (replies.only_reasoning(), "empty_answer"),
    (replies.without_done("The first step is "), "network"),
    (replies.reset("The first "), "network"),
    (replies.error_in_stream("The first "), "server_error"),
]


@pytest.mark.parametrize(("reply", "reason"), FAILURES)
async def test_a_failure_has_its_reason_and_frees_the_head(
    runtime, people, provider, reply, reason
):
    provider.enqueue(reply)

    turn = await end(runtime, await start(runtime, people))

    branch = await in_pool(branch_of, people.access)
    assert (turn.status, turn.reason) == ("failed", reason)
    assert (branch.tip_id, branch.active_turn) == (None, None)


async def test_what_a_broken_attempt_streamed_stays_with_it(runtime, people, provider):
    provider.enqueue(replies.error_in_stream("The first step is to check the "))

    turn = await end(runtime, await start(runtime, people))

    row = await row_of(people, turn.id)
    assert row.answer_text is None
    assert row.partial_text == "The first step is to check the "


async def test_retry_answers_under_the_same_id(runtime, people, provider):
    provider.enqueue(replies.server_error(), replies.answer("The Volga."))
    turn = await end(runtime, await start(runtime, people))

    await in_pool(
        turn_retry, people.access, turn.id, owner=runtime.process_id, model_name="scripted"
    )
    run(runtime, people, turn.id)
    turn = await end(runtime, turn.id)

    assert turn.status == "committed"
    assert [a.status for a in await attempts_of(turn.id)] == ["failed", "succeeded"]


async def test_an_input_larger_than_the_window_names_the_largest_parts(runtime, people, provider):
    turn = await end(runtime, await start(runtime, people, "word " * 40_000))

    assert (turn.status, turn.reason) == ("failed", "context_overflow")
    assert not provider.chats


async def test_a_fenced_turn_writes_nothing(runtime, people, provider):
    provider.enqueue(replies.held("Half", " and half"))
    turn_id = await start(runtime, people)
    await asyncio.to_thread(provider.wait_held)

    await in_pool(turn_interrupt, turn_id, owner=runtime.process_id)
    provider.release()
    turn = await end(runtime, turn_id)

    assert turn.status == "interrupted"
    assert (await row_of(people, turn_id)).answer_text is None


async def test_partial_text_reaches_the_database_and_goes_with_the_commit(
    runtime, people, provider
):
    provider.enqueue(replies.held("Half of it", " and the rest"))
    turn_id = await start(runtime, people)
    await asyncio.to_thread(provider.wait_held)

    await eventually(PartialText.objects.exists, "partial text")
    assert not await in_pool(
        lambda: any(b"Half" in bytes(p.body) for p in PartialText.objects.all())
    )
    provider.release()
    await end(runtime, turn_id)

    await eventually(lambda: not PartialText.objects.exists(), "no partial text")


async def test_drain_waits_for_a_running_answer(runtime, people, provider):
    provider.enqueue(replies.held("Half", " and half"))
    turn_id = await start(runtime, people)
    await asyncio.to_thread(provider.wait_held)

    draining = asyncio.create_task(runtime.drain(limit_s=20))
    await asyncio.sleep(0)
    provider.release()
    await draining

    assert (await in_pool(lambda: Turn.objects.get(pk=turn_id))).status == "committed"


async def test_drain_interrupts_what_takes_too_long(runtime, people, provider):
    provider.enqueue(replies.held("Half", " never"))
    turn_id = await start(runtime, people)
    await asyncio.to_thread(provider.wait_held)
    await eventually_text(runtime, turn_id, "Half")

    await runtime.drain(limit_s=0.0)

    turn = await in_pool(lambda: Turn.objects.get(pk=turn_id))
    assert (turn.status, turn.reason) == ("interrupted", "interrupted")
    assert (await row_of(people, turn_id)).partial_text == "Half"


async def test_a_deleted_conversation_gets_no_answer(runtime, people, provider):
    provider.enqueue(replies.held("Half", " and half"))
    turn_id = await start(runtime, people)
    await asyncio.to_thread(provider.wait_held)

    await in_pool(conversation_delete, people.access)
    provider.release()
    await end(runtime, turn_id)

    bodies = await in_pool(lambda: [bytes(m.body) for m in Message.objects.all()])
    assert bodies
    assert not any(bodies)


async def eventually_text(runtime, turn_id, text):
    stream = runtime.hub.get(turn_id)
    await eventually(lambda: text in stream.text(), f"the text {text!r}")
