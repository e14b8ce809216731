"""Followers in other processes get chunks in order, and leave nothing behind."""

import asyncio
from uuid import uuid4

import pytest

from chatapp.runtime import remote
from chatapp.runtime.hub import Hub
from chatapp.runtime.remote import RemoteListener, answer_ask


@pytest.fixture
def sent(monkeypatch):
    """What was sent to other processes, and a wait for the next."""
    found = Sent()
    monkeypatch.setattr("chatapp.broadcast.send_live", found.send_live)
    return found


class Sent:
    def __init__(self) -> None:
        self.parts = []
        self.broken = False
        self._changed = asyncio.Event()

    async def send_live(self, channel, turn_id, attempt, first, texts):
        self._changed.set()
        if self.broken:
            raise ConnectionError("the broker is away")
        self.parts.append((channel, first, texts))

    async def until(self, count):
        async with asyncio.timeout(20):
            while len(self.parts) < count:
                self._changed.clear()
                await self._changed.wait()
        return self.parts

    async def until_tried(self):
        self._changed.clear()
        async with asyncio.timeout(20):
            await self._changed.wait()


@pytest.fixture
async def stream():
    hub = Hub()
    opened = hub.open(uuid4(), uuid4())
    opened.begin(uuid4())
    yield opened
    hub.close(opened.turn_id)
    await quiet()


async def quiet():
    """Let every pump that was told to end do so; none may be left."""
    left = [task for task in asyncio.all_tasks() if "_pump" in repr(task)]
    async with asyncio.timeout(20):
        await asyncio.gather(*left)


def say(stream, *texts):
    for text in texts:
        stream.push(text)
        stream.flush()


def listeners_of(stream):
    return [each for each in stream.listeners if isinstance(each, RemoteListener)]


async def test_who_asks_gets_what_was_said_and_then_what_follows(stream, sent):
    say(stream, "one ", "two ")

    answer_ask(stream, channel="page", attempt="", after=0)
    say(stream, "three")

    assert await sent.until(2) == [("page", 1, ["one ", "two "]), ("page", 3, ["three"])]


async def test_who_has_the_beginning_gets_the_rest(stream, sent):
    say(stream, "one ", "two ", "three")

    answer_ask(stream, channel="page", attempt=str(stream.attempt_id), after=2)

    assert await sent.until(1) == [("page", 3, ["three"])]


@pytest.mark.parametrize("after", [2, 99])
async def test_numbers_of_another_attempt_or_beyond_the_newest_mean_nothing(stream, sent, after):
    say(stream, "one ", "two ")
    attempt = "another" if after == 2 else str(stream.attempt_id)

    answer_ask(stream, channel="page", attempt=attempt, after=after)

    assert await sent.until(1) == [("page", 1, ["one ", "two "])]


async def test_one_page_is_followed_once_however_often_it_asks(stream, sent):
    for _ in range(3):
        answer_ask(stream, channel="page", attempt="", after=0)
    answer_ask(stream, channel="other", attempt="", after=0)
    say(stream, "one")

    parts = await sent.until(6)

    assert [part for part in parts if part[2]] == [("page", 1, ["one"]), ("other", 1, ["one"])]
    assert len(listeners_of(stream)) == 2


async def test_a_new_attempt_is_told_before_its_text(stream, sent):
    answer_ask(stream, channel="page", attempt="", after=0)
    say(stream, "half")

    stream.begin(uuid4())
    say(stream, "whole")

    parts = await sent.until(4)
    assert [part[1:] for part in parts] == [(1, []), (1, ["half"]), (1, []), (1, ["whole"])]


async def test_who_does_not_ask_again_is_followed_no_more(stream, sent, monkeypatch):
    answer_ask(stream, channel="page", attempt="", after=0)
    await sent.until(1)

    monkeypatch.setattr(remote, "EXPIRY_S", -1.0)
    say(stream, "unheard")
    await quiet()

    assert listeners_of(stream) == []
    assert len(sent.parts) == 1


async def test_the_end_of_a_turn_sends_the_rest_and_ends_every_follower(sent):
    hub = Hub()
    stream = hub.open(uuid4(), uuid4())
    stream.begin(uuid4())
    answer_ask(stream, channel="page", attempt="", after=0)
    say(stream, "last words")

    hub.close(stream.turn_id)
    await quiet()

    assert sent.parts[-1] == ("page", 1, ["last words"])
    assert listeners_of(stream) == []


async def test_a_broker_that_was_away_is_found_again_when_the_page_asks_again(stream, sent, caplog):
    sent.broken = True
    answer_ask(stream, channel="page", attempt="", after=0)
    await sent.until_tried()
    await quiet()
    assert "could not be reached" in caplog.text

    sent.broken = False
    say(stream, "one")
    answer_ask(stream, channel="page", attempt="", after=0)

    assert await sent.until(1) == [("page", 1, ["one"])]
