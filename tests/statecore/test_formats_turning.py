"""Messages that follow each other become turns; what cannot stand in one is told."""

import pytest

from statecore.errors import InvalidInput
from statecore.formats.message_tree import LeftOut, MessageTree, Node
from statecore.formats.turning import turned
from statecore.messages import Message, ToolCall


def node(name, parent, role, text="", *, tool=None, at=0, **more) -> Node:
    return Node(Message(name, role, text or name, at, **more), parent, tool)


def turns_of(*nodes, **more):
    """Return the turns as the ids of their messages, and what was left out."""
    found = turned(MessageTree(nodes, **more))
    said = [[message.id for message in turn.messages] for turn in found.turns]
    return said, found


def test_every_way_of_answering_is_a_turn_with_the_same_input():
    said, found = turns_of(
        node("q", None, "user"),
        node("a", "q", "assistant"),
        node("b", "q", "assistant"),
        node("q2", "a", "user"),
        node("c", "q2", "assistant"),
    )
    assert said == [["q", "a"], ["q", "b"], ["q2", "c"]]
    assert [turn.parent for turn in found.turns] == [None, None, 0]


def test_what_two_answers_have_in_common_is_in_both():
    said, _ = turns_of(
        node("q", None, "user"),
        node("a", "q", "assistant"),
        node("more", "a", "assistant"),
        node("other", "a", "assistant"),
    )
    assert said == [["q", "a", "more"], ["q", "a", "other"]]


def test_an_input_that_another_follows_was_stopped_and_one_at_the_end_waits():
    said, found = turns_of(node("q", None, "user"), node("q2", "q", "user"))
    assert said == [["q"], ["q2"]]
    assert [turn.is_committed for turn in found.turns] == [True, False]
    assert found.turns[0].finish == "stopped"


def test_an_answer_in_the_middle_of_which_a_person_went_on_is_a_turn_of_its_own():
    said, found = turns_of(
        node("q", None, "user"),
        node("a", "q", "assistant"),
        node("q2", "a", "user"),
        node("more", "a", "assistant"),
    )
    assert said == [["q", "a"], ["q", "a", "more"], ["q2"]]
    assert [turn.parent for turn in found.turns] == [None, None, 0]


def test_a_system_message_stands_first_or_is_left_out():
    said, found = turns_of(
        node("s", None, "system"),
        node("q", "s", "user"),
        node("s2", "q", "system"),
        node("a", "s2", "assistant"),
    )
    assert found.system is not None
    assert (found.system.id, said) == ("s", [["q", "a"]])
    assert found.left_out == {LeftOut("system", "s2")}


def test_what_is_said_before_the_first_user_is_left_out_and_what_follows_stays():
    said, found = turns_of(
        node("hello", None, "assistant"),
        node("q", "hello", "user"),
        node("a", "q", "assistant"),
    )
    assert said == [["q", "a"]]
    assert found.left_out == {LeftOut("before", "hello")}


CALL = {"tool_calls": (ToolCall("x", "find", "{}"),)}


def test_results_are_put_to_their_calls():
    said, found = turns_of(
        node("q", None, "user"),
        node("call", "q", "assistant", **CALL),
        node("r", "call", "tool", tool="find"),
        node("r2", "r", "tool", tool="find"),
        node("a", "r2", "assistant"),
    )
    assert said == [["q", "call", "r", "a"]]
    result = found.turns[0].messages[2]
    assert (result.tool_call_id, result.text) == ("x", "r\nr2")
    assert found.left_out == set()


def test_a_result_that_nothing_called_is_left_out():
    said, found = turns_of(
        node("q", None, "user"),
        node("r", "q", "tool"),
        node("r2", "r", "tool", tool_call_id="y"),
        node("a", "r2", "assistant"),
    )
    assert said == [["q", "a"]]
    assert found.left_out == {LeftOut("result", "r"), LeftOut("result", "r2")}


def test_a_call_without_a_result_is_left_out_of_a_turn_that_was_answered():
    nodes = (node("q", None, "user"), node("call", "q", "assistant", "So:", **CALL))
    said, found = turns_of(*nodes, node("a", "call", "assistant"))
    assert said == [["q", "call", "a"]]
    assert found.turns[0].messages[1].tool_calls == ()
    assert found.left_out == {LeftOut("call", "call")}
    said, found = turns_of(*nodes)
    assert (found.turns[0].finish, found.left_out) == ("stopped", set())
    assert found.turns[0].messages[1].tool_calls == CALL["tool_calls"]


def test_how_an_answer_ended_and_times_that_never_go_back_are_kept():
    _, found = turns_of(
        node("q", None, "user", at=9), node("a", "q", "assistant", at=5, finish="length")
    )
    assert found.turns[0].finish == "length"
    assert [message.created_ms for message in found.turns[0].messages] == [9, 9]


def test_what_no_user_said_is_no_conversation():
    with pytest.raises(InvalidInput, match="holds no message of a user"):
        turns_of(node("a", None, "assistant"))


def test_turns_that_repeat_too_much_are_refused(monkeypatch):
    monkeypatch.setattr("statecore.formats.turning.MAX_MESSAGES", 3)
    answers = [node(name, "q", "assistant") for name in "ab"]
    with pytest.raises(InvalidInput, match="more than 3 messages"):
        turns_of(node("q", None, "user"), *answers)
