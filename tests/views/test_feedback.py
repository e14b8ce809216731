"""Thumbs below answers, and what answers were made from: who may, what is shown and refused."""

import pytest

from chatapp.models import Attempt, Feedback
from chatapp.runtime.pool import in_pool
from chatapp.services.memory import memory_add
from tests.support.people import accept, say
from tests.support.remembering import learn
from tests.support.scripted_provider import replies
from tests.support.visitors import HTMX, ended

RULE = "Никаких долларов 👋."


@pytest.fixture
async def turn_id(visitors, runtime):
    return await in_pool(say, visitors.people.access, RULE, "Хорошо.", runtime.process_id)


def thumb_url(visitors, turn_id):
    return visitors.url("turn_feedback", turn_id=turn_id)


async def given():
    return await in_pool(
        lambda: list(Feedback.objects.order_by("seq").values_list("thumb", flat=True))
    )


async def test_a_thumb_is_given_and_shown(visitors, turn_id):
    answer = await visitors.alice.post(thumb_url(visitors, turn_id), {"thumb": "up"}, headers=HTMX)
    assert answer.status_code == 200
    assert [(one.name, one.is_pressed, one.wanted) for one in answer.context["thumbs"]] == [
        ("up", True, "none"),
        ("down", False, "down"),
    ]
    assert answer.text.count('aria-pressed="true"') == 1
    assert await given() == [1]


async def test_a_thumb_pressed_again_is_taken_back(visitors, turn_id):
    for thumb in ("down", "none"):
        answer = await visitors.alice.post(thumb_url(visitors, turn_id), {"thumb": thumb})
    assert 'aria-pressed="true"' not in answer.text
    assert await given() == [-1, 0]


async def test_the_page_shows_the_thumb_that_stands(visitors, turn_id):
    await visitors.alice.post(thumb_url(visitors, turn_id), {"thumb": "up"})
    page = await visitors.alice.get(visitors.url("conversation"))
    assert f'id="up-{turn_id}" name="thumb" value="none" aria-pressed="true"' in page.text
    assert f'id="made-from-{turn_id}"' in page.text


async def test_an_answer_that_is_being_written_has_no_thumbs(visitors, runtime):
    outcome = await in_pool(accept, visitors.people.access, "And?", runtime.process_id)
    page = await visitors.alice.get(visitors.url("conversation"))
    assert f'id="turn-{outcome.turn_id}"' in page.text
    assert "thumbs-" not in page.text


@pytest.mark.parametrize("thumb", ["", "sideways", "2"])
async def test_what_is_no_thumb_is_refused(visitors, turn_id, thumb):
    answer = await visitors.alice.post(thumb_url(visitors, turn_id), {"thumb": thumb})
    assert answer.status_code == 422
    assert await given() == []


async def test_a_running_turn_takes_no_thumb(visitors, runtime):
    outcome = await in_pool(accept, visitors.people.access, "And?", runtime.process_id)
    answer = await visitors.alice.post(thumb_url(visitors, outcome.turn_id), {"thumb": "up"})
    assert answer.status_code == 404


async def test_a_thumb_is_not_given_by_looking(visitors, turn_id):
    assert (await visitors.alice.get(thumb_url(visitors, turn_id))).status_code == 405
    assert await given() == []


@pytest.mark.parametrize("name", ["turn_feedback", "turn_provenance", "turn_provenance_json"])
async def test_strangers_and_people_not_signed_in_get_nothing(visitors, turn_id, name):
    url = visitors.url(name, turn_id=turn_id)
    send = "post" if name == "turn_feedback" else "get"
    fields = {"thumb": "up"} if send == "post" else {}
    stranger = await getattr(visitors.mallory, send)(url, fields)
    anonymous = await getattr(visitors.anonymous, send)(url, fields)
    assert (stranger.status_code, anonymous.status_code) == (404, 302)
    assert await given() == []


@pytest.mark.parametrize("name", ["turn_provenance", "turn_provenance_json"])
async def test_looking_takes_head_and_no_post(visitors, turn_id, name):
    url = visitors.url(name, turn_id=turn_id)
    assert (await visitors.alice.head(url)).status_code == 200
    assert (await visitors.alice.post(url)).status_code == 405


@pytest.mark.parametrize("name", ["turn_provenance", "turn_provenance_json"])
async def test_a_turn_of_elsewhere_was_made_from_nothing_here(visitors, turn_id, name):
    url = visitors.url(name, turn_id=visitors.conversation_id)
    assert (await visitors.alice.get(url)).status_code == 404


async def made_from(visitors, turn_id):
    answer = await visitors.alice.get(visitors.url("turn_provenance", turn_id=turn_id))
    assert answer.status_code == 200
    told = await visitors.alice.get(visitors.url("turn_provenance_json", turn_id=turn_id))
    return answer, told.json()


async def test_an_answer_lists_the_messages_of_its_request(visitors, turn_id, runtime):
    later = await in_pool(say, visitors.people.access, "And?", "Yes.", runtime.process_id)

    answer, told = await made_from(visitors, later)

    (group,) = answer.context["groups"]
    assert (str(group.label), group.items[0].text) == ("Messages", "3 messages")
    assert f'href="#turn-{turn_id}"' in answer.text
    assert [one["role"] for one in told["messages"]] == ["user", "assistant", "user"]
    assert told["messages"][0]["turn"] == str(turn_id)
    assert told["turn"] == str(later)


async def test_an_answer_lists_what_memory_gave_with_its_words_and_why(visitors, runtime):
    access = visitors.people.access
    await in_pool(memory_add, access, "rule", "Answer in <b>metres</b>.")
    turn_id = await in_pool(say, access, "How long is it?", "652 km.", runtime.process_id)

    answer, told = await made_from(visitors, turn_id)

    (entry,) = told["selected"]
    assert (entry["text"], entry["group"], entry["reason"]) == (
        "Answer in <b>metres</b>.",
        "rule",
        "added",
    )
    assert "Answer in &lt;b&gt;metres&lt;/b&gt;." in answer.text
    assert "You added it." in answer.text
    assert 'href="#panel-summary"' in answer.text


async def test_an_old_answer_tells_what_it_was_made_from_then(visitors, turn_id, runtime):
    access = visitors.people.access
    before = await made_from(visitors, turn_id)
    await in_pool(learn, access, turn_id, "rule")
    await in_pool(say, access, "And?", "Yes.", runtime.process_id)
    after = await made_from(visitors, turn_id)
    assert after[1] == before[1]


async def test_the_attempt_that_answered_is_the_one_that_is_told_of(visitors, provider):
    provider.enqueue(replies.server_error())
    row = await visitors.talk("Name one river.")
    await visitors.alice.post(visitors.url("turn_retry", turn_id=row.id))
    await ended(row.id)

    _, told = await made_from(visitors, row.id)

    newest = await in_pool(lambda: Attempt.objects.get(turn=row.id, status="succeeded").id)
    assert (told["attempt"], told["status"]) == (str(newest), "succeeded")
