"""What a provider streamed is kept with its attempt, sealed, so that it can be played."""

import asyncio

from chatapp.models import Attempt
from chatapp.runtime.pool import in_pool
from chatapp.runtime.reading import Reading
from chatapp.store.recordings import recording_of
from tests.runtime.test_runner import end, eventually_text, start
from tests.support.scripted_provider import replies


async def recorded(people, turn_id):
    attempt = await in_pool(lambda: Attempt.objects.get(turn_id=turn_id))
    return attempt, recording_of(attempt, people.owner.keys)


def played(recording, text):
    """Return what reading the stream again brings."""
    reading = Reading()
    texts = [reading.take(events) for events in recording.events(text)]
    return reading, "".join(texts)


async def test_an_answer_can_be_read_again_as_it_came(runtime, people, provider):
    provider.enqueue(replies.answer("Волга 🌊 is a river."))
    turn = await end(runtime, await start(runtime, people))
    attempt, recording = await recorded(people, turn.id)
    reading, text = played(recording, "Волга 🌊 is a river.")
    assert text == "Волга 🌊 is a river."
    assert (reading.failure(text), reading.answer_finish()) == (None, turn.finish)
    assert reading.measured(0).completion_tokens == attempt.completion_tokens
    assert "Волга".encode() not in bytes(attempt.recording)


async def test_what_was_stopped_is_kept_as_far_as_it_came(runtime, people, provider):
    provider.enqueue(replies.held("The first step is ", "never"))
    turn_id = await start(runtime, people)
    await asyncio.to_thread(provider.wait_held)
    await eventually_text(runtime, turn_id, "The first step is ")
    runtime.stop_turn(turn_id)
    await end(runtime, turn_id)
    _, recording = await recorded(people, turn_id)
    assert played(recording, "The first step is ")[1] == "The first step is "
    assert not recording.is_done


async def test_a_failure_fails_in_the_same_way_when_it_is_read_again(runtime, people, provider):
    provider.enqueue(replies.error_in_stream("Half an "))
    turn = await end(runtime, await start(runtime, people))
    assert turn.status == "failed"
    _, recording = await recorded(people, turn.id)
    reading, text = played(recording, "Half an ")
    assert reading.failure(text) == turn.reason
