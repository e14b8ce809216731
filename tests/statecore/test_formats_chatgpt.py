"""The path of a conversation is read out of an export of ChatGPT."""

import pytest

from statecore.errors import InvalidInput
from statecore.formats.chatgpt import is_export, transcript_of
from statecore.messages import ToolCall
from tests.statecore.export_builders import chat, conversation, node

HIDDEN = {"metadata": {"is_visually_hidden_from_conversation": True}}


def said(*nodes, **more) -> list[tuple[str, str]]:
    found = transcript_of([conversation(node("root", None), *nodes, **more)])
    return [(message.role, message.text) for message in found.messages]


def test_an_export_is_known_by_its_trees():
    assert is_export([chat("Hi")])
    assert is_export(chat("Hi"))
    assert not is_export([])
    assert not is_export([{"role": "user"}])
    assert not is_export("mapping")


def test_the_path_to_the_current_node_is_followed():
    nodes = [
        node("q", "root", "user", "Name one."),
        node("other", "q", "assistant", "The Don."),
        node("deeper", "other", "user", "Why?"),
        node("a", "q", "assistant", "The Rhine."),
    ]

    assert said(*nodes) == [("user", "Name one."), ("assistant", "The Rhine.")]
    assert said(*nodes, current_node="deeper") == [
        ("user", "Name one."),
        ("assistant", "The Don."),
        ("user", "Why?"),
    ]


def test_what_nobody_saw_is_left_out():
    assert said(
        node("s", "root", "system", "", **HIDDEN),
        node("profile", "s", "user", "I am a nurse.", **HIDDEN),
        node("s2", "profile", "system", "Be brief."),
        node("q", "s2", "user", "Hi"),
        node("draft", "q", "assistant", "Hel", weight=0.0),
        node("t", "draft", "assistant", content={"content_type": "thoughts", "thoughts": []}),
        node("empty", "t", "assistant", ""),
        node("a", "empty", "assistant", "Hello."),
    ) == [("system", "Be brief."), ("user", "Hi"), ("assistant", "Hello.")]


def test_what_a_tool_was_told_and_said_is_a_call_with_one_result():
    code = {"content_type": "code", "language": "python", "text": "print(2 + 2)"}
    asking = conversation(
        node("q", None, "user", "2 + 2?"),
        node("call", "q", "assistant", content=code, recipient="python"),
        node(
            "r1",
            "call",
            "tool",
            content={"content_type": "execution_output", "text": "4"},
            author="python",
        ),
        node("r2", "r1", "tool", "A plot.", author="python"),
        node("a", "r2", "assistant", "Four."),
    )

    _, call, result, answer = transcript_of([asking]).messages

    assert call.tool_calls == (ToolCall("call", "python", '{"input": "print(2 + 2)"}'),)
    assert call.text == ""
    assert (result.role, result.tool_call_id, result.text) == ("tool", "call", "4\nA plot.")
    assert answer.text == "Four."


def test_a_result_belongs_to_the_call_of_its_tool():
    asking = conversation(
        node("q", None, "user", "Search and draw."),
        node("c1", "q", "assistant", '{"query": "cats"}', recipient="browser"),
        node("c2", "c1", "assistant", '{"prompt": "cat"}', recipient="dalle.text2im"),
        node("r1", "c2", "tool", "found", author="browser"),
        node("q2", "r1", "user", "And now?"),
        node("r2", "q2", "tool", "stray", author="browser"),
    )

    _, first, _, result, _, stray = transcript_of([asking]).messages

    assert first.tool_calls[0].arguments == '{"query": "cats"}'
    assert result.tool_call_id == "c1"
    assert stray.tool_call_id is None


def test_what_is_no_text_leaves_a_sentence():
    parts = ["Look:", {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}]
    multimodal = {"content_type": "multimodal_text", "parts": parts}
    quote = {"content_type": "tether_quote", "title": "T", "text": "Quoted."}
    strange = {"content_type": "dream"}

    assert said(
        node("a", "root", "user", content=multimodal),
        node("b", "a", "assistant", content=quote),
        node("c", "b", "assistant", content=strange),
    ) == [
        ("user", "Look:\n[An image stands here that was not read.]"),
        ("assistant", "Quoted."),
        ("assistant", "[A part of type 'dream' stands here that was not read.]"),
    ]


def test_times_are_kept_and_never_go_back():
    found = transcript_of(
        conversation(
            node("a", None, "user", "1", create_time=1697373097.9001),
            node("b", "a", "assistant", "2", create_time=None),
            node("c", "b", "user", "3", create_time=1697373000.0),
            node("d", "c", "user", "4", create_time=1697373100),
        )
    )

    assert [message.created_ms for message in found.messages] == [
        1697373097900,
        1697373097900,
        1697373097900,
        1697373100000,
    ]


@pytest.mark.parametrize(
    ("details", "finish"),
    [
        ({"type": "stop"}, "complete"),
        ({"type": "interrupted"}, "stopped"),
        ({"type": "max_tokens"}, "length"),
        (None, "complete"),
    ],
)
def test_how_an_answer_ended_is_kept(details, finish):
    answer = node("a", "q", "assistant", "Hm", metadata={"finish_details": details})

    found = transcript_of(conversation(node("q", None, "user", "Hi"), answer))

    assert found.messages[-1].finish == finish


EXPORT = [
    chat("first", update_time=5.0, id="x1", conversation_id="x1", title="One"),
    chat("second", update_time=9.0, id="x2", conversation_id="x2", title="Two"),
    chat("third", update_time=None, create_time=7.0, id="x3", conversation_id="x3", title="Three"),
]


