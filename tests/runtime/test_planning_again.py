"""A request that the provider finds too long is planned once more, for a smaller window."""

import asyncio

import pytest

from chatapp.models import Attempt, PlanInput, Turn, Usage
from chatapp.runtime.pool import in_pool
from chatapp.selectors.turns import turn_row
from chatapp.services import windows
from chatapp.services.commits import turn_interrupt
from chatapp.wiring import registry
from tests.support.people import accept, branch_of
from tests.support.running import eventually
from tests.support.scripted_provider import replies
from tests.support.scripted_provider.replies import Reply
from tests.support.scripted_provider.steps import StreamError, Text
from tests.support.scripted_provider.tokenizer import message_tokens

LONG = "A sentence about the river and the towns on it. " * 250
TOLD = replies.openai_error(
    400,
    "This model's maximum context length is 9000 tokens. However, your messages resulted in"
    " 12000 tokens.",
    "context_length_exceeded",
)
UNTOLD = replies.openai_error(400, "Input is too long for requested model.", None)


async def take(runtime, people, text):
    """Take one whole turn and return its row."""
    accepted = await in_pool(accept, people.access, text, runtime.process_id)
    start(runtime, people, accepted.turn_id)
    return await ended(runtime, accepted.turn_id)


def start(runtime, people, turn_id):
    conversation = people.access.conversation.id
    runtime.start_turn(turn_id, conversation, people.owner.keys, registry().default())


async def ended(runtime, turn_id):
    if job := runtime.jobs.get(turn_id):
        await asyncio.wait_for(job.ended.wait(), 20)
    return await in_pool(lambda: Turn.objects.get(pk=turn_id))


async def attempts_of(turn):
    def read():
        rows = Attempt.objects.filter(turn=turn).select_related("plan_input__model")
        return list(rows.order_by("ordinal"))

    return await in_pool(read)


@pytest.fixture
async def talk(runtime, people, provider):
    """Say so much that a smaller window holds less of it."""
    for number in range(4):
        provider.enqueue(replies.answer(f"Answer {number}."))
        await take(runtime, people, LONG)
    return people


@pytest.mark.parametrize("reply", [TOLD, UNTOLD, replies.overflow("llama.cpp")])
async def test_the_turn_is_answered_by_a_second_and_smaller_request(runtime, talk, provider, reply):
    provider.enqueue(reply, replies.answer("The Volga."))

    turn = await take(runtime, talk, "Name one river.")

    first, second = await attempts_of(turn)
    assert turn.status == "committed"
    assert (first.status, first.reason) == ("failed", "context_overflow")
    assert (second.status, second.reason) == ("succeeded", "")
    refused, taken = (chat.body["messages"] for chat in provider.chats[-2:])
    assert message_tokens(taken) < message_tokens(refused)
    assert taken[-1] == refused[-1]


async def test_it_is_planned_for_the_window_that_the_provider_names(runtime, talk, provider):
    provider.enqueue(TOLD, replies.answer("The Volga."))

    turn = await take(runtime, talk, "Name one river.")

    first, second = await attempts_of(turn)
    windows = [a.plan_input.model.body["window_tokens"] for a in (first, second)]
    assert windows[0] == registry().default().window_tokens
    assert windows[1] <= 9_000
    assert second.plan_input.result["window_tokens"] == windows[1]


def window_of(attempt):
    return attempt.plan_input.model.body["window_tokens"]


@pytest.mark.parametrize("reply", [TOLD, UNTOLD])
async def test_the_next_turns_are_planned_for_what_the_provider_takes(
    runtime, talk, provider, reply
):
    provider.enqueue(reply, replies.answer("The Volga."))
    _, second = await attempts_of(await take(runtime, talk, "Name one river."))

    for text in ("Another?", "And one more?"):
        provider.enqueue(replies.answer("The Ob."))
        (attempt,) = await attempts_of(await take(runtime, talk, text))
        assert window_of(attempt) == window_of(second) < registry().default().window_tokens


async def test_a_restart_knows_it_from_the_plans_of_the_path(runtime, talk, provider):
    provider.enqueue(TOLD, replies.answer("The Volga."), replies.answer("The Ob."))
    _, second = await attempts_of(await take(runtime, talk, "Name one river."))
    windows.forget()

    turn = await take(runtime, talk, "Another?")

    (attempt,) = await attempts_of(turn)
    assert window_of(attempt) == window_of(second)
    row = await in_pool(turn_row, talk.access, turn.id)
    assert row.attempts[0].learned.told_tokens == 9_000
    assert row.attempts[0].learned.own_tokens == registry().default().window_tokens


async def test_what_does_not_fit_any_more_is_tried_with_the_whole_window(runtime, talk, provider):
    provider.enqueue(TOLD, replies.answer("The Volga."), replies.answer("Long."))
    await take(runtime, talk, "Name one river.")

    (attempt,) = await attempts_of(await take(runtime, talk, LONG * 4))

    assert window_of(attempt) == registry().default().window_tokens
    provider.enqueue(replies.answer("The Ob."))
    (attempt,) = await attempts_of(await take(runtime, talk, "Another?"))
    assert window_of(attempt) == registry().default().window_tokens


