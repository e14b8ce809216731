"""What was sent: the panel, the page as JSON, and the exact request of an attempt."""

import json
from uuid import uuid4

import pytest

from chatapp.models import Attempt, Message
from chatapp.runtime.pool import in_pool
from chatapp.services.commits import turn_interrupt
from chatapp.store.sealing import seal
from statecore.messages import Message as CoreMessage
from statecore.messages import encode_body
from tests.support.people import accept, say
from tests.support.remembering import learn
from tests.support.scripted_provider import replies
from tests.support.tamper import guards_down
from tests.support.visitors import ended


async def attempts_of(turn_id):
    return await in_pool(lambda: list(Attempt.objects.filter(turn=turn_id).order_by("ordinal")))


async def request_of(visitors, attempt):
    answer = await visitors.alice.get(visitors.url("attempt_request", attempt_id=attempt.id))
    assert answer.status_code == 200
    return answer


def shown_body(answer):
    return json.loads(answer.context["request_text"])


async def test_the_exact_request_is_what_the_provider_got(visitors, provider):
    await visitors.talk("Name one river.")
    row = await visitors.talk("Ещё одну? 再来一个 👋")

    answer = await request_of(visitors, row.attempts[0])

    assert shown_body(answer) == provider.chats[-1].body
    assert answer.context["proven"] is True
    assert "Ещё одну? 再来一个 👋" in answer.text
    assert "byte for byte" in answer.text


async def test_each_attempt_shows_its_own_request(visitors, provider):
    provider.enqueue(replies.server_error())
    turn_id = (await visitors.talk("Name one river.")).id
    await visitors.alice.post(visitors.url("conversation_model"), {"model": "second"})
    await visitors.alice.post(visitors.url("turn_retry", turn_id=turn_id))
    await ended(turn_id)

    first, second = await attempts_of(turn_id)
    bodies = [shown_body(await request_of(visitors, attempt)) for attempt in (first, second)]

    assert bodies == [chat.body for chat in provider.chats]
    assert [body["model"] for body in bodies] == ["scripted", "second"]


async def test_a_request_stays_what_it_was_after_the_conversation_went_on(visitors, provider):
    early = await visitors.talk("one")
    for text in ("two", "three"):
        await visitors.talk(text)

    answer = await request_of(visitors, early.attempts[0])

    assert shown_body(answer) == provider.chats[0].body
    assert answer.context["proven"] is True


async def test_a_stored_message_that_was_exchanged_is_not_passed_off_as_what_was_sent(
    visitors, provider
):
    row = await visitors.talk("Name one river.")

    def exchange():
        message = Message.objects.get(role="user")
        other = encode_body(CoreMessage(str(message.id), "user", "Name one lake.", 0))
        body = seal(visitors.people.owner.keys, "chatapp_message", "body", message.id, other)
        with guards_down():
            Message.objects.filter(pk=message.id).update(body=body)

    await in_pool(exchange)
    answer = await request_of(visitors, row.attempts[0])

    assert "Name one lake." in answer.text
    assert answer.context["proven"] is False
    assert "Warning" in answer.text


async def test_an_unknown_attempt_is_not_found(visitors):
    answer = await visitors.alice.get(visitors.url("attempt_request", attempt_id=uuid4()))

    assert answer.status_code == 404


async def test_the_panel_tells_tokens_times_and_outcome_of_each_attempt(visitors, provider):
    provider.enqueue(replies.server_error(), replies.answer("The Volga."))
    turn_id = (await visitors.talk("Name one river.")).id
    await visitors.alice.post(visitors.url("turn_retry", turn_id=turn_id))
    await ended(turn_id)

    panel = await visitors.alice.get(visitors.url("panel_attempts"))

    failed, answered = await attempts_of(turn_id)
    assert panel.text.index(str(answered.id)) < panel.text.index(str(failed.id))
    assert "Answered." in panel.text
    assert "outcome-failed" in panel.text
    assert "HTTP 500: The server had an error." in panel.text
    assert "Tokens read" in panel.text
    assert "First token after" in panel.text


