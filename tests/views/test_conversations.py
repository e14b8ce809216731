"""The pages of conversations: made, listed, shown, renamed, deleted, asked of another model."""

import pytest
from django.urls import reverse

from chatapp.models import Conversation, Message, Turn
from chatapp.runtime.pool import in_pool
from chatapp.services.conversations import conversation_create
from chatapp.store.verification import verify_conversation
from tests.support.lengthen import lengthen
from tests.support.people import accept, say
from tests.support.queries import pool_queries
from tests.support.scripted_provider import replies
from tests.support.visitors import ended

__all__ = ["pool_queries"]

PANELS = (
    "heads",
    "panel_context",
    "panel_summary",
    "panel_session",
    "panel_selected",
    "panel_attempts",
    "panel_log",
)
HOSTILE = '"><img src=x onerror=alert(1)>'


@pytest.fixture
def broadcasts(monkeypatch):
    """What was told to those who look at a conversation."""
    told = []

    async def conversation_changed(conversation_id, what):
        told.append((conversation_id, what))

    monkeypatch.setattr("chatapp.broadcast.conversation_changed", conversation_changed)
    return told


async def fresh(conversation_id):
    return await in_pool(Conversation.objects.get, pk=conversation_id)


def title_on(page):
    return page.text.split('<h1 id="title" dir="auto">')[1].split("</h1>")[0]


async def test_home_leads_to_the_conversation_written_in_last(visitors):
    older = visitors.conversation_id
    newer = await in_pool(conversation_create, visitors.people.owner, model_name="")

    first = await visitors.alice.get("/")
    await visitors.ask("Hi")
    second = await visitors.alice.get("/")

    assert first.url == reverse("conversation", kwargs={"conversation_id": newer.id})
    assert second.url == reverse("conversation", kwargs={"conversation_id": older})


async def test_home_invites_who_has_no_conversation(visitors):
    page = await visitors.mallory.get("/")

    assert page.status_code == 200
    assert "Start a conversation" in page.text


async def test_a_new_conversation_is_empty_and_one_s_own(visitors):
    answer = await visitors.mallory.post(reverse("conversation_create"))

    page = await visitors.mallory.get(answer.url)
    hidden = await visitors.alice.get(answer.url)
    assert (page.status_code, hidden.status_code) == (200, 404)
    assert "<article" not in page.text


async def test_a_new_conversation_takes_a_model_of_the_registry(visitors):
    answer = await visitors.alice.post(reverse("conversation_create"), {"model": "second"})

    made = await fresh(answer.url.strip("/").split("/")[-1])
    assert made.model_name == "second"


@pytest.mark.parametrize("name", ["nobody", "m" * 300, "a\0b"])
async def test_a_new_conversation_takes_no_other_model(visitors, name):
    answer = await visitors.alice.post(reverse("conversation_create"), {"model": name})

    assert answer.status_code == 422
    assert await in_pool(Conversation.objects.count) == 1


async def test_the_page_shows_the_turns_and_the_fields_to_write_the_next(visitors, provider):
    provider.enqueue(replies.answer("The **Volga**."))
    turn_id = (await visitors.talk("Name one river.")).id

    page = await visitors.alice.get(visitors.url("conversation"))

    fields = await visitors.draft("next")
    assert f'id="turn-{turn_id}"' in page.text
    assert "Name one river." in page.text
    assert "<strong>Volga</strong>" in page.text
    assert f'name="version" value="{fields["version"]}"' in page.text
    assert f'name="branch" value="{fields["branch"]}"' in page.text


async def test_the_page_is_not_kept_by_anybody_else(visitors):
    page = await visitors.alice.get(visitors.url("conversation"))

    assert "Cookie" in page.headers["Vary"]
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert page.headers["X-Frame-Options"] == "DENY"
    assert "<script>" not in page.text
    assert " onclick=" not in page.text
    assert " style=" not in page.text


