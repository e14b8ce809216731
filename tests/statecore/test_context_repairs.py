"""What a provider would refuse is repaired in the view, and each repair is visible."""

import pytest
from hypothesis import assume, given

from statecore.context.plan import ContextPlan
from statecore.messages import Message, ToolCall
from tests.statecore.builders import (
    TEMPLATE,
    answer,
    chat,
    message,
    planned,
    result,
    spec,
    specs,
    state,
    states,
    turn,
    user,
)


def wire(made) -> list[tuple[str, str]]:
    return [(m.role, m.text) for m in made.request.messages[1:-1]]


def reasons(made) -> list[tuple[str, str, tuple[str, ...]]]:
    whole = {"system_prompt", "current_input", "full_history", "within_window"}
    return [(s.decision, s.reason, s.source_ids) for s in made.segments if s.reason not in whole]


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u3000"])
def test_an_answer_that_ended_without_text_is_named_as_such(text):
    made = planned(state([turn(1, user("u1", "Name one river."), answer("a1", text))]))

    assert wire(made) == [("user", "Name one river."), ("assistant", "(no text was returned)")]
    assert reasons(made) == [("injected", "no_text_returned", ("a1",))]


def test_an_answer_that_was_stopped_before_any_text_is_named_as_such():
    made = planned(
        state([turn(1, user("u1", "Name one river."), answer("a1", "", finish="stopped"))])
    )

    assert wire(made)[1] == ("assistant", "(stopped)")
    assert reasons(made) == [("injected", "stopped_without_text", ("a1",))]


def test_a_stopped_answer_with_text_is_sent_as_it_is():
    made = planned(state([turn(1, user("u1", "Go"), answer("a1", "The Da", finish="stopped"))]))

    assert wire(made)[1] == ("assistant", "The Da")
    assert reasons(made) == []


def test_a_turn_without_an_answer_is_closed_so_that_no_two_questions_are_fused():
    made = planned(state([turn(1, user("u1", "one")), turn(2, user("u2", "two"), user("u3", "3"))]))

    assert wire(made) == [
        ("user", "one"),
        ("assistant", "(stopped)"),
        ("user", "two"),
        ("assistant", "(stopped)"),
        ("user", "3"),
        ("assistant", "(stopped)"),
    ]
    assert reasons(made) == [("injected", "answer_missing", ())] * 3


def test_an_empty_text_with_tool_calls_stays():
    turns = [
        turn(
            1,
            user("u1", "Oslo?"),
            answer("a1", "", calls=["c1"]),
            result("r1", "c1"),
            answer("a2", "Cold."),
        )
    ]

    made = planned(state(turns))

    assert wire(made) == [
        ("user", "Oslo?"),
        ("assistant", ""),
        ("tool", "4 degrees"),
        ("assistant", "Cold."),
    ]
    assert reasons(made) == []


def test_a_call_without_a_result_gets_one_that_says_cancelled():
    calls = answer("a1", "", calls=["c1", "c2"])
    made = planned(state([turn(1, user("u1", "Weather?"), calls, result("r1", "c1"))]))

    assert wire(made)[2:] == [
        ("tool", "4 degrees"),
        ("tool", "cancelled by the user"),
        ("assistant", "(stopped)"),
    ]
    assert [m.tool_call_id for m in made.request.messages[3:5]] == ["c1", "c2"]
    assert reasons(made) == [
        ("injected", "tool_result_missing", ("a1",)),
        ("injected", "answer_missing", ()),
    ]


def test_a_result_without_its_call_is_left_out():
    made = planned(state([turn(1, user("u1", "Hi"), result("r1", "c1"), answer("a1", "Hello"))]))

    assert wire(made) == [("user", "Hi"), ("assistant", "Hello")]
    assert reasons(made) == [("dropped", "tool_result_orphan", ("r1",))]


def test_a_result_that_stands_before_its_call_is_left_out():
    calls = answer("a1", "", calls=["c1"])
    made = planned(state([turn(1, user("u1", "Hi"), result("r1", "c1"), calls)]))

    assert ("dropped", "tool_result_orphan", ("r1",)) in reasons(made)
    assert ("injected", "tool_result_missing", ("a1",)) in reasons(made)


def test_of_two_results_for_one_call_the_first_counts():
    turns = [
        turn(
            1,
            user("u1", "Oslo?"),
            answer("a1", "", calls=["c1"]),
            result("r1", "c1", "4"),
            result("r2", "c1", "5"),
            answer("a2", "Cold."),
        )
    ]

    made = planned(state(turns))

    assert [text for role, text in wire(made) if role == "tool"] == ["4"]
    assert reasons(made) == [("dropped", "tool_result_duplicate", ("r2",))]


