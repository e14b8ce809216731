"""One turn when something is wrong: time limits, a database that is away, a fault of our own."""

import asyncio
import logging
from dataclasses import replace

import pytest
from django.db import OperationalError

from chatapp.models import Message, PartialText, TokenCount, Turn
from chatapp.runtime import runner
from chatapp.runtime.pool import in_pool
from chatapp.selectors.turns import turn_row
from chatapp.wiring import registry, warm_client
from statecore.models import ModelLimits
from tests.support.people import accept, branch_of
from tests.support.scripted_provider import replies
from tests.support.visitors import ended

PLANTED = "xylophonewombat"


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Do not wait between tries, nor for an import at the first call."""
    warm_client()
    monkeypatch.setattr(runner, "COMMIT_PAUSE_S", 0.0)


async def run(runtime, people, text="Name one river.", **changes):
    """Take one whole turn and return it."""
    turn_id = (await in_pool(accept, people.access, text, runtime.process_id)).turn_id
    model = replace(registry().default(), **changes)
    runtime.start_turn(turn_id, people.access.conversation.id, people.owner.keys, model)
    await ended(turn_id)
    return await in_pool(turn_row, people.access, turn_id)


def failing(times, function):
    """Return a function that the database refuses so many times before it works."""
    left = [times]

    def refuse(*args, **more):
        if left[0]:
            left[0] -= 1
            raise OperationalError("database is locked")
        return function(*args, **more)

    return refuse


async def test_a_provider_that_says_nothing_is_given_up(runtime, people, provider):
    provider.enqueue(replies.silence())

    row = await run(runtime, people, limits=ModelLimits(first_token_base_ms=500))

    assert (row.status, row.reason) == ("failed", "first_token_timeout")
    await asyncio.to_thread(provider.log.wait_disconnected, provider.chats[0])


async def test_a_slow_prefill_is_no_silence(runtime, people, provider):
    provider.enqueue(replies.answer_chunks(["The Volga."]))
    slow = ModelLimits(first_token_base_ms=1, prefill_tokens_per_s=1.0)

    row = await run(runtime, people, limits=slow)

    assert (row.status, row.answer_text) == ("committed", "The Volga.")


async def test_a_stream_that_stalls_is_given_up_and_keeps_its_text(runtime, people, provider):
    provider.enqueue(replies.silence("The first step is "))

    row = await run(runtime, people, limits=ModelLimits(silence_ms=150))

    assert (row.status, row.reason) == ("failed", "stalled_stream")
    assert row.partial_text == "The first step is "
    await asyncio.to_thread(provider.log.wait_disconnected, provider.chats[0])


async def test_a_database_that_is_away_for_a_moment_loses_no_answer(
    runtime, people, provider, monkeypatch
):
    monkeypatch.setattr(runner, "turn_end", failing(runner.COMMIT_TRIES - 1, runner.turn_end))

    row = await run(runtime, people)

    assert (row.status, row.answer_text) == ("committed", "You said: Name one river.")
    assert await in_pool(Message.objects.filter(role="assistant").count) == 1


async def test_a_database_that_stays_away_leaves_a_turn_that_can_be_retried(
    runtime, people, provider, monkeypatch
):
    monkeypatch.setattr(runner, "turn_end", failing(runner.COMMIT_TRIES, runner.turn_end))

    row = await run(runtime, people)

    assert row.status == "interrupted"
    assert (await in_pool(branch_of, people.access)).active_turn is None
    assert not runtime.jobs


async def test_a_turn_that_cannot_even_be_interrupted_is_left_to_the_janitor(
    runtime, people, provider, monkeypatch, caplog
):
    def refuse(*_, **__):
        raise OperationalError("disk I/O error")

    monkeypatch.setattr(runner, "turn_end", refuse)
    monkeypatch.setattr(runner, "turn_interrupt", refuse)

    row = await run(runtime, people)

    assert row.status == "running"
    assert "could not be marked as interrupted" in caplog.text
    assert not runtime.jobs


async def test_a_fault_of_our_own_ends_the_turn_and_nothing_else(
    runtime, people, provider, monkeypatch, caplog
):
    with monkeypatch.context() as patched:
        patched.setattr(runner, "attempt_prepare", broken)
        first = await run(runtime, people, PLANTED)
    second = await run(runtime, people)

    assert (first.status, second.status) == ("interrupted", "committed")
    assert "broke off" in caplog.text
    assert PLANTED not in caplog.text


def broken(*_, **__):
    raise KeyError("nobody thought of it")


async def test_a_worker_that_cannot_be_woken_does_not_hurt_the_answer(
    runtime, people, provider, monkeypatch, caplog
):
    monkeypatch.setattr(runner, "outbox_wake", broken)

    row = await run(runtime, people)

    assert row.status == "committed"
    assert "Nobody was woken" in caplog.text


async def test_a_broker_that_is_away_does_not_hurt_the_answer(
    runtime, people, provider, monkeypatch
):
    async def refuse(*_, **__):
        raise ConnectionError("the broker is away")

    monkeypatch.setattr("channels.layers.InMemoryChannelLayer.group_send", refuse)

    row = await run(runtime, people)

    assert row.status == "committed"
    assert not runtime.jobs


async def test_a_server_with_a_tokenizer_counts_before_it_is_asked(runtime, people, provider):
    row = await run(runtime, people, tokenizer="server:scripted")

    asked = [request.path for request in provider.log.all()]
    assert row.status == "committed"
    assert asked == ["/tokenize", "/tokenize", "/v1/chat/completions"]
    counted = TokenCount.objects.filter(tokenizer="server:scripted")
    assert await in_pool(counted.count) == 2


QUOTING = [
    replies.openai_error(400, f"Invalid value: 'Say {PLANTED}.'", None),
    replies.error_in_stream(f"{PLANTED} ", f"could not go on after {PLANTED}"),
    replies.malformed(f"{PLANTED} "),
    replies.reset(f"{PLANTED} "),
    replies.answer(f"{PLANTED}!"),
]


@pytest.mark.parametrize("reply", QUOTING)
async def test_no_text_reaches_the_log(runtime, people, provider, caplog, reply):
    caplog.set_level(logging.DEBUG)
    provider.enqueue(reply)

    await run(runtime, people, f"Say {PLANTED}.")

    found = [record for record in caplog.records if PLANTED in str(record.__dict__)]
    assert found == []


async def test_nothing_partial_is_left_after_any_ending(runtime, people, provider):
    for reply in (replies.answer("one"), replies.reset("two"), replies.server_error()):
        provider.enqueue(reply)
        await run(runtime, people)

    assert not await in_pool(PartialText.objects.exists)
    assert not await in_pool(Turn.objects.filter(status="running").exists)