async def test_a_long_conversation_costs_as_many_queries_as_a_short_one(
    visitors, runtime, pool_queries
):
    counts = {}
    # The first post of all stores what the model and the template are.
    await visitors.post(await visitors.draft("A river?"))
    for turn_id in list(runtime.jobs):
        await ended(turn_id)
    for length in (10, 200):
        await in_pool(lengthen, visitors.people.access, length)
        newest = await in_pool(Turn.objects.order_by("-depth").first)
        addresses = {
            "page": visitors.url("conversation"),
            **{name: visitors.url(name) for name in PANELS},
            "state": visitors.url("conversation_page_json"),
            "older": f"{visitors.url('turns')}?before={newest.id}",
            "list": reverse("conversation_list"),
        }
        counts[length] = {}
        for name, address in addresses.items():
            pool_queries.clear()
            assert (await visitors.alice.get(address)).status_code == 200
            counts[length][name] = len(pool_queries)
        fields = await visitors.draft("One more?")
        pool_queries.clear()
        answer = await visitors.post(fields)
        counts[length]["post"] = len(pool_queries)
        assert answer.status_code == 200
        for turn_id in list(runtime.jobs):
            await ended(turn_id)

    assert counts[200] == counts[10]


async def test_the_list_shows_conversations_by_recency(visitors):
    second = await in_pool(conversation_create, visitors.people.owner, model_name="")

    before = await visitors.alice.get(reverse("conversation_list"))
    await visitors.talk("Plan a trip to Kazan")
    after = await visitors.alice.get(
        reverse("conversation_list"), {"current": str(visitors.conversation_id)}
    )

    def order(answer):
        return [answer.text.index(str(each)) for each in (visitors.conversation_id, second.id)]

    assert order(before) == sorted(order(before), reverse=True)
    assert order(after) == sorted(order(after))
    assert "Plan a trip to Kazan" in after.text
    assert after.text.count('aria-current="page"') == 1


async def test_the_list_holds_nothing_of_others(visitors):
    await visitors.talk("Plan a trip to Kazan")

    answer = await visitors.mallory.get(reverse("conversation_list"))

    assert "Kazan" not in answer.text
    assert str(visitors.conversation_id) not in answer.text


async def test_the_list_tells_where_an_answer_is_being_written(visitors, provider):
    provider.enqueue(replies.held("", "done"))
    turn_id = await visitors.ask("Hi")

    during = await visitors.alice.get(reverse("conversation_list"))
    provider.release()
    await ended(turn_id)
    after = await visitors.alice.get(reverse("conversation_list"))

    assert "An answer is being written" in during.text
    assert "An answer is being written" not in after.text


@pytest.mark.parametrize("field", ["before", "current"])
async def test_the_list_refuses_what_is_no_conversation(visitors, field):
    answer = await visitors.alice.get(reverse("conversation_list"), {field: "newest"})

    assert answer.status_code == 422
    assert "There is nothing before this." in answer.text


async def test_a_rename_is_kept_told_and_not_undone_by_the_next_message(visitors, broadcasts):
    answer = await visitors.alice.post(
        visitors.url("conversation_rename"), {"title": "  Rivers of Russia "}
    )
    await visitors.talk("Name one river.")

    page = await visitors.alice.get(visitors.url("conversation"))
    assert answer.status_code == 204
    assert title_on(page) == "Rivers of Russia"
    assert broadcasts == [(visitors.conversation_id, "header")]
    row = await fresh(visitors.conversation_id)
    assert b"Rivers" not in bytes(row.title)


async def test_a_bad_title_is_refused_and_the_old_one_stays(visitors, broadcasts):
    url = visitors.url("conversation_rename")
    await visitors.alice.post(url, {"title": "Rivers"})

    answers = {
        title: await visitors.alice.post(url, {"title": title})
        for title in ("", "   ", "t" * 201, "a\0b")
    }

    assert {answer.status_code for answer in answers.values()} == {422}
    assert "A title needs at least one character." in answers[""].text
    assert "at most 200 characters" in answers["t" * 201].text
    assert title_on(await visitors.alice.get(visitors.url("conversation"))) == "Rivers"
    assert len(broadcasts) == 1


