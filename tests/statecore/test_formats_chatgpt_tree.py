"""All branches of a conversation are read out of an export of ChatGPT."""

import pytest

from statecore.errors import InvalidInput
from statecore.formats.chatgpt_tree import message_tree
from statecore.formats.message_tree import LeftOut
from tests.statecore.export_builders import conversation, node

HIDDEN = {"metadata": {"is_visually_hidden_from_conversation": True}}


def read(*nodes, **more):
    return message_tree(conversation(*nodes, **more), "conversation 1")


def edges(found):
    return [(one.message.id, one.parent) for one in found.nodes]


def test_nodes_come_with_what_they_follow_and_siblings_as_their_parent_names_them():
    question = node("q", "root", "user", "Name one.") | {"children": ["second", "first"]}
    found = read(
        node("root", None),
        question,
        node("first", "q", "assistant", "The Don."),
        node("second", "q", "assistant", "The Rhine."),
        current_node="first",
    )
    assert edges(found) == [("q", None), ("second", "q"), ("first", "q")]
    assert (found.selected, found.title, found.created_ms) == ("first", "A talk", 1000)


def test_what_nobody_saw_is_told_and_what_follows_it_stays():
    found = read(
        node("s", None, "system", "", **HIDDEN),
        node("q", "s", "user", "Hi"),
        node("t", "q", "assistant", content={"content_type": "thoughts", "thoughts": []}),
        node("e", "t", "assistant", ""),
        node("a", "e", "assistant", "Hello."),
    )
    assert edges(found) == [("q", None), ("a", "q")]
    assert found.left_out == (
        LeftOut("hidden", "s"),
        LeftOut("hidden", "t"),
        LeftOut("empty", "e"),
    )


def test_a_selection_that_nobody_saw_is_what_came_before_it():
    found = read(node("q", None, "user", "Hi"), node("t", "q", "assistant", "x", weight=0.0))
    assert found.selected == "q"


def test_who_answered_and_which_tool_spoke_is_kept():
    found = read(
        node("q", None, "user", "Hi"),
        node("r", "q", "tool", "found", author="browser"),
        node("a", "r", "assistant", "Hm", metadata={"model_slug": "gpt-4"}),
    )
    assert [(one.tool, one.model) for one in found.nodes] == [
        (None, ""),
        ("browser", ""),
        (None, "gpt-4"),
    ]


@pytest.mark.parametrize(
    ("nodes", "more", "sentence"),
    [
        (
            [node("a", "gone", "user", "Hi")],
            {},
            "conversation 1 → mapping: the parent of 'a' is 'gone', which is not there",
        ),
        (
            [node("q", None, "user", "Hi"), node("a", "b", "user"), node("b", "a", "user")],
            {},
            "conversation 1 → mapping: the parents of 'a' lead back to it",
        ),
        (
            [node("q", None, "user", "Hi")],
            {"current_node": "gone"},
            "conversation 1 → mapping: current_node is 'gone', which is not there",
        ),
        (
            [node("q", None, "user", content={"content_type": "text", "parts": [1]})],
            {},
            "conversation 1 → mapping → q → content: part 1 should be a text or an object",
        ),
    ],
)
def test_what_is_wrong_with_a_conversation_is_named(nodes, more, sentence):
    with pytest.raises(InvalidInput) as error:
        read(*nodes, **more)
    assert str(error.value) == sentence


def test_a_conversation_as_long_as_any_is_read_without_recursion():
    nodes = [node("n0", None, "user", "Hi")]
    nodes += [node(f"n{n}", f"n{n - 1}", "assistant", "Hm") for n in range(1, 3000)]
    assert len(read(*nodes).nodes) == 3000


@pytest.mark.parametrize("current", ["last", "first"])
def test_without_a_current_node_the_newest_leaf_was_looked_at(current):
    times = {"first": 2.0, "last": 1.0} | {current: 5.0}
    found = read(
        node("q", None, "user", "Hi"),
        node("first", "q", "assistant", "A", create_time=times["first"]),
        node("last", "q", "assistant", "B", create_time=times["last"]),
        current_node=None,
    )
    assert found.selected == current


def test_a_conversation_without_nodes_has_nothing_that_was_looked_at():
    assert read(current_node=None).selected is None
