"""What a plan is computed from is what was said on the path, read in few queries."""

from dataclasses import replace
from uuid import UUID

import pytest

from chatapp.keyring import keys_of
from chatapp.models import Conversation, Message, Turn
from chatapp.services.commits import turn_interrupt
from chatapp.services.memory import memory_delete
from chatapp.store import turns
from chatapp.store.contexts import read_context
from chatapp.wiring import chat_template
from statecore.tokens import Count, CountKey
from tests.support.people import MODEL, accept, new_process, prepare, say
from tests.support.remembering import learn

pytestmark = pytest.mark.django_db


def context_of(turn_id, process, tokenizer="o200k_base", window_tokens=4_000):
    model = replace(MODEL, tokenizer=tokenizer, window_tokens=window_tokens)
    return read_context(turn_id, process, model=model, keys_of=keys_of)


def texts(context):
    return [[message.text for message in turn.messages] for turn in context.state.turns]


def test_the_state_is_system_path_and_input(cast):
    process = new_process()
    first = say(cast.access, "one", "two", process)
    second = say(cast.access, "three", "four", process)
    turn_id = accept(cast.access, "five", process).turn_id

    context = context_of(turn_id, process)

    state = context.state
    assert state.system.text == chat_template().system
    assert [(turn.id, turn.depth) for turn in state.turns] == [(str(first), 1), (str(second), 2)]
    assert texts(context) == [["one", "two"], ["three", "four"]]
    assert state.input.text == "five"
    assert (state.earlier_turns, state.earlier_tokens) == (0, 0)
    assert (context.parent_id, context.attempts) == (second, 0)
    assert context.conversation_id == cast.access.conversation.id


def test_the_first_turn_has_no_history(cast):
    process = new_process()
    turn_id = accept(cast.access, "one", process).turn_id

    context = context_of(turn_id, process)

    assert (context.state.turns, context.parent_id, context.previous) == ((), None, None)


def test_stored_counts_come_with_the_messages(cast):
    process = new_process()
    say(cast.access, "one", "two", process)
    turn_id = accept(cast.access, "three", process).turn_id

    found = context_of(turn_id, process)
    none = context_of(turn_id, process, tokenizer="server:elsewhere")

    message = Message.objects.get(turn_id=turn_id)
    assert found.counts[CountKey(str(message.id), "o200k_base")] == Count(1, "exact")
    assert len(found.counts) == Message.objects.count() == 4
    assert none.counts == {}


def test_a_count_of_another_form_is_not_taken_for_the_full_one(cast):
    process = new_process()
    turn_id = accept(cast.access, "one", process).turn_id
    message_id = Turn.objects.get(pk=turn_id).input_message_id
    message = Message.objects.get(pk=message_id)
    message.token_counts.create(tokenizer="cl100k_base", form="digest", tokens=9, quality="exact")

    assert context_of(turn_id, process, tokenizer="cl100k_base").counts == {}


@pytest.mark.parametrize("tokenizer", ["o200k_base", "cl100k_base"])
def test_what_no_window_can_hold_is_told_as_sums(cast, tokenizer):
    process = new_process()
    for number in range(24):
        say(cast.access, f"one {number} " * 40, "yes", process)
    turn_id = accept(cast.access, "four", process).turn_id

    state = context_of(turn_id, process, tokenizer, window_tokens=600).state

    earlier = state.earlier_turns
    assert len(state.turns) + earlier == 24
    assert earlier > 0
    before = Turn.objects.get(depth=earlier)
    newest = Turn.objects.get(depth=24)
    assert state.earlier_tokens == before.sum_reference_tokens
    assert state.turns_reference_tokens == newest.sum_reference_tokens - state.earlier_tokens
    assert state.earlier_messages == before.sum_messages == 2 * earlier
    assert state.earlier_quality == ("exact" if tokenizer == "o200k_base" else "estimated")


def test_what_the_plan_before_chose_comes_along(cast):
    process = new_process()
    say(cast.access, "one", "two", process)
    turn_id = accept(cast.access, "three", process).turn_id

    previous = context_of(turn_id, process).previous

    assert (previous.window_tokens, previous.tokenizer) == (4_000, "o200k_base")
    assert previous.template_hash == chat_template().hash


def test_the_attempts_so_far_are_counted(cast):
    process = new_process()
    turn_id = accept(cast.access, "one", process).turn_id
    prepare(turn_id, process)
    prepare(turn_id, process)

    assert context_of(turn_id, process).attempts == 2


def test_a_newer_system_prompt_holds_from_its_seq_on(cast):
    process = new_process()
    conversation = cast.access.conversation
    turn_id = accept(cast.access, "one", process).turn_id
    seq = Turn.objects.get(pk=turn_id).accepted_seq
    system = Message.objects.get(role="system")
    text = context_of(turn_id, process).state.system

    for newer, late in ((str(UUID(int=1)), seq), (str(UUID(int=2)), seq + 1)):
        message = type(text)(newer, "system", f"prompt of {late}", 1)
        turns.insert_messages(
            [message],
            keys=cast.owner.keys,
            conversation_id=conversation.id,
            turn_id=None,
            seq=late,
            first_position=0,
        )

    assert system.seq < seq
    assert context_of(turn_id, process).state.system.text == f"prompt of {seq}"


@pytest.mark.parametrize("how", ["another", "ended", "unknown"])
def test_a_turn_that_is_not_the_process_s_has_no_context(cast, how):
    process = new_process()
    turn_id = accept(cast.access, "one", process).turn_id
    owner = new_process() if how == "another" else process
    if how == "ended":
        turn_interrupt(turn_id, owner=process)
    if how == "unknown":
        turn_id = process

    assert context_of(turn_id, owner) is None


def test_it_costs_five_queries_and_three_at_the_root(cast, django_assert_num_queries):
    process = new_process()
    root = accept(cast.access, "one", process).turn_id
    with django_assert_num_queries(3):
        context_of(root, process)
    turn_interrupt(root, owner=process)
    say(cast.access, "one", "two", process)
    turn_id = accept(cast.access, "three", process).turn_id

    with django_assert_num_queries(5):
        context_of(turn_id, process)


def test_what_is_remembered_comes_along_as_of_now(cast):
    process = new_process()
    first = say(cast.access, "Never call me.", "Fine.", process)
    learn(cast.access, first, "rule")
    second = say(cast.access, "two", "three", process)
    turn_id = accept(cast.access, "four", process).turn_id
    (entry,) = context_of(turn_id, process).state.memory.entries
    memory_delete(cast.access, entry.id)

    context = context_of(turn_id, process)

    assert [turn.is_learned for turn in context.state.turns] == [True, False]
    assert [found.status for found in context.state.memory.entries] == ["deleted"]
    assert context.as_of_seq == Conversation.objects.get().last_seq
    assert context.as_of_seq > Turn.objects.get(pk=turn_id).accepted_seq
    branch_ms = dict(Turn.objects.values_list("id", "branch_ms"))
    assert context.state.branch_now_ms == branch_ms[turn_id]
    assert context.state.last_turn_ms == branch_ms[second]
