"""What a person deleted is in no later request; the messages themselves stay whole."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecore.context.manifest import blocks_of, request_of
from statecore.memory.ledger import Span
from statecore.memory.tombstones import Removed
from statecore.messages import ToolCall
from statecore.requests import canonical_bytes
from tests.statecore.builders import (
    TEMPLATE,
    answer,
    entry,
    planned,
    remembered,
    removed,
    result,
    state,
    turn,
    user,
)

GONE = TEMPLATE.removed


def sent(turns, *deletions, entries=(), text="now"):
    memory = remembered(*entries, removed=deletions)
    made = planned(state(turns, memory=memory, text=text))
    return [message.text for message in made.request.messages[1:]]


@pytest.mark.parametrize(
    ("before", "sentence", "after"),
    [
        ("Hi. ", "My flat is 4417 B.", " Thanks."),
        ("Привет. ", "Моя квартира — 4417.", " Спасибо."),
        ("你好。", "我的房号是4417。", "谢谢。"),
    ],
)
def test_the_sentence_is_replaced_and_the_rest_of_its_message_stays(before, sentence, after):
    turns = [turn(1, user("u1", before + sentence + after), answer("a1", "Fine."))]

    texts = sent(turns, removed("u1", sentence, start=len(before)))

    assert texts == [before + GONE + after, "Fine.", "now"]


@pytest.mark.parametrize(
    ("sentence", "echo", "left"),
    [
        ("The order is QX-4417.", "So qx-4417 it is.", f"So {GONE} it is."),
        ("Мой заказ QX-4417.", "Заказ QX-4417принят.", f"Заказ {GONE}принят."),
        ("订单是QX-4417。", "好的，QX-4417号。", f"好的，{GONE}号。"),
        ("Call 4 417 for me.", "I call 4417.", f"I call {GONE}."),
        ("The code is KZN-48371.", "Kzn 48371 or KZN48371.", f"{GONE} or {GONE}."),
        ("订单号是ZX90817。", "好的，ZX-90817号。", f"好的，{GONE}号。"),
        ("My seat is A1.", "It is a 1-hour walk.", "It is a 1-hour walk."),
        ("Позвони на +7 912 345-67-89.", "8 (912) 345-67-89 записал.", f"{GONE} записал."),
        ("Call +86 13812345678.", "I call 138-1234-5678.", f"I call {GONE}."),
        ("Write to ann@example.org.", "To Ann@example.org?", f"To {GONE}?"),
    ],
)
def test_its_exact_values_are_replaced_in_what_the_assistant_says_after_it(sentence, echo, left):
    turns = [turn(1, user("u1", sentence), answer("a1", echo))]

    assert sent(turns, removed("u1", sentence)) == [GONE, left, "now"]


def test_a_sentence_that_the_assistant_repeats_is_replaced_there():
    turns = [turn(1, user("u1", "My boss is a bore."), answer("a1", "So, my boss is a bore?"))]

    assert sent(turns, removed("u1", "My boss is a bore."))[1] == f"So, {GONE}?"


def test_a_value_inside_a_longer_one_is_another_value():
    turns = [turn(1, user("u1", "It is 4417."), answer("a1", "44170, A4417 or 14417."))]

    assert sent(turns, removed("u1", "It is 4417."))[1] == "44170, A4417 or 14417."


def test_tools_are_not_asked_with_it_and_their_results_do_not_tell_it():
    calls = (
        ToolCall("c1", "find", '{"order": "QX-4417", "count": 2, "all": [true, "QX-4417"]}'),
        ToolCall("c2", "find", "QX-4417 is no JSON"),
    )
    asks = replace(answer("a1", ""), tool_calls=calls)
    results = [result("r1", "c1", "QX-4417: sent"), result("r2", "c2", "none")]
    memory = remembered(removed=(removed("u1", "It is QX-4417."),))
    turns = [turn(1, user("u1", "It is QX-4417."), asks, *results, answer("a2", "Sent."))]

    made = planned(state(turns, memory=memory))

    first, second = made.request.messages[2].tool_calls
    assert json.loads(first.arguments) == {"order": GONE, "count": 2, "all": [True, GONE]}
    assert second.arguments == f"{GONE} is no JSON"
    assert [m.text for m in made.request.messages if m.role == "tool"] == [f"{GONE}: sent", "none"]


def test_a_number_in_the_arguments_of_a_tool_leaves_json_behind():
    asks = replace(answer("a1", ""), tool_calls=(ToolCall("c1", "find", '{"order": 4417}'),))
    memory = remembered(removed=(removed("u1", "It is 4417."),))

    made = planned(state([turn(1, user("u1", "It is 4417."), asks)], memory=memory))

    assert json.loads(made.request.messages[2].tool_calls[0].arguments) == {"order": GONE}


def test_what_was_said_before_it_stays():
    turns = [
        turn(1, user("u1", "Name a code."), answer("a1", "QX-4417, say.")),
        turn(2, user("u2", "Mine is QX-4417."), answer("a2", "QX-4417, then.")),
    ]

    texts = sent(turns, removed("u2", "Mine is QX-4417."))

    assert texts[1:4] == ["QX-4417, say.", GONE, f"{GONE}, then."]


def test_a_message_that_is_not_on_offer_any_more_was_said_before_all_others():
    turns = [turn(9, user("u9", "And?"), answer("a9", "QX-4417 it is."))]

    assert sent(turns, removed("u1", "Mine is QX-4417."))[1] == f"{GONE} it is."


def test_the_same_words_in_a_newer_message_stay():
    turns = [
        turn(1, user("u1", "Mine is QX-4417."), answer("a1", "Yes.")),
        turn(2, user("u2", "Mine is QX-4417."), answer("a2", "Yes.")),
    ]

    assert sent(turns, removed("u1", "Mine is QX-4417."))[2] == "Mine is QX-4417."


def test_a_value_that_another_entry_holds_stays():
    turns = [turn(1, user("u1", "Mine is QX-4417."), answer("a1", "QX-4417, then."))]
    other = entry("Send QX-4417 to Ann.", "task")

    assert sent(turns, removed("u1", "Mine is QX-4417."), entries=[other])[1] == "QX-4417, then."


def test_the_current_input_is_never_masked():
    assert sent([], removed("input", "QX-4417"), text="QX-4417") == ["QX-4417"]


def test_an_edited_entry_takes_the_words_with_it_that_were_said():
    turns = [turn(1, user("u1", "It is QX-4417."), answer("a1", "QX-4417 or RZ-1190."))]
    span = Span("u1", 0, len("It is QX-4417."))
    deletion = Removed(9, (span,), "It is RZ-1190.", ("It is QX-4417.",))

    assert sent(turns, deletion)[1] == f"{GONE} or {GONE}."


def test_a_masked_message_says_so_and_is_counted_as_it_is_sent():
    said = "It is QX-4417. Thanks."
    turns = [turn(1, user("u1", said), answer("a1", "Fine."))]
    memory = remembered(removed=(removed("u1", "It is QX-4417."),))

    made = planned(state(turns, memory=memory))

    segment = made.segments[1]
    assert (segment.decision, segment.reason, segment.source_ids) == ("kept", "masked", ("u1",))
    assert segment.tokens == len(f"{GONE} Thanks.") + 5
    assert made.sent[1].message_id is None
    messages = {"a1": turns[0].messages[1], "input": user("input", "now")}
    back = request_of(blocks_of(made), messages, "small", 100)
    assert canonical_bytes(back) == canonical_bytes(made.request)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12)), min_size=1, max_size=6))
def test_whatever_is_deleted_overlapping_or_not_nothing_of_it_is_left(stretches):
    text = "".join(chr(0x4E00 + number) for number in range(40))
    deletions = [
        Removed(seq, (Span("u1", start, start + length),), "")
        for seq, (start, length) in enumerate(stretches)
    ]

    shown = sent([turn(1, user("u1", text), answer("a1", "Fine."))], *deletions)[0]

    gone = {i for start, length in stretches for i in range(start, min(start + length, 40))}
    assert shown.replace(GONE, "") == "".join(c for i, c in enumerate(text) if i not in gone)