async def test_the_panel_shows_what_a_broken_attempt_wrote(visitors, provider):
    provider.enqueue(replies.error_in_stream("The first <b>step</b> is "))
    await visitors.talk("Help me.")

    panel = await visitors.alice.get(visitors.url("panel_attempts"))

    assert "The first &lt;b&gt;step&lt;/b&gt; is " in panel.text


async def test_the_panel_of_an_empty_conversation_says_what_it_is_for(visitors):
    panel = await visitors.alice.get(visitors.url("panel_context"))

    assert "this panel shows the exact request" in panel.text


async def test_one_turn_can_be_looked_into_alone(visitors, provider):
    first = await visitors.talk("one")
    second = await visitors.talk("two")

    panel = await visitors.alice.get(visitors.url("turn_attempts", turn_id=first.id))
    missing = await visitors.alice.get(visitors.url("turn_attempts", turn_id=uuid4()))

    assert str(first.attempts[0].id) in panel.text
    assert str(second.attempts[0].id) not in panel.text
    assert missing.status_code == 404


async def test_the_page_as_json_has_texts_attempts_and_figures(visitors, provider):
    provider.enqueue(replies.answer("The Volga 👋."))
    row = await visitors.talk("Name one river.")

    answer = await visitors.alice.get(visitors.url("conversation_page_json"))

    state = answer.json()
    turn = state["turns"][0]
    assert answer.headers["Content-Type"] == "application/json"
    assert "👋" in answer.text
    assert state["schema"] == "glassbox.page.2"
    assert (turn["id"], turn["status"]) == (str(row.id), "committed")
    assert (turn["input_text"], turn["answer_text"]) == ("Name one river.", "The Volga 👋.")
    attempt = turn["attempts"][0]
    assert attempt["prompt_quality"] == "reported"
    assert attempt["prompt_tokens"] > 0
    assert attempt["cost_usd"] is None
    assert [segment["decision"] for segment in attempt["segments"]][-1] == "kept"


async def test_a_running_and_an_interrupted_turn_are_in_the_json(visitors, runtime):
    running = (await in_pool(accept, visitors.people.access, "Hi", runtime.process_id)).turn_id

    during = (await visitors.alice.get(visitors.url("conversation_page_json"))).json()
    await in_pool(turn_interrupt, running, owner=runtime.process_id)
    after = (await visitors.alice.get(visitors.url("conversation_page_json"))).json()

    assert (during["running_turn"], during["turns"][0]["status"]) == (str(running), "running")
    assert (after["running_turn"], after["turns"][0]["status"]) == (None, "interrupted")
    assert await in_pool(Message.objects.filter(role="user").count) == 1


async def test_the_heads_have_a_figure_for_each_panel(visitors, runtime, provider):
    empty = (await visitors.alice.get(visitors.url("heads"))).text
    provider.enqueue(replies.server_error())
    turn_id = (await visitors.talk("Metric units only.")).id
    await visitors.alice.post(visitors.url("turn_retry", turn_id=turn_id))
    await ended(turn_id)
    await visitors.alice.post(visitors.url("memory_add"), {"kind": "rule", "words": "Be brief."})

    heads = (await visitors.alice.get(visitors.url("heads"))).text

    assert 'id="figure-summary" hx-swap-oob="true"></span>' in empty
    assert 'id="figure-context" hx-swap-oob="true">3 %' in heads
    assert 'id="figure-attempts" hx-swap-oob="true">1 failed' in heads
    assert "entr" in heads


async def test_the_context_says_what_changed_since_the_turn_before(visitors):
    first = await visitors.talk("Metric units only.")
    await visitors.talk("And now?")

    newest = (await visitors.alice.get(visitors.url("panel_context"))).text
    older = (await visitors.alice.get(visitors.url("panel_context"), {"turn": first.id})).text

    assert "2 messages came in" in newest
    assert f'href="#turn-{first.id}"' in newest
    assert "Newest turn" not in newest
    assert "Difference to the turn before" not in older
    assert "Newest turn" in older


