"""What other processes ask of this one."""

import asyncio
from uuid import uuid4

import pytest

from chatapp import broadcast
from chatapp.runtime import mailbox
from chatapp.runtime.hub import Hub
from chatapp.runtime.jobs import Job
from chatapp.runtime.mailbox import handle, keep_reading
from tests.support.people import MODEL


@pytest.fixture
def asked(monkeypatch):
    """Who asked for live text."""
    found = []

    def answer_ask(stream, **question):
        found.append((stream.turn_id, question))

    monkeypatch.setattr(mailbox, "answer_ask", answer_ask)
    return found


@pytest.fixture
def hub():
    return Hub()


@pytest.fixture
def job(hub):
    stream = hub.open(uuid4(), uuid4())
    return Job(stream.turn_id, stream.conversation_id, None, MODEL, stream)


def question(turn_id):
    return {"type": "live.ask", "turn": str(turn_id), "attempt": "a", "after": 3, "reply": "page"}


def test_a_question_about_a_turn_that_runs_here_is_answered(hub, job, asked):
    handle(question(job.turn_id), hub, {job.turn_id: job})

    assert asked == [(job.turn_id, {"channel": "page", "attempt": "a", "after": 3})]


def test_a_stop_cuts_the_turn_off(hub, job, asked):
    handle({"type": "turn.stop", "turn": str(job.turn_id)}, hub, {job.turn_id: job})

    assert job.cause == "stop"
    assert asked == []


def test_about_turns_that_are_not_here_it_is_silent(hub, job, asked):
    handle(question(uuid4()), hub, {job.turn_id: job})
    handle({"type": "turn.stop", "turn": str(uuid4())}, hub, {job.turn_id: job})

    assert (asked, job.cause) == ([], None)


async def test_a_broker_that_was_away_is_read_again(hub, job, monkeypatch, caplog):
    monkeypatch.setattr(mailbox, "RECONNECT_S", 0.0)
    process_id, layer, away = uuid4(), broadcast.layer, [True]
    listening = asyncio.Event()

    class Layer:
        def __getattr__(self, name):
            return getattr(layer(), name)

        async def receive(self, channel):
            if away:
                away.clear()
                raise ConnectionError("the broker is away")
            listening.set()
            return await layer().receive(channel)

    monkeypatch.setattr(broadcast, "layer", Layer)
    reading = asyncio.create_task(keep_reading(process_id, hub, {job.turn_id: job}))
    async with asyncio.timeout(20):
        await listening.wait()
        await broadcast.ask_stop(process_id, job.turn_id)
        while job.cause is None:
            listening.clear()
            await listening.wait()
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)

    assert job.cause == "stop"
    assert "lost its broker" in caplog.text
