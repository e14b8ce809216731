"""Live text: numbered, in order, the first chunk at once."""

import asyncio
from uuid import uuid4

from chatapp.runtime.hub import Hub


class Follower:
    """Keeps what a stream hands out."""

    def __init__(self) -> None:
        self.got: list[tuple[int, str]] = []
        self.restarts = 0
        self.changed = asyncio.Event()

    def live_text(self, stream, seq, text):
        self.got.append((seq, text))
        self.changed.set()

    def live_restart(self, stream):
        self.restarts += 1


def opened():
    hub = Hub()
    stream = hub.open(uuid4(), uuid4())
    follower = Follower()
    stream.listeners.add(follower)
    stream.begin(uuid4())
    return hub, stream, follower


async def test_the_first_text_goes_out_at_once():
    _, stream, follower = opened()

    stream.push("Hel")

    assert follower.got == [(1, "Hel")]


async def test_text_that_follows_closely_is_put_together():
    _, stream, follower = opened()
    stream.push("Hel")
    follower.changed.clear()

    stream.push("lo")
    stream.push(" you")
    assert len(follower.got) == 1
    await follower.changed.wait()

    assert follower.got == [(1, "Hel"), (2, "lo you")]
    assert stream.text() == "Hello you"


async def test_a_flush_leaves_nothing_behind():
    _, stream, follower = opened()
    stream.push("a")
    stream.push("b")

    stream.flush()
    stream.flush()

    assert follower.got == [(1, "a"), (2, "b")]


async def test_a_new_attempt_starts_over():
    _, stream, follower = opened()
    stream.push("broken")
    stream.push(" half")
    restarts = follower.restarts

    stream.begin(uuid4())
    stream.push("whole")

    assert follower.restarts == restarts + 1
    assert follower.got[-1] == (1, "whole")
    assert stream.text() == "whole"


async def test_a_closed_stream_has_no_followers():
    hub, stream, _ = opened()

    hub.close(stream.turn_id)

    assert not stream.listeners
    assert hub.get(stream.turn_id) is None


async def test_a_late_event_loop_slows_the_pace_and_a_calm_one_restores_it():
    _, stream, _ = opened()
    calm_s = stream.pace()

    for _ in range(100):
        stream.note_lateness(0.2)
    late_s = stream.pace()
    for _ in range(200):
        stream.note_lateness(0.0)

    assert late_s > calm_s
    assert stream.pace() == calm_s


async def test_one_hiccup_changes_nothing():
    _, stream, _ = opened()
    calm_s = stream.pace()

    stream.note_lateness(0.1)

    assert stream.pace() == calm_s