@pytest.mark.parametrize("name", ["panel_context", "panel_selected", "panel_attempts"])
@pytest.mark.parametrize("turn", ["nobody", "00000000-0000-7000-8000-000000000000"])
async def test_a_turn_that_is_not_there_is_not_found(visitors, name, turn):
    await visitors.talk("Hello")

    assert (await visitors.alice.get(visitors.url(name), {"turn": turn})).status_code == 404


async def test_the_log_is_paged_and_searched(visitors, runtime):
    access = visitors.people.access
    for number in range(20):
        await in_pool(say, access, f"Река {number} 👋", f"A river {number}", runtime.process_id)

    newest = (await visitors.alice.get(visitors.url("panel_log"))).text
    older = (await visitors.alice.get(visitors.url("panel_log"), {"before": "11"})).text
    found = (await visitors.alice.get(visitors.url("panel_log"), {"q": "РЕКА 7"})).text

    assert "All messages, newest first." in newest
    assert 'id="seq-11"' not in older
    assert 'id="seq-10"' in older
    assert "1 message found." in found
    assert "Река 7 👋</pre>" in found


@pytest.mark.parametrize("before", ["x", "-1", "²", "9" * 19])
async def test_a_place_in_the_log_that_cannot_be_is_refused(visitors, before):
    answer = await visitors.alice.get(visitors.url("panel_log"), {"before": before})

    assert answer.status_code == 422


@pytest.mark.parametrize("panel", ["panel_summary", "panel_session"])
@pytest.mark.parametrize("seen", ["x", "-1", "²", "٣", "9" * 5_000])
async def test_a_form_that_was_opened_at_no_place_breaks_no_panel(visitors, panel, seen):
    answer = await visitors.alice.get(visitors.url(panel), {"edit": "x", "seen": seen})

    assert answer.status_code == 200


async def test_memory_is_in_the_json(visitors, runtime):
    access = visitors.people.access
    turn_id = await in_pool(say, access, "Не звони утром.", "Хорошо.", runtime.process_id)
    await in_pool(learn, access, turn_id, "rule")
    waiting = await in_pool(say, access, "And in the evening?", "Yes.", runtime.process_id)
    await visitors.alice.post(
        visitors.url("field_set"), {"key": "mood", "value": "calm", "expiry": "day"}
    )

    memory = (await visitors.alice.get(visitors.url("conversation_page_json"))).json()["memory"]

    assert [(entry["text"], entry["kind"]) for entry in memory["entries"]] == [
        ("Не звони утром.", "rule")
    ]
    assert memory["entries"][0]["sources"][0][1:] == [0, 15]
    assert [(field["key"], field["status"]) for field in memory["fields"]] == [("mood", "live")]
    assert memory["waiting"] == [str(waiting)]
    assert [(row["kind"], row["undone"]) for row in memory["operations"]] == [("setfield", False)]
    assert [row["note"] for row in memory["deltas"]] == ["no_model"]


async def test_the_summary_links_each_entry_to_its_sentence(visitors, runtime):
    access = visitors.people.access
    turn_id = await in_pool(say, access, "别用美元 👋。", "好。", runtime.process_id)
    await in_pool(learn, access, turn_id, "rule")

    page = (await visitors.alice.get(visitors.url("panel_summary"))).text

    assert f'href="#turn-{turn_id}" data-source' in page
    assert 'data-start="0" data-end="7"' in page
    assert "found by a rule" in page
    assert "Turn 1 was read by rules alone" in page


async def test_what_memory_gave_back_is_said_with_its_reason(visitors, runtime):
    nothing = (await visitors.alice.get(visitors.url("panel_selected"))).text
    await visitors.alice.post(visitors.url("memory_add"), {"kind": "rule", "words": "Be brief 👋."})
    await visitors.talk("Name one river.")

    page = (await visitors.alice.get(visitors.url("panel_selected"))).text

    assert "Nothing was asked yet." in nothing
    assert "Be brief 👋." in page
    assert "You added it." in page