async def test_a_hostile_title_is_shown_as_text(visitors):
    await visitors.alice.post(visitors.url("conversation_rename"), {"title": HOSTILE})

    page = await visitors.alice.get(visitors.url("conversation"))
    listed = await visitors.alice.get(reverse("conversation_list"))

    assert "<img" not in page.text + listed.text
    assert title_on(page) == "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"


async def test_a_deleted_conversation_is_erased_gone_from_the_list_and_told(
    visitors, broadcasts, provider
):
    await visitors.talk("Plan a trip to Kazan")

    answer = await visitors.alice.post(visitors.url("conversation_delete"))

    listed = await visitors.alice.get(reverse("conversation_list"))
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, "/")
    assert broadcasts == [(visitors.conversation_id, "gone")]
    assert str(visitors.conversation_id) not in listed.text
    assert not await in_pool(Message.objects.exclude(body=b"").exists)
    keys = visitors.people.owner.keys
    found = await in_pool(verify_conversation, visitors.conversation_id, keys)
    assert {finding.kind for finding in found.findings} == {"erased"}


async def test_deleting_twice_at_once_is_deleting_once(visitors):
    url = visitors.url("conversation_delete")

    first = await visitors.alice.post(url)
    again = await visitors.alice.post(url)

    assert [first.status_code, again.status_code] == [204, 404]


async def test_a_conversation_can_be_deleted_while_an_answer_is_written(visitors, provider):
    provider.enqueue(replies.held("half of ", "a secret"))
    turn_id = await visitors.ask("Hi")

    answer = await visitors.alice.post(visitors.url("conversation_delete"))
    provider.release()
    await ended(turn_id)

    assert answer.status_code == 204
    turn = await in_pool(Turn.objects.get, pk=turn_id)
    assert (turn.status, turn.owner_id) == ("interrupted", None)
    assert not await in_pool(Message.objects.exclude(body=b"").exists)


async def test_the_chosen_model_answers_the_turns_to_come(visitors, provider, broadcasts):
    await visitors.talk("one")
    answer = await visitors.alice.post(visitors.url("conversation_model"), {"model": "second"})
    await visitors.talk("two")

    assert answer.status_code == 204
    assert broadcasts == [(visitors.conversation_id, "header")]
    assert [chat.body["model"] for chat in provider.chats] == ["scripted", "second"]
    assert [m["content"] for m in provider.chats[-1].body["messages"]][1:] == [
        "one",
        "You said: one",
        "two",
    ]


@pytest.mark.parametrize("name", ["", "nobody", "m" * 300])
async def test_a_model_that_is_not_there_cannot_be_chosen(visitors, broadcasts, name):
    answer = await visitors.alice.post(visitors.url("conversation_model"), {"model": name})

    assert answer.status_code == 422
    assert answer.text.count("<p ") == 1
    assert (await fresh(visitors.conversation_id)).model_name == "scripted"
    assert broadcasts == []


async def test_a_model_can_be_chosen_while_an_answer_is_written(visitors, provider, runtime):
    provider.enqueue(replies.held("The Vol", "ga."))
    turn_id = await visitors.ask("Name one river.")

    answer = await visitors.alice.post(visitors.url("conversation_model"), {"model": "second"})
    provider.release()
    await ended(turn_id)

    assert answer.status_code == 204
    assert (await visitors.row(turn_id)).answer_text == "The Volga."


async def test_a_running_turn_is_on_the_page_with_its_stop_button(visitors, runtime):
    turn_id = (await in_pool(accept, visitors.people.access, "Hi", runtime.process_id)).turn_id

    page = await visitors.alice.get(visitors.url("conversation"))

    assert f'id="live-{turn_id}"' in page.text
    assert visitors.url("turn_stop", turn_id=turn_id) in page.text


async def test_an_answered_turn_can_be_copied(visitors, runtime):
    await in_pool(say, visitors.people.access, "Hi", "**Hello**", runtime.process_id)

    page = await visitors.alice.get(visitors.url("conversation"))

    assert "<div hidden data-source>**Hello**</div>" in page.text
