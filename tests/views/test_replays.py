"""Replays over HTTP: ordered, watched, cancelled, by their owner alone."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from chatapp.models import ReplayRun
from chatapp.runtime.answering import counted
from chatapp.runtime.pool import in_pool
from chatapp.services import replay_runs
from chatapp.services.replay_runs import replay_work
from chatapp.wiring import registry
from tests.support.people import say

LIST = reverse("replays")
TEMPLATE = """
name = "tried"
version = 1
system = "Answer in one word."
stopped_empty = "(stopped)"
"""


@pytest.fixture
def woken(monkeypatch):
    found = []
    monkeypatch.setattr(replay_runs, "wake_worker", lambda *arguments: found.append(arguments))
    return found


@pytest.fixture
async def talked(visitors, runtime, woken):
    """The visitors of a conversation in which two things were said."""

    def talk():
        model = registry().all()[0]
        for text in ("Первое?", "<b>Second?</b>"):
            say(visitors.people.access, text, "Yes.", runtime.process_id, model)

    await in_pool(talk)
    return visitors


async def ordered(visitors, **fields):
    answer = await visitors.alice.post(LIST, {"everything": "on"} | fields)
    assert answer.status_code == 302, answer.text
    return answer["Location"]


async def worked(address):
    run_id = address.rstrip("/").split("/")[-1]
    assert await in_pool(replay_work, run_id, counted)
    return run_id


async def test_the_list_invites_to_replay_what_was_said(talked):
    page = await talked.alice.get(LIST)
    assert page.status_code == 200
    assert "all of the 1" in page.text
    assert "2 turns" in page.text
    assert "Первое?" in page.text


async def test_who_has_said_nothing_has_nothing_to_replay(talked):
    page = await talked.mallory.get(LIST)
    assert "there is nothing to replay" in page.text
    assert "Первое?" not in page.text


async def test_a_replay_as_it_was_finds_the_same_bytes(talked, woken):
    address = await ordered(talked)
    assert [kind for kind, _ in woken] == ["replays"]
    waiting = await talked.alice.get(address)
    assert "Waiting for a worker" in waiting.text
    assert 'hx-trigger="every 1s"' in waiting.text
    await worked(address)
    done = await talked.alice.get(address)
    assert "2 turns planned again: 2 the same bytes." in done.text
    assert "hx-trigger" not in done.text


async def test_another_template_shows_where_requests_differ(talked):
    file = SimpleUploadedFile("tried.toml", TEMPLATE.encode())
    fields = {"strategy": "summary", "name": "Один ответ", "tuning": "tier0=0.4"}
    address = await ordered(talked, template=file, **fields)
    await worked(address)
    page = await talked.alice.get(address)
    assert "Один ответ" in page.text
    assert "strategy summary, another template, tier0=0.4" in page.text
    assert "would have been told less" in page.text
    assert "no opinion" in page.text
    answer = await talked.alice.get(f"{address}report.json")
    (found,) = answer.json()["conversations"]
    assert found["totals"]["less_told"] == 1
    assert answer.json()["strategy"] == "summary"


async def test_titles_cannot_become_part_of_the_page(talked):
    title = "<img src=x onerror=alert(1)>"
    await talked.alice.post(talked.url("conversation_rename"), {"title": title})
    address = await ordered(talked, name=title)
    await worked(address)
    for page in (await talked.alice.get(LIST), await talked.alice.get(address)):
        assert "<img src=x" not in page.text
        assert "&lt;img src=x" in page.text


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Choose a conversation."),
        ({"conversation": "x"}, "One of the conversations is none."),
        ({"everything": "on", "model": "gpt-9"}, "There is no model “gpt-9”."),
        ({"everything": "on", "strategy": "magic"}, "magic"),
        ({"everything": "on", "tuning": "tier0=0.4 tier1=2"}, "tier1=2: a share of the window"),
        ({"everything": "on", "template": b"\xff"}, "The template is no text in UTF-8."),
        ({"everything": "on", "template": b"name ="}, "is no TOML"),
        ({"everything": "on", "template": b'wit = "x"'}, "wit: is not known"),
        ({"everything": "on", "template": b"name = 3"}, "name: has to be a text"),
        ({"everything": "on", "template": b'name = "a"'}, "version: is missing"),
        ({"everything": "on", "template": b"#" * 64_001}, "64000 are the most"),
    ],
)
async def test_a_bad_order_is_refused_with_one_sentence(talked, fields, sentence):
    if "template" in fields:
        fields = fields | {"template": SimpleUploadedFile("t.toml", fields["template"])}
    answer = await talked.alice.post(LIST, fields)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert not await ReplayRun.objects.aexists()


async def test_a_replay_can_be_cancelled(talked):
    address = await ordered(talked)
    answer = await talked.alice.post(f"{address}cancel")
    assert answer["Location"] == address
    assert "Cancelled" in (await talked.alice.get(address)).text


async def test_only_the_owner_sees_or_cancels_a_replay(talked):
    address = await ordered(talked)
    for path in (address, f"{address}report.json"):
        assert (await talked.mallory.get(path)).status_code == 404
        assert (await talked.anonymous.get(path)).status_code == 302
        assert (await talked.alice.head(path)).status_code == 200
    assert (await talked.mallory.post(f"{address}cancel")).status_code == 404
    assert (await talked.anonymous.post(f"{address}cancel")).status_code == 302
    assert not (await ReplayRun.objects.aget()).cancel_requested


async def test_a_stranger_cannot_order_a_replay_of_what_is_not_theirs(talked):
    fields = {"conversation": str(talked.conversation_id)}
    answer = await talked.mallory.post(LIST, fields)
    run = await ReplayRun.objects.aget()
    assert (answer.status_code, run.total) == (302, 0)