def test_a_result_that_comes_late_directly_follows_its_call():
    turns = [
        turn(
            1,
            user("u1", "Oslo?"),
            answer("a1", "", calls=["c1"]),
            answer("a2", "Wait."),
            result("r1", "c1"),
        )
    ]

    made = planned(state(turns))

    assert [role for role, _ in wire(made)] == ["user", "assistant", "tool", "assistant"]


def test_a_call_id_used_twice_keeps_each_result_with_its_own_call():
    turns = [
        turn(
            1,
            user("u1", "Oslo, then Bergen"),
            answer("a1", "", calls=["c1"]),
            result("r1", "c1", "4"),
            answer("a2", "", calls=["c1"]),
            result("r2", "c1", "5"),
            answer("a3", "Cold."),
        )
    ]

    made = planned(state(turns))

    assert [text for role, text in wire(made) if role == "tool"] == ["4", "5"]
    assert reasons(made) == []


def test_a_history_that_begins_with_a_call_begins_with_a_user_message_on_the_wire():
    first = turn(1, answer("a0", "", calls=["c1"]), answer("a1", "Welcome"), user("u1", "Hi"))

    made = planned(state([first, *chat((3, 3), first_depth=2)]))

    assert wire(made)[0] == ("user", "Hi")
    assert reasons(made)[:2] == [
        ("dropped", "before_first_user", ("a0",)),
        ("dropped", "before_first_user", ("a1",)),
    ]


def test_a_system_message_inside_the_history_is_left_out():
    made = planned(
        state([turn(1, user("u1", "Hi"), message("s9", "system", "Old."), answer("a1", "Yes"))])
    )

    assert wire(made) == [("user", "Hi"), ("assistant", "Yes")]
    assert reasons(made) == [("dropped", "system_not_leading", ("s9",))]


def test_stand_ins_are_counted_under_the_template():
    turns = [turn(1, user("u1", "Hi"), answer("a1", ""))]

    made = planned(state(turns))

    stand_in = next(s for s in made.segments if s.reason == "no_text_returned")
    assert stand_in.tokens == len(TEMPLATE.no_text) + 5


@given(states(), specs)
def test_every_request_is_one_that_strict_providers_accept(given_state, model):
    made = planned(given_state, model)
    assume(isinstance(made, ContextPlan))
    pairs = zip(made.sent, made.request.messages, strict=True)
    messages = [m for sent, m in pairs if sent.kind not in {"system", "state_block"}]

    assert messages[0].role == "user"
    assert all(m.role != "system" for m in messages)
    waiting: list[str] = []
    before = "assistant"
    for m in messages:
        if m.role == "tool":
            assert m.tool_call_id == waiting.pop(0)
        else:
            assert not waiting
        if m.role == "user":
            assert before == "assistant"
        if m.role == "assistant":
            assert m.text.strip() or m.tool_calls
        waiting.extend(c.id for c in m.tool_calls)
        before = m.role
    assert not waiting


def test_a_developer_role_is_left_to_the_adapter():
    made = planned(state(), spec(role_style="developer"))

    assert made.request.messages[0].role == "system"


def test_two_calls_with_one_id_are_answered_in_their_order():
    twice = (ToolCall("c1", "w", '{"city": "Oslo"}'), ToolCall("c1", "w", '{"city": "Bergen"}'))
    asked = Message("k1", "assistant", "", 0, tool_calls=twice)
    found = (result("r1", "c1", "4 degrees"), result("r2", "c1", "7 degrees"))

    made = planned(state([turn(1, user("u1", "Weather?"), asked, *found, answer("a1", "Cold."))]))

    assert [text for role, text in wire(made) if role == "tool"] == ["4 degrees", "7 degrees"]
    assert reasons(made) == []


def test_of_two_calls_with_one_id_the_one_without_a_result_is_named():
    twice = (ToolCall("c1", "w", "{}"), ToolCall("c1", "w", "{}"))
    asked = Message("k1", "assistant", "", 0, tool_calls=twice)

    made = planned(state([turn(1, user("u1", "?"), asked, result("r1", "c1", "4 degrees"))]))

    said = [text for role, text in wire(made) if role == "tool"]
    assert said == ["4 degrees", TEMPLATE.cancelled_tool]
