"""Running sums grow by each message, in full and in the form of its digest."""

import pytest

from chatapp.models import TokenCount, Turn
from chatapp.services.stems import forms_of
from statecore.context.digest import digest_of
from statecore.messages import Message, ToolCall, counted_text
from tests.support.people import accept, new_process, say

pytestmark = pytest.mark.django_db

LONG = "It rained. " + "The river was calm and wide and nobody came. " * 40


def sums(turn_id):
    turn = Turn.objects.get(pk=turn_id)
    return turn.sum_messages, turn.sum_reference_tokens, turn.sum_digest_tokens


def counted(turn_id, form):
    rows = TokenCount.objects.filter(message__turn=turn_id, tokenizer="o200k_base", form=form)
    return sum(rows.values_list("tokens", flat=True))


def test_a_short_turn_has_the_same_sums_in_both_forms(cast):
    turn_id = say(cast.access, "Name one river.", "The Volga.", new_process())

    messages, full, digest = sums(turn_id)
    assert messages == 2
    assert full == digest == counted(turn_id, "full")
    assert counted(turn_id, "digest") == 0


def test_a_long_answer_weighs_less_as_a_digest(cast):
    first = say(cast.access, "And then?", LONG, new_process())
    second = say(cast.access, "And then?", LONG, new_process())

    question = (
        sums(first)[1]
        - TokenCount.objects.get(message__turn=first, message__role="assistant", form="full").tokens
    )
    assert sums(first)[2] == question + counted(first, "digest")
    assert sums(second) == tuple(2 * each for each in sums(first))
    assert sums(first)[2] < sums(first)[1] / 2


def test_what_a_user_says_is_never_shortened(cast):
    turn_id = accept(cast.access, LONG, new_process()).turn_id

    messages, full, digest = sums(turn_id)
    assert (messages, full) == (1, digest)


def test_tool_calls_are_counted_in_both_forms():
    call = ToolCall("1", "search", '{"query": "river"}')
    message = Message("m", "assistant", LONG, 0, (call,))

    forms = forms_of(message)

    assert forms == {
        "full": counted_text(LONG, (call,)),
        "digest": counted_text(digest_of(message), (call,)),
    }
