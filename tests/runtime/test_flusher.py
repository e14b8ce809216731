"""What streams have gained is stored together, sealed, and not after their end."""

import pytest
from django.db import DatabaseError

from chatapp.models import PartialText, Turn
from chatapp.runtime import flusher
from chatapp.runtime.flusher import flush, next_part
from chatapp.runtime.hub import LiveStream
from chatapp.runtime.jobs import Job
from chatapp.runtime.pool import in_pool
from chatapp.store import partials
from tests.support.people import MODEL, accept, new_process, prepare


@pytest.fixture
async def job(people, runtime):
    def begin():
        process = new_process()
        turn_id = accept(people.access, "Hi", process).turn_id
        return turn_id, prepare(turn_id, process).attempt_id

    turn_id, attempt_id = await in_pool(begin)
    stream = LiveStream(turn_id, people.access.conversation.id)
    stream.begin(attempt_id)
    return Job(turn_id, stream.conversation_id, people.owner.keys, MODEL, stream)


def say(job, *texts):
    for text in texts:
        job.stream.push(text)
        job.stream.flush()


async def stored(job):
    return await in_pool(partials.read, job.stream.attempt_id, job.keys)


async def test_what_was_gained_since_the_last_time_is_appended(job):
    say(job, "one ", "two ")
    await flush([job])
    say(job, "three")
    await flush([job])
    await flush([job])

    assert await stored(job) == ("one two three", 3)
    assert await in_pool(PartialText.objects.count) == 2


async def test_a_stream_without_attempt_or_news_has_no_part(job):
    assert next_part(job) is None
    job.stream.attempt_id = None
    assert next_part(job) is None
    await flush([])
    await flush([job])


async def test_a_new_attempt_is_stored_from_its_beginning(people, job):
    say(job, "half ")
    await flush([job])

    def again():
        process = job_owner(job.turn_id)
        return prepare(job.turn_id, process).attempt_id

    job.stream.begin(await in_pool(again))
    say(job, "whole")
    await flush([job])

    assert await stored(job) == ("whole", 1)


def job_owner(turn_id):
    return Turn.objects.get(pk=turn_id).owner_id


async def test_an_ended_turn_is_not_flushed(job):
    say(job, "late")
    job.ended.set()

    await flush([job])

    assert await stored(job) == ("", 0)


async def test_text_that_was_on_its_way_when_the_turn_ended_is_dropped(job, monkeypatch):
    append = partials.append

    def end_then_append(parts):
        job.ended.set()
        append(parts)

    monkeypatch.setattr(flusher.partials, "append", end_then_append)
    say(job, "late")

    await flush([job])

    assert await stored(job) == ("", 0)


async def test_what_could_not_be_stored_is_taken_along_the_next_time(job, monkeypatch):
    def refuse(parts):
        raise DatabaseError("locked")

    say(job, "one ")
    with monkeypatch.context() as patched:
        patched.setattr(flusher.partials, "append", refuse)
        with pytest.raises(DatabaseError):
            await flush([job])
    say(job, "two")
    await flush([job])

    assert await stored(job) == ("one two", 2)
    assert await in_pool(PartialText.objects.count) == 1
