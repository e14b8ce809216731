"""Messages are counted under every tokenizer at hand after their turn was committed."""

import pytest

from chatapp.models import Message, Outbox, TokenCount
from chatapp.services.commits import turn_interrupt
from chatapp.services.conversations import conversation_delete
from chatapp.services.counting import LOCAL_TOKENIZERS, turn_count_tokens
from chatapp.wiring import count_here
from tests.support.people import accept, new_process, say

pytestmark = pytest.mark.django_db


def counts_of(turn_id):
    rows = TokenCount.objects.filter(message__turn=turn_id)
    return {(row.message.role, row.tokenizer): (row.tokens, row.quality) for row in rows}


def test_input_and_answer_are_counted_under_every_tokenizer(cast):
    texts = {"user": "Назови реку. 👋", "assistant": "伏尔加河"}
    turn_id = say(cast.access, texts["user"], texts["assistant"], new_process())

    turn_count_tokens(turn_id)

    assert counts_of(turn_id) == {
        (role, tokenizer): (count_here([text], tokenizer)[0].tokens, "exact")
        for role, text in texts.items()
        for tokenizer in LOCAL_TOKENIZERS
    }


def test_an_answer_is_counted_as_its_digest_too(cast):
    answer = "It rained. " + "The river was calm and wide and nobody came. " * 40
    turn_id = say(cast.access, "And then?", answer, new_process())

    turn_count_tokens(turn_id)

    message = Message.objects.get(turn=turn_id, role="assistant")
    for tokenizer in LOCAL_TOKENIZERS:
        found = dict(
            TokenCount.objects.filter(message=message, tokenizer=tokenizer).values_list(
                "form", "tokens"
            )
        )
        assert found.keys() == {"full", "digest"}
        assert found["digest"] < found["full"] / 2


def test_the_work_is_done_once_and_twice_is_harmless(cast):
    turn_id = say(cast.access, "Hi", "Hello.", new_process())

    turn_count_tokens(turn_id)
    first = Outbox.objects.get(kind="token_counts").done_ms
    before = counts_of(turn_id)
    turn_count_tokens(turn_id)

    assert first is not None
    assert Outbox.objects.get(kind="token_counts").done_ms == first
    assert counts_of(turn_id) == before


def test_a_deleted_conversation_is_not_opened_again(cast):
    turn_id = say(cast.access, "Hi", "Hello.", new_process())
    conversation_delete(cast.access)

    turn_count_tokens(turn_id)

    assert Outbox.objects.get(kind="token_counts").done_ms is not None
    assert not Message.objects.exclude(body=b"").exists()


def test_a_turn_that_is_gone_is_no_fault():
    turn_count_tokens(new_process())

    assert not TokenCount.objects.exists()


def test_an_interrupted_turn_has_only_its_input(cast):
    process = new_process()
    turn_id = accept(cast.access, "Hi", process).turn_id
    turn_interrupt(turn_id, owner=process)

    turn_count_tokens(turn_id)

    assert {role for role, _ in counts_of(turn_id)} == {"user"}