@pytest.mark.parametrize(
    ("wanted", "text"),
    [(None, "second"), ("1", "first"), ("3", "third"), ("x2", "second"), ("x3", "third")],
)
def test_one_conversation_is_chosen(wanted, text):
    found = transcript_of(EXPORT, wanted)

    assert found.messages[0].text == text
    assert found.place.endswith(" of 3")


@pytest.mark.parametrize("wanted", ["0", "4", "x9", "²", ""])
def test_a_conversation_that_is_not_there_is_named(wanted):
    with pytest.raises(InvalidInput) as raised:
        transcript_of(EXPORT, wanted)

    assert str(raised.value) == (
        f"there is no conversation {wanted!r}: the file has 3, numbered from 1"
    )


def test_the_first_is_taken_where_no_times_are():
    talks = [
        chat("a", update_time=None, create_time=None),
        chat("b", update_time="x", create_time=None),
    ]

    assert transcript_of(talks).messages[0].text == "a"


ROOT = node("root", None)


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        (
            conversation(node("a", "gone", "user", "Hi")),
            "conversation 1 → mapping: the parent of 'a' is 'gone', which is not there",
        ),
        (
            conversation(node("a", None, "user", "Hi"), current_node="z"),
            "conversation 1 → mapping: current_node is 'z', which is not there",
        ),
        (
            conversation(node("a", "b"), node("b", "a")),
            "conversation 1 → mapping: the parents of 'b' lead back to it",
        ),
        (conversation(node("a", "a")), "conversation 1 → mapping: the parents of 'a' lead back"),
        (
            conversation(ROOT, current_node=5),
            "conversation 1 → current_node: input should be a valid string",
        ),
        (
            {"mapping": {"a": {"parent": "b"}, "b": {"parent": "a"}}, "current_node": "a"},
            "conversation 1 → mapping: the parents of 'a' lead back to it",
        ),
        (
            {"mapping": [], "current_node": "x"},
            "conversation 1 → mapping: input should be a valid dictionary",
        ),
        (
            conversation(node("a", None, "critic", "Hi")),
            "conversation 1 → mapping → a → message → author → role: input should be",
        ),
        (
            conversation(node("a", None, "user", "Hi", create_time="noon")),
            "conversation 1 → mapping → a → message → create_time: input should be a valid number",
        ),
        (
            conversation(node("a", None, "user", "Hi", create_time=float("nan"))),
            "conversation 1 → mapping → a → message → create_time: input should be",
        ),
        (
            conversation(node("a", None, "user", content={"parts": [5]})),
            "conversation 1 → mapping → a → content: part 1 should be a text or an object",
        ),
    ],
)
def test_a_broken_tree_is_named_by_its_place(broken, sentence):
    with pytest.raises(InvalidInput) as raised:
        transcript_of([broken])

    assert str(raised.value).startswith(sentence)


def test_other_conversations_may_be_broken():
    assert transcript_of(["nonsense", chat("fine")], "2").messages[0].text == "fine"


def test_a_path_of_thousands_of_nodes_is_read():
    found = transcript_of([chat(*(f"text {number}" for number in range(5_000)))])

    assert len(found.messages) == 5_000
    assert found.messages[-1].text == "text 4999"


BRANCHED = (
    node("root", None),
    node("q", "root", "user", "Hi", create_time=1.0),
    node("newer", "q", "assistant", "Newer", create_time=3.0),
    node("older", "q", "assistant", "Older", create_time=2.0),
)


@pytest.mark.parametrize("current", [{}, {"current_node": None}])
def test_without_a_current_node_the_newest_leaf_counts(current):
    export = conversation(*BRANCHED)
    del export["current_node"]
    found = transcript_of(export | current)
    assert [message.text for message in found.messages] == ["Hi", "Newer"]


def test_of_leaves_without_a_time_the_last_of_the_file_counts():
    nodes = [node("q", None, "user", "Hi"), node("a", "q", "assistant", "A")]
    export = conversation(*nodes, node("b", "q", "assistant", "B"), current_node=None)
    assert [message.text for message in transcript_of(export).messages] == ["Hi", "B"]


def test_nothing_is_said_where_there_are_no_nodes():
    assert transcript_of(conversation(current_node=None)).messages == ()


def test_entries_that_are_no_conversations_are_named_and_skipped():
    export = [{"title": "Lost"}, chat("Hi", "Ho"), None]
    assert is_export(export)
    found = transcript_of(export)
    assert [message.text for message in found.messages] == ["Hi", "Ho"]
    assert found.place == "conversation 2 of 3 (1, 3 are none)"
    with pytest.raises(InvalidInput, match="conversation 1 → mapping: field required"):
        transcript_of(export, "1")


def test_of_many_entries_that_are_no_conversations_the_first_are_named():
    found = transcript_of([chat("Hi"), *[{}] * 9])
    assert found.place == "conversation 1 of 10 (2, 3, 4, 5, 6… are none)"


def test_a_time_that_is_no_time_does_not_hinder_the_choice():
    export = [chat("Hi", update_time=10**400), chat("Ho")]
    assert [one.text for one in transcript_of(export).messages] == ["Ho"]


def test_a_conversation_whose_id_is_no_text_does_not_hinder_the_search():
    assert transcript_of([chat("Hi", id=[]), chat("Ho", id="wanted")], "wanted").messages