async def test_who_still_takes_no_more_says_so_again(runtime, talk, provider):
    provider.enqueue(TOLD, replies.answer("The Volga."), TOLD)
    await take(runtime, talk, "Name one river.")

    turn = await take(runtime, talk, LONG * 4)

    assert (turn.status, turn.reason) == ("failed", "context_overflow")
    assert len(await attempts_of(turn)) == 1
    assert (await in_pool(windows.in_force, registry().default())).told_tokens == 9_000


async def test_an_error_inside_the_stream_counts_too(runtime, talk, provider):
    said = {"error": {"message": "n_ctx = 9000: the prompt exceeds the context", "code": 400}}
    provider.enqueue(Reply((StreamError(said),)), replies.answer("The Volga."))

    turn = await take(runtime, talk, "Name one river.")

    assert turn.status == "committed"
    assert len(await attempts_of(turn)) == 2


async def test_who_finds_the_smaller_request_too_long_as_well_is_believed(runtime, talk, provider):
    provider.when(UNTOLD, times=3)

    turn = await take(runtime, talk, "Name one river.")

    assert (turn.status, turn.reason) == ("failed", "context_overflow")
    assert [a.status for a in await attempts_of(turn)] == ["failed", "failed"]
    branch = await in_pool(branch_of, talk.access)
    assert branch.active_turn is None


async def test_text_that_came_before_is_not_thrown_away(runtime, talk, provider):
    said = {"error": {"message": "the context window is exceeded", "code": 400}}
    provider.enqueue(Reply((Text("The Volga and "), StreamError(said))))

    turn = await take(runtime, talk, "Name one river.")

    assert (turn.status, turn.reason) == ("failed", "context_overflow")
    (attempt,) = await attempts_of(turn)
    assert attempt.output is not None


async def test_other_failures_are_not_planned_again(runtime, talk, provider):
    provider.enqueue(replies.server_error())

    turn = await take(runtime, talk, "Name one river.")

    assert turn.status == "failed"
    assert len(await attempts_of(turn)) == 1


async def test_what_cannot_get_smaller_fails_with_what_the_provider_said(runtime, people, provider):
    provider.enqueue(replies.overflow("openai"))

    turn = await take(runtime, people, "Name one river.")

    assert (turn.status, turn.reason) == ("failed", "context_overflow")
    row = await in_pool(turn_row, people.access, turn.id)
    assert "40030 tokens" in row.attempts[0].detail


async def test_a_turn_that_was_taken_away_meanwhile_is_left_alone(
    runtime, talk, provider, monkeypatch
):
    turn_id = (await in_pool(accept, talk.access, "One river?", runtime.process_id)).turn_id
    held = Reply(status=400, body=TOLD.body, headers=TOLD.headers, head_gate="gate")
    provider.enqueue(held)
    asked = len(provider.chats)
    start(runtime, talk, turn_id)
    await asyncio.to_thread(provider.wait_for_chats, asked + 1)
    await in_pool(turn_interrupt, turn_id, owner=runtime.process_id)

    provider.release()
    turn = await ended(runtime, turn_id)

    assert turn.status == "interrupted"
    assert [a.status for a in await attempts_of(turn)] == ["interrupted"]
    assert len(provider.chats) == asked + 1


async def test_each_attempt_keeps_its_plan_and_only_what_was_answered_is_booked(
    runtime, talk, provider
):
    before = await in_pool(Usage.objects.count)
    provider.enqueue(TOLD, replies.answer("The Volga."))

    turn = await take(runtime, talk, "Name one river.")

    assert await in_pool(PlanInput.objects.filter(attempt__turn=turn).count) == 2
    assert await in_pool(Usage.objects.count) == before + 1


async def test_the_live_text_is_that_of_the_second_attempt(runtime, talk, provider):
    provider.enqueue(TOLD, replies.held("The Volga", " is one."))
    turn_id = (await in_pool(accept, talk.access, "One river?", runtime.process_id)).turn_id
    start(runtime, talk, turn_id)
    stream = runtime.hub.get(turn_id)
    await eventually(lambda: stream.text() == "The Volga", "the text of the second attempt")

    _, second = await attempts_of(await in_pool(lambda: Turn.objects.get(pk=turn_id)))

    assert stream.attempt_id == second.id
    provider.release()
    assert (await ended(runtime, turn_id)).status == "committed"


async def test_stop_ends_the_second_attempt_as_any_other(runtime, talk, provider):
    provider.enqueue(TOLD, replies.held("The Volga", "never"))
    turn_id = (await in_pool(accept, talk.access, "One river?", runtime.process_id)).turn_id
    start(runtime, talk, turn_id)
    stream = runtime.hub.get(turn_id)
    await eventually(lambda: stream.text() == "The Volga", "the text of the second attempt")

    runtime.stop_turn(turn_id)
    turn = await ended(runtime, turn_id)

    assert (turn.status, turn.finish) == ("committed", "stopped")
    assert [a.status for a in await attempts_of(turn)] == ["failed", "stopped"]
